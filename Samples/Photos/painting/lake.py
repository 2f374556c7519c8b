"""The lake: six scenes."""
import math

import numpy as np

from .canvas import Canvas, curve, ellipse, fractal, mix, rect, rgb, rounded, step, stroke


def dawn():
    c = Canvas(1600, 1200, ("#27406f", "#5b6ba3", "#c58fae", "#f6b48a", "#ffe0a6"), 11, 0.58)
    c.clouds(20, 560, 0.5, "#ffd2b8", "#a0739d", 190, 12, 5, 0.75)
    c.glow(1010, 590, 420, "#ffca7a", 0.75)
    c.shape(ellipse(1010, 560, 46), "#fff6d8", blur=3)
    c.ridge(690, 330, 21, "#8d7fae", "#d9a3ae", 4, -1, "#f4b99b", 260)
    c.ridge(690, 250, 35, "#5d6399", "#a987a8", 5, -1, "#d9a5a5", 240)
    c.ridge(690, 190, 43, "#384a7c", "#735f8e", 4, -1, "#a4849f", 220)
    c.ridge(692, 105, 27, "#1f335c", "#3e4674", 6, -1, "#66628a", 160)
    c.pines([(x, 694, 18 + 22 * c.rng.random()) for x in np.arange(0, 560, 9)], "#1b2b4e")
    c.water(690, "#243a66", 0.34, 24, 5, "#ffd9a6")
    c.shape([curve([(930, 962), (1010, 985), (1130, 985), (1215, 952), (1180, 1012), (1120, 1024), (1010, 1024), (960, 1008)])],
            "#5a2c2e", "#1f1c33")
    c.shape(curve([(930, 962), (1010, 985), (1130, 985), (1215, 952), (1130, 973), (1010, 974)]), "#c97a5c")
    c.shape(ellipse(1070, 1034, 150, 11), "#101a34", blur=7, alpha=0.6)
    c.pines([(60, 1230, 620), (190, 1240, 470), (-20, 1230, 760), (285, 1245, 300)], "#14203f", "#0b1126")
    return c.picture()


def sails():
    c = Canvas(1600, 1067, ("#2f7fca", "#6fb3e6", "#cfe8f5", "#eaf5f6"), 12, 0.62)
    c.clouds(30, 520, 0.53, "#ffffff", "#b3c6dc", 170, 3, 2.2)
    c.ridge(560, 300, 61, "#6f8fbb", "#a9c1da", 5, 1, "#d7e8f1", 330, 0.5)
    c.ridge(575, 140, 66, "#4e8177", "#7fae84", 4, 1, "#a9cdb6", 200, soft=True)
    c.ridge(580, 75, 72, "#2f6b4d", "#6ea558", 5, 1, soft=True)
    for i in range(34):  # a village on the far shore
        x, s = 250 + i * 21 + c.rng.uniform(-7, 7), c.rng.uniform(13, 22)
        y = 578 - c.rng.random() * 26
        c.shape(rect(x, y - s * 0.8, x + s, y), mix("#fff3df", "#f0cfa6", c.rng.random()))
        c.shape(np.array([(x - 2, y - s * 0.8), (x + s / 2, y - s * 1.5), (x + s + 2, y - s * 0.8)]), mix("#b8543a", "#8f4435", c.rng.random()))
    c.shape(rect(566, 500, 586, 575), "#fff7ea")
    c.shape(np.array([(561, 501), (576, 430), (591, 501)]), "#3d7a78")
    c.water(582, "#12609c", 0.62, 20, 8, "#e6f6ff")
    for x, y, s, hull, jib in ((1130, 860, 2.5, "#c8353a", "#f6f1e4"), (540, 690, 1.05, "#23405e", "#f4c542"), (1430, 640, 0.6, "#ffffff", "#f3efe6"),
                               (820, 625, 0.42, "#23405e", "#e8654c")):
        c.shape(ellipse(x, y + 12 * s, 95 * s, 8 * s), "#0f3f6b", blur=5 * s, alpha=0.55)
        c.shape(np.array([(x - 80 * s, y - 14 * s), (x + 92 * s, y - 18 * s), (x + 64 * s, y + 11 * s), (x - 62 * s, y + 11 * s)]), hull, mix(hull, "#101828", 0.5))
        c.shape(rect(x - 2 * s, y - 250 * s, x + 2 * s, y - 14 * s), "#6b5236")
        c.shape(curve([(x - 6 * s, y - 244 * s), (x - 20 * s, y - 130 * s), (x - 92 * s, y - 32 * s), (x - 6 * s, y - 28 * s)]), "#ffffff", "#d4dfe8")
        c.shape(np.concatenate([curve([(x + 5 * s, y - 220 * s), (x + 52 * s, y - 120 * s), (x + 88 * s, y - 30 * s)], False), [(x + 6 * s, y - 30 * s)]]), jib, mix(jib, "#8899aa", 0.25))
    return c.picture()


