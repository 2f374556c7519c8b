"""What the page does when the server is out of reach, or does not know what it speaks of."""

import re
import types

from picker import Page
from support import PickerTest
from tunnel import Tunnel


class Connection(PickerTest):
    def test_cut(self):
        """Pictures that a lost connection kept away come by themselves when it is back"""
        picker = self.command()
        tunnel = Tunnel(int(re.search(r":(\d+)/", picker.address).group(1)))
        self.addCleanup(tunnel.cut)
        self.browser.size(390, 480)
        page = Page(self.browser, types.SimpleNamespace(
            address=re.sub(r":\d+/", f":{tunnel.port}/", picker.address)))
        self.browser.wait("cameo.state.isConnected")
        tunnel.cut()
        self.browser.wait("!document.querySelector('#lost').hidden")
        page.value("(document.querySelector('#grid').scrollTop = 1e6, 0)")
        broken = "document.querySelectorAll('.cell.broken').length"
        self.browser.wait(f"cameo.grid.offset > 400 && {broken} > 0")
        self.save("cut")
        tunnel.open()
        self.browser.wait("document.querySelector('#lost').hidden", 30)
        self.browser.wait(f"{broken} === 0")
        page.settle()
        self.assertEqual(page.value("document.querySelectorAll('.cell[title]').length"), 0)

    def test_another_server(self):
        """A page that another cameo does not admit says so, and asks no more; one that cannot begin tries again"""
        picker = self.command("--json")
        tunnel = Tunnel(int(re.search(r":(\d+)/", picker.address).group(1)))
        self.addCleanup(tunnel.cut)
        address = re.sub(r":\d+/", f":{tunnel.port}/", picker.address)
        self.browser.open(address)
        # The page itself comes, and then the server is gone for a while.
        self.browser.wait("cameo.state.isConnected")
        self.browser.devtools("Page.enable")
        script = self.browser.devtools("Page.addScriptToEvaluateOnNewDocument", source="""
            { const own = fetch; window.fetch = (...request) => (
                window.isBack ? own(...request) : Promise.reject(new TypeError('Failed to fetch'))); }""")
        self.addCleanup(lambda: self.browser.devtools("Page.removeScriptToEvaluateOnNewDocument", **script))
        self.browser.reload()
        self.browser.wait("document.querySelector('#lost:not([hidden])')")
        page = Page.__new__(Page)
        page.browser = self.browser
        page.value("(window.isBack = true)")
        page.settle()
        self.browser.wait("cameo.state.isConnected && document.querySelector('#lost').hidden")
        # Another server at the same address, for which the cookie is none of its own.
        tunnel.cut()
        self.browser.wait("!document.querySelector('#lost').hidden")
        other = self.command("--json")
        tunnel.target = int(re.search(r":(\d+)/", other.address).group(1))
        tunnel.open()
        self.browser.wait("document.querySelector('#lost').textContent.startsWith('This is another cameo')")

    def test_better_picture(self):
        """A picture that is there stays as it is where the connection fails for a better one"""
        page = self.page()
        page.value("(window.fetch = async () => { throw new TypeError('Failed to fetch'); }, 0)")
        size = page.value("cameo.grid.thumbnailSize")
        page.press_button("#larger")
        page.press_button("#larger")
        self.browser.wait(f"cameo.grid.thumbnailSize > {size}")
        self.browser.wait("[...cameo.grid.cells.values()].some((c) => c.isLost)")
        self.assertEqual(page.value("document.querySelectorAll('.cell.broken').length"), 0)

    def forgetful_page(self):
        """A page whose list the server has forgotten over others, and what it has: [list, revision]."""
        page = self.page("--limit", "0")
        count = self.browser.run_later("""
            const done = arguments[0];
            (async () => {
              const { albums } = await (await fetch('/api/albums')).json();
              const lists = new Set();
              for (const { key } of albums.filter(({ key }) => key !== 'smart-0')) {
                for (const type of ['image', 'video', 'live']) {
                  lists.add((await (await fetch(`/api/list?album=${key}&type=${type}`)).json()).list);
                }
              }
              return lists.size;
            })().then(done);""")
        self.assertGreater(count, 12)
        return page, page.value("[cameo.state.list.list, cameo.state.list.library.revision]")

    def check_renewed(self, page, before):
        self.browser.wait(f"cameo.state.list.list !== {before[0]} && cameo.library.at(0)")
        self.assertEqual(page.value("cameo.state.list.library.revision"), before[1])

    def test_forgotten_list(self):
        """A list that the server has forgotten is asked for anew, though the library is what it was"""
        page, before = self.forgetful_page()
        page.value("(delete cameo.library.rows[0], cameo.library.asked.clear(), cameo.library.need(0, 1), 0)")
        self.check_renewed(page, before)

    def test_order_in_a_forgotten_list(self):
        """So it is where a moment of it cannot be picked, which can be picked then"""
        page, before = self.forgetful_page()
        page.press_button(".moment .heading button")
        self.check_renewed(page, before)
        page.settle()
        page.press_button(".moment .heading button")
        self.browser.wait("cameo.selection.count === cameo.library.counts[0]")
