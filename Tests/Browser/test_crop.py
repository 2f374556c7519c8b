import pathlib

from support import PickerTest


class Crop(PickerTest):
    def frame(self):
        return self.browser.value(
            "(r => ({x: r.x, y: r.y, width: r.width, height: r.height}))(document.querySelector('.area').getBoundingClientRect())")

    def check_equals_avatar(self, shape):
        out, again = self.folder(), self.folder()
        page = self.page("--profile", shape, "-o", str(out), "--size", "100,200", "--json")
        self.browser.click(*page.middle(page.index("Mei.jpg")))
        self.browser.wait("cameo.cropper.isOpen")
        area = self.frame()
        x, y = area["x"] + area["width"] / 2, area["y"] + area["height"] / 2
        self.browser.wheel(x + 60, y - 20, -350)
        self.browser.pointer(("move", x, y), "down", ("move", x - 90, y + 25), "up")
        self.browser.wait("cameo.cropper.crop.zoom > 1.5")
        shown = page.value("cameo.cropper.crop.crop")
        self.save(f"crop-{shape}")
        page.press_button("#cropper .primary")
        pick, = self.picker.picks()
        self.assertEqual(pick["crop"], shown)
        self.assertEqual([(o["width"], o["height"]) for o in pick["outputs"]], [(100, 100), (200, 200)])
        rectangle = ",".join(str(number) for number in pick["crop"])
        self.avatar(pick["path"], "-o", str(again), "--shape", shape, "--focus", rectangle)
        for output in pick["outputs"]:
            stored = pathlib.Path(output["path"])
            self.assertEqual(stored.read_bytes(), (again / stored.name).read_bytes())

    def test_circle(self):
        """A circle cropped on the page is stored byte for byte as avatar makes it of that rectangle"""
        self.check_equals_avatar("circle")

    def test_square(self):
        """So is a square"""
        self.check_equals_avatar("square")

    def test_keyboard(self):
        """A crop can be made by the keyboard, turns included, and is kept for the next time"""
        out = self.folder()
        page = self.page("--profile", "circle", "-o", str(out), "--limit", "2", "--json")
        index = page.index("Mei.jpg")
        page.open_detail(index)
        self.browser.press("c")
        self.browser.wait("cameo.cropper.isOpen")
        for key in ("+", "+", "+", "r", "Left", "Down"):
            self.browser.press(key)
        self.browser.wait("cameo.cropper.crop.quarterTurns === 1")
        shown = page.value("cameo.cropper.crop.crop")
        self.browser.press("Enter")
        self.browser.wait("!cameo.cropper.isOpen")
        self.browser.press("c")
        self.browser.wait("cameo.cropper.isOpen")
        self.assertEqual(page.value("cameo.cropper.crop.crop"), shown)
        self.browser.press("Escape")
        self.browser.wait("!cameo.cropper.isOpen && cameo.detail.isOpen")
        page.press_button("#detail .pick-button")
        self.browser.wait("cameo.selection.count === 1")
        self.browser.press("Escape")
        self.browser.wait("!cameo.detail.isOpen && !cameo.detail.isBusy")
        page.finish()
        pick, = self.picker.picks()
        self.assertEqual((pick["crop"], pick["quarterTurns"]), (shown, 1))

    def test_pinch(self):
        """Two fingers zoom, as far as the picture goes"""
        out = self.folder()
        page = self.page("--profile", "circle", "-o", str(out), "--json")
        self.browser.click(*page.middle(page.index("Mei.jpg")))
        self.browser.wait("cameo.cropper.isOpen")
        area = self.frame()
        x, y = area["x"] + area["width"] / 2, area["y"] + area["height"] / 2
        self.browser.fingers(
            [("move", x - 40, y), "down", ("move", x - 120, y, 100), "up"],
            [("move", x + 40, y), "down", ("move", x + 120, y, 100), "up"])
        zoom = page.value("cameo.cropper.crop.zoom")
        self.assertTrue(2.4 < zoom < 3.6, zoom)

    def test_previews(self):
        """The previews of 100 and 200 points show what the mask shows"""
        out = self.folder()
        page = self.page("--profile", "circle", "-o", str(out), "--json")
        self.browser.click(*page.middle(page.index("Mei.jpg")))
        self.browser.wait("cameo.cropper.isOpen")
        area = self.frame()
        self.browser.wheel(area["x"] + 200, area["y"] + 200, -300)
        self.browser.wait("cameo.cropper.crop.zoom > 1.2")
        # Where a point of the picture, the middle of the crop, is in each of them.
        for selector, points in ((".preview", 100), (".previews figure:last-child .preview", 200)):
            frame, image = page.value(
                f"(p => [p, p.querySelector('img')].map(e => (r => [r.x, r.y, r.width, r.height])(e.getBoundingClientRect())))"
                f"(document.querySelector('{selector}'))")
            self.assertAlmostEqual(frame[2], points, places=0)
            crop, picture = page.value("[cameo.cropper.crop.crop, cameo.cropper.crop.picture]")
            scale = points / crop[2]
            self.assertAlmostEqual(image[2], picture["width"] * scale, delta=1.5)
            self.assertAlmostEqual(image[0] - frame[0], -crop[0] * scale, delta=1.5)
