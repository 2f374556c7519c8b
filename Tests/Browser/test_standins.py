"""What a cell shows until its picture is there."""

from support import PickerTest

# Notes what each cell shows, in every frame and as soon as it changes, since a picture that is put there before it is
# loaded may miss a frame: nothing, a blur, a stand-in or the picture.
WATCH = """
window.shown = new Map();
const note = (cell) => {
  if (!cell.asset) return;
  const child = cell.firstElementChild;
  const isThere = child && (child.tagName !== 'IMG' || (child.complete && child.naturalWidth > 0));
  const now = !isThere ? 'nothing' : child.tagName === 'IMG' ? (cell.isFinal ? 'picture' : 'stand-in') : 'blur';
  const all = window.shown.get(cell.asset.id) ?? [];
  if (all.at(-1) !== now) all.push(now);
  window.shown.set(cell.asset.id, all);
};
const look = () => {
  document.querySelectorAll('.cell').forEach(note);
  requestAnimationFrame(look);
};
look();
new MutationObserver((changes) => {
  for (const { target } of changes) if (target.matches?.('.cell')) note(target);
}).observe(document, { childList: true, subtree: true });
"""


class StandIns(PickerTest):
    def test_no_empty_frame(self):
        """From its stand-in to its picture a cell shows something in every frame"""
        script = self.browser.devtools("Page.addScriptToEvaluateOnNewDocument", source=WATCH)["identifier"]
        try:
            page = self.page()
        finally:
            self.browser.devtools("Page.removeScriptToEvaluateOnNewDocument", identifier=script)
        self.browser.run_later("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
        ways = page.value("[...window.shown.values()]")
        self.assertGreater(len(ways), 8)
        self.assertGreater(len([way for way in ways if "stand-in" in way]), 0, ways)
        order = ["nothing", "blur", "stand-in", "picture"]
        for way in ways:
            self.assertEqual(way, sorted(way, key=order.index))
            self.assertEqual(way[-1], "picture")
