import os
import struct

from support import PickerTest


def film(name=b"qt  "):
    """The beginning of a film, which is all of it that is ever read."""
    return struct.pack(">I4s4sI4s", 20, b"ftyp", name, 0, name) + struct.pack(">I4s", 8, b"mdat")


class Video(PickerTest):
    def library(self):
        """Photos, a video that is the newest of all, a film that belongs to a photo, and a file that is no picture."""
        root = self.copy()
        photos = sorted((root / "Lake Weekend").glob("*.jpg"))
        (photos[0].with_suffix(".mov")).write_bytes(film())
        (root / "Films").mkdir()
        (root / "Films" / "A long walk along the shore, uncut.mp4").write_bytes(film(b"isom"))
        (root / "Lake Weekend" / "torn.jpg").write_bytes(photos[1].read_bytes()[:2000])
        os.utime(root / "Lake Weekend" / "torn.jpg", (1_600_000_000, 1_600_000_000))
        self.live = photos[0].name
        return root

    def cell(self, index):
        return self.browser.run("""
            const c = document.querySelector(`#cell-${arguments[0]}`);
            const name = c.querySelector('.name');
            const style = getComputedStyle(c, '::before');
            return { role: c.getAttribute('role'), label: c.getAttribute('aria-label'), text: name?.textContent ?? '',
              pictures: c.querySelectorAll('img').length, kind: c.dataset.kind ?? '', badge: style.backgroundImage,
              ground: getComputedStyle(c).backgroundImage, selected: c.getAttribute('aria-selected'),
              fits: !name || name.getBoundingClientRect().bottom <= c.getBoundingClientRect().bottom };""", index)

    def test_cells(self):
        """A video has a sign, its name and a badge; a film that belongs to a photo has no cell of its own"""
        page = self.page(photos=self.library())
        films = page.value("cameo.library.rows.filter((r) => r.isVideo).map((r) => r.name)")
        self.assertEqual(films, ["A long walk along the shore, uncut.mp4"])
        cell = self.cell(page.index(films[0]))
        self.assertEqual((cell["role"], cell["pictures"], cell["kind"], cell["text"]), ("option", 0, "video", films[0]))
        self.assertTrue(cell["label"].startswith("Video, ") and cell["label"].endswith(films[0]), cell["label"])
        self.assertIn("film.svg", cell["ground"])
        self.assertIn("kind-video.svg", cell["badge"])
        self.assertTrue(cell["fits"])
        live = self.cell(page.index(self.live))
        self.assertEqual((live["pictures"], live["kind"]), (1, "live"))
        self.assertTrue(live["label"].startswith("Live Photo, "), live["label"])
        self.assertEqual(page.value("document.querySelector('#subtitle').textContent"), "7 photos, 1 video")
        self.save("video-cells")

    def test_torn(self):
        """A picture that cannot be shown says so, with its name, and there is no broken image anywhere"""
        page = self.page(photos=self.library())
        page.frame(page.index("torn.jpg"))
        page.settle()
        cell = self.cell(page.index("torn.jpg"))
        self.assertEqual(cell["pictures"], 0)
        self.assertIn("broken.svg", cell["ground"])
        self.assertEqual(cell["text"], "torn.jpg")
        self.assertTrue(cell["label"].endswith("cannot be shown"), cell["label"])
        self.browser.wait("[...document.images].every((i) => !i.src || i.complete)")
        self.assertEqual(page.value("[...document.images].filter((i) => i.src && i.naturalWidth === 0).length"), 0)

    def test_picked(self):
        """A video is picked like a photo, has a sign among the picks and in the albums, and comes out as a video"""
        page = self.page(photos=self.library())
        index = page.index("A long walk along the shore, uncut.mp4")
        page.toggle(index)
        photo = page.index(self.live)
        page.toggle(photo)
        self.assertEqual((page.badge(index), page.badge(photo)), ("1", "2"))
        cell = self.cell(index)
        self.assertEqual(cell["selected"], "true")
        self.assertTrue(cell["label"].endswith("picked as number 1"))
        self.assertEqual(page.value("document.querySelectorAll('.pick .sign.film').length"), 1)
        self.browser.wait("document.querySelector('#albums li [data-key]')")
        films = page.value("[...document.querySelectorAll('#albums li')].filter((i) => "
                           "['Films', 'Videos'].includes(i.querySelector('.name').textContent))"
                           ".map((i) => i.querySelector('.key').firstChild.className)")
        self.assertEqual(set(films), {"sign film"})
        self.save("video-picked")
        page.finish()
        picks = self.picker.picks()
        self.assertEqual([pick["kind"] for pick in picks], ["video", "image"])

    def test_detail(self):
        """The detail view of a video says that it is not played here, and offers no crop"""
        page = self.page(photos=self.library())
        index = page.index("A long walk along the shore, uncut.mp4")
        page.open_detail(index)
        self.assertEqual(page.value("document.querySelector('#detail h1').textContent"),
                         "A long walk along the shore, uncut.mp4")
        self.assertTrue(page.value("document.querySelector('#detail [role=status]').textContent").startswith(
            f"{index + 1} of 8 · Video · "))
        self.assertIn("not played here", page.value("document.querySelector('#detail .picture').textContent"))
        self.assertEqual(page.value("document.querySelectorAll('#detail .picture img').length"), 0)
        self.save("video-detail")
        self.browser.press("Right")
        self.browser.wait("document.querySelector('#detail .picture img')?.naturalWidth > 0")
        self.browser.press("Left")
        self.browser.wait("document.querySelector('#detail .sign.film')")
        self.browser.press("Escape")
        self.browser.wait(f"document.activeElement.id === 'cell-{index}'")

    def test_filter(self):
        """The filter for videos shows them alone"""
        page = self.page(photos=self.library())
        self.browser.wait("[...document.querySelectorAll('#type option')].some((o) => o.value === 'video')")
        self.browser.run("""
            const select = document.querySelector('#type');
            select.value = 'video';
            select.dispatchEvent(new Event('change'));""")
        self.browser.wait("cameo.library.count === 1 && cameo.library.at(0).isVideo")
        page.settle()
        self.assertEqual(self.cell(0)["kind"], "video")

    def test_larger(self):
        """A video that takes a photo's cell stays what it is when the thumbnails grow, and no picture of it is asked for"""
        page = self.page(photos=self.library())
        film = page.identifier(page.index("A long walk along the shore, uncut.mp4"))
        page.choose_album("Lake Weekend")
        self.assertGreater(page.value("document.querySelectorAll('.cell img').length"), 3)
        page.choose_album("Films")
        size = page.value("cameo.grid.thumbnailSize")
        page.press_button("#larger")
        page.press_button("#larger")
        self.browser.wait(f"cameo.grid.thumbnailSize > {size}")
        self.browser.run_later("cameo.grid.loader.idle().then(arguments[0])")
        self.assertEqual(page.value("document.querySelector('#cell-0').className"), "cell film")
        self.assertEqual(page.value(
            f"performance.getEntriesByType('resource').filter((e) => e.name.includes('/thumbnails/{film}')).length"), 0)

    def test_profile(self):
        """Where profile pictures are made, videos are not offered"""
        out = self.folder()
        page = self.page("--limit", "5", "--profile", "circle", "-o", str(out), photos=self.library())
        self.assertGreater(page.value("cameo.library.count"), 3)
        self.assertEqual(page.value("cameo.library.rows.filter((r) => r.isVideo).length"), 0)
