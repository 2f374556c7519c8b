"""The city and the coast: four scenes."""
import math

import numpy as np

from .canvas import Canvas, curve, ellipse, fractal, mix, ramp, rect, rgb, rounded, step, stroke


def skyline():
    c = Canvas(2400, 1600, ("#0c1238", "#2a2a70", "#7a3f8c", "#e06a7c", "#ffb27a"), 17, 0.72)
    c.clouds(60, 900, 0.55, "#f08a92", "#4a3878", 260, 51, 6, 0.55)
    c.stars(150, 420, (0.7, 1.6))
    c.glow(560, 330, 190, "#ffe9c8", 0.35)
    c.shape(ellipse(560, 330, 62), "#fff4dc")
    c.shape([ellipse(545, 318, 14), ellipse(580, 350, 20), ellipse(572, 300, 9)], "#e6d3b8", blur=4, alpha=0.6)
    base = 1130
    for layer, (low, high, wall, top, lit) in enumerate(((180, 430, "#5a3f7e", "#8a5590", 0.12), (150, 520, "#2c2a5e", "#453a78", 0.3), (90, 430, "#12163a", "#1d2250", 0.42))):
        x = -20
        while x < 2400:
            w, h = c.rng.integers(60, 150), c.rng.uniform(low, high) * (0.55 + 0.45 * math.sin(x / 260 + layer * 2) ** 2)
            c.shape(rect(x, base - h, x + w, base), top, wall)
            if c.rng.random() < 0.35:
                c.shape([rect(x + w * 0.25, base - h - 26, x + w * 0.75, base - h + 1), rect(x + w * 0.48, base - h - 80, x + w * 0.52, base - h)], wall)
            on = {k: [] for k in ("#ffd98a", "#ffb45e", "#bfe3ff")}
            size = 6 + layer * 2
            for wy in np.arange(base - h + 14, base - 12, size * 2.1):
                for wx in np.arange(x + 9, x + w - size - 5, size * 1.9):
                    if c.rng.random() < lit:
                        on[list(on)[c.rng.choice(3, p=(0.6, 0.25, 0.15))]].append(rect(wx, wy, wx + size, wy + size * 1.15))
            for colour, panes in on.items():
                if panes:
                    c.shape(panes, colour, alpha=0.55 + 0.22 * layer)
            x += w + c.rng.integers(-4, 16)
        if layer == 1:  # the lattice tower stands between the two nearer rows
            tx, foot, height = 1560, base, 800
            c.glow(tx, 620, 330, "#ff7a4a", 0.4)
            half = lambda t: 6 + 118 * (1 - t) ** 2.2
            ts = np.linspace(0, 1, 26)
            sides = [np.array([(tx + k * half(t), foot - t * height) for t in ts]) for k in (-1, 1)]
            c.shape(np.concatenate([sides[0], sides[1][::-1]]), "#a83428", alpha=0.55)
            for i, (t, u) in enumerate(zip(ts, ts[1:])):
                colour = "#fff0dc" if i % 6 == 5 else "#ff5a36"
                for k in (-1, 1):
                    c.shape(stroke([(tx + k * half(t), foot - t * height), (tx + k * half(u), foot - u * height)], 9), colour)
                    c.shape(stroke([(tx + k * half(t), foot - t * height), (tx - k * half(u), foot - u * height)], 5), colour)
            for t, w in ((0.36, 74), (0.68, 34)):
                c.shape(rounded(tx - w, foot - t * height - 26, tx + w, foot - t * height + 12, 8), "#fff3dd", "#ff9a5c")
            c.shape(rect(tx - 4, foot - height - 110, tx + 4, foot - height), "#ffe2cc")
    c.shape(rect(0, base - 12, 2400, base + 2), "#0a0d26")
    c.shape([ellipse(x, base - 16, 3.5) for x in range(20, 2400, 58)], "#ffe7b0")
    c.water(base, "#141a4a", 0.36, 40, 19, "#ffc9a0")
    return c.picture(1.5)