def balloon():
    c = Canvas(1200, 1600, ("#3f8fc9", "#8cc3dd", "#f3e3c1", "#ffd49a"), 13, 0.75)
    c.clouds(60, 1000, 0.54, "#fff8ea", "#d9b9a6", 200, 31, 3.5, 0.8)
    x, y, r = 790, 430, 265
    body = curve([(x, y - r), (x + r * 0.72, y - r * 0.72), (x + r, y), (x + r * 0.62, y + r * 0.82), (x + r * 0.2, y + r * 1.35), (x - r * 0.2, y + r * 1.35),
                  (x - r * 0.62, y + r * 0.82), (x - r, y), (x - r * 0.72, y - r * 0.72)])
    c.shape(body, "#d94f3d")
    for i, colour in enumerate(("#f2b63c", "#fff1d6", "#2f7f8f", "#fff1d6", "#f2b63c")):  # gores bulge more towards the rim
        a, b = (math.sin(math.radians(d)) for d in (-75 + i * 30, -60 + i * 30))
        sides = [[(x + (body[:, 0] - x).max() * k * math.cos(math.asin(np.clip((q - y) / (r * 1.36), -1, 1))) ** 0.9, q)
                  for q in np.linspace(y - r, y + r * 1.35, 40)] for k in (a, b)]
        c.shape(np.array(sides[0] + sides[1][::-1]), colour, within=body)
    c.shape(ellipse(x + r * 0.75, y + r * 0.35, r * 0.75, r * 1.3), "#5a1f3a", blur=70, alpha=0.5, within=body)
    c.shape(ellipse(x - r * 0.45, y - r * 0.4, r * 0.3, r * 0.5, 0.4), "#ffffff", blur=45, alpha=0.6, within=body)
    for k in (-1, -0.35, 0.35, 1):
        c.shape(stroke([(x + k * 48, y + r * 1.34), (x + k * 30, y + r * 1.66)], 3), "#4a3527")
    c.shape(rounded(x - 34, y + r * 1.66, x + 34, y + r * 1.9, 9), "#a8713d", "#5f3a20")
    c.ridge(1130, 170, 81, "#7d8fae", "#b7a9ad", 4, -1, "#f0cfa9", 200, soft=True)
    c.ridge(1230, 120, 84, "#8a8f5c", "#c8b267", 3, -1, soft=True)
    c.ridge(1380, 110, 86, "#7c7a3a", "#d3b455", 3, -1, soft=True)
    autumn = [("#7c2a1c", "#b8402a", "#e0672f", "#f7a04a"), ("#8a5212", "#c9821d", "#eeb033", "#ffd970"), ("#6a2030", "#a3323a", "#d4553f", "#ef8a5a"),
              ("#4d5a22", "#7d8a32", "#b0ac48", "#dccb70")]
    trees = [(90 + i * 108, 1180 + 22 * math.sin(i * 2.1), 46) for i in range(11)] + [(-10, 1310, 115), (250, 1370, 95), (1010, 1330, 110), (1190, 1380, 150), (640, 1420, 80)]
    for i, (tx, ty, tr) in enumerate(trees):
        c.shape(ellipse(tx + tr * 0.5, ty + tr * 1.5, tr * 1.1, tr * 0.2), "#3a3520", blur=8, alpha=0.5)
        c.shape(np.array([(tx - tr * 0.08, ty), (tx + tr * 0.08, ty), (tx + tr * 0.14, ty + tr * 1.5), (tx - tr * 0.14, ty + tr * 1.5)]), "#4a2f22")
        c.foliage(tx, ty, tr, autumn[i * 7 % 4], 3 + tr * 0.055, 420)
    c.ridge(1590, 90, 88, "#6d5a26", "#b88d3a", 2, -1, soft=True)
    return c.picture()


