import json
import tempfile
import time
import urllib.request

from support import PickerTest

SIZES = ((1280, 800), (390, 844), (844, 390), (568, 320), (320, 568))

# What somebody has to see or hit, but does not without scrolling sideways, or at all.
CUT_OFF = """
const scope = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
const wrong = [];
for (const e of scope.querySelectorAll('button, select, input, h1, p, .preview, .area')) {
  if (!e.checkVisibility({ visibilityProperty: true }) || e.closest('[inert], #toast, .heading, .opener')) continue;
  const box = e.getBoundingClientRect();
  if (box.width === 0) continue;
  const scrolls = e.closest('#grid, #albums, .picks, aside');
  const isIn = box.left >= -0.5 && box.right <= innerWidth + 0.5
    && (scrolls || (box.top >= -0.5 && box.bottom <= innerHeight + 0.5));
  if (!isIn && !e.closest('.picks')) {
    wrong.push(`${e.tagName} ${e.id || e.className || e.textContent.slice(0, 20)} ${[box.left, box.top, box.right, box.bottom].map(Math.round)}`);
  }
}
return wrong;
"""


class Sizes(PickerTest):
    def check(self, what):
        self.browser.run_later("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
        self.browser.wait("document.getAnimations().every((a) => a.effect.getTiming().iterations === Infinity)")
        self.assertEqual(self.browser.run(CUT_OFF), [], what)

    def test_grid_and_detail(self):
        """Nothing of grid, albums and detail view is cut off on any screen, and round buttons are round"""
        page = self.page("--limit", "5", "--profile", "circle", "-o", str(self.folder()))
        for index in (2, 0, 5):
            page.toggle(index)
        for size in SIZES:
            self.resized(size)
            self.check(f"grid, {size}")
            if size[0] < 860:
                page.press_button("#menu")
                # At once, while it still moves.
                self.assertTrue(page.value("document.querySelector('#albums').contains(document.activeElement)"))
                self.check(f"albums, {size}")
                self.browser.press("Escape")
                self.browser.wait("!cameo.albums.isOpen")
                self.assertEqual(page.value("document.activeElement.id"), "menu")
            page.open_detail(2)
            self.check(f"detail, {size}")
            self.save(f"detail-{size[0]}")
            steps = page.value("[...document.querySelectorAll('#detail .step')].map((e) => "
                               "[e.offsetWidth, e.offsetHeight])")
            self.assertEqual(steps, [[44, 44], [44, 44]])
            self.browser.press("Escape")
            self.browser.wait("!cameo.detail.isOpen && !cameo.detail.isBusy")

    def test_crop(self):
        """Nothing of the crop step is cut off on any screen, and its previews have the size that stands below them"""
        page = self.page("--limit", "5", "--profile", "circle", "-o", str(self.folder()))
        page.open_detail(page.index("Mei.jpg"))
        self.browser.press("c")
        self.browser.wait("cameo.cropper.isReady")
        for size in SIZES:
            self.resized(size)
            self.check(f"crop, {size}")
            self.save(f"crop-{size[0]}")
            if min(size) >= 390:
                sides = page.value("[...document.querySelectorAll('.preview')].map((e) => e.getBoundingClientRect().width)")
                self.assertEqual(sides, [100, 200], size)
            area = page.value("(b => Math.min(b.width, b.height))(document.querySelector('.area').getBoundingClientRect())")
            self.assertGreater(area, 150, size)

    def test_words_over_dialogs(self):
        """What is said while the detail view is open is said in it: a refused pick, and that the connection is lost"""
        page = self.page("--limit", "1", "--unordered", "--minimum", "1")
        page.open_detail(0)
        self.browser.run("cameo.selection.onRefusal({ reason: 'limitReached', limit: 1 })")
        self.browser.wait("document.querySelector('#detail #toast.shown')")
        self.picker.close()
        self.browser.wait("document.querySelector('#detail #lost:not([hidden])')")
        self.save("lost")
        self.browser.press("Escape")
        self.browser.wait("!cameo.detail.isOpen")
        self.assertEqual(page.value("document.querySelector('#lost').parentElement.tagName"), "BODY")
        self.assertFalse(page.value("document.querySelector('#lost').hidden"))

    def test_states(self):
        """Loading, failed and empty say what they are, and count nothing where nothing is known"""
        page = self.page(photos=self.folder())
        # With the connection, the page is told how things really are.
        self.browser.wait("cameo.state.isConnected")
        for phase, title, subtitle in (
                ("failed", "The photos cannot be read", ""), ("loading", "Looking through the photos …", None),
                ("partial", "Looking through the photos …", None), ("empty", "No photos here", "0 photos")):
            self.browser.run(
                "cameo.state.list.library = { phase: arguments[0], reason: 'No such file' }; cameo.describe();", phase)
            self.assertEqual(page.value("document.querySelector('#notice h2').textContent"), title)
            if subtitle is not None:
                self.assertEqual(page.value("document.querySelector('#subtitle').textContent"), subtitle)
            texts = page.value("[...document.querySelectorAll('#notice p')].map((e) => e.textContent)")
            if phase == "failed":
                self.assertEqual(texts, ["Is the folder still there, and may you read it?", "No such file"])
            else:
                self.assertEqual(len(texts), 1)
            self.check(phase)
            self.save(f"state-{phase}")

    def test_last_thumbnails_are_kept(self):
        """What was made right before the end is at hand the next time"""
        cache = tempfile.mkdtemp(prefix="cameo-cache-")
        self.folders.append(cache)

        def visitor(picker):
            """Asks without a page, whose stream of events would hold up the end."""
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor())
            opener.open(picker.address).read()
            return lambda path: opener.open(picker.address.split("/?")[0] + path).read()

        def listed(ask, query=""):
            """The list, as soon as all of it is known."""
            end = time.monotonic() + 60
            while time.monotonic() < end:
                found = json.loads(ask("/api/list" + query))
                if found["library"]["phase"] == "data":
                    return found
                time.sleep(0.05)
            self.fail("the list does not come")

        picker = self.command("--limit", "5", cache=cache)
        ask = visitor(picker)
        photo = listed(ask)["assets"]["ids"][0]
        ask(f"/thumbnails/{photo}/256")
        picker.close()
        ask = visitor(self.command("--limit", "5", cache=cache))
        found = listed(ask, f"?keep={photo}")
        place = found["positions"][0]
        pack = json.loads(ask(f"/api/thumbnails?list={found['list']}&from={place}&count=1&size=256"))
        self.assertEqual(pack["places"], [place])

    def test_a_screen_on_its_way_is_not_asked_for_again(self):
        """Where the list comes anew while the pictures of a screen are on their way, they are not asked for again"""
        page = self.page("--limit", "5")
        page.hold("/api/thumbnails")
        page.value("(cameo.grid.loader.recent.clear(), cameo.grid.reload({ kind: 'top' }, 0), cameo.grid.reload({ kind: 'top' }, 0), 0)")
        page.held()
        page.let_go()
        self.browser.wait("cameo.grid.loader.isIdle")
        self.assertEqual(page.value("held.asked"), 1)

    def test_warm_screen_is_one_answer(self):
        """The pictures of a screen that was seen before come with one answer, and are the very same"""
        cache = tempfile.mkdtemp(prefix="cameo-cache-")
        self.folders.append(cache)
        page = self.page("--limit", "5", cache=cache)
        count = page.value("document.querySelectorAll('.cell img').length")
        self.assertGreater(count, 8)
        # At once: what was just made is written before the command ends.
        self.picker.close()
        page = self.page("--limit", "5", cache=cache)
        names = "performance.getEntriesByType('resource').map((e) => e.name)"
        size = page.value("cameo.grid.thumbnailSize")
        self.assertEqual(page.value(f"{names}.filter((n) => n.includes('/api/thumbnails')).length"), 1)
        self.assertEqual(page.value(f"{names}.filter((n) => n.includes('/{size}?')).length"), 0)
        same = self.browser.run_later("""
            const [size, done] = arguments;
            const bytes = async (url) => [...new Uint8Array(await (await fetch(url)).arrayBuffer())].join();
            const cells = [...cameo.grid.cells.values()];
            Promise.all(cells.map(async (cell) => {
              const text = atob(cell.querySelector('img').src.split(',')[1]);
              const own = [...text].map((letter) => letter.charCodeAt(0)).join();
              return own === await bytes(`/thumbnails/${cell.asset.id}/${size}?v=${cell.asset.version}`);
            })).then(done, (error) => done([String(error)]));""", size)
        self.assertEqual(set(same), {True})
        self.assertGreaterEqual(len(same), count)