def sunset():
    c = Canvas(1600, 1200, ("#3a2a6a", "#a83a72", "#f0603f", "#ffa12e", "#ffe37a"), 18, 0.6)
    c.clouds(30, 660, 0.47, "#ffb45c", "#8a2f62", 170, 62, 5, 0.85)
    c.glow(620, 640, 380, "#ffe08a", 0.8)
    c.shape(ellipse(620, 620, 104), "#fffbe0", "#ffd23e")
    c.ridge(716, 60, 131, "#9a3a5a", "#c9584e", 3, -1, soft=True)
    c.water(712, "#5a1f5c", 0.35, 26, 23, None)
    d = (c.y - 712) / 488
    lane = np.exp(-((c.x - 620) / (70 + 200 * np.clip(d, 0, 1))) ** 2)
    sparkle = fractal(1600, 1200, 22, 71, 3, 5)
    c.blend(rgb("#fff0a0"), np.where(d > 0, lane * step(0.42, 0.68, sparkle) * 0.95, 0).astype(np.float32))
    cliff = curve([(1640, 560), (1480, 600), (1360, 640), (1290, 700), (1210, 770), (1130, 860), (1160, 900), (1400, 920), (1680, 930), (1700, 700)])
    c.shape(cliff, "#4a1f45", "#1d0f2c")
    c.shape(np.array([(1372, 660), (1386, 400), (1436, 400), (1450, 660)]), "#fff0dc", "#c96a5c", across=True)
    for y in (450, 540, 630):
        c.shape(np.array([(1385 - (y - 420) * 0.055, y), (1437 + (y - 420) * 0.055, y), (1439 + (y - 420) * 0.055, y + 42), (1383 - (y - 420) * 0.055, y + 42)]), "#d8343c", "#7a1c38", across=True)
    c.shape([rect(1376, 392, 1446, 404), rect(1394, 350, 1428, 394)], "#2a1430")
    c.shape(rect(1400, 356, 1422, 390), "#fff6b8")
    c.shape(np.array([(1388, 352), (1411, 318), (1434, 352)]), "#2a1430")
    c.glow(1411, 372, 80, "#fff0a8", 0.8)
    for x, y, s in ((330, 300, 26), (400, 270, 18), (270, 350, 20), (470, 330, 14)):
        c.shape(stroke(curve([(x - s, y - s * 0.35), (x - s * 0.45, y - s * 0.5), (x, y), (x + s * 0.45, y - s * 0.5), (x + s, y - s * 0.35)], False), 5, True), "#3a1838")
    return c.picture()


def beach():
    c = Canvas(1200, 1600, ("#f6deb0", "#f1d09a"), 19)
    edge = c.x * 0.35 + c.y * 0.5 - 640 + (fractal(1200, 1600, 420, 5, 3) - 0.5) * 240 + 16 * np.sin(c.x / 60)
    c.px += (fractal(1200, 1600, 40, 6, 5)[..., None] - 0.5) * 16
    c.blend(rgb("#c99e68"), step(-95, -10, edge) * 0.7)
    sea = ramp(("#bdeee0", "#5fd3cd", "#1fa9bd", "#0f7fa8", "#0b5f8f"), np.clip(edge / 620, 0, 1))
    caustic = 1 - np.abs(fractal(1200, 1600, 70, 8, 4) - 0.5) * 9
    c.blend(sea + np.clip(caustic, 0, 1)[..., None] * 26, step(-3, 6, edge))
    for at, wide, strength in ((4, 12, 1), (70, 16, 0.85), (165, 12, 0.6), (300, 10, 0.35)):
        wob = edge + (fractal(1200, 1600, 60, 9 + at, 5) - 0.5) * 60
        c.blend(rgb("#ffffff"), np.exp(-((wob - at) / wide) ** 2) * strength * (0.45 + 0.55 * step(0.35, 0.6, fractal(1200, 1600, 22, at, 4))))
    for x, y, r, a, b in ((230, 240, 96, "#e8473f", "#fff4e2"), (640, 170, 88, "#2a7fb8", "#fff4e2"), (150, 620, 84, "#f2b134", "#ffffff"), (985, 110, 80, "#3aa37a", "#fdf3dc"), (420, 480, 90, "#e8718a", "#fff6ea")):
        tx, ty = x + r * 1.05, y + r * 0.35
        towel = rounded(tx, ty, tx + 66, ty + 140, 5)
        c.shape(towel + 6, "#8a6a44", blur=5, alpha=0.5)
        c.shape(towel, b)
        c.shape([rect(tx, ty + k, tx + 66, ty + k + 14) for k in (18, 50, 82, 114)], a, alpha=0.85)
        c.shape(ellipse(x + 34, y + 40, r), "#6b5238", blur=9, alpha=0.5)
        for i in range(12):
            t = np.linspace(i * math.pi / 6, (i + 1) * math.pi / 6, 8)
            c.shape(np.concatenate([[(x, y)], np.stack([x + r * np.cos(t), y + r * np.sin(t)], 1)]), mix(a if i % 2 else b, "#202040", 0.14 if 2 < i < 8 else 0))
        c.shape(ellipse(x, y, 6), "#ffffff")
    c.shape(curve([(820, 1120), (850, 1180), (846, 1300), (820, 1350), (794, 1300), (790, 1180)]) + 18, "#0a5d80", blur=9, alpha=0.6)
    c.shape(curve([(820, 1120), (850, 1180), (846, 1300), (820, 1350), (794, 1300), (790, 1180)]), "#ffcf3f", "#f08a2c", across=True)
    c.shape(curve([(820, 1190), (836, 1220), (834, 1280), (820, 1305), (806, 1280), (804, 1220)]), "#5a3420")
    c.shape(stroke([(768, 1262), (872, 1222)], 6), "#fff3d8")
    return c.picture(1.8, 0.1)


