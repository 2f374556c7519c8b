"""Things close by, and the kinds of picture that are not photos."""
import math

import numpy as np
from PIL import Image

from .canvas import Canvas, curve, ellipse, fractal, mix, rect, rounded, star, stroke


def fruit():
    c = Canvas(1600, 1200, ("#2f4a4a", "#48706a", "#6d9384"), 22, 0.7)
    c.glow(260, 120, 700, "#ffe3b0", 0.5)
    c.shape(rect(0, 800, 1600, 1200), "#b97a48", "#6a3a22")
    grain = fractal(1600, 1200, 26, 4, 4, 14)
    c.px += ((grain - 0.5) * 46 * (c.y > 800))[..., None]

    def ball(x, y, r, ry, light, mid, dark, turn=0.0, blossom=True):
        edge = ellipse(x, y, r, ry, turn)
        c.shape(edge, mid)
        c.shape(ellipse(x + r * 0.5, y + ry * 0.55, r * 0.95, ry * 0.75, -0.6), dark, blur=r * 0.28, alpha=0.9, within=edge)
        c.shape(ellipse(x - r * 0.35, y - ry * 0.38, r * 0.5, ry * 0.42, -0.6), light, blur=r * 0.2, alpha=0.9, within=edge)
        if blossom:
            c.shape(ellipse(x - r * 0.42, y - ry * 0.5, r * 0.13, ry * 0.08, -0.6), "#ffffff", blur=r * 0.04, alpha=0.85)

    def leaf(x, y, s, turn, colour):
        p = np.array(curve([(0, 0), (0.4, -0.3), (1, -0.05), (0.45, 0.22)])) * s
        k, q = math.cos(turn), math.sin(turn)
        c.shape(np.stack([x + p[:, 0] * k - p[:, 1] * q, y + p[:, 0] * q + p[:, 1] * k], 1), colour, mix(colour, "#10281a", 0.5))

    c.shape(ellipse(740, 1010, 480, 60), "#2a130b", blur=30, alpha=0.75)
    c.shape(ellipse(1290, 1015, 210, 34), "#2a130b", blur=22, alpha=0.7)
    for x, y, r in ((500, 640, 128), (770, 560, 135), (960, 665, 120)):
        ball(x, y, r, r * 0.96, "#ffc765", "#f28a1e", "#b04a0c")
        pores = [ellipse(x + r * 0.8 * math.sqrt(q) * math.cos(a), y + r * 0.8 * math.sqrt(q) * math.sin(a), 2) for q, a in c.rng.random((90, 2)) * (1, 6.28)]
        c.shape(pores, "#c8640f", alpha=0.5)
    leaf(770, 440, 120, -0.5, "#4f8f3a")
    ball(640, 660, 122, 116, "#ff7a63", "#cf2b2f", "#6d0f22")
    c.shape(stroke(curve([(640, 562), (648, 520), (672, 490)], False), 9), "#4a2c1a")
    pear = curve([(850, 470), (898, 530), (930, 640), (965, 720), (930, 820), (830, 840), (760, 790), (755, 700), (800, 610), (812, 520)])
    c.shape(pear, "#d6cf4a", "#9aa82f")
    c.shape(ellipse(930, 720, 90, 170), "#5d6f1c", blur=36, alpha=0.8, within=pear)
    c.shape(ellipse(812, 690, 36, 80, 0.3), "#fbf6a8", blur=20, alpha=0.9, within=pear)
    c.shape(stroke(curve([(850, 476), (852, 436), (874, 404)], False), 9), "#4a2c1a")
    for x, y in ((430, 730), (372, 740), (402, 786), (348, 800), (440, 800), (320, 752), (378, 850), (330, 860), (420, 860), (300, 815), (352, 905), (395, 900), (318, 915)):
        if y < 800:
            ball(x, y, 37, 38, "#b98ad8", "#6a3a8f", "#2a1242")
    bowl = curve([(250, 770), (300, 800), (740, 830), (1180, 800), (1230, 770), (1190, 880), (1040, 980), (900, 1012), (740, 1020), (580, 1012), (440, 980), (290, 880)])
    c.shape(bowl, "#f4efe4", "#8fa6b4")
    c.shape(ellipse(1080, 960, 330, 130, -0.5), "#2f4a66", blur=60, alpha=0.6, within=bowl)
    for k in range(15):
        x = 330 + k * 58
        c.shape(star(x, 880 + 24 * math.sin((k + 0.5) / 15 * math.pi), 22, 0.42, 4), "#2f6ea8", within=bowl, alpha=0.9)
    c.shape(stroke(curve([(262, 800), (500, 838), (740, 848), (980, 838), (1218, 800)], False), 8), "#2f6ea8", alpha=0.9)
    for x, y in ((292, 800), (258, 845), (300, 860), (330, 905), (272, 905), (240, 955), (300, 965)):
        ball(x, y, 37, 38, "#b98ad8", "#6a3a8f", "#2a1242")
    ball(1290, 915, 112, 106, "#fff2a0", "#f2cf2e", "#b0841a", 0.1)
    c.shape(curve([(1386, 905), (1420, 898), (1432, 915), (1418, 934), (1384, 930)]), "#e6bd28", "#a87c18")
    return c.picture()


