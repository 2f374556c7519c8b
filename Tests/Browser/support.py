"""What the browser tests share: one browser, and a command and a page for each test."""

import os
import pathlib
import shutil
import struct
import subprocess
import tempfile
import unittest
import zlib

from picker import COMMAND, PHOTOS, REPOSITORY, Command, Page
from webdriver import Browser

ARTEFACTS = pathlib.Path(os.environ.get("CAMEO_ARTEFACTS", REPOSITORY / ".build" / "browser"))

# A JPEG that says how large it is, 300 by 200 pixels in three channels, and holds nothing.
HEADER_ALONE = (
    b"\xff\xd8\xff\xc0" + struct.pack(">HBHHB", 17, 8, 200, 300, 3) + bytes([1, 17, 0, 2, 17, 0, 3, 17, 0]) + b"\xff\xd9")

_browser = None


def browser():
    global _browser
    if _browser is None:
        _browser = Browser()
    return _browser


def close_browser():
    global _browser
    if _browser is not None:
        _browser.close()
        _browser = None


def png(width, height):
    """A picture of one colour, which says nothing of when it was taken."""
    return png_of(width, height, lambda x, y: (0x40, 0x80, 0xC0))


def png_of(width, height, colour):
    """A picture whose pixel at (x, y) is of `colour(x, y)`."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + bytes(value for x in range(width) for value in colour(x, y)) for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class PickerTest(unittest.TestCase):
    """A test with a picker of its own. What a test is called is its first sentence."""

    arguments = ["--limit", "5", "--json"]

    def setUp(self):
        self.browser = browser()
        self.browser.size(1280, 800)
        self.browser.appearance()
        self.commands = []
        self.folders = []

    def tearDown(self):
        name = self.id().split(".", 1)[-1]
        ARTEFACTS.mkdir(parents=True, exist_ok=True)
        self.browser.screenshot(ARTEFACTS / f"{name}.png")
        self.browser.rest()
        for command in self.commands:
            command.close()
        for folder in self.folders:
            shutil.rmtree(folder, ignore_errors=True)

    def command(self, *arguments, **options):
        command = Command(*(arguments or self.arguments), **options)
        self.commands.append(command)
        return command

    def page(self, *arguments, language="en", **options):
        self.picker = self.command(*arguments, **options)
        return Page(self.browser, self.picker, language)

    def folder(self):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="cameo-test-"))
        self.folders.append(folder)
        return folder

    def copy(self, album="Lake Weekend"):
        """A copy of sample photos that a test may change."""
        folder = self.folder() / album
        shutil.copytree(PHOTOS / album, folder)
        return folder.parent

    def add_newest(self, photos, name="newest.png", size=(40, 30)):
        """Puts a photo into a folder that comes before all others."""
        draft = self.folder() / name
        draft.write_bytes(png(*size))
        draft.rename(photos / name)

    def resized(self, size):
        """Gives the window another size, and waits until the page has it and its cells are laid out anew."""
        self.browser.size(*size)
        self.browser.wait(f"innerWidth === {size[0]} && innerHeight === {size[1]}")
        # Two frames: what hears of it in the first is drawn in the second.
        self.browser.run_later("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")

    def save(self, name):
        ARTEFACTS.mkdir(parents=True, exist_ok=True)
        self.browser.screenshot(ARTEFACTS / f"{name}.png")

    def avatar(self, *arguments):
        subprocess.run([COMMAND, "avatar", *arguments], check=True, capture_output=True)
