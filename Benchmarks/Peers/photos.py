"""The photos: reading a JPEG's header, collecting a folder, staging, warming, and making a camera-size set.

Standard library only; `worker.py` uses `read_header` too.
"""
from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple

import provision

SUFFIXES = {".jpg", ".jpeg"}
SET_KINDS = ("baseline", "progressive")
# Start-of-frame markers. 0xC4, 0xC8 and 0xCC lie in the same range and mean other things.
FRAMES = {m for m in range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
PROGRESSIVE_FRAMES = {0xC2, 0xC6, 0xCA, 0xCE}


class Header(NamedTuple):
    width: int  # as stored: the EXIF orientation is not applied
    height: int
    progressive: bool


@dataclass(frozen=True)
class Photo:
    path: Path
    bytes: int
    header: Header


class PhotosError(Exception):
    """No photos to measure with; the text says what to do about it."""


def read_header(path: Path | str) -> Header | None:
    """The size and kind of a JPEG from its frame header, or None when it is not a JPEG."""
    try:
        with open(path, "rb") as file:
            return _scan_markers(file) if file.read(2) == b"\xff\xd8" else None
    except OSError:
        return None


def _scan_markers(file: BinaryIO) -> Header | None:
    while True:
        byte = file.read(1)
        while byte and byte != b"\xff":  # some writers pad between segments
            byte = file.read(1)
        while byte == b"\xff":
            byte = file.read(1)
        if not byte:
            return None
        marker = byte[0]
        if marker == 0x01 or 0xD0 <= marker <= 0xD8:  # these have no length
            continue
        length = int.from_bytes(file.read(2), "big")
        if length < 2 or marker in (0xD9, 0xDA):  # the picture itself, before any frame header
            return None
        if marker in FRAMES:
            head = file.read(5)
            if len(head) < 5:
                return None
            height, width = int.from_bytes(head[1:3], "big"), int.from_bytes(head[3:5], "big")
            return Header(width, height, marker in PROGRESSIVE_FRAMES)
        file.seek(length - 2, os.SEEK_CUR)


def collect(folder: Path, count: int | None = None) -> list[Photo]:
    """Every JPEG below a folder, in the order of its path. What is only named like one is passed over."""
    if not folder.is_dir():
        raise PhotosError(f"{folder} is not a folder")
    photos: list[Photo] = []
    passed_over = 0
    paths = sorted(p for p in folder.rglob("*") if p.suffix.lower() in SUFFIXES and p.is_file())
    for path in paths:
        if count is not None and len(photos) == count:
            break
        header = read_header(path)
        if header is None:
            passed_over += 1
        else:
            photos.append(Photo(path.resolve(), path.stat().st_size, header))
    if passed_over:
        print(f"{passed_over} files named like a JPEG are none; they are left out", file=sys.stderr)
    if not photos:
        raise PhotosError(f"no JPEG in {folder}")
    return photos


def stage(photos: list[Photo], folder: Path) -> list[str]:
    """Put the photos side by side in one folder as 00001.jpg, 00002.jpg, … and return those names.

    Two photos of one name in two folders would overwrite each other's thumbnail in most peers, and a name with a
    percent sign or a leading dash means something to some of them. A link costs nothing and is the same file to all.
    """
    folder.mkdir(parents=True)
    names = []
    for number, photo in enumerate(photos, 1):
        name = f"{number:05d}.jpg"
        try:
            os.link(photo.path, folder / name)
        except OSError:  # another file system, or not ours to link
            os.symlink(photo.path, folder / name)
        names.append(name)
    return names


def warm(photos: list[Photo]) -> None:
    """Read every photo once, so that no peer pays for the disk on behalf of the others."""
    for photo in photos:
        with open(photo.path, "rb", buffering=0) as file:
            while file.read(1 << 20):
                pass


def describe(photos: list[Photo]) -> dict[str, object]:
    total = sum(p.bytes for p in photos)
    progressive = sum(p.header.progressive for p in photos)
    kind = {0: "baseline", len(photos): "progressive"}.get(progressive, "mixed")
    return {
        "count": len(photos),
        "bytes": total,
        "meanMegapixels": round(sum(p.header.width * p.header.height for p in photos) / len(photos) / 1e6, 2),
        "meanMegabytes": round(total / len(photos) / 1e6, 2),
        "kind": kind,
        "progressive": progressive,
    }


# Making a set

def camera_set(kind: str, count: int, repository: Path, may_install: bool) -> Path:
    """The folder of a made set of at least `count` photos, making it first if needed. Sets are kept."""
    folder = provision.cache_folder() / f"camera-{kind}"
    if len(list(folder.glob("*.jpg"))) >= count:
        return folder
    tool = repository.parent / "shared" / "tools" / "make_camera_set.py"
    if not tool.is_file():
        raise PhotosError("the tool that makes a camera-size set is not here: name a folder of photos with --photos DIR")
    if not may_install:
        raise PhotosError(f"there is no set of {count} photos yet, and --no-install forbids making one: use --photos DIR")
    missing = provision.add_modules(["Pillow", "piexif"])
    if missing:
        raise PhotosError(f"making photos needs {', '.join(missing)}, which cannot be had: use --photos DIR")
    _make_set(tool, kind, count, folder)
    return folder


def _make_set(tool: Path, kind: str, count: int, folder: Path) -> None:
    # Made under another name and renamed, so that an interrupted run never leaves half a set behind.
    part = folder.with_name(folder.name + ".part")
    root = provision.cache_folder() / "photographs"
    root.mkdir(parents=True, exist_ok=True)
    command = [str(provision.venv_python()), str(tool), "--count", str(count), "--out", str(part), "--root", str(root)]
    if kind == "progressive":
        command.append("--progressive")
    print(f"making {count} {kind} photos in {folder} (once; a minute or so)", file=sys.stderr)
    for attempt in (1, 2):
        shutil.rmtree(part, ignore_errors=True)
        made = subprocess.run(command, capture_output=True, text=True)
        if made.returncode == 0:
            shutil.rmtree(folder, ignore_errors=True)
            part.rename(folder)
            return
        # The tool names the packages whose photographs it misses; asking it keeps the list in one place.
        packages = re.findall(r"missing from Debian package (\S+):", made.stderr)
        if attempt == 2 or not packages or not provision.unpack_packages(packages, root):
            break
    raise PhotosError(f"the photo set could not be made: {made.stderr.strip()[-400:]}\nuse --photos DIR")
