"""The bar of dates along the grid."""

from support import PickerTest


class Scrubber(PickerTest):
    def month(self, section):
        """How the page writes the month of a moment."""
        return self.browser.run_later(
            "const [section, done] = arguments;"
            " import('/strings.js').then((all) => done(all.monthTitle(cameo.library.days[section])))", section)

    def told(self):
        return self.browser.value(
            "(e => [Number(e.getAttribute('aria-valuenow')), e.getAttribute('aria-valuetext'), e.querySelector('.bubble').textContent])"
            "(document.querySelector('#scrubber'))")

    def check_told(self, section):
        month = self.month(section)
        self.assertEqual(self.told(), [section + 1, month, month])

    def test_keys(self):
        """Every moment is reached by the arrow keys, from either end to the other, also where the last fit on one screen"""
        page = self.page()
        last = page.value("cameo.library.counts.length") - 1
        furthest = page.value("cameo.scrubber.furthest")
        # Otherwise this says nothing.
        self.assertGreater(page.value(f"cameo.grid.layout.sectionFrame({last - 1}).y"), furthest)
        page.value("document.querySelector('#scrubber').focus()")
        self.browser.press("End")
        self.check_told(last)
        self.assertAlmostEqual(page.value("cameo.grid.offset"), furthest, delta=1)
        for section in reversed(range(last)):
            self.browser.press("Up")
            self.check_told(section)
        self.assertEqual(page.value("cameo.grid.offset"), 0)
        for section in range(1, last + 1):
            self.browser.press("Down")
            self.check_told(section)
        self.browser.press("Home")
        self.check_told(0)
        self.browser.press("PageDown")
        self.check_told(min(10, last))

    def test_drag(self):
        """A drag leads through the whole library, and says the month that it is at"""
        page = self.page()
        box = page.value("(r => ({x: r.x + r.width / 2, top: r.top, bottom: r.bottom}))"
                         "(document.querySelector('#scrubber').getBoundingClientRect())")
        middle = (box["top"] + box["bottom"]) / 2
        self.browser.pointer(("move", box["x"], middle), "down")
        self.assertTrue(page.value("document.querySelector('#scrubber').matches('.held')"))
        self.browser.wait("Math.abs(cameo.grid.offset / cameo.scrubber.furthest - 0.5) < 0.01")
        section = page.value("cameo.grid.layout.sectionAt(cameo.grid.offset + 1)")
        self.browser.wait(f"cameo.scrubber.shown === {section}")
        self.check_told(section)
        self.save("scrubber")
        self.browser.pointer(("move", box["x"], box["bottom"] - 2))
        self.browser.wait("cameo.grid.offset >= cameo.scrubber.furthest - 1")
        last = page.value("cameo.library.counts.length") - 1
        self.browser.wait(f"cameo.scrubber.shown === {last}")
        self.check_told(last)
        self.browser.pointer(("move", box["x"], box["top"] + 2), "up")
        self.browser.wait("cameo.grid.offset === 0")
        self.assertFalse(page.value("document.querySelector('#scrubber').matches('.held')"))
        # Nothing is held any more.
        self.browser.pointer(("move", box["x"], middle))
        self.assertEqual(page.value("cameo.grid.offset"), 0)

    def test_other_album(self):
        """In another album it says that album's months"""
        page = self.page()
        self.browser.size(320, 300)
        page.settle()
        months = {}
        for title in ("Lake Weekend", "Portraits"):
            page.value("cameo.albums.open()")
            page.choose_album(title)
            self.assertFalse(page.value("document.querySelector('#scrubber').hidden"), title)
            self.check_told(0)
            months[title] = self.told()[1]
        self.assertNotEqual(*months.values())
