"""What is ordered while the server has not answered yet, or does not answer at all."""

from support import PickerTest


class Orders(PickerTest):
    def reject(self, page, path):
        """Lets the next request by a path fail, as a lost connection does."""
        page.value("((path, own) => { window.fetch = async (address, options) => {"
                   "  if (!address.startsWith(path)) return own(address, options);"
                   "  window.fetch = own; throw new TypeError('Failed to fetch'); }; })"
                   f"('{path}', window.fetch)")

    def answered(self):
        """Waits for an answer that comes behind all that was asked, and for what it leads to."""
        self.browser.run_later("Promise.resolve(cameo.selection.settled).then(() => fetch('/api/session'))"
                               ".then(() => setTimeout(arguments[0], 50))")

    def key(self, key, code, repeats=0):
        """A key that is held down so long that it is told so many times more."""
        text = {"Enter": "\r", " ": " "}[key]
        for repeat in range(repeats + 1):
            self.browser.devtools(
                "Input.dispatchKeyEvent", type="keyDown", key=key, code=code, text=text, unmodifiedText=text,
                windowsVirtualKeyCode=ord(text), autoRepeat=repeat > 0)
        self.browser.devtools("Input.dispatchKeyEvent", type="keyUp", key=key, code=code,
                              windowsVirtualKeyCode=ord(text))

    def test_used_twice(self):
        """A photo that is used by two clicks is picked once, in the place of another pick; none is used after Escape"""
        page = self.page("--profile", "circle", "--json")
        mei = page.index("Mei.jpg")
        page.open_detail(0 if mei != 0 else 1)
        page.press_button("#detail .pick-button")
        self.browser.wait("cameo.selection.count === 1")
        self.browser.press("Escape")
        self.browser.wait("!cameo.detail.isOpen && !cameo.detail.isBusy")
        for leaves in (True, False):
            page.click(mei)
            self.browser.wait("cameo.cropper.isReady")
            page.hold("/api/crop", "POST")
            page.press_button("#cropper .primary")
            page.held()
            if leaves:
                self.browser.press("Escape")
                self.browser.wait("!cameo.cropper.isOpen")
                page.let_go()
                self.answered()
                self.assertEqual(page.value("[cameo.selection.orderOf(cameo.library.at(%d).id), !!cameo.state.isOver]" % mei),
                                 [None, False])
            else:
                page.press_button("#cropper .primary")
                self.browser.press("Enter")
                self.assertEqual(page.value("held.asked"), 1)
                page.let_go()
        pick, = self.picker.picks()
        self.assertTrue(pick["path"].endswith("Mei.jpg"))

    def test_moved_twice(self):
        """A pick that is moved twice by quick hands goes two places, and keeps the focus"""
        page = self.page()
        for index in (0, 1, 2):
            page.toggle(index)
        first, second, third = page.selected
        page.value("document.querySelector('.pick button').focus()")
        page.hold("/api/move", "POST")
        self.browser.press("Alt", "Right")
        page.held()
        self.browser.press("Alt", "Right")
        page.let_go()
        self.browser.wait(f"cameo.selection.ids[2] === '{first}'")
        self.assertEqual(page.selected, [second, third, first])
        self.assertTrue(page.value("document.activeElement === document.querySelectorAll('.pick button')[2]"))
        # The last pick that goes leaves the focus where picking goes on.
        for count in (2, 1, 0):
            self.browser.press("Delete")
            self.browser.wait(f"cameo.selection.count === {count}")
        self.assertEqual(page.value("document.activeElement.getAttribute('role')"), "option")

    def test_failed_before_the_end(self):
        """Nothing is finished where one of the picks before failed, nor where the server does not answer: that is said"""
        page = self.page()
        self.reject(page, "/api/pick")
        page.hold("/api/pick", "POST")
        page.click(0)
        page.click(1)
        page.held()
        self.browser.press("Control", "Enter")
        page.let_go()
        self.browser.wait("cameo.selection.count === 1")
        self.answered()
        self.assertEqual(page.toast(), "That was not possible.")
        self.assertTrue(page.value("!cameo.state.isOver"))
        for selector, path in (("#finish", "/api/finish"), ("#cancel", "/api/cancel")):
            page.value("document.querySelector('#toast').classList.remove('shown')")
            self.reject(page, path)
            page.press_button(selector)
            self.browser.wait("document.querySelector('#toast.shown')")
            self.assertEqual(page.toast(), "That was not possible.")
        self.assertTrue(self.picker.is_running)
        page.toggle(0)
        page.finish()
        self.assertEqual(len(self.picker.picks()), 2)

    def test_overtaken_refusal(self):
        """A refusal is said though news of another window came before it"""
        page = self.page("--limit", "1", "--json")
        page.value("(cameo.selection.version = 1e6, 0)")
        page.value("fetch('/api/pick', { method: 'POST', headers: { 'Content-Type': 'application/json' },"
                   " body: JSON.stringify({ action: 'pick', ids: ['0'] }) }).then((a) => a.json())"
                   ".then((message) => cameo.selection.take(message)) && 0")
        self.browser.wait("document.querySelector('#toast.shown')")
        self.assertEqual(page.toast(), "This photo is not there any more.")
        self.assertEqual(page.value("cameo.selection.version"), 1e6)

    def test_held_keys(self):
        """A key that is held down acts once"""
        page = self.page("--limit", "2", "--profile", "circle", "--json")
        index = page.index("Mei.jpg")
        page.value(f"cameo.grid.focus({index})")
        page.hold("/api/pick", "POST")
        page.let_go()
        self.key(" ", "Space", 4)
        self.answered()
        self.assertEqual(page.value("held.asked"), 1)
        self.key("Enter", "Enter", 4)
        self.browser.wait("cameo.detail.isOpen && !cameo.detail.isBusy")
        self.key("Enter", "Enter", 4)
        self.answered()
        self.assertEqual(page.value("[held.asked, cameo.selection.count]"), [2, 0])
        page.hold("/api/crop", "POST")
        page.value("cameo.detail.crop.focus()")
        self.browser.devtools("Input.dispatchKeyEvent", type="keyDown", key="Enter", code="Enter", text="\r")
        self.browser.wait("cameo.cropper.isReady")
        self.browser.devtools(
            "Input.dispatchKeyEvent", type="keyDown", key="Enter", code="Enter", text="\r", autoRepeat=True)
        self.assertEqual(page.value("[held.asked, cameo.cropper.isOpen]"), [0, True])
