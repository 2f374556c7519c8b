"""A browser driven over WebDriver: Debian's chromium and chromedriver, and nothing but the standard library."""

import base64
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"

KEYS = {
    "Enter": "\ue007", "Escape": "\ue00c", "Tab": "\ue004", "Left": "\ue012", "Up": "\ue013", "Right": "\ue014",
    "Down": "\ue015", "Home": "\ue011", "End": "\ue010", "PageDown": "\ue00f", "PageUp": "\ue00e", "Delete": "\ue017",
    "Shift": "\ue008", "Control": "\ue009", "Alt": "\ue00a", "Space": " ",
}


class WebDriverError(Exception):
    pass


def missing():
    """What of the browser is not installed; None where all of it is."""
    for name in ("chromium", "chromedriver"):
        if shutil.which(name) is None:
            return name
    return None


class Browser:
    """One window of a headless browser with a profile of its own."""

    def __init__(self, width=1280, height=800, scale=1, language="en-US"):
        for is_last in (False, True):
            try:
                self.start(width, height, scale, language)
                break
            except BaseException as error:
                self.close()
                # On a busy machine the browser may not come up in time: once more.
                if is_last or not isinstance(error, (WebDriverError, OSError)):
                    raise
        self.size(width, height, scale)

    def start(self, width, height, scale, language):
        self.session = self.port = None
        self.profile = tempfile.mkdtemp(prefix="cameo-browser-")
        self.driver = subprocess.Popen(
            ["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            start_new_session=True)
        # One that says nothing is ended, and with it what it says.
        limit = threading.Timer(60, self.driver.kill)
        limit.start()
        try:
            for line in self.driver.stdout:
                found = re.search(r"started successfully on port (\d+)", line)
                if found:
                    self.port = int(found.group(1))
                    break
        finally:
            limit.cancel()
        if self.port is None:
            raise WebDriverError("chromedriver does not start")
        arguments = [
            "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars",
            f"--user-data-dir={self.profile}", f"--window-size={width},{height}", f"--lang={language}",
            f"--accept-lang={language}", f"--force-device-scale-factor={scale}",
        ]
        answer = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "timeouts": {"script": 60000}, "goog:loggingPrefs": {"browser": "ALL"},
            "goog:chromeOptions": {"args": arguments, "binary": shutil.which("chromium")}}}}, 120)
        self.session = answer["sessionId"]

    def close(self):
        try:
            if self.session:
                self.ask("DELETE", "")
        except (WebDriverError, OSError):
            pass
        # Its browser, too, where that was not ended.
        os.killpg(self.driver.pid, signal.SIGKILL)
        self.driver.wait()
        self.driver.stdout.close()
        shutil.rmtree(self.profile, ignore_errors=True)

    def ask(self, method, path, body=None, seconds=60):
        root = f"http://127.0.0.1:{self.port}" + (f"/session/{self.session}" if self.session else "")
        data = json.dumps(body or {}).encode() if method == "POST" else None
        request = urllib.request.Request(root + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=seconds) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise WebDriverError(f"{value['error']}: {value['message']}") from None

    def devtools(self, command, **parameters):
        return self.ask("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    # What a person does

    def rest(self):
        """As it was at the start: one window, of an empty page, and nothing pressed."""
        for handle in self.ask("GET", "/window/handles")[1:]:
            self.ask("POST", "/window", {"handle": handle})
            self.ask("DELETE", "/window")
        self.ask("POST", "/window", {"handle": self.ask("GET", "/window/handles")[0]})
        self.ask("DELETE", "/actions")
        self.open("about:blank")

    def open(self, address):
        self.ask("POST", "/url", {"url": address})

    def reload(self):
        self.ask("POST", "/refresh")

    def size(self, width, height, scale=1):
        self.devtools(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False)

    def appearance(self, scheme="light", motion="no-preference"):
        self.devtools("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": motion}])

    def press(self, *keys):
        """Presses keys together: the last one while the others are held."""
        codes = [KEYS.get(key, key) for key in keys]
        actions = [{"type": "keyDown", "value": code} for code in codes]
        actions += [{"type": "keyUp", "value": code} for code in reversed(codes)]
        self.ask("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def pointer(self, *steps, kind="mouse", identifier="mouse"):
        """Steps are ('move', x, y[, milliseconds]), 'down', 'up' and ('pause', milliseconds)."""
        self.ask("POST", "/actions", {"actions": [self.pointer_actions(steps, kind, identifier)]})

    def fingers(self, *tracks):
        """Several fingers at once, each a list of steps."""
        self.ask("POST", "/actions", {"actions": [
            self.pointer_actions(steps, "touch", f"finger{index}") for index, steps in enumerate(tracks)]})

    @staticmethod
    def pointer_actions(steps, kind, identifier):
        actions = []
        for step in steps:
            if step in ("down", "up"):
                actions.append({"type": "pointerDown" if step == "down" else "pointerUp", "button": 0})
            elif step[0] == "pause":
                actions.append({"type": "pause", "duration": step[1]})
            else:
                actions.append({
                    "type": "pointerMove", "x": round(step[1]), "y": round(step[2]),
                    "duration": step[3] if len(step) > 3 else 0})
        return {"type": "pointer", "id": identifier, "parameters": {"pointerType": kind}, "actions": actions}

    def click(self, x, y, shift=False):
        pointer = self.pointer_actions([("move", x, y), "down", "up"], "mouse", "mouse")
        if shift:
            keyboard = [{"type": "keyDown", "value": KEYS["Shift"]}] + [{"type": "pause"}] * 2
            keyboard.append({"type": "keyUp", "value": KEYS["Shift"]})
            pointer["actions"].insert(0, {"type": "pause"})
            pointer["actions"] = pointer["actions"][:4]
            keyboard = [{"type": "keyDown", "value": KEYS["Shift"]}, {"type": "pause"}, {"type": "pause"},
                        {"type": "pause"}, {"type": "keyUp", "value": KEYS["Shift"]}]
            self.ask("POST", "/actions", {"actions": [
                {"type": "key", "id": "keyboard", "actions": keyboard}, pointer]})
        else:
            self.ask("POST", "/actions", {"actions": [pointer]})

    def wheel(self, x, y, delta):
        self.ask("POST", "/actions", {"actions": [{"type": "wheel", "id": "wheel", "actions": [
            {"type": "scroll", "x": round(x), "y": round(y), "deltaX": 0, "deltaY": delta, "duration": 0}]}]})

    # What can be seen

    def run(self, script, *arguments):
        return self.ask("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def run_later(self, script, *arguments):
        """A script that calls its last argument when it is done."""
        return self.ask("POST", "/execute/async", {"script": script, "args": list(arguments)})

    def value(self, expression):
        return self.run(f"return ({expression})")

    def wait(self, expression, seconds=40):
        """The value of an expression, as soon as it is one that counts as true."""
        end = time.monotonic() + seconds
        while True:
            value = self.value(expression)
            if value:
                return value
            if time.monotonic() > end:
                raise AssertionError(f"after {seconds} s still not: {expression}")
            time.sleep(0.02)

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.ask("GET", "/screenshot")))

    def complaints(self):
        """What the browser wrote into its console."""
        return [entry["message"] for entry in self.ask("POST", "/se/log", {"type": "browser"})
                if entry["level"] == "SEVERE"]
