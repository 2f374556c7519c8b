"""Ten thousand photos, made once: small copies of the sample photos, each with bytes and a date of its own."""

import os
import pathlib
import random
import subprocess

from picker import COMMAND, PHOTOS, REPOSITORY

DAYS = 1500


def make(count=10_000):
    """The folder of a library of so many photos."""
    folder = pathlib.Path(os.environ.get("CAMEO_LIBRARIES", REPOSITORY / ".build" / "libraries")) / f"photos-{count}"
    if (folder / "complete").exists():
        return folder / "photos"
    small = folder / "small"
    subprocess.run(
        [COMMAND, "thumbnails", str(PHOTOS), "-o", str(small), "--size", "480", "--format", "jpeg", "--background",
         "white"], check=True, capture_output=True)
    originals = [path.read_bytes() for path in sorted(small.rglob("*.jpg"))]
    chance = random.Random(1)
    end = 1_760_000_000
    for number in range(count):
        data = originals[number % len(originals)]
        note = b"photo %06d" % number
        # A comment behind the start marker makes the bytes its own.
        data = data[:2] + b"\xff\xfe" + (len(note) + 2).to_bytes(2, "big") + note + data[2:]
        path = folder / "photos" / f"Roll {number // 500:03d}" / f"IMG_{number:06d}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        # Days of a few to a few dozen photos.
        time = end - int(chance.random() ** 1.2 * DAYS) * 86_400 - chance.randrange(30_000)
        os.utime(path, (time, time))
    (folder / "complete").touch()
    return folder / "photos"
