"""Colours, noise, outlines and the canvas that every scene is painted on."""
import math

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

FINE = 4  # shapes are drawn this many times larger, then reduced, so that edges are smooth


def rgb(colour):
    if isinstance(colour, str):
        return np.array([int(colour[i:i + 2], 16) for i in (1, 3, 5)], np.float32)
    return np.asarray(colour, np.float32)


def mix(a, b, t):
    return rgb(a) + (rgb(b) - rgb(a)) * np.float32(t)


def ramp(stops, t):
    """The colours along `stops`, evenly spaced, at each t from 0 to 1."""
    table = np.stack([rgb(s) for s in stops])
    at = np.linspace(0, 1, len(table))
    return np.stack([np.interp(t, at, table[:, k]) for k in range(3)], -1).astype(np.float32)


def step(low, high, x):
    t = np.clip((x - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


def fractal(w, h, cell, seed, octaves=5, stretch=1.0):
    """Cloudy noise from 0 to 1; `cell` is the size of its largest lumps, `stretch` their width over height."""
    rng, total = np.random.default_rng(seed), np.zeros((h, w), np.float32)
    for k in range(octaves):
        size = max(2, int(w / (cell * stretch) * 2 ** k) + 2), max(2, int(h / cell * 2 ** k) + 2)
        size = min(size[0], w), min(size[1], h)
        grid = Image.fromarray(rng.random(size[::-1], dtype=np.float32))
        total += np.asarray(grid.resize((w, h), Image.BICUBIC)) * 0.5 ** k
    total -= total.min()
    return total / total.max()


def profile(w, seed, peaks, octaves=8, soft=False):
    """A skyline from 0 to 1: straight pieces give crags, eased pieces give rolling hills."""
    rng, total = np.random.default_rng(seed), np.zeros(w, np.float32)
    for k in range(octaves):
        knots = rng.random(int(peaks * 2 ** k) + 2)
        t = np.linspace(0, len(knots) - 1.001, w)
        i = t.astype(int)
        f = step(0, 1, t - i) if soft else t - i
        total += (knots[i] * (1 - f) + knots[i + 1] * f) * (0.32 if soft else 0.5) ** k
    return (total - total.min()) / (total.max() - total.min())


def ellipse(x, y, rx, ry=None, turn=0.0):
    a = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    u, v = rx * np.cos(a), (rx if ry is None else ry) * np.sin(a)
    c, s = math.cos(turn), math.sin(turn)
    return np.stack([x + u * c - v * s, y + u * s + v * c], 1)


def rect(x0, y0, x1, y1):
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], float)


def rounded(x0, y0, x1, y1, r):
    corners = [(x1 - r, y1 - r, 0), (x0 + r, y1 - r, 90), (x0 + r, y0 + r, 180), (x1 - r, y0 + r, 270)]
    return np.array([(x + r * math.cos(math.radians(a + d)), y + r * math.sin(math.radians(a + d)))
                     for x, y, a in corners for d in range(0, 91, 10)])


def curve(points, closed=True):
    """A smooth (Catmull-Rom) line through the points."""
    p = np.asarray(points, float)
    p = np.concatenate([p[-1:], p, p[:2]]) if closed else np.concatenate([p[:1], p, p[-1:]])
    t = np.linspace(0, 1, 14, endpoint=False)[:, None]
    out = [0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t ** 2 + (3 * b - a - 3 * c + d) * t ** 3)
           for a, b, c, d in zip(p, p[1:], p[2:], p[3:])]
    return np.concatenate(out + ([] if closed else [p[-1:]]))


def stroke(points, width, taper=False):
    """An outline around a line, thinner towards both ends when `taper`."""
    p = np.asarray(points, float)
    d = np.gradient(p, axis=0)
    n = np.stack([-d[:, 1], d[:, 0]], 1) / np.maximum(np.hypot(d[:, 0], d[:, 1]), 1e-6)[:, None]
    half = width / 2 * (np.sin(np.linspace(0.15, np.pi - 0.15, len(p))) if taper else np.ones(len(p)))[:, None]
    return np.concatenate([p + n * half, (p - n * half)[::-1]])


def star(x, y, r, inner=0.5, points=5, turn=-math.pi / 2):
    return np.array([(x + math.cos(turn + i * math.pi / points) * r * (inner if i % 2 else 1),
                      y + math.sin(turn + i * math.pi / points) * r * (inner if i % 2 else 1))
                     for i in range(points * 2)])


def blurred(px, radius):
    soft = Image.fromarray(np.clip(px, 0, 255).astype(np.uint8)).filter(ImageFilter.GaussianBlur(radius))
    return np.asarray(soft, np.float32)


