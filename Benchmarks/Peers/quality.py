"""How close each peer's pictures are to a full decode, run inside the benchmarks' virtual environment.

Reads one JSON object on standard input:
    {"size": 256, "photos": [PATH, …], "peers": {NAME: [OUTPUT PATH or null, …in the photos' order]}}
and prints one on standard output:
    {NAME: {"mean": …, "worst": …, "worstPhoto": NAME, "checked": N, "wrongSize": [NAME, …], "meanBytes": …}}

The reference is the whole picture decoded, turned upright and resized with LANCZOS. The measure is SSIM (Wang and
others, 2004) on luma: a Gaussian window of 11 x 11 with a deviation of 1.5, over the part of the picture where the
window fits.
"""
from __future__ import annotations

import json
import os
import sys

import numpy as np
from PIL import Image, ImageOps

Array = np.ndarray
Size = tuple[int, int]


def gaussian(radius: int = 5, deviation: float = 1.5) -> Array:
    offsets = np.arange(-radius, radius + 1)
    weights = np.exp(-offsets**2 / (2 * deviation**2))
    return weights / weights.sum()


def blur(plane: Array, kernel: Array) -> Array:
    """Both directions of a separable window, where it fits entirely."""
    n = len(kernel)
    rows = sum(k * plane[i:plane.shape[0] - n + 1 + i, :] for i, k in enumerate(kernel))
    return sum(k * rows[:, i:rows.shape[1] - n + 1 + i] for i, k in enumerate(kernel))


def ssim(a: Array, b: Array) -> float:
    # A picture narrower than the usual window gets the widest odd one that fits.
    kernel = gaussian(min(5, (min(a.shape) - 1) // 2))
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    mean_a, mean_b = blur(a, kernel), blur(b, kernel)
    var_a = blur(a * a, kernel) - mean_a**2
    var_b = blur(b * b, kernel) - mean_b**2
    both = blur(a * b, kernel) - mean_a * mean_b
    top = (2 * mean_a * mean_b + c1) * (2 * both + c2)
    return float((top / ((mean_a**2 + mean_b**2 + c1) * (var_a + var_b + c2))).mean())


def luma(picture: Image.Image) -> Array:
    return np.asarray(picture.convert("RGB").convert("L"), dtype=np.float64)


def fit(size: Size, box: int) -> Size:
    scale = min(1.0, box / size[0], box / size[1])
    return max(1, round(size[0] * scale)), max(1, round(size[1] * scale))


class Reference:
    """One photo fully decoded, and small copies of it by size: peers may differ by a pixel in how they round."""

    def __init__(self, path: str) -> None:
        with Image.open(path) as picture:
            self.upright = ImageOps.exif_transpose(picture).convert("RGB")
        self._planes: dict[Size, Array] = {}

    def plane(self, size: Size) -> Array:
        if size not in self._planes:
            self._planes[size] = luma(self.upright.resize(size, Image.Resampling.LANCZOS))
        return self._planes[size]


def judge(photos: list[str], outputs: dict[str, list[str | None]], box: int) -> dict[str, object]:
    scores: dict[str, list[tuple[float, str]]] = {name: [] for name in outputs}
    wrong: dict[str, list[str]] = {name: [] for name in outputs}
    sizes: dict[str, list[int]] = {name: [] for name in outputs}
    for index, photo in enumerate(photos):
        reference = Reference(photo)
        width, height = fit(reference.upright.size, box)
        for name, paths in outputs.items():
            path = paths[index]
            if path is None:
                wrong[name].append(photo)
                continue
            with Image.open(path) as picture:
                sizes[name].append(os.path.getsize(path))
                if abs(picture.width - width) > 1 or abs(picture.height - height) > 1:
                    wrong[name].append(photo)
                else:
                    scores[name].append((ssim(reference.plane(picture.size), luma(picture)), photo))
    return {name: summary(scores[name], wrong[name], sizes[name]) for name in outputs}


def summary(scores: list[tuple[float, str]], wrong: list[str], sizes: list[int]) -> dict[str, object]:
    # Photos by their names alone: a report that is passed on should not tell of folders.
    worst, photo = min(scores, default=(None, None))
    return {
        "mean": sum(s for s, _ in scores) / len(scores) if scores else None,
        "worst": worst,
        "worstPhoto": photo and os.path.basename(photo),
        "checked": len(scores) + len(wrong),
        "wrongSize": [os.path.basename(p) for p in wrong],
        "meanBytes": round(sum(sizes) / len(sizes)) if sizes else None,
    }


if __name__ == "__main__":
    task = json.load(sys.stdin)
    json.dump(judge(task["photos"], task["peers"], task["size"]), sys.stdout)
