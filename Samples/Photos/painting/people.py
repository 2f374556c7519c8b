"""A friendly head and shoulders, and the six people painted with it."""
import math

import numpy as np

from .canvas import blurred, Canvas, curve, ellipse, mix, rect, rounded, stroke


def ringlets(c, spots, size, dark, shine):
    for i, (x, y) in enumerate(spots):
        a = c.rng.random() * 6.3
        arc = np.stack([x + size * np.cos(np.linspace(a, a + 4, 16)), y + size * np.sin(np.linspace(a, a + 4, 16))], 1)
        c.shape(stroke(arc, size * 0.34, True), shine if i % 3 == 0 else dark, alpha=0.5)


def person(c, x, y, r, skin, hair, style, shirt, tilt=0.0, iris="#5a3a22", extra=()):
    """A friendly head and shoulders; (x, y) is between the eyes' height and the nose, r half the head's width."""
    k, q = math.cos(tilt), math.sin(tilt)

    def at(points, turn=True):
        p = np.asarray(points, float).reshape(-1, 2)
        if turn:
            p = np.stack([p[:, 0] * k - p[:, 1] * q, p[:, 0] * q + p[:, 1] * k], 1)
        return p * r + (x, y)

    def both(points):  # a half outline from the top down, mirrored
        p = [tuple(v) for v in points]
        return p + [(-a, b) for a, b in p[::-1] if abs(a) > 1e-6]

    def oval(cx, cy, rx, ry=None, turn=0.0):
        return at(ellipse(cx, cy, rx, ry, turn))

    deep, pale, dark = mix(skin, "#5a1f2a", 0.36), mix(skin, "#fff0dc", 0.4), mix(hair, "#0a0812", 0.45)
    shine = mix(hair, "#ffe9cc", 0.28)
    if style == "long":
        back = at(curve(both([(0, -1.55), (0.85, -1.35), (1.28, -0.5), (1.32, 0.6), (1.5, 1.7), (1.3, 2.75), (0.6, 2.95)])))
        c.shape(back, hair, dark)
    elif style == "curls":
        mass = [oval(math.cos(a) * 1.08, -0.42 + math.sin(a) * 1.05, 0.6) for a in np.arange(2.6, 6.85, 0.2)] + [oval(0, -0.5, 1.3)]
        c.shape(mass, mix(hair, shine, 0.3), dark)
        ringlets(c, [at([(math.cos(a) * (0.85 + 0.75 * t), -0.45 + math.sin(a) * (0.85 + 0.7 * t))])[0]
                     for a, t in zip(c.rng.uniform(2.5, 6.95, 330), c.rng.random(330))], r * 0.12, dark, shine)
    elif style == "bun":
        c.shape(oval(0.15, -1.62, 0.5, 0.44), hair, dark)
        c.shape(at(curve(both([(0, -1.45), (0.8, -1.25), (1.12, -0.4), (1.0, 0.5), (0.5, 1.0)]))), hair, dark)
    elif style == "bob":
        c.shape(at(curve(both([(0, -1.52), (0.85, -1.32), (1.27, -0.5), (1.3, 0.5), (1.22, 1.22), (0.7, 1.4)]))), hair, dark)
    low = (c.h - y) / r + 0.4
    body = at(curve(both([(0, 1.6), (0.52, 1.68), (1.15, 1.98), (1.9, 2.3), (2.3, 3.0), (2.55, low), (2.5, low + 1)])), False)
    sides = at([(-0.5, 0.6), (0.5, 0.6), (0.46, 1.25), (-0.46, 1.25)])  # the neck turns with the head, the neckline does not
    line = at([(0.6, 1.7), (0.4, 2.12), (0, 2.3), (-0.4, 2.12), (-0.6, 1.7)], False)
    neck = np.concatenate([curve([*sides[1:3], *line[:3]], False), curve([*line[2:], sides[3], sides[0]], False)])
    c.shape(body, shirt, mix(shirt, "#10142a", 0.45))
    c.shape(at(ellipse(-1.2, 2.6, 0.7, 0.5), False), mix(shirt, "#ffffff", 0.5), blur=r * 0.35, alpha=0.45, within=body)
    c.shape(at(stroke(curve([(-1.55, 2.95), (-1.42, 3.7), (-1.5, low + 0.8)], False), 0.09, True), False), "#10142a", blur=r * 0.05, alpha=0.3)
    c.shape(at(stroke(curve([(1.55, 2.95), (1.42, 3.7), (1.5, low + 0.8)], False), 0.09, True), False), "#10142a", blur=r * 0.05, alpha=0.3)
    c.shape(neck, skin)
    c.shape(oval(0.08, 1.08, 0.8, 0.55), deep, blur=r * 0.16, alpha=0.75, within=neck)
    if "collar" in extra:
        for s in (-1, 1):
            c.shape(at(curve([(s * 0.56, 1.6), (s * 1.0, 1.95), (s * 0.62, 2.5), (s * 0.06, 2.2)]), False), "#ffffff", "#cfd6e2")
    else:
        c.shape(at(stroke(curve([(-0.66, 1.68), (-0.4, 2.12), (0, 2.3), (0.4, 2.12), (0.66, 1.68)], False), 0.14), False), mix(shirt, "#ffffff", 0.35))
    for s in (-1, 1):
        c.shape(oval(s * 0.98, 0.12, 0.17, 0.28, s * 0.15), mix(skin, deep, 0.3))
        if "earrings" in extra:
            c.shape(oval(s * 1.02, 0.55, 0.1), "#ffd24a", "#c8862a")
    face = at(curve(both([(0, -1.3), (0.62, -1.12), (0.96, -0.4), (0.95, 0.25), (0.74, 0.85), (0.34, 1.22), (0, 1.3)])))
    c.shape(face, skin)
    c.shape(oval(0.85, 0.35, 0.42, 1.2), deep, blur=r * 0.25, alpha=0.62, within=face)
    c.shape(oval(-0.32, -0.5, 0.5, 0.5), pale, blur=r * 0.24, alpha=0.7, within=face)
    for s in (-1, 1):
        c.shape(oval(s * 0.56, 0.46, 0.25, 0.19), mix(skin, "#f0404e", 0.5), blur=r * 0.11, alpha=0.6, within=face)
        eye = at(curve([(s * 0.18, 0.02), (s * 0.38, -0.13), (s * 0.6, 0.0), (s * 0.4, 0.11)]))
        c.shape(eye, "#ffffff", "#e2e6f0")
        c.shape(oval(s * 0.39 + 0.02, -0.01, 0.125), iris, within=eye)
        c.shape(oval(s * 0.39 + 0.02, -0.01, 0.068), "#14101a", within=eye)
        c.shape(oval(s * 0.39 - 0.02, -0.055, 0.034), "#ffffff")
        c.shape(at(stroke(curve([(s * 0.15, 0.03), (s * 0.38, -0.145), (s * 0.65, -0.02)], False), 0.06, True)), "#2a1820")
        c.shape(at(stroke(curve([(s * 0.14, -0.29), (s * 0.4, -0.4), (s * 0.68, -0.29)], False), 0.11, True)), mix(hair, "#2a1a16", 0.5))
    c.shape(oval(0.06, 0.36, 0.15, 0.12), deep, blur=r * 0.06, alpha=0.6)
    c.shape(oval(-0.03, 0.28, 0.08, 0.1), pale, blur=r * 0.04, alpha=0.75)
    c.shape(at(stroke(curve([(-0.12, 0.4), (0, 0.45), (0.13, 0.4)], False), 0.04, True)), mix(deep, "#3a1018", 0.3))
    if "beard" in extra:
        c.shape(at(curve([(-0.96, 0.1), (-0.84, 0.52), (-0.45, 0.56), (0, 0.52), (0.45, 0.56), (0.84, 0.52), (0.96, 0.1), (0.9, 0.75), (0.5, 1.32), (0, 1.45), (-0.5, 1.32), (-0.9, 0.75)])), hair, dark)
    c.shape(at(curve([(-0.36, 0.68), (0, 0.73), (0.36, 0.68), (0.2, 0.88), (0, 0.93), (-0.2, 0.88)])), "#8f2433")
    c.shape(at(curve([(-0.29, 0.7), (0, 0.745), (0.29, 0.7), (0.15, 0.79), (0, 0.81), (-0.15, 0.79)])), "#ffffff")
    c.shape(at(stroke(curve([(-0.22, 0.9), (0, 0.955), (0.22, 0.9)], False), 0.06, True)), mix(skin, "#c03a48", 0.6))
    if style in ("long", "bob", "bun"):
        fringe = {"long": [(-0.08, -1.2), (-0.5, -0.75), (-0.92, -0.42), (-1.05, 0.5), (-1.24, 0.55), (-1.25, -0.5), (-0.82, -1.36), (0, -1.56), (0.82, -1.36), (1.25, -0.5), (1.22, 0.55), (1.04, 0.5), (0.92, -0.36), (0.5, -0.8)],
                  "bob": [(0, -0.52), (-0.5, -0.5), (-0.92, -0.38), (-1.0, 0.7), (-1.24, 0.8), (-1.27, -0.5), (-0.84, -1.33), (0, -1.54), (0.84, -1.33), (1.27, -0.5), (1.24, 0.8), (1.0, 0.7), (0.92, -0.38), (0.5, -0.5)],
                  "bun": [(-0.3, -0.95), (-0.8, -0.62), (-1.0, 0.05), (-1.12, -0.3), (-0.85, -1.2), (0, -1.47), (0.85, -1.2), (1.12, -0.3), (1.0, 0.05), (0.85, -0.55), (0.35, -0.86)]}[style]
        top = at(curve(fringe))
        c.shape(top, mix(hair, shine, 0.25), dark)
        c.shape(at(stroke(curve([(-0.85, -0.85), (-0.45, -1.2), (0.15, -1.3)], False), 0.14, True)), shine, blur=r * 0.05, alpha=0.8, within=top)
    elif style == "short":
        top = at(curve([(-1.03, 0.0), (-1.12, -0.6), (-0.95, -1.2), (-0.5, -1.58), (0.2, -1.72), (0.85, -1.45), (1.12, -0.8), (1.03, 0.0), (0.92, -0.45), (0.6, -0.82), (0.05, -0.78), (-0.5, -0.92), (-0.9, -0.5)]))
        c.shape(top, shine, dark)
        for t in np.linspace(-0.7, 0.7, 6):
            c.shape(at(stroke(curve([(t, -0.95), (t + 0.1, -1.25), (t + 0.3, -1.5)], False), 0.06, True)), dark, alpha=0.5, within=top)
    elif style == "curls":
        c.shape([oval(t, -1.16 + 0.42 * t * t, 0.25) for t in np.linspace(-0.92, 0.92, 14)], hair)
        ringlets(c, [at([(t, -1.2 + 0.42 * t * t + d)])[0] for t, d in zip(c.rng.uniform(-1, 1, 90), c.rng.uniform(-0.25, 0.2, 90))], r * 0.12, dark, shine)
    if "glasses" in extra:
        for s in (-1, 1):
            ring = curve([(s * 0.12, -0.1), (s * 0.2, -0.25), (s * 0.6, -0.25), (s * 0.7, -0.08), (s * 0.6, 0.2), (s * 0.24, 0.22)])
            c.shape(at(ring), "#dff0ff", alpha=0.16)
            c.shape(at(stroke(np.concatenate([ring, ring[:2]]), 0.055)), "#2a2430")
        c.shape(at(stroke([(-0.13, -0.06), (0, -0.1), (0.13, -0.06)], 0.05)), "#2a2430")