def flowers():
    c = Canvas(1600, 1200, ("#bfe0d2", "#e8efc0", "#8fb85e", "#3f7a3c"), 23)
    c.bokeh(["#fff6c8", "#ffffff", "#d8f0b0", "#f7c8d0", "#9fd08a"], 90, (26, 90), 5, 0.4, 0, 0.75)

    def stem(x0, y0, x1, y1, colour="#3c7a34"):
        c.shape(stroke(curve([(x0, y0), ((x0 + x1) / 2 + (x1 - x0) * 0.35, (y0 + y1) / 2), (x1, y1)], False), 11), colour)

    def poppy(x, y, r):
        for k, (turn, colour) in enumerate(((-0.5, "#b51f22"), (0.5, "#c62a26"), (-1.5, "#d93a2c"), (1.45, "#d5332a"), (0.0, "#ee4f38"))):
            px, py = x + math.sin(turn) * r * 0.5, y - math.cos(turn) * r * (0.35 if k < 4 else -0.35)
            petal = curve([(px + math.cos(a) * r * q, py + math.sin(a) * r * q * 0.8) for a, q in zip(np.arange(0, 6.2, 0.7), c.rng.uniform(0.62, 0.78, 9))])
            c.shape(petal, mix(colour, "#ff9a70", 0.35), colour)
            c.shape(ellipse(x, y, r * 0.5), "#6a0f1a", blur=r * 0.2, alpha=0.5, within=petal)
        c.shape(ellipse(x, y - r * 0.05, r * 0.2, r * 0.18), "#2a1a26")
        c.shape([ellipse(x + math.cos(a) * r * 0.27, y - r * 0.05 + math.sin(a) * r * 0.24, r * 0.03) for a in np.arange(0, 6.2, 0.35)], "#3a1a2a")

    def daisy(x, y, r, petal="#ffffff", shade="#c9d6e6", eye="#f6bf26", count=17):
        for k in range(count):
            a = k * 2 * math.pi / count + x
            c.shape(ellipse(x + math.cos(a) * r * 0.62, y + math.sin(a) * r * 0.56, r * 0.42, r * 0.13, a), mix(petal, shade, 0.5 * (k % 3) / 2), mix(petal, shade, 0.7))
        disc = ellipse(x, y, r * 0.28, r * 0.25)
        c.shape(disc, eye)
        c.shape(ellipse(x + r * 0.1, y + r * 0.12, r * 0.22), "#b5671a", blur=r * 0.08, alpha=0.7, within=disc)

    for _ in range(260):
        x, h = c.rng.random() * 1700 - 50, c.rng.uniform(150, 560)
        lean = c.rng.uniform(-70, 70)
        c.shape(stroke(curve([(x, 1210), (x + lean * 0.3, 1210 - h * 0.6), (x + lean, 1210 - h)], False), 10, True), mix("#2a5a2c", "#8fc058", c.rng.random()), alpha=0.85)
    plants = [(poppy, 1080, 420, 190), (daisy, 700, 600, 130), (poppy, 330, 640, 140), (daisy, 1370, 730, 120), (daisy, 180, 900, 110), (poppy, 860, 900, 120),
              (daisy, 540, 960, 105), (poppy, 1480, 1020, 110), (daisy, 1130, 960, 100)]
    for flower, x, y, r in plants:
        stem(x + 20, 1210, x, y)
    for i, (x, y) in enumerate(((480, 430), (1330, 390), (860, 660), (60, 640), (1540, 640), (700, 1060), (330, 1080), (1240, 1110), (1010, 720))):
        stem(x + 12, 1210, x, y, "#4f8a3e")
        daisy(x, y, 58, "#7f9df0", "#3a50b8", "#3a2a78", 11)
    for flower, x, y, r in plants:
        flower(x, y, r)
    c.glow(200, 60, 520, "#fff2b8", 0.4)
    return c.picture()


def paper_boat():
    c = Canvas(900, 900, ("#ffffff", "#ffffff"), 41)
    c.alpha = np.zeros((900, 900), np.float32)
    hull = np.array([(90, 470), (300, 590), (600, 590), (810, 470), (690, 730), (210, 730)])
    c.shape(hull + (0, 46), "#1a2440", blur=26, alpha=0.45)
    c.shape(np.array([(450, 150), (300, 590), (600, 590)]), "#fdf3e0", "#e6d4b4")
    c.shape(np.array([(450, 150), (450, 590), (600, 590)]), "#e9d8ba", "#c2a98a")
    c.shape(np.array([(90, 470), (300, 590), (450, 730), (210, 730)]), "#ff8a6a", "#e8573f")
    c.shape(np.array([(810, 470), (600, 590), (450, 730), (690, 730)]), "#e8573f", "#b8352c")
    c.shape(np.array([(300, 590), (600, 590), (450, 730)]), "#ffb08f", "#f27a5a")
    c.shape(np.array([(450, 150), (450, 70), (560, 108)]), "#2f8f9f", "#1f6a7f")
    return c.picture(0, 0)


