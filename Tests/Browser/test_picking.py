import json

from picker import Page
from support import PickerTest


class Picking(PickerTest):
    def test_three_of_a_moment_in_an_order(self):
        """Three of a moment picked in an order come out in that order, and the command ends well"""
        page = self.page()
        wanted = [4, 3, 5]
        names = [page.name(index) for index in wanted]
        days = {page.value(f"cameo.library.at({index}).date.slice(0, 10)") for index in wanted}
        self.assertEqual(len(days), 1)
        for index in wanted:
            page.toggle(index)
        self.assertEqual([page.badge(index) for index in wanted], ["1", "2", "3"])
        self.save("picked")
        page.finish()
        picks = self.picker.picks()
        self.assertEqual([pick["path"].rsplit("/", 1)[-1] for pick in picks], names)
        self.browser.wait("!document.querySelector('#end').hidden")

    def test_limit(self):
        """The pick over the limit is refused with a sentence, and the others stay"""
        page = self.page("--limit", "2", "--json")
        page.toggle(0)
        page.toggle(1)
        page.toggle(2)
        self.browser.wait("document.querySelector('#toast.shown')")
        self.assertEqual(page.toast(), "No more than 2 can be picked.")
        self.assertEqual(page.selected, [page.identifier(0), page.identifier(1)])

    def test_minimum(self):
        """There is no finishing below the minimum"""
        page = self.page("--limit", "3", "--minimum", "2", "--json")
        self.assertTrue(page.value("document.querySelector('#finish').disabled"))
        page.toggle(0)
        self.assertTrue(page.value("document.querySelector('#finish').disabled"))
        page.toggle(1)
        self.assertFalse(page.value("document.querySelector('#finish').disabled"))

    def test_whole_moment(self):
        """A whole moment is picked, the earliest first, and dropped again, by its heading"""
        page = self.page("--limit", "0", "--json")
        page.press_button(".moment .heading button")
        count = page.value("cameo.library.counts[0]")
        self.browser.wait(f"cameo.selection.count === {count}")
        dates = [page.value(f"cameo.library.rows.find(r => r.id === '{one}').date") for one in page.selected]
        self.assertEqual(dates, sorted(dates))
        self.assertEqual(page.value("document.querySelector('.moment .heading button').textContent"), "Drop all")
        # It does what it says, also while not all of the moment has come, of which it cannot tell then that it is picked.
        page.value("(delete cameo.library.rows[0], cameo.grid.headings.markAll())")
        self.assertEqual(page.value("document.querySelector('.moment .heading button').textContent"), "Pick all")
        version = page.value("cameo.selection.version")
        page.press_button(".moment .heading button")
        self.browser.wait(f"cameo.selection.version > {version}")
        self.assertEqual(page.value("cameo.selection.count"), count)
        self.browser.reload()
        page.settle()
        page.press_button(".moment .heading button")
        self.browser.wait("cameo.selection.count === 0")

    def test_headings(self):
        """Each heading stands above its moment, and sticks to the upper edge while its moment is seen"""
        page = self.page()
        places = """(() => {
          const top = document.querySelector('#grid').getBoundingClientRect().top;
          return [...cameo.grid.headings.elements].map(([section, element]) => {
            const frame = cameo.grid.layout.sectionFrame(section);
            const y = frame.y - cameo.grid.offset;
            return [element.querySelector('.heading').getBoundingClientRect().top - top,
              Math.min(Math.max(0, y), y + frame.height - 52)];
          });
        })()"""
        for offset in (0, 100, 333, 700):
            page.value(f"(document.querySelector('#grid').scrollTop = {offset}, 0)")
            self.browser.wait(f"cameo.grid.last.top === cameo.grid.offset || {offset} === 0")
            found = page.value(places)
            self.assertGreater(len(found), 1)
            for actual, expected in found:
                self.assertAlmostEqual(actual, expected, delta=1)

    def test_range(self):
        """A click with shift picks from the last pick to there, in that order"""
        page = self.page("--limit", "0", "--json")
        page.toggle(5)
        page.toggle(2, shift=True)
        self.assertEqual(page.selected, [page.identifier(index) for index in (5, 4, 3, 2)])

    def test_range_by_keyboard(self):
        """Shift with the arrow keys picks what is gone over, the cell that it began at included"""
        page = self.page("--limit", "0", "--json")
        page.value("cameo.grid.focus(2)")
        for count in (2, 3):
            self.browser.press("Shift", "Right")
            self.browser.wait(f"cameo.selection.count === {count}")
        self.assertEqual(page.selected, [page.identifier(index) for index in (2, 3, 4)])
        # Another range begins where the keys have gone meanwhile.
        for _ in range(3):
            self.browser.press("Right")
        self.browser.press("Shift", "Right")
        self.browser.wait("cameo.selection.count === 5")
        self.assertEqual(page.selected[3:], [page.identifier(index) for index in (7, 8)])
        self.browser.press("End")
        self.browser.press("Space")
        self.browser.wait("cameo.selection.count === 6")
        self.browser.press("Shift", "Left")
        self.browser.wait("cameo.selection.count === 7")
        last = page.value("cameo.library.count") - 1
        self.assertEqual(page.selected[5:], [page.identifier(last), page.identifier(last - 1)])

    def test_way_to_a_pick(self):
        """A pick that is not on show is shown among all photos, and the filter says so"""
        page = self.page()
        self.browser.wait("[...document.querySelectorAll('#type option')].some((o) => o.value === 'screenshot')")
        index = page.value("cameo.library.rows.find((r) => r.subtypes === 0).index")
        page.toggle(index)
        page.value("(s => { s.value = 'screenshot'; s.dispatchEvent(new Event('change')); })(document.querySelector('#type'))")
        self.browser.wait("cameo.library.type === 'screenshot'")
        self.assertEqual(page.value("document.querySelector('#type').value"), "screenshot")
        page.press_button(".pick button")
        self.browser.wait("cameo.library.type === null")
        self.assertEqual(page.value("document.querySelector('#type').value"), "")

    def test_album_switch(self):
        """Another album and a type keep the selection"""
        page = self.page()
        page.toggle(1)
        page.toggle(6)
        before = page.selected
        page.choose_album("Portraits")
        self.assertEqual(page.value("cameo.library.count"), 5)
        page.toggle(0)
        page.choose_album("Panoramas")
        self.assertEqual(page.value("cameo.library.count"), 1)
        page.choose_album("Recents")
        page.value("(s => { s.value = 'screenshot'; s.dispatchEvent(new Event('change')); })(document.querySelector('#type'))")
        self.browser.wait("cameo.library.count === 1")
        self.assertEqual(page.selected[:2], before)
        self.assertEqual(len(page.selected), 3)

    def test_order_changes(self):
        """Picks change places in the tray by the keyboard"""
        page = self.page()
        for index in (0, 1, 2):
            page.toggle(index)
        first = page.selected[0]
        page.value("document.querySelector('.pick button').focus()")
        self.browser.press("Alt", "Right")
        self.browser.wait(f"cameo.selection.ids[1] === '{first}'")
        self.assertTrue(page.value("document.activeElement === document.querySelectorAll('.pick button')[1]"))
        self.browser.press("Delete")
        self.browser.wait("cameo.selection.count === 2")

    def test_single_choice_moves(self):
        """Where one can be picked, picking another takes its place"""
        page = self.page("--json")
        page.toggle(0)
        page.toggle(1)
        self.assertEqual(page.selected, [page.identifier(1)])

    def test_cancel(self):
        """Cancel prints nothing and ends with 1"""
        page = self.page()
        page.toggle(0)
        page.press_button("#cancel")
        self.assertEqual(self.picker.end(), (1, []))
        self.browser.wait("document.querySelector('#end h1').textContent === 'Cancelled'")

    def test_reload(self):
        """A reload in the middle loses nothing, and the address shows no token"""
        page = self.page()
        for index in (3, 1):
            page.toggle(index)
        before = page.selected
        self.assertNotIn("token", page.value("location.href"))
        self.browser.reload()
        page.settle()
        self.assertEqual(page.selected, before)
        self.assertEqual(page.badge(3), "1")

    def test_second_window(self):
        """Two windows on one picker see the same picks"""
        page = self.page()
        other = self.browser.ask("POST", "/window/new", {"type": "tab"})["handle"]
        first = self.browser.ask("GET", "/window")
        self.browser.ask("POST", "/window", {"handle": other})
        second = Page(self.browser, self.picker)
        second.toggle(2)
        self.browser.ask("DELETE", "/window")
        self.browser.ask("POST", "/window", {"handle": first})
        self.browser.wait("cameo.selection.count === 1")
        self.assertEqual(page.badge(2), "1")

    def test_deleted_while_picked(self):
        """A photo that is deleted while it is picked leaves grid and selection, and that is said"""
        photos = self.copy()
        page = self.page(photos=photos)
        page.toggle(1)
        page.toggle(2)
        gone, stays = page.name(1), page.identifier(2)
        next(photos.rglob(gone)).unlink()
        self.browser.wait("cameo.library.count === 5")
        self.browser.wait("cameo.selection.count === 1")
        self.assertEqual(page.selected, [stays])
        self.browser.wait("document.querySelector('#toast.shown')")
        self.assertEqual(page.toast(), "A picked photo is gone from the folder.")
        page.finish()
        self.assertEqual([pick["id"] for pick in self.picker.picks()], [stays])

    def test_dropped_while_the_library_changes(self):
        """A pick that is dropped while the library changes is not said to be gone from the folder"""
        photos = self.copy()
        page = self.page(photos=photos)
        page.toggle(1)
        page.toggle(2)
        stays = page.identifier(2)
        # Holds up the page's look at what has changed.
        page.value("""(() => {
          const own = window.fetch;
          window.fetch = async (path, options) => {
            if (path === '/api/session') {
              window.isAsking = true;
              await new Promise((done) => { window.letGo = done; });
              window.fetch = own;
            }
            return own(path, options);
          };
        })()""")
        next(self.copy("Portraits").rglob("Mei*")).rename(photos / "mei.jpg")
        self.browser.wait("window.isAsking")
        page.value("cameo.selection.drop(cameo.selection.ids[0])")
        self.browser.wait("cameo.selection.count === 1")
        page.value("window.letGo()")
        self.browser.wait("cameo.library.count === 7")
        # A later look, by which all that the first one had to say has been said.
        self.browser.run_later("fetch('/api/session').then(() => setTimeout(arguments[0], 50))")
        self.assertEqual((page.selected, page.toast()), ([stays], ""))

    def test_added(self):
        """A photo that is added appears by itself; an empty folder says that it is one"""
        photos = self.folder()
        page = self.page(photos=photos)
        self.assertEqual(page.value("document.querySelector('#notice h2').textContent"), "No photos here")
        self.save("empty")
        source = self.copy()
        next(source.rglob("Balloon*")).rename(photos / "balloon.jpg")
        self.browser.wait("cameo.library.count === 1")
        page.settle()

    def test_no_flicker(self):
        """When the library changes, the pictures that stay on show are the very same ones"""
        photos = self.copy()
        page = self.page(photos=photos)
        page.value("(document.querySelectorAll('.cell img').forEach(i => { i.wasThere = true; }), 0)")
        source = self.copy("Portraits")
        next(source.rglob("Mei*")).rename(photos / "mei.jpg")
        self.browser.wait("cameo.library.count === 7")
        page.settle()
        self.assertEqual(page.value("[...document.querySelectorAll('.cell img')].filter(i => i.wasThere).length"), 6)

    def test_hundred_thousand(self):
        """A grid of 100,000 assets keeps the document small, from one end to the other"""
        self.page()
        counts = [1 + index % 199 for index in range(1000)]
        answer = self.browser.run("""
          const [counts] = arguments;
          const { library, grid } = cameo;
          library.needChunk = async () => {};
          const count = counts.reduce((a, b) => a + b, 0);
          library.take({ list: 9, count, counts, days: counts.map(() => '2026-01-02'), places: counts.map(() => null),
            album: 'smart-0', assets: { from: 0, ids: [] } });
          let made = 0;
          let frames = 0;
          const own = document.createElement;
          document.createElement = function (...words) { made += 1; return own.apply(this, words); };
          const layout = Object.getPrototypeOf(grid.layout);
          const { frame } = layout;
          layout.frame = function (index) { frames += 1; return frame.call(this, index); };
          grid.reload({ kind: 'top' }, 0);
          delete document.createElement;
          layout.frame = frame;
          let most = 0;
          for (const share of [0, 0.25, 0.5, 0.999, 1]) {
            grid.root.scrollTop = share * grid.layout.contentHeight;
            grid.render();
            most = Math.max(most, document.querySelectorAll('.cells *, .headings *').length);
          }
          return { count, made, frames, most, last: grid.visible[1] };
        """, counts)
        self.assertEqual(answer["count"], sum(counts))
        self.assertGreater(answer["count"], 99_000)
        self.assertEqual(answer["last"], answer["count"])
        self.assertLess(answer["most"], 300)
        # What it takes does not grow with what is not seen.
        self.assertGreater(answer["frames"], 0)
        self.assertLess(answer["made"] + answer["frames"], 1000, answer)

    def test_keyboard_only(self):
        """Everything up to the end can be done by the keyboard"""
        page = self.page()
        for _ in range(40):
            self.browser.press("Tab")
            if page.value("document.activeElement.getAttribute('role') === 'option'"):
                break
        self.assertEqual(page.value("document.activeElement.id"), "cell-0")
        self.browser.press("Right")
        self.browser.press("Space")
        self.browser.wait("cameo.selection.count === 1")
        self.browser.press("End")
        last = page.value("cameo.library.count") - 1
        self.browser.wait(f"document.activeElement.id === 'cell-{last}'")
        self.browser.press("Space")
        self.browser.wait("cameo.selection.count === 2")
        self.assertEqual(page.selected, [page.identifier(1), page.identifier(last)])
        self.browser.press("Up")
        self.browser.press("Enter")
        self.browser.wait("cameo.detail.isOpen && !cameo.detail.isBusy")
        shown = page.value("cameo.detail.asset.id")
        self.browser.press("Left")
        self.browser.wait(f"cameo.detail.asset.id !== '{shown}'")
        shown = page.value("cameo.detail.index")
        self.browser.press("Escape")
        self.browser.wait("!cameo.detail.isOpen && !cameo.detail.isBusy")
        self.assertEqual(page.value("document.activeElement.id"), f"cell-{shown}")
        self.browser.press("Control", "Enter")
        self.assertEqual(len(self.picker.picks()), 2)

    def test_quick_hands(self):
        """What is clicked first is picked first, and what is finished is what was clicked, though the server is slow"""
        page = self.page()
        wanted = [page.name(index) for index in (2, 1)]
        page.hold("/api/pick", "POST")
        page.click(2)
        page.click(1)
        self.browser.press("Control", "Enter")
        page.held()
        page.let_go()
        self.assertEqual([pick["path"].rsplit("/", 1)[-1] for pick in self.picker.picks()], wanted)

    def tab_to(self, selector):
        for _ in range(60):
            if self.browser.value(f"document.activeElement.matches('{selector}')"):
                return
            self.browser.press("Tab")
        self.fail(f"the tabulator does not lead to {selector}")

    def test_keyboard_beside_the_grid(self):
        """So can albums, types, moments, dates and the picks be used"""
        page = self.page("--limit", "0", "--json")
        self.browser.wait("document.querySelectorAll('#type option').length > 2")
        self.tab_to("#albums [data-key^=folder]")
        folder = page.value("document.activeElement.querySelector('.name').textContent")
        self.browser.press("Enter")
        self.browser.wait(f"document.querySelector('#title').textContent === {json.dumps(folder)}")
        self.assertTrue(page.value("document.activeElement.matches('#albums [aria-current]')"))
        page.value("document.querySelector('#albums [data-key=smart-0]').focus()")
        self.browser.press("Space")
        self.browser.wait("cameo.state.album === 'smart-0' && cameo.library.album === 'smart-0'")
        whole = page.value("cameo.library.count")
        self.tab_to("#type")
        self.browser.press("Down")
        self.browser.wait(f"cameo.library.type !== null && cameo.library.count < {whole}")
        self.browser.press("Up")
        self.browser.wait(f"cameo.library.count === {whole}")
        page.settle()
        self.tab_to(".heading button")
        self.browser.press("Space")
        count = page.value("cameo.library.counts[0]")
        self.browser.wait(f"cameo.selection.count === {count}")
        self.tab_to("#scrubber")
        self.browser.press("Down")
        self.browser.wait("cameo.grid.offset > 0 && cameo.scrubber.shown === 1")
        self.browser.press("Home")
        self.tab_to(".cell")
        self.browser.press("End")
        self.browser.press("Space")
        self.browser.wait(f"cameo.selection.count === {count + 1}")
        self.tab_to(".pick button")
        for _ in range(count):
            self.browser.press("Right")
        last = page.selected[-1]
        self.browser.press("Alt", "Left")
        self.browser.wait(f"cameo.selection.ids.at(-2) === {json.dumps(last)}")
        self.browser.wait("document.activeElement.matches('.pick button')")
        self.browser.press("Delete")
        self.browser.wait(f"cameo.selection.count === {count}")
        self.assertNotIn(last, page.selected)
        self.tab_to("#finish")
        self.browser.press("Enter")
        self.assertEqual(len(self.picker.picks()), count)

    def test_serve(self):
        """`serve` shows and does not pick: a click opens the photo, and Ctrl-C ends it"""
        page = self.page("--no-open", subcommand="serve")
        self.assertTrue(page.value("document.querySelector('#tray').hidden"))
        self.browser.click(*page.middle(1))
        self.browser.wait("cameo.detail.isOpen")
        self.assertTrue(self.picker.is_running)
        self.picker.process.send_signal(2)
        self.assertEqual(self.picker.end()[0], 130)
