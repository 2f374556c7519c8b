import base64
import pathlib

from support import HEADER_ALONE, PickerTest, png_of

# The pixels of a picture as the browser decodes it: {width, height, pixels}.
PIXELS = """
const [source, done] = arguments;
const image = new Image();
image.src = source;
image.decode().then(() => {
  const { naturalWidth: width, naturalHeight: height } = image;
  const canvas = new OffscreenCanvas(width, height).getContext('2d');
  canvas.drawImage(image, 0, 0);
  done({ width, height, pixels: [...canvas.getImageData(0, 0, width, height).data] });
}, (error) => done(String(error)));
"""

# Holds up the decoding of pictures from now on, until `let_decode`.
HOLD_DECODING = """
((decode) => {
  window.decoding = [];
  HTMLImageElement.prototype.decode = function () {
    return new Promise((done) => { decoding.push(done); }).then(() => decode.call(this));
  };
  window.letDecode = () => {
    HTMLImageElement.prototype.decode = decode;
    decoding.forEach((done) => done());
  };
})(HTMLImageElement.prototype.decode)
"""


class Crop(PickerTest):
    def frame(self):
        return self.browser.value(
            "(r => ({x: r.x, y: r.y, width: r.width, height: r.height}))(document.querySelector('.area').getBoundingClientRect())")

    def check_equals_avatar(self, shape):
        out, again = self.folder(), self.folder()
        page = self.page("--profile", shape, "-o", str(out), "--size", "100,200", "--json")
        self.browser.click(*page.middle(page.index("Mei.jpg")))
        self.browser.wait("cameo.cropper.isReady")
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
        self.browser.wait("cameo.cropper.isReady")
        for key in ("+", "+", "+", "r", "Left", "Down"):
            self.browser.press(key)
        self.browser.wait("cameo.cropper.crop.quarterTurns === 1")
        shown = page.value("cameo.cropper.crop.crop")
        self.browser.press("Enter")
        self.browser.wait("!cameo.cropper.isOpen")
        self.browser.press("c")
        self.browser.wait("cameo.cropper.isReady")
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

    def test_turned(self):
        """What is stored of a turned crop is the rectangle, cut out of the picture and then turned clockwise"""
        # Six fields of 200 pixels, each of a colour of its own.
        colours = [[(200, 30, 30), (30, 180, 40), (40, 60, 210)], [(230, 220, 40), (30, 190, 200), (190, 40, 190)]]
        photos, out = self.folder(), self.folder()
        (photos / "fields.png").write_bytes(png_of(600, 400, lambda x, y: colours[y // 200][x // 200]))
        page = self.page(
            "--profile", "square", "-o", str(out), "--size", "100", "--format", "png", "--json", photos=photos)
        self.browser.click(*page.middle(0))
        self.browser.wait("cameo.cropper.isReady")
        for key in ("+", "r", "Left", "Down"):
            self.browser.press(key)
        self.browser.wait("cameo.cropper.crop.quarterTurns === 1")
        self.browser.press("Enter")
        pick, = self.picker.picks()
        self.assertEqual(pick["quarterTurns"], 1)
        left, top, width, height = pick["crop"]
        output, = pick["outputs"]
        data = base64.b64encode(pathlib.Path(output["path"]).read_bytes()).decode()
        stored = self.browser.run_later(PIXELS, f"data:image/png;base64,{data}")
        self.assertEqual((stored["width"], stored["height"]), (100, 100))
        seen = set()
        for row in range(100):
            for column in range(100):
                # A clockwise turn brings the bottom to the left: what is in a column comes from that far above it.
                x, y = left + (row + 0.5) / 100 * width, top + (1 - (column + 0.5) / 100) * height
                if min(abs(x - 200), abs(x - 400), abs(y - 200)) < 16:
                    continue
                at = (row * 100 + column) * 4
                wanted = colours[int(y) // 200][int(x) // 200]
                for got, value in zip(stored["pixels"][at:at + 3], wanted):
                    self.assertAlmostEqual(got, value, delta=2, msg=f"{column}, {row}")
                seen.add(wanted)
        self.assertGreaterEqual(len(seen), 4)

    def test_loading(self):
        """Until the picture is there, its thumbnail is, and nothing can be kept"""
        page = self.page("--profile", "circle", "--json")
        index = page.index("Mei.jpg")
        page.frame(index)
        thumbnail = page.value(f"cameo.grid.pictureOf({index})")
        page.value(HOLD_DECODING)
        self.browser.click(*page.middle(index))
        self.browser.wait("cameo.cropper.isOpen && decoding.length >= 3")
        button = "document.querySelector('#cropper .primary').disabled"
        shown = "[...document.querySelectorAll('#cropper .layer')].map((e) => [...e.querySelectorAll('img')].map((i) => i.src))"
        self.assertEqual([sources[0] for sources in page.value(shown)], [thumbnail] * 3)
        self.assertTrue(page.value(button))
        self.assertEqual(page.value("cameo.cropper.area.ariaBusy"), "true")
        # The thumbnail shows the middle of the picture, which is what the mask shows at first.
        frame, mask = page.value(
            "[document.querySelector('.area .sheet img'), document.querySelector('.mask')]"
            ".map((e) => (r => [r.x, r.y, r.width, r.height])(e.getBoundingClientRect()))")
        for got, wanted in zip(frame, mask):
            self.assertAlmostEqual(got, wanted, delta=1.5)
        self.browser.press("Enter")
        # An answer that comes behind whatever was asked.
        self.browser.run_later("fetch('/api/selection').then((answer) => answer.json()).then(arguments[0])")
        self.assertTrue(page.value("cameo.cropper.isOpen && !cameo.state.isOver"))
        self.save("crop-loading")
        page.value("letDecode()")
        self.browser.wait("cameo.cropper.isReady")
        self.assertFalse(page.value(button))
        self.assertEqual(page.value("cameo.cropper.area.ariaBusy"), "false")
        self.assertEqual([len(sources) for sources in page.value(shown)], [1] * 3)
        self.browser.press("Enter")
        self.assertEqual(len(self.picker.picks()), 1)

    def test_ruined(self):
        """A picture that cannot be shown cannot be cropped either, which the step says; the next one can"""
        photos = self.copy("Portraits")
        (photos / "ruined.jpg").write_bytes(HEADER_ALONE)
        page = self.page("--profile", "circle", "--json", photos=photos)
        self.browser.click(*page.middle(page.index("ruined.jpg")))
        self.browser.wait("cameo.cropper.isOpen && document.querySelector('#cropper .why:not([hidden])')")
        self.assertEqual(page.value("document.querySelector('#cropper .why').textContent"), "This picture cannot be shown.")
        self.assertTrue(page.value("document.querySelector('#cropper .primary').disabled"))
        self.assertFalse(page.value("document.querySelector('.mask').checkVisibility()"))
        self.save("crop-ruined")
        self.browser.press("Enter")
        page.value("document.querySelector('#cropper .primary').click()")
        self.browser.run_later("fetch('/api/selection').then((answer) => answer.json()).then(arguments[0])")
        self.assertTrue(page.value("cameo.cropper.isOpen && !cameo.state.isOver"))
        self.browser.press("Escape")
        self.browser.wait("!cameo.cropper.isOpen")
        self.browser.click(*page.middle(page.index("Mei.jpg")))
        self.browser.wait("cameo.cropper.isReady")
        self.assertFalse(page.value("document.querySelector('#cropper .why').checkVisibility()"))
        self.assertTrue(page.value("document.querySelector('.mask').checkVisibility()"))
        self.browser.press("Enter")
        pick, = self.picker.picks()
        self.assertTrue(pick["path"].endswith("Mei.jpg"))

    def crop(self, page, index, *keys):
        """Crops a photo in its detail view by keys, and keeps that; returns the rectangle."""
        page.open_detail(index)
        self.browser.press("c")
        self.browser.wait("cameo.cropper.isReady")
        for key in keys:
            self.browser.press(key)
        shown = page.value("cameo.cropper.crop.crop")
        self.browser.press("Enter")
        self.browser.wait(f"!cameo.cropper.isOpen && cameo.selection.isEdited('{page.identifier(index)}')")
        return shown

    def back_to_grid(self):
        self.browser.press("Escape")
        self.browser.wait("!cameo.detail.isOpen && !cameo.detail.isBusy")

    def test_crops_alone(self):
        """Without a folder for pictures the crops are printed, and nothing is written"""
        page = self.page("--limit", "5", "--profile", "circle", "--json")
        mei = page.index("Mei.jpg")
        other = 0 if mei != 0 else 1
        page.toggle(mei)
        page.toggle(other)
        identifiers = page.selected
        shown = self.crop(page, mei, "+", "+", "r")
        self.back_to_grid()
        page.finish()
        cropped, whole = self.picker.picks()
        self.assertEqual([cropped["id"], whole["id"]], identifiers)
        self.assertEqual((cropped["crop"], cropped["quarterTurns"]), (shown, 1))
        self.assertNotIn("crop", whole)
        self.assertEqual([key for pick in (cropped, whole) for key in pick if key in ("outputs", "error")], [])

    def test_taken_back(self):
        """A reset takes back a crop that was kept, and says so"""
        page = self.page("--limit", "2", "--profile", "circle", "--json")
        index = page.index("Mei.jpg")
        page.toggle(index)
        self.crop(page, index, "+", "+")
        label = "document.querySelector('#cropper .primary').textContent"
        self.browser.press("c")
        self.browser.wait("cameo.cropper.isReady")
        self.assertEqual(page.value(label), "Keep crop")
        page.press_button("#cropper .tools > button:last-child")
        self.assertEqual(page.value(label), "Remove crop")
        self.save("crop-reset")
        # Who goes on cropping wants to keep it.
        page.value("cameo.cropper.area.focus()")
        self.browser.press("+")
        self.assertEqual(page.value(label), "Keep crop")
        page.press_button("#cropper .tools > button:last-child")
        page.press_button("#cropper .primary")
        self.browser.wait("!cameo.cropper.isOpen && cameo.selection.edited.size === 0")
        self.back_to_grid()
        page.finish()
        pick, = self.picker.picks()
        self.assertNotIn("crop", pick)

    def test_another_picture(self):
        """The crop of a file that holds another picture now is forgotten, one on its way is refused, and both are said"""
        photos = self.copy("Portraits")
        page = self.page("--limit", "2", "--profile", "circle", "--json", photos=photos)
        index = page.index("Mei.jpg")
        page.toggle(index)
        pick, = page.selected
        self.crop(page, index, "+", "+")
        picture = "document.querySelector('.pick img').src"
        before = page.value(picture)
        self.browser.press("c")
        self.browser.wait("cameo.cropper.isReady")
        self.add_newest(photos / "Portraits", "Mei.jpg", (900, 700))
        self.browser.wait("cameo.selection.edited.size === 0")
        sentence = "This photo has changed since it was cropped."
        self.browser.wait("document.querySelector('#toast.shown')")
        self.assertEqual(page.toast(), sentence)
        self.assertNotEqual(page.value(picture), before)
        page.value("document.querySelector('#toast').classList.remove('shown')")
        self.browser.press("Enter")
        self.browser.wait("document.querySelector('#toast.shown')")
        self.assertEqual(page.toast(), sentence)
        self.assertTrue(page.value("cameo.cropper.isOpen"))
        self.browser.press("Escape")
        self.browser.wait("!cameo.cropper.isOpen && cameo.detail.asset.width === 900")
        self.browser.press("c")
        self.browser.wait("cameo.cropper.isReady && cameo.cropper.crop.picture.width === 900")
        self.browser.press("Enter")
        self.browser.wait(f"cameo.selection.isEdited('{pick}')")

    def test_keys_of_the_browser(self):
        """Keys with Control are the browser's, and nothing is finished over an open crop step"""
        page = self.page("--limit", "2", "--profile", "circle", "--json")
        index = page.index("Mei.jpg")
        page.toggle(index)
        page.open_detail(index)
        self.browser.press("c")
        self.browser.wait("cameo.cropper.isReady")
        self.browser.press("+")
        before = page.value("cameo.cropper.crop")
        taken = self.browser.run("""
            return ['r', '+', '-', 'ArrowLeft', 'Enter'].flatMap((key) => ['ctrlKey', 'metaKey', 'altKey'].filter((held) =>
              !cameo.cropper.area.dispatchEvent(
                new KeyboardEvent('keydown', { key, [held]: true, bubbles: true, cancelable: true }))));""")
        self.assertEqual(taken, [])
        self.browser.press("Control", "Enter")
        # An answer that comes behind whatever was asked.
        self.browser.run_later("fetch('/api/selection').then((answer) => answer.json()).then(arguments[0])")
        self.assertTrue(page.value("cameo.cropper.isOpen && !cameo.state.isOver"))
        self.assertEqual(page.value("cameo.cropper.crop"), before)
        self.assertTrue(self.picker.is_running)
        shown = page.value("cameo.cropper.crop.crop")
        self.browser.press("Enter")
        self.browser.wait("!cameo.cropper.isOpen")
        # The focus is on the button that would drop the photo. A key that finishes is no click on it.
        self.assertTrue(page.value("document.activeElement === cameo.detail.pick"))
        page.value("cameo.detail.pick.addEventListener('click', () => { cameo.wasClicked = true; })")
        self.browser.press("Control", "Enter")
        pick, = self.picker.picks()
        self.assertEqual(pick["crop"], shown)
        self.assertFalse(page.value("cameo.wasClicked ?? false"))

    def test_pinch(self):
        """Two fingers zoom, as far as the picture goes"""
        out = self.folder()
        page = self.page("--profile", "circle", "-o", str(out), "--json")
        self.browser.click(*page.middle(page.index("Mei.jpg")))
        self.browser.wait("cameo.cropper.isReady")
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
        self.browser.wait("cameo.cropper.isReady")
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