def amara():
    c = Canvas(1600, 1200, ("#f7d9a8", "#f2a97a", "#c8617a"), 31)
    c.bokeh(["#fff0c2", "#ffd18a", "#ff9f86", "#f7c6d8"], 70, (30, 110), 6, 0.4)
    person(c, 520, 520, 190, "#8a5434", "#2a1a1c", "curls", "#f2b632", 0.07, "#3a2216", ("earrings",))
    return c.picture()


def jonas():
    c = Canvas(1200, 1600, ("#b9dcec", "#dcefe8", "#bfd8a4", "#6fa15e"), 32)
    for x, y, s in ((120, 760, 150), (1060, 800, 170), (620, 900, 110)):
        c.foliage(x, y, s, ("#3f7a4c", "#5f9c58", "#93c274"), 15, 260)
    c.px[:] = blurred(c.px, 9)
    c.bokeh(["#ffffff", "#e8f7c8"], 40, (20, 60), 5, 0.35, 0.1, 0.8)
    person(c, 760, 560, 175, "#f2c4a0", "#b8632c", "short", "#2f6f8f", -0.06, "#3f7a5c", ("beard", "collar"))
    return c.picture()


def mei():
    c = Canvas(1600, 1200, ("#cfe2f7", "#eef0fb", "#f8dfe8"), 33)
    for x0, y0, x1, y1, w in ((-20, 330, 640, 150, 34), (300, 250, 520, 40, 18), (1620, 160, 1180, 250, 26), (100, 300, 260, 470, 14)):
        c.shape(stroke(curve([(x0, y0), ((x0 + x1) / 2, (y0 + y1) / 2 - 30), (x1, y1)], False), w, True), "#6a4a4a")
        for _ in range(46):
            t = c.rng.random()
            fx, fy, s = x0 + (x1 - x0) * t + c.rng.normal(0, 60), y0 + (y1 - y0) * t + c.rng.normal(0, 55), c.rng.uniform(14, 27)
            c.shape([ellipse(fx + math.cos(a) * s * 0.6, fy + math.sin(a) * s * 0.6, s * 0.55, s * 0.4, a) for a in np.arange(0.3, 6.4, 1.2566)], mix("#ffd9e6", "#f490b4", c.rng.random()))
            c.shape(ellipse(fx, fy, s * 0.2), "#d84a7a")
    c.px[:] = blurred(c.px, 2.5)
    person(c, 1060, 560, 180, "#f4cfa8", "#1c1822", "bob", "#d8506a", -0.05, "#2f1c16")
    c.bokeh(["#ffc4d8", "#ffe4ee"], 26, (8, 20), 2, 0.8)
    return c.picture()


