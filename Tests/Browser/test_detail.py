import json

from support import PickerTest


class Detail(PickerTest):
    def test_back_to_the_right_cell(self):
        """After looking through the photos, the way back leads to the cell of the last one, which is scrolled to"""
        page = self.page()
        page.open_detail(1)
        last = page.value("cameo.library.count") - 1
        for _ in range(last - 1):
            self.browser.press("Right")
        self.browser.wait(f"cameo.detail.index === {last}")
        self.browser.press("Escape")
        self.browser.wait("!cameo.detail.isOpen && !cameo.detail.isBusy")
        self.assertEqual(page.value("document.activeElement.id"), f"cell-{last}")
        frame = page.value("(r => ({top: r.top, bottom: r.bottom}))(document.activeElement.getBoundingClientRect())")
        grid = page.value("(r => ({top: r.top, bottom: r.bottom}))(document.querySelector('#grid').getBoundingClientRect())")
        self.assertGreaterEqual(frame["top"], grid["top"])
        self.assertLessEqual(frame["bottom"], grid["bottom"] + 0.5)

    def test_flight(self):
        """The picture flies from its cell to its place and back, and ends exactly there"""
        page = self.page()
        cell = page.frame(3)
        flights = []
        page.value(
            "(a => { window.flights = []; Element.prototype.animate = function (frames, how) {"
            " if (this.id === 'flyer') window.flights.push(frames); return a.call(this, frames, how); }; })"
            "(Element.prototype.animate)")
        page.open_detail(3)
        self.browser.press("Escape")
        self.browser.wait("!cameo.detail.isOpen && !cameo.detail.isBusy && flights.length === 2")
        flights = page.value("flights")
        self.assertAlmostEqual(float(flights[0][0]["left"][:-2]), cell["x"], places=1)
        self.assertAlmostEqual(float(flights[1][1]["top"][:-2]), cell["y"], places=1)
        asset = page.value("cameo.library.at(3)")
        width, height = (float(flights[0][1][side][:-2]) for side in ("width", "height"))
        self.assertAlmostEqual(width / height, asset["width"] / asset["height"], places=2)

    def test_still(self):
        """Where less motion is asked for, nothing flies"""
        self.browser.appearance(motion="reduce")
        page = self.page()
        page.value("(a => { window.flights = 0; Element.prototype.animate = function (...x) {"
                   " window.flights += 1; return a.apply(this, x); }; })(Element.prototype.animate)")
        page.open_detail(3)
        self.browser.press("Escape")
        self.browser.wait("!cameo.detail.isOpen")
        self.assertEqual(page.value("flights"), 0)

    def test_pick_in_detail(self):
        """What is picked in detail is picked in the grid"""
        page = self.page()
        page.open_detail(2)
        page.press_button("#detail .pick-button")
        self.browser.wait("cameo.selection.count === 1")
        self.assertEqual(page.selected, [page.identifier(2)])
        self.save("detail-picked")

    def test_deleted_on_show(self):
        """When the photo on show is deleted, its neighbour is shown"""
        photos = self.copy()
        page = self.page(photos=photos)
        page.open_detail(2)
        neighbour = page.identifier(3)
        next(photos.rglob(page.name(2))).unlink()
        self.browser.wait(f"cameo.detail.isOpen && cameo.detail.asset?.id === {json.dumps(neighbour)}")

    def test_ends(self):
        """The keys lead back from the last photo and from the first, where the buttons end"""
        page = self.page("--no-open", subcommand="serve")
        last = page.value("cameo.library.count") - 1
        for index, there, back in ((last - 1, "Right", "Left"), (1, "Left", "Right")):
            page.open_detail(index)
            self.assertTrue(page.value("document.activeElement === cameo.detail.next"))
            if there == "Left":
                page.value("cameo.detail.previous.focus()")
            self.browser.press(there)
            self.browser.wait(f"cameo.detail.index === {last if there == 'Right' else 0}")
            self.browser.press(back)
            self.browser.wait(f"cameo.detail.index === {index}")
            self.browser.press("Escape")
            self.browser.wait("!cameo.detail.isOpen && !cameo.detail.isBusy")

    def test_fingers(self):
        """A finger turns the page, two that are spread do not"""
        page = self.page()
        page.open_detail(2)
        self.browser.fingers(
            [("move", 600, 400), "down", ("move", 450, 400, 60), "up"],
            [("move", 680, 400), "down", ("move", 830, 400, 60), "up"])
        self.assertEqual(page.value("cameo.detail.index"), 2)
        self.browser.fingers([("move", 700, 400), "down", ("move", 500, 400, 60), "up"])
        self.browser.wait("cameo.detail.index === 3")

    def test_rotation(self):
        """Turning the screen keeps what was in the middle"""
        page = self.page()
        self.browser.size(390, 844)
        self.browser.wait("cameo.grid.layout.metrics.width < 390")
        page.settle()
        page.value("(document.querySelector('#grid').scrollTop = 600, 0)")
        self.browser.wait("cameo.grid.anchor.kind === 'cell' && cameo.grid.offset === 600")
        anchored = page.value("cameo.grid.anchor.index")
        self.browser.size(844, 390)
        self.browser.wait("cameo.grid.layout.metrics.width > 700")
        page.settle()
        first, end = page.value("cameo.grid.visible")
        self.assertTrue(first <= anchored < end, f"{anchored} is not in {first}..<{end}")
        self.save("rotated")
        self.browser.size(390, 844)
        self.browser.wait("cameo.grid.layout.metrics.width < 390")
        self.assertEqual(page.value("Math.round(cameo.grid.offset)"), 600)

    def test_broken(self):
        """A file that cannot be shown says so in its cell and in detail; its neighbours are unharmed"""
        photos = self.copy()
        (photos / "broken.jpg").write_bytes(b"\xff\xd8\xff\xe0\x00\x10JFIF\x00" + b"\x00" * 300)
        page = self.page(photos=photos)
        index = page.index("broken.jpg")
        self.assertGreaterEqual(index, 0)
        self.browser.wait(f"document.querySelector('#cell-{index}.broken')")
        self.assertIn("cannot be shown", page.value(f"document.querySelector('#cell-{index}').ariaLabel"))
        self.assertEqual(page.value("document.querySelectorAll('.cell img').length"), 6)
        self.save("broken")
        page.open_detail(index)
        self.browser.wait("document.querySelector('#detail .picture.broken .why')")
        self.assertEqual(page.value("document.querySelector('#detail .why').textContent"), "This picture cannot be shown.")
        self.assertEqual(page.value("document.querySelectorAll('#detail .picture img').length"), 0)
        self.save("broken-detail")
        for there, back in (("Right", "Left"), ("Left", "Right")):
            if page.value(f"cameo.detail.{'next' if there == 'Right' else 'previous'}.disabled"):
                continue
            self.browser.press(there)
            self.browser.wait("document.querySelector('#detail .picture:not(.broken) > img:not(.stand-in)')")
            self.browser.press(back)
            self.browser.wait("document.querySelector('#detail .picture.broken .why')")

    def test_reasons_in_every_language(self):
        """Why a picture cannot be shown, and where a photo was taken, is said in the page's language"""
        photos = self.copy()
        (photos / "broken.jpg").write_bytes(b"\xff\xd8\xff\xe0\x00\x10JFIF\x00" + b"\x00" * 300)
        said = {}
        for language in ("en", "ja"):
            page = self.page(language=language, photos=photos)
            said[language] = page.value(f"document.querySelector('#cell-{page.index('broken.jpg')}').title")
            places = page.value("[...document.querySelectorAll('.heading p')].map((e) => e.textContent).filter(Boolean)")
            self.assertGreater(len(places), 0)
            for place in places:
                self.assertRegex(place, {"en": "^[0-9.]+° [NS], [0-9.]+° [EW]$", "ja": "^[北南]緯[0-9.]+°、[東西]経[0-9.]+°$"}[language])
        self.assertEqual(said, {"en": "The picture is damaged.", "ja": "画像が壊れています。"})

    def test_clean_console(self):
        """Nothing on the way is complained of in the browser's console, the security policy included"""
        page = self.page()
        self.browser.complaints()
        page.toggle(0)
        page.open_detail(1)
        self.browser.press("Escape")
        page.choose_album("Portraits")
        self.assertEqual(self.browser.complaints(), [])
