"""The picker as a person has it before them: the command, and its page in a browser."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

from webdriver import Browser

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
PHOTOS = REPOSITORY / "Samples" / "Photos"
COMMAND = os.environ.get("CAMEO", str(REPOSITORY / ".build" / "debug" / "cameo"))


class Command:
    """`cameo pick` or `serve`, running."""

    def __init__(self, *arguments, photos=PHOTOS, subcommand="pick", cache=None):
        self.own = None if cache else tempfile.mkdtemp(prefix="cameo-cache-")
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            [COMMAND, subcommand, str(photos), "--no-open", "--catalog", str(cache or self.own), *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        line = self.process.stderr.readline().decode()
        found = re.search(r"http://127\.0\.0\.1:\d+/\?token=\w+", line)
        if not found:
            raise AssertionError(f"no address in {line!r}")
        self.address = found.group(0)

    @property
    def is_running(self):
        return self.process.poll() is None

    def end(self, seconds=40):
        """(exit status, lines on standard output) once it has ended by itself."""
        output, self.errors = self.process.communicate(timeout=seconds)
        return self.process.returncode, output.decode().splitlines()

    def picks(self):
        status, lines = self.end()
        assert status == 0, f"status {status}: {self.errors.decode()}"
        return [json.loads(line) for line in lines]

    def close(self):
        if self.is_running:
            self.process.terminate()
        self.process.communicate()
        if self.own:
            shutil.rmtree(self.own, ignore_errors=True)


class Page:
    """The page, by what is on it."""

    def __init__(self, browser: Browser, command: Command, language="en"):
        self.browser = browser
        browser.open(command.address + (f"&lang={language}" if language != "en" else ""))
        self.settle()

    def settle(self, seconds=60):
        """Waits until the list is there, every cell has its picture, no stand-in, and the albums are there, too."""
        self.browser.wait("window.cameo && cameo.state.list && cameo.state.list.library.phase !== 'loading'"
                          " && cameo.state.list.library.phase !== 'partial'", seconds)
        self.browser.wait("cameo.library.count === 0 || document.querySelectorAll('.cell').length > 0", seconds)
        self.browser.wait(
            "[...document.querySelectorAll('.cell')].every(c => c.isFinal && c.querySelector('img')"
            " || c.classList.contains('broken') || c.classList.contains('film'))", seconds)
        # They are asked for last.
        self.browser.wait("cameo.library.count === 0 || cameo.albums.items.size > 0", seconds)

    def value(self, expression):
        return self.browser.value(expression)

    # The grid

    def identifier(self, index):
        return self.value(f"cameo.library.at({index}).id")

    def name(self, index):
        return self.value(f"cameo.library.at({index}).name")

    def index(self, name):
        return self.value(f"cameo.library.rows.find(r => r.name === {json.dumps(name)})?.index ?? -1")

    def frame(self, index):
        self.value(f"cameo.grid.reveal({index})")
        return self.value(f"cameo.grid.frameOnScreen({index})")

    def middle(self, index):
        frame = self.frame(index)
        return frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2

    def click(self, index, shift=False):
        version = self.value("cameo.selection.version")
        self.browser.click(*self.middle(index), shift=shift)
        return version

    def toggle(self, index, shift=False):
        """Clicks a cell and waits for what the server says."""
        version = self.click(index, shift)
        self.browser.wait(f"cameo.selection.version > {version}")

    @property
    def selected(self):
        return self.value("cameo.selection.ids")

    def badge(self, index):
        return self.value(f"document.querySelector('#cell-{index}')?.dataset.badge ?? ''")

    def press_button(self, selector):
        frame = self.value(
            f"(b => ({{x: b.x + b.width / 2, y: b.y + b.height / 2}}))"
            f"(document.querySelector({json.dumps(selector)}).getBoundingClientRect())")
        self.browser.click(frame["x"], frame["y"])

    def finish(self):
        self.press_button("#finish")

    def toast(self):
        return self.value("document.querySelector('#toast.shown')?.textContent ?? ''")

    @property
    def title(self):
        return self.value("document.querySelector('#title').textContent")

    def choose_album(self, title):
        button = ("[...document.querySelectorAll('#albums li button')]"
                  f".find(b => b.querySelector('.name').textContent === {json.dumps(title)})")
        self.browser.wait(f"!!{button}")
        self.value(f"{button}.click()")
        self.browser.wait(f"document.querySelector('#title').textContent === {json.dumps(title)}"
                          " && cameo.library.album === cameo.state.album")
        self.settle()

    # What the server is asked

    def hold(self, path, method="GET"):
        """Holds up what is asked from now on by a path that begins so, until `let_go`; see `held`."""
        self.value("""((path, method) => {
          const own = window.fetch;
          const held = { asked: 0, waiting: [], isOver: false };
          window.held = held;
          window.fetch = async (address, options) => {
            if (address.startsWith(path) && (options?.method ?? 'GET') === method) {
              held.asked += 1;
              if (!held.isOver) await new Promise((done) => { held.waiting.push(done); });
            }
            return own(address, options);
          };
        })(%s, %s)""" % (json.dumps(path), json.dumps(method)))

    def held(self, count=1):
        """Waits until so many requests are held up."""
        self.browser.wait(f"held.asked >= {count}")

    def let_go(self):
        self.value("(held.isOver = true, held.waiting.forEach((done) => done()))")

    # The detail view

    def open_detail(self, index):
        self.value(f"cameo.detail.open({index}) && 0")
        self.browser.wait("cameo.detail.isOpen && !cameo.detail.isBusy")