def ilse():
    c = Canvas(1200, 1600, ("#5a7f8a", "#7fa3a4", "#a8bfae"), 34)
    c.shape(rect(80, 120, 560, 1000), "#fdf2cf", "#bfe0ec")
    c.bokeh(["#8fc48a", "#f7e6a0", "#6fae7a"], 50, (30, 80), 8, 0.5, 0.15, 0.6)
    c.shape(rect(560, 0, 1200, 1600), "#5a7f8a", "#8aa69c")
    c.shape(rect(0, 1000, 560, 1600), "#6a8f92", "#8aa69c")
    c.shape([rect(60, 100, 90, 1020), rect(550, 100, 580, 1020), rect(60, 100, 580, 130), rect(50, 1000, 600, 1036), rect(312, 120, 328, 1000), rect(80, 540, 560, 556)], "#fff8ec", "#d8d6c8")
    c.px[:] = blurred(c.px, 3)
    person(c, 470, 690, 185, "#f0c8b0", "#d9d6dc", "bun", "#7a5a9c", 0.08, "#4a7a9c", ("glasses", "earrings"))
    return c.picture()


def ravi():
    c = Canvas(1600, 1067, ("#c9705a", "#a5503f"), 35)
    for row in range(-1, 20):
        for k in range(-1, 13):
            x, y = k * 140 + (row % 2) * 70, row * 58
            c.shape(rounded(x + 4, y + 4, x + 136, y + 54, 4), mix("#d98a68", "#a84a3c", c.rng.random()), alpha=0.85)
    c.px[:] = blurred(c.px, 2)
    c.shape(np.array([(-200, -50), (700, -50), (1250, 1150), (300, 1150)]), "#ffe0a8", blur=70, alpha=0.35)
    person(c, 1130, 470, 168, "#b97a4e", "#1f1a20", "short", "#2f8f83", 0.05, "#3a2418", ("glasses", "beard"))
    return c.picture()


def lucia():
    c = Canvas(1600, 1200, ("#3f9fd0", "#8fd0e4", "#5fc4c8", "#2a9ab0"), 36)
    c.shape(rect(0, 560, 1600, 1200), "#1f8fae", "#7fd8cc")
    c.shape(curve([(-100, 900), (500, 850), (1100, 930), (1700, 880), (1700, 1300), (-100, 1300)]), "#f7e2b4", "#e8c488")
    c.px[:] = blurred(c.px, 9)
    c.bokeh(["#ffffff", "#d8fbff"], 46, (10, 34), 4, 0.5, 0.45, 0.75)
    person(c, 480, 470, 172, "#e0a878", "#7a3a20", "long", "#ff7a5a", -0.08, "#4a6a3a", ("earrings",))
    return c.picture()
