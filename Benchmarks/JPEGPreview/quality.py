#!/usr/bin/env python3
"""How like a full decode are the thumbnails for which `cameo` takes the 1/8 picture?

    Benchmarks/JPEGPreview/quality.py [--cameo PATH] [--ratio 1.5] [--box N] [--check] PHOTO...

Each photo is fitted by `cameo thumbnails --format png` into the largest box for which the 1/8 picture is taken: an
eighth of its size is RATIO times as large. With --box all are fitted into one box instead; photos for which that is
too large are left out. The thumbnail is held against the whole photo, decoded and resized with LANCZOS by Pillow:
SSIM on luma (Gaussian window, 11 x 11). --check ends with 1 unless the mean is 0.996 and the worst 0.988 at the least.

Needs Pillow, numpy and scikit-image. Photos with a colour profile are left out, for Pillow does not apply it, and so
are those too small for a window.
"""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile

import numpy as np
from PIL import Image, ImageOps
from skimage.metrics import structural_similarity


def luma(image):
    return np.asarray(image.convert("RGB").convert("L"), dtype=np.float64)


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cameo", default=os.path.join(here, "../../.build/release/cameo"))
    parser.add_argument("--ratio", type=float, default=1.5)
    parser.add_argument("--box", type=int)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("photos", nargs="+")
    options = parser.parse_args()

    scores = []
    with tempfile.TemporaryDirectory() as folder:
        for number, photo in enumerate(options.photos):
            try:
                with Image.open(photo) as image:
                    if image.format != "JPEG" or "icc_profile" in image.info or image.mode not in ("RGB", "L"):
                        continue
                    size = max(image.size)
                    box = options.box or math.floor(size / 8 / options.ratio)
                    if box < 24 or size / box < 8 * options.ratio:
                        continue
                    image.load()
                    whole = ImageOps.exif_transpose(image).convert("RGB")
            except OSError:
                continue
            out = os.path.join(folder, str(number))
            run = subprocess.run(
                [options.cameo, "thumbnails", photo, "-o", out, "--size", str(box), "--format", "png", "--json"],
                capture_output=True, text=True)
            line = json.loads(run.stdout.splitlines()[0]) if run.stdout else {}
            if line.get("status") != "rendered" or line.get("warnings"):
                continue
            with Image.open(line["outputs"][0]["path"]) as made:
                if min(made.size) < 11:
                    continue
                wanted = whole.resize(made.size, Image.LANCZOS)
                score = structural_similarity(
                    luma(wanted), luma(made), data_range=255, gaussian_weights=True, sigma=1.5,
                    use_sample_covariance=False)
            scores.append((score, photo))
    if not scores:
        sys.exit("no photo to judge by")
    scores.sort()
    mean = sum(score for score, _ in scores) / len(scores)
    for score, photo in scores[:5]:
        print(f"{score:.4f}  {photo}")
    print(f"{len(scores)} photos: mean SSIM {mean:.4f}, worst {scores[0][0]:.4f}")
    if options.check and (mean < 0.996 or scores[0][0] < 0.988):
        sys.exit("FAIL: the mean has to be 0.996 and the worst 0.988 at the least")


main()
