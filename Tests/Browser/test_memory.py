"""What the page holds on to."""

from support import PickerTest

# Asks for every picture anew, twice at a time, with stand-ins; says which addresses of blobs are left when all are there.
LOAD = """
const [size, limit, done] = arguments;
const Loader = cameo.grid.loader.constructor;
const [make, free] = [URL.createObjectURL, URL.revokeObjectURL];
const live = new Set();
let [made, standIns, unshown] = [0, 0, 0];
URL.createObjectURL = (blob) => {
  const url = make.call(URL, blob);
  made += 1;
  live.add(url);
  return url;
};
URL.revokeObjectURL = (url) => {
  live.delete(url);
  free.call(URL, url);
};
Loader.recentLimit = limit;
const loader = new Loader();
// As a cell does: what it is given must be there to be decoded.
const show = async (url, isFinal, tell) => {
  const image = new Image();
  image.src = url;
  if (!isFinal) standIns += 1;
  try { await image.decode(); } catch { if (isFinal) unshown += 1; }
  if (isFinal) tell();
};
const want = (asset) => new Promise((tell) => {
  loader.want(asset, size, { picture: (url, isFinal) => show(url, isFinal, tell), waits() {}, failed: tell });
});
const photos = cameo.library.rows.filter((row) => row && !row.isVideo);
const wishes = photos.flatMap((photo) => [want(photo), want(photo)]);
// Somebody who has scrolled on.
const gone = photos.map((photo) => loader.want(photo, 768, { picture: () => {}, waits() {}, failed() {} }));
setTimeout(() => gone.forEach((wish) => loader.cancel(wish)), 100);
Promise.all(wishes).then(() => loader.idle()).then(() => new Promise((pause) => { setTimeout(pause, 300); })).then(() => {
  const kept = new Set(loader.recent.values());
  [URL.createObjectURL, URL.revokeObjectURL] = [make, free];
  done({ photos: photos.length, made, standIns, unshown, kept: kept.size, left: [...live].filter((url) => !kept.has(url)).length,
    dead: [...kept].filter((url) => !live.has(url)).length });
});
"""


class Memory(PickerTest):
    def load(self, limit):
        self.page()
        return self.browser.run_later(LOAD, 512, limit)

    def test_blobs(self):
        """Pictures that are not kept for the way back are freed: stand-ins, and what came twice"""
        told = self.load(400)
        self.assertGreater(told["standIns"], 3, told)
        self.assertGreater(told["made"], told["photos"] + told["standIns"], told)
        self.assertEqual((told["left"], told["dead"], told["unshown"]), (0, 0, 0), told)
        self.assertGreaterEqual(told["kept"], told["photos"], told)

    def test_limit(self):
        """No more pictures are kept than the limit says"""
        told = self.load(5)
        self.assertEqual((told["kept"], told["left"], told["dead"]), (5, 0, 0), told)