def road():
    c = Canvas(1600, 1067, ("#3a86c8", "#8fc4e4", "#f8e6c8"), 20, 0.55)
    c.clouds(10, 470, 0.52, "#ffffff", "#c7b9c4", 170, 83, 3)
    c.ridge(560, 230, 141, "#6c7fae", "#b59db0", 4, 1, "#e8d3c8", 260)
    c.ridge(575, 110, 145, "#5c8a5c", "#b3bf68", 4, 1, soft=True)
    top, vx = 560, 900
    d = np.clip((c.y - top) / 507, 0.002, 1)
    u = (c.x - vx) / d / 1600
    rows = 0.5 + 0.5 * np.sin(u * 60)
    n = fractal(1600, 1067, 26, 3, 4)
    left = ramp(("#4a2f78", "#8a5cc0", "#c79be8"), np.clip(rows * 0.75 + (n - 0.35) * 0.7, 0, 1))
    right = ramp(("#a87a24", "#e0b441", "#ffe391"), np.clip(rows * 0.6 + (n - 0.3) * 0.8, 0, 1))
    field = np.where((u < 0)[..., None], left, right)
    field += (rgb("#e3cf9f") - field) * (0.55 * (1 - step(0, 0.3, d)))[..., None]
    c.blend(field, step(top - 1, top + 1, c.y))
    bend = 300 * (1 - d) ** 3 * np.sin(d * 3)  # the road leaves to the right before the hill
    v = (c.x - vx + 330 * d - bend) / d
    inside = c.y > top + 2
    c.blend(rgb("#6d8a45"), inside * (1 - step(395, 420, np.abs(v))))
    c.blend(ramp(("#8a8790", "#56545f"), d), inside * (1 - step(300, 306, np.abs(v))))
    c.blend(rgb("#f4efe2"), inside * (step(268, 272, np.abs(v)) * (1 - step(282, 286, np.abs(v)))))
    dash = step(0.0, 0.1, np.sin(7.5 / (d + 0.12)))
    c.blend(rgb("#ffd75a"), inside * dash * (1 - step(9, 13, np.abs(v))))
    for x, y, s in ((1310, 640, 62), (1420, 660, 80), (1545, 700, 112), (250, 610, 42), (170, 615, 50)):
        c.shape(ellipse(x + s * 0.4, y + s * 0.95, s, s * 0.16), "#3d3a3a", blur=6, alpha=0.5)
        c.shape(rect(x - s * 0.08, y, x + s * 0.08, y + s), "#54402f")
        c.foliage(x, y, s, ("#2d5232", "#477a3d", "#74a24a", "#a8c766"), s * 0.085, 460)
    return c.picture()