def tent():
    c = Canvas(1600, 1067, ("#070b22", "#101c48", "#24407a", "#5f7ea6"), 14, 0.78)
    d = (c.x - 350) * 0.5 + (c.y - 900) * 0.86 + (fractal(1600, 1067, 300, 4) - 0.5) * 180
    n = fractal(1600, 1067, 160, 7, 6)
    band = np.exp(-((d + 210) / 150) ** 2) * (0.35 + n * 0.9)
    c.px += (255 - c.px) * (band[..., None] * np.array([0.42, 0.36, 0.5], np.float32) * (0.35 + 0.65 * n[..., None]))
    c.blend(rgb("#0b0e26"), np.exp(-((d + 200) / 42) ** 2) * step(0.45, 0.7, fractal(1600, 1067, 110, 8, 6)) * step(620, 380, c.y) * 0.5)
    c.stars(1500, 800)
    c.ridge(810, 310, 91, "#0d1736", "#2a4170", 5, -1, "#3a5682", 380, 0.35)
    c.ridge(850, 130, 95, "#0a1128", "#142348", 5, -1)
    c.pines([(x, 860, 40 + 60 * c.rng.random()) for x in np.arange(-10, 1620, 17)], "#070c1d")
    c.water(868, "#0c1738", 0.25, 20, 33)
    c.ridge(1010, 70, 97, "#080d1b", "#131d31", 2, 1, soft=True)
    c.glow(1120, 930, 230, "#ff9d45", 0.5)
    c.shape(ellipse(1120, 1003, 300, 26), "#ffb057", blur=22, alpha=0.4)
    c.shape(np.array([(920, 1000), (1085, 770), (1150, 1000)]), "#ffd070", "#ff8a35")
    c.shape(np.array([(1085, 770), (1350, 985), (1150, 1000)]), "#f59a3f", "#a5461f")
    c.shape(np.array([(1020, 1000), (1087, 800), (1118, 1000)]), "#fff4c4", "#ffd67c")
    c.shape([ellipse(1066, 930, 15), curve([(1046, 1000), (1050, 960), (1066, 945), (1084, 962), (1090, 1000)])], "#9a5426", blur=3, alpha=0.8)
    for x in (890, 1385):
        c.shape(stroke([(x, 1004), (x + (60 if x < 1000 else -70), 960)], 2.5), "#c98a4a", alpha=0.7)
    return c.picture(2.2)


def trails():
    c = Canvas(1200, 1600, ("#0a1540", "#1a3a78", "#3f6ea6", "#e0a58a"), 15, 0.92)
    px, py = 470, 620
    for _ in range(900):
        r, a, span = 20 + 1350 * c.rng.random() ** 0.8, c.rng.random() * 2 * math.pi, c.rng.uniform(0.3, 0.55)
        t = np.linspace(a, a + span, 40)
        line = np.stack([px + r * np.cos(t), py + r * np.sin(t)], 1)
        c.shape(stroke(line, c.rng.uniform(1.2, 3.2), True), mix("#bcd6ff", "#ffe3b0", c.rng.random()), alpha=c.rng.uniform(0.35, 0.9))
    c.ridge(1330, 260, 104, "#1b2c57", "#4a5d8c", 3, 1, "#7c7f9c", 330)
    c.ridge(1420, 160, 108, "#0e1a3a", "#24335d", 4, 1)
    c.pines([(x, 1600 + 30 * c.rng.random(), c.rng.uniform(150, 330)) for x in np.arange(-20, 1240, 52)], "#0b1430", "#070b1c")
    c.pines([(1010, 1640, 900), (1150, 1640, 680), (880, 1640, 460)], "#0a1230", "#060a18")
    return c.picture(2)


def panorama():
    c = Canvas(3000, 800, ("#2c6fb8", "#78b2df", "#d5e8f2"), 16, 0.6)
    c.clouds(10, 330, 0.56, "#ffffff", "#b9cbe0", 120, 44, 4, 0.9)
    c.ridge(520, 320, 111, "#6886ad", "#b4a9a6", 9, 1, "#d5e4f0", 420, 0.75)
    c.ridge(560, 250, 118, "#46648f", "#93897f", 8, 1, "#cfdfee", 330, 0.7)
    c.ridge(610, 95, 121, "#8fb0d4", "#f4f8fc", 6, 1, soft=True)
    c.pines([(x, 600 + 24 * math.sin(x / 90), 24 + 40 * c.rng.random()) for x in np.arange(0, 3010, 14) if math.sin(x / 210) + c.rng.random() > 0.6], "#24474a", "#16323a")
    c.ridge(720, 110, 125, "#9dbbdc", "#ffffff", 4, 1, soft=True)
    c.pines([(x, 712 + 30 * math.sin(x / 60), 60 + 80 * c.rng.random()) for x in np.arange(0, 3010, 41) if math.sin(x / 330 + 1.2) > 0.25], "#1d4044", "#0f262c")
    for x, y, s in ((1190, 690, 1.0), (1370, 670, 0.7), (2310, 690, 0.85)):
        c.shape(rect(x, y - 52 * s, x + 120 * s, y + 20 * s), "#8a5430", "#5c3520")
        c.shape([rect(x + k * s, y - 30 * s, x + (k + 18) * s, y - 8 * s) for k in (16, 52, 86)], "#ffd574")
        c.shape(np.array([(x - 18 * s, y - 46 * s), (x + 60 * s, y - 104 * s), (x + 138 * s, y - 46 * s)]), "#ffffff", "#d3e2f0")
    c.ridge(830, 100, 129, "#b2cae5", "#ffffff", 3, 1, soft=True)
    return c.picture(1.4, 0.08)