def moons():
    """Twelve frames of the moon's month."""
    frames, size = [], 240
    for k in range(12):
        c = Canvas(size, size, ("#0b1030", "#1d2a5c"), 42)
        c.stars(50, size, (0.5, 1.2))
        disc, phase = ellipse(120, 120, 78), (k + 6) % 12 / 12 * 2 * math.pi  # full first
        c.shape(disc, "#28345e")
        t = np.linspace(-math.pi / 2, math.pi / 2, 60)
        side, bulge = (1, math.cos(phase)) if phase <= 3.2 else (-1, math.cos(phase))
        limb = np.stack([120 + side * 78 * np.cos(t), 120 + 78 * np.sin(t)], 1)
        inner = np.stack([120 + side * 78 * bulge * np.cos(t), 120 + 78 * np.sin(t)], 1)
        lit = np.concatenate([limb, inner[::-1]])
        if phase:
            c.shape(lit, "#fff3d0", "#f2dca8")
            for x, y, r in ((95, 95, 17), (140, 85, 10), (130, 140, 22), (90, 150, 9), (160, 125, 11)):
                c.shape(ellipse(x, y, r), "#d8bf8c", blur=2, alpha=0.7, within=lit)
        frames.append(c.picture(0, 0).quantize(48, dither=Image.Dither.NONE))
    return frames


def phone():
    c = Canvas(1080, 2340, ("#f4f1fb", "#ffffff"), 43)
    ink, soft = "#1c1b2a", "#8a879c"
    c.text(120, 62, "9:41", 44, ink)
    c.shape(rounded(930, 44, 1000, 78, 9), ink)
    c.text(60, 210, "Lake Weekend", 84, ink, "lm")
    c.text(60, 290, "12 photos  ·  10 to 12 October", 42, soft, "lm")
    tiles = [("#f6b48a", "#5b6ba3"), ("#6fb3e6", "#2f6b4d"), ("#ffd49a", "#d94f3d"), ("#24407a", "#070b22"), ("#ffa12e", "#a83a72"), ("#bdeee0", "#0f7fa8"),
             ("#d5e8f2", "#2c6fb8"), ("#c79be8", "#4a2f78"), ("#ffe391", "#a87a24"), ("#f7c8d0", "#d8506a"), ("#8fc48a", "#3f7a3c"), ("#ff7a4a", "#2a2a70")]
    for i, (a, b) in enumerate(tiles):
        x, y = 40 + i % 3 * 340, 370 + i // 3 * 340
        tile = rounded(x, y, x + 320, y + 320, 28)
        c.shape(tile, a, b)
        c.shape(ellipse(x + 90 + i * 53 % 150, y + 100, 36), "#fff8e0", within=tile, alpha=0.9)
        c.shape(np.array([(x - 20, y + 330), (x + 110, y + 170), (x + 190, y + 250), (x + 250, y + 190), (x + 360, y + 330)]), mix(b, "#101030", 0.35), within=tile)
        if i in (1, 4, 5):
            c.shape(ellipse(x + 276, y + 276, 28), "#ffffff")
            c.shape(ellipse(x + 276, y + 276, 24), "#3a6df0")
            c.shape(stroke([(x + 265, y + 277), (x + 273, y + 286), (x + 288, y + 267)], 5), "#ffffff")
    c.shape(rounded(60, 1900, 1020, 2050, 75), "#3a6df0")
    c.text(540, 1975, "Add 3 photos", 56, "#ffffff")
    c.text(540, 2140, "Cancel", 48, "#3a6df0")
    c.shape(rounded(380, 2290, 700, 2302, 6), ink)
    return c.picture(0, 0)


def signpost(sky, land, sign):
    c = Canvas(640, 480, (sky, mix(sky, "#ffffff", 0.75)), 44, 0.75)
    c.shape(ellipse(90, 85, 38), "#fff6cf")
    c.ridge(390, 110, 151, mix(land, sky, 0.55), mix(land, "#ffffff", 0.45), 3, 1, soft=True)
    c.ridge(440, 60, 152, mix(land, "#102030", 0.25), land, 2, 1, soft=True)
    c.pines([(560, 420, 150), (605, 430, 100), (520, 425, 80)], mix(land, "#081820", 0.65))
    c.shape(rect(262, 90, 286, 440), "#9a6a40", "#5a3a24")
    board = np.array([(150, 130), (440, 130), (510, 200), (440, 270), (150, 270)])
    c.shape(board + 5, "#101828", blur=5, alpha=0.4)
    c.shape(board, mix(sign, "#ffffff", 0.2), mix(sign, "#101828", 0.25))
    f = np.array([(180, 148), (262, 148), (262, 172), (208, 172), (208, 190), (250, 190), (250, 213), (208, 213), (208, 252), (180, 252)])
    c.shape(f, "#ffffff")
    c.shape(np.array([(300, 188), (395, 188), (395, 162), (455, 200), (395, 238), (395, 212), (300, 212)]), "#ffffff")
    return c.picture(1)