class Canvas:
    """Floating-point pixels and the few brushes that the scenes share."""

    def __init__(self, w, h, stops, seed=1, bottom=1.0):
        self.w, self.h, self.rng = w, h, np.random.default_rng(seed)
        self.px = np.repeat(ramp(stops, np.linspace(0, 1 / bottom, h))[:, None], w, 1)
        self.alpha = None  # a sticker sets it
        self.y, self.x = np.mgrid[0:h, 0:w].astype(np.float32)

    def stencil(self, outlines, blur=0.0, within=None):
        """Coverage of the outlines, and where it lies: only their bounding box is computed."""
        if isinstance(outlines, np.ndarray):
            outlines = [outlines]
        every, pad = np.concatenate(outlines), blur * 3 + 2
        x0, y0 = np.clip(np.floor(every.min(0) - pad).astype(int), 0, (self.w, self.h))
        x1, y1 = np.clip(np.ceil(every.max(0) + pad).astype(int), 0, (self.w, self.h))
        if x1 <= x0 or y1 <= y0:
            return None

        def cover(shapes):
            large = Image.new("L", ((x1 - x0) * FINE, (y1 - y0) * FINE))
            pen = ImageDraw.Draw(large)
            for s in shapes:
                pen.polygon([tuple(q) for q in ((s - (x0, y0)) * FINE).round(1)], fill=255)
            return large.reduce(FINE)
        mask = cover(outlines)
        if blur:
            mask = mask.filter(ImageFilter.GaussianBlur(blur))
        mask = np.asarray(mask, np.float32) / 255
        if within is not None:
            mask = mask * np.asarray(cover([within]), np.float32) / 255
        return (slice(y0, y1), slice(x0, x1)), mask, every

    def shape(self, outlines, colour, to=None, blur=0.0, alpha=1.0, within=None, across=False):
        """Fills outlines with a colour, or a gradient from `colour` at the top (left if `across`) to `to`."""
        found = self.stencil(outlines, blur, within)
        if found is None:
            return
        at, mask, every = found
        paint = rgb(colour)
        if to is not None:
            k, grid = (0, self.x[at]) if across else (1, self.y[at])
            low, high = every[:, k].min(), every[:, k].max()
            paint = ramp((colour, to), np.clip((grid - low) / max(high - low, 1), 0, 1))
        self.blend(paint, mask * alpha, at)

    def blend(self, paint, mask, at=(slice(None), slice(None))):
        self.px[at] += (paint - self.px[at]) * mask[..., None]
        if self.alpha is not None:
            self.alpha[at] += (1 - self.alpha[at]) * mask

    def glow(self, x, y, r, colour, strength=1.0):
        """Adds light; screens rather than sums, so that it never burns out hard."""
        light = np.exp(-((self.x - x) ** 2 + (self.y - y) ** 2) / (r * r)) * strength
        self.px += (255 - self.px) * np.clip(light[..., None] * rgb(colour) / 255, 0, 1)

    def text(self, x, y, words, size, colour, anchor="mm"):
        """Text in the font that Pillow carries, so that no system font matters."""
        large = Image.new("L", (self.w * 2, self.h * 2))
        ImageDraw.Draw(large).text((x * 2, y * 2), words, 255, ImageFont.load_default(size * 2), anchor)
        self.blend(rgb(colour), np.asarray(large.reduce(2), np.float32) / 255)

    def clouds(self, y0, y1, cover, light, shade, cell, seed, stretch=2.5, alpha=1.0, octaves=6):
        n = fractal(self.w, self.h, cell, seed, octaves, stretch)
        n = n - n.mean() + 0.5
        fade = step(y0, y0 + (y1 - y0) * 0.35, self.y) * (1 - step(y1 - (y1 - y0) * 0.3, y1, self.y))
        above = np.roll(n, int(cell / 7), 0)
        paint = ramp((shade, light), np.clip(0.55 + (n - above) * 3.2, 0, 1))
        self.blend(paint, step(cover, cover + 0.2, n) * fade * alpha)

    def ridge(self, y, height, seed, dark, light, peaks=4, sun=1.0, haze=None, reach=300, snow=0.0, soft=False):
        """Mountains or hills from a noise skyline; each face is lit by the slope above it."""
        line = y - height * profile(self.w, seed, peaks, 4 if soft else 8, soft)
        depth = self.y - line
        smooth = np.convolve(np.pad(line, 12, "edge"), np.ones(25) / 25, "valid")
        slope = np.gradient(smooth) * (30 if soft else 3)
        n = fractal(self.w, self.h, 90, seed + 50, 5, 0.6 if not soft else 3)
        at = np.clip(self.x + (n - 0.5) * np.clip(depth, 0, 500) * 1.1, 0, self.w - 1).astype(int)
        lit = 1 / (1 + np.exp(-(slope[at] * sun * 1.6 + (n - 0.5) * (3 if soft else 4.5))))
        paint = ramp((dark, light), lit)
        if snow:
            white = ramp(("#7f9cc4", "#ffffff"), step(0.25, 0.75, lit))
            high = step(-0.12, 0.1, (snow - depth / max(height, 1) - (line - line.min()) / height * 0.7) + (n - 0.5) * 0.9)
            paint = paint + (white - paint) * high[..., None]
        if haze is not None:
            paint = paint + (rgb(haze) - paint) * (0.92 * step(0, reach, depth))[..., None]
        self.blend(paint, np.clip(depth + 0.5, 0, 1))
        return line

    def water(self, horizon, tint, strength=0.3, ripple=26.0, seed=9, shine=None, bottom=None):
        """Mirrors what is above the horizon in ripples that grow towards the viewer."""
        low = self.h if bottom is None else bottom
        rows = slice(horizon, low)
        d = (self.y[rows] - horizon) / (self.h - horizon) + 0.02
        wave = fractal(1024, 1024, 60, seed, 4)
        u = np.floor((self.x[rows] / self.w - 0.5) / d * 260).astype(int) % 1024
        v = (90 / d).astype(int) % 1024
        lift = (wave[v, u] - 0.5) + 0.35 * np.sin(140 / d ** 0.6 + wave[v, u] * 9)
        src = np.clip(2 * horizon - self.y[rows] - 1 + lift * ripple * 2.6 * d - d * 4, 0, horizon - 2)
        i, f = src.astype(int), (src % 1)[..., None]
        cols = np.clip(self.x[rows] + lift * 3, 0, self.w - 1).astype(int)
        seen = self.px[i, cols] * (1 - f) + self.px[i + 1, cols] * f
        seen = seen + (rgb(tint) - seen) * (strength * (0.45 + 0.75 * np.clip(d, 0, 1)))[..., None]
        if shine is not None:
            seen += (rgb(shine) - seen) * (0.55 * step(0.42, 0.75, lift) * np.clip(d * 3, 0.1, 1))[..., None]
        self.px[rows] = seen
        return lift

    def stars(self, count, low, sizes=(0.5, 1.5)):
        for _ in range(count):
            x, y, m = self.rng.random() * self.w, self.rng.random() * low, self.rng.random() ** 5
            colour = mix("#bcd2ff", "#ffe6c4", self.rng.random())
            self.shape(ellipse(x, y, sizes[0] + m * sizes[1]), colour, alpha=0.45 + 0.55 * m)
            if m > 0.8:
                self.shape(ellipse(x, y, 5), colour, blur=4, alpha=0.5)

    def pines(self, spots, colour, to=None):
        for x, base, h in spots:
            left, right, tiers = [], [], max(6, int(h / 14))
            for i in range(tiers):
                half = h * 0.21 * (i + 1) / tiers
                for side, out in ((-1, left), (1, right)):
                    y = base - h * 0.94 * (1 - (i + 1) / tiers)
                    out.append((x + side * half * self.rng.uniform(0.85, 1.15), y + self.rng.uniform(0, 3)))
                    out.append((x + side * half * 0.55, y - h * 0.02))
            trunk = rect(x - h * 0.018, base - h * 0.08, x + h * 0.018, base + h * 0.04)
            self.shape([np.array([(x, base - h)] + right + left[::-1]), trunk], colour, to)

    def foliage(self, x, y, r, colours, dot=7.0, count=420, flat=0.85):
        """A tree crown: leaves in layers, the lighter ones nearer the light."""
        for k, colour in enumerate(colours):
            t, leaves = k / max(len(colours) - 1, 1), []
            for _ in range(int(count * (1 - 0.45 * t))):
                a, q = self.rng.random() * 2 * math.pi, math.sqrt(self.rng.random()) * r * (1 - 0.22 * t)
                lump = 1 + 0.14 * math.sin(a * 5 + x)
                leaves.append(ellipse(x + math.cos(a) * q * lump - r * 0.15 * t, y + math.sin(a) * q * lump * flat - r * 0.2 * t,
                                      dot * self.rng.uniform(0.6, 1.3), dot * 0.7, self.rng.random() * 3))
            self.shape(leaves, colour)

    def bokeh(self, colours, count, sizes, blur=3.0, alpha=0.35, y0=0.0, y1=1.0):
        for _ in range(count):
            r = self.rng.uniform(*sizes)
            spot = ellipse(self.rng.random() * self.w, self.rng.uniform(y0, y1) * self.h, r)
            self.shape(spot, colours[self.rng.integers(len(colours))], blur=blur, alpha=alpha * self.rng.uniform(0.4, 1))

    def picture(self, grain=1.6, vignette=0.14):
        """The finished picture, with the fall-off of a lens and a little grain."""
        px = self.px
        if vignette:
            d = ((self.x / self.w - 0.5) ** 2 + (self.y / self.h - 0.5) ** 2) * 2
            px = px * (1 - vignette * d ** 1.3)[..., None]
        if grain:
            px = px + self.rng.normal(0, grain, (self.h, self.w, 1)).astype(np.float32)
        out = np.clip(px + 0.5, 0, 255).astype(np.uint8)
        if self.alpha is not None:
            out = np.dstack([out, (np.clip(self.alpha, 0, 1) * 255 + 0.5).astype(np.uint8)])
        return Image.fromarray(out)
