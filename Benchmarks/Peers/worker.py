"""The peers that are Python libraries, run inside the benchmarks' virtual environment.

    worker.py LIBRARY SIZE WORKERS OUTPUT-FOLDER

Reads the photos' names, one a line and then an empty line; imports the library; prints "ready" with its versions;
waits for "go"; makes every thumbnail; prints "done" with the CPU seconds that took. So the time between "go" and
"done" is the library's work alone.
"""
from __future__ import annotations

import json
import os
import re
import resource
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Callable

sys.dont_write_bytecode = True  # run from a repository, which should stay as it is

Thumbnail = Callable[[str, str], None]  # from a photo's path to an output's path
QUALITY = 80


def pyvips_thumbnail(size: int) -> tuple[Thumbnail, dict[str, str]]:
    import pyvips

    def make(source: str, target: str) -> None:
        picture = pyvips.Image.thumbnail(source, size, height=size, size="down")
        picture.jpegsave(target, Q=QUALITY, strip=True)

    vips = ".".join(str(pyvips.version(part)) for part in range(3))
    return make, {"pyvips": pyvips.__version__, "libvips": vips}


def pillow_thumbnail(size: int) -> tuple[Thumbnail, dict[str, str]]:
    import PIL
    from PIL import Image, ImageOps, features

    def make(source: str, target: str) -> None:
        with Image.open(source) as picture:
            picture.draft("RGB", (2 * size, 2 * size))
            # The box is square, so turning the small picture gives the same as turning the large one, for less.
            picture.thumbnail((size, size), Image.Resampling.LANCZOS, reducing_gap=2.0)
            upright = ImageOps.exif_transpose(picture)
            if upright.mode not in ("RGB", "L"):
                upright = upright.convert("RGB")
            upright.info = {}  # save() would write the profile and the comment back
            upright.save(target, "JPEG", quality=QUALITY)

    return make, {"Pillow": PIL.__version__, "libjpeg-turbo": str(features.version_feature("libjpeg_turbo"))}


def opencv_thumbnail(size: int) -> tuple[Thumbnail, dict[str, str]]:
    import cv2

    from photos import read_header

    cv2.setNumThreads(1)  # one thread a photo: the photos are what runs side by side
    modes = [(8, cv2.IMREAD_REDUCED_COLOR_8), (4, cv2.IMREAD_REDUCED_COLOR_4), (2, cv2.IMREAD_REDUCED_COLOR_2)]

    def make(source: str, target: str) -> None:
        header = read_header(source)
        longest = max(header.width, header.height) if header else 0
        mode = next((flag for factor, flag in modes if longest // factor >= size), cv2.IMREAD_COLOR)
        picture = cv2.imread(source, mode)
        height, width = picture.shape[:2]
        scale = min(1.0, size / width, size / height)
        box = (max(1, round(width * scale)), max(1, round(height * scale)))
        cv2.imwrite(target, cv2.resize(picture, box, interpolation=cv2.INTER_AREA), [cv2.IMWRITE_JPEG_QUALITY, QUALITY])

    jpeg = re.search(r"^\s*JPEG:\s*(.+?)\s*$", cv2.getBuildInformation(), re.MULTILINE)
    return make, {"OpenCV": cv2.__version__, "JPEG": jpeg[1] if jpeg else "unknown"}


LIBRARIES = {"pyvips": pyvips_thumbnail, "pillow": pillow_thumbnail, "opencv": opencv_thumbnail}


def cpu_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    library, size, workers, folder = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    names = []
    while name := sys.stdin.readline().rstrip("\n"):
        names.append(name)
    make, versions = LIBRARIES[library](size)
    print("ready", json.dumps(versions), flush=True)
    if sys.stdin.readline() != "go\n":
        return
    before = cpu_seconds()
    with ThreadPoolExecutor(workers) as pool:
        for _ in pool.map(lambda name: make(name, os.path.join(folder, name)), names):
            pass
    print("done", json.dumps({"cpu": cpu_seconds() - before}), flush=True)


if __name__ == "__main__":
    main()
