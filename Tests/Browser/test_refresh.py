"""What people do while the page looks anew at a library that has changed."""

import os

from support import PickerTest


class Refresh(PickerTest):
    def page_asking(self):
        """A page that asks for its list, as a newer photo was added, and waits for the answer until it is let go."""
        self.photos = self.copy()
        page = self.page(photos=self.photos)
        # Nothing is asked any more of what was so at the beginning.
        self.browser.wait("cameo.state.isConnected")
        page.hold("/api/list")
        return page

    def ask(self, page):
        count = page.value("cameo.library.count")
        self.add_newest(self.photos)
        page.held()
        return count

    def let_go(self, page, count):
        page.let_go()
        self.browser.wait(f"cameo.library.count === {count + 1}")

    def test_detail(self):
        """A photo that is opened, or gone to, while the library changes stays on show"""
        for opens_first in (False, True):
            with self.subTest(opens_first=opens_first):
                page = self.page_asking()
                if opens_first:
                    page.open_detail(1)
                count = self.ask(page)
                if opens_first:
                    self.browser.press("Right")
                else:
                    page.open_detail(2)
                shown = page.identifier(2)
                self.assertEqual(page.value("cameo.detail.asset.id"), shown)
                self.let_go(page, count)
                self.assertTrue(page.value("cameo.detail.isOpen"))
                self.assertEqual(page.value("[cameo.detail.asset.id, cameo.detail.index]"), [shown, 3])

    def test_detail_on_its_way(self):
        """So does one whose picture is still on its way: what is picked is what is shown"""
        page = self.page_asking()
        count = self.ask(page)
        # Only a picture that does not come leaves time between the click and the dialog.
        page.value("((decode, later) => {"
                   " HTMLImageElement.prototype.decode = function () {"
                   "   return this.src.includes('/pictures/') && !this.isConnected ? new Promise(() => {}) : decode.call(this); };"
                   " window.setTimeout = (action, time) => {"
                   "   if (time === 140) window.present = action; else return later(action, time); };"
                   "})(HTMLImageElement.prototype.decode, setTimeout)")
        shown = page.value("(cameo.detail.open(1), cameo.detail.asset.id)")
        self.let_go(page, count)
        self.assertFalse(page.value("cameo.detail.isOpen"))
        page.value("window.present()")
        self.browser.wait("cameo.detail.isOpen && !cameo.detail.isBusy")
        page.press_button("#detail .pick-button")
        self.browser.wait("cameo.selection.count === 1")
        self.assertEqual(page.selected, [shown])
        self.assertEqual(page.value("document.querySelector('#detail-title').textContent"), page.name(2))

    def test_focus(self):
        """The focus stays where the keys have led it, in the grid or out of it"""
        for leaves in (False, True):
            with self.subTest(leaves=leaves):
                page = self.page_asking()
                page.value("cameo.grid.focus(1)")
                count = self.ask(page)
                self.browser.press("Right")
                self.browser.press("Right")
                shown = page.identifier(3)
                if leaves:
                    page.value("document.querySelector('#cancel').focus()")
                self.let_go(page, count)
                self.assertEqual(page.value("document.activeElement.id"), "cancel" if leaves else "cell-4")
                self.assertEqual(page.value("cameo.library.at(cameo.grid.active).id"), shown)

    def test_offset(self):
        """What was scrolled to meanwhile stays in its place, though the focus is elsewhere in the grid"""
        self.browser.size(390, 480)
        page = self.page_asking()
        page.value("cameo.grid.focus(0)")
        count = self.ask(page)
        page.value("(cameo.grid.root.scrollTop = 1e6, 0)")
        self.browser.wait("cameo.grid.anchor.kind !== 'top'")
        where = "(f => f.y)(cameo.grid.frameOnScreen(cameo.library.indexOf('%s')))" % page.identifier(5)
        before = page.value(where)
        self.let_go(page, count)
        self.assertGreater(page.value("cameo.grid.offset"), 50)
        self.assertAlmostEqual(page.value(where), before, delta=1)

    def test_opener(self):
        """The button that opens the photo under the pointer opens that one and no other, whatever has come before it"""
        page = self.page_asking()
        self.browser.pointer(("move", *page.middle(1)))
        self.browser.wait("!cameo.grid.opener.hidden")
        count = self.ask(page)
        self.let_go(page, count)
        # It is away, or the pointer was found to be over another cell.
        self.assertTrue(page.value(
            "cameo.grid.opener.hidden || cameo.grid.opener.index === document.querySelector('.cell:hover')?.index"))
        x, y = page.middle(1)
        self.browser.pointer(("move", x + 3, y))
        self.browser.wait("!cameo.grid.opener.hidden && cameo.grid.opener.index === 1")

    def test_pressed_meanwhile(self):
        """A press on an album that lasts while the library changes is a click, and a moment's button keeps the focus"""
        photos = self.copy()
        page = self.page(photos=photos)
        self.browser.wait("document.querySelectorAll('#albums li').length > 1")
        lake = self.album(page, "Lake Weekend")
        x, y = page.value("(b => [b.x + 30, b.y + b.height / 2])"
                          f"(document.querySelector('[data-key={lake}]').getBoundingClientRect())")
        page.value("document.querySelectorAll('.heading button')[0].focus()")
        focused = page.value("(window.focused = document.activeElement).ariaLabel")
        self.browser.pointer(("move", x, y), "down")
        page.value("(window.focused.focus(), 0)")
        self.add_newest(photos / "Lake Weekend")
        self.browser.wait(f"cameo.library.count === 7 && document.querySelector('[data-key={lake}] .number').textContent === '7'")
        self.assertTrue(page.value("document.activeElement === window.focused"))
        self.assertEqual(page.value("window.focused.ariaLabel"), focused)
        self.browser.pointer("up")
        self.browser.wait(f"cameo.library.album === '{lake}'")
        # The button of a moment that has gone leaves the focus to another.
        page.value("document.querySelectorAll('.heading button')[0].focus()")
        (photos / "Lake Weekend" / "newest.png").unlink()
        self.browser.wait("cameo.library.count === 6")
        self.assertTrue(page.value("document.activeElement.matches('.heading button')"))

    def test_far_away(self):
        """A range, and the way to a pick, know of photos of which nothing has come since the library changed"""
        photos = self.folder()
        for number in range(300):
            name = f"{number}.png"
            self.add_newest(photos, name)
            os.utime(photos / name, (1_700_000_000 - number, 1_700_000_000 - number))
        page = self.page("--limit", "0", "--json", photos=photos)
        self.browser.wait("!cameo.library.lacks(0, 300)")
        page.toggle(0)
        pick, = page.selected
        page.value("(cameo.grid.root.scrollTop = cameo.grid.layout.contentHeight - 1200, 0)")
        self.browser.wait("cameo.grid.anchor.kind === 'cell'")
        page.hold("/api/assets")
        self.add_newest(photos)
        self.browser.wait("cameo.library.count === 301")
        self.assertIsNone(page.value("cameo.library.at(1)"))
        page.click(295, shift=True)
        self.browser.wait("cameo.selection.count === 295")
        page.press_button(".pick button")
        self.browser.wait("cameo.grid.active === 1")
        page.let_go()
        self.browser.wait("!cameo.library.lacks(0, 301)")
        self.assertEqual(page.value("cameo.library.at(1).id"), pick)

    def album(self, page, title):
        return page.value("[...document.querySelectorAll('#albums li button')]"
                          f".find(b => b.querySelector('.name').textContent === '{title}').dataset.key")

    def test_chosen_album(self):
        """An album that was chosen is shown from its top, a pick is gone to, though the library changes before that"""
        self.photos = self.copy()
        (self.copy("Portraits") / "Portraits").rename(self.photos / "Portraits")
        self.browser.size(900, 480)
        page = self.page(photos=self.photos)
        self.browser.wait("document.querySelectorAll('#albums li').length > 3")
        lake, portraits = (self.album(page, title) for title in ("Lake Weekend", "Portraits"))
        page.toggle(page.index("Mei.jpg"))
        pick, = page.selected
        page.value("(cameo.grid.root.scrollTop = 1e6, 0)")
        self.browser.wait("cameo.grid.anchor.kind !== 'top'")
        page.hold("/api/list")
        page.value(f"document.querySelector('[data-key={lake}]').click()")
        page.held()
        self.add_newest(self.photos)
        page.held(2)
        page.let_go()
        self.browser.wait(f"cameo.library.album === '{lake}'")
        self.assertEqual(page.value("cameo.grid.offset"), 0)
        page.settle()
        page.hold("/api/list")
        page.press_button(".pick button")
        page.held()
        self.add_newest(self.photos, "newer.png")
        page.held(2)
        page.let_go()
        self.browser.wait("cameo.library.album === 'smart-0'")
        self.assertEqual(page.value("cameo.library.at(document.activeElement.index)?.id"), pick)
        # One that the server could not be asked for comes as soon as it can.
        page.value("(own => { window.fetch = async (path, options) => {"
                   " if (path.startsWith('/api/list')) { window.fetch = own; throw new TypeError('Failed to fetch'); }"
                   " return own(path, options); }; })(window.fetch)")
        page.value(f"document.querySelector('[data-key={portraits}]').click()")
        self.browser.wait(f"cameo.library.album === '{portraits}'")
