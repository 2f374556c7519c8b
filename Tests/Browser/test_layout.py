import json
import os
import random
import subprocess

from picker import REPOSITORY
from support import PickerTest

VECTORS = os.environ.get("CAMEO_VECTORS", str(REPOSITORY / ".build" / "debug" / "PickerVectors"))

SCRIPT = """
const [vectors, done] = arguments;
Promise.all([import('/layout.js'), import('/crop.js'), import('/thumbhash.js')]).then(([{ GridLayout }, { CropSession }, { blur }]) => {
  const wrong = [];
  let count = 0;
  const near = (what, a, b) => {
    count += 1;
    const same = (x, y) => Math.abs(x - y) <= 1e-6 * Math.max(1, Math.abs(y));
    const isSame = Array.isArray(b) ? a !== null && a.length === b.length && b.every((y, i) => same(a[i], y)) : same(a, b);
    if (!isSame) wrong.push(`${what}: ${JSON.stringify(a)} is not ${JSON.stringify(b)}`);
  };
  const rect = (r) => [r.x, r.y, r.width, r.height];
  for (const v of vectors.layouts) {
    const layout = new GridLayout(v.metrics, v.sections);
    near('columns', layout.columns, v.columns);
    near('side', layout.side, v.side);
    near('height', layout.contentHeight, v.height);
    for (const [index, ...frame] of v.frames) {
      if (frame.length) near('frame', rect(layout.frame(index)), frame);
    }
    for (const [section, y] of v.headers) near('header', layout.sectionFrame(section).y, y);
    for (const [top, length, first, end] of v.ranges) near('range', layout.range(top, top + length), [first, end]);
    for (const [index, offset, height, expected] of v.reveals) {
      near('reveal', layout.offsetRevealing(index, offset, height), expected);
    }
    for (const [offset, height, kind, index, share, kept] of v.anchors) {
      const anchor = layout.anchor(offset, height);
      near('anchor', [['top', 'end', 'cell'].indexOf(anchor.kind), anchor.index ?? 0, anchor.share ?? 0], [kind, index, share]);
      near('kept', layout.offsetKeeping(anchor, height * 0.7), kept);
    }
    for (const [index, ...frames] of v.transitions) {
      const [width, height] = v.picture;
      const way = layout.zoomTransition(index, { width, height }, 120, { width: 800, height: 600 });
      near('way', [...rect(way.pictureInCell), ...rect(way.pictureInDetail)], frames);
    }
  }
  for (const v of vectors.crops) {
    const size = ([width, height]) => ({ width, height });
    const crop = new CropSession(size(v.picture), size(v.viewport), v.aspect);
    for (const [kind, a, b, c, ...expected] of v.steps) {
      if (kind === 0) crop.pan(a, b);
      else if (kind === 1) crop.zoomTo(a, { x: b, y: c });
      else crop.turn(a);
      near('crop', [crop.centre.x, crop.centre.y, crop.zoom, crop.quarterTurns, ...crop.crop, ...rect(crop.maskFrame)],
        expected);
    }
  }
  for (const v of vectors.blurs) {
    const pixels = [...blur(v.hash, 9, 7)].filter((_, at) => v.channels === 4 || at % 4 < 3);
    count += pixels.length;
    // A value half-way between two may be rounded either way.
    const off = pixels.filter((value, at) => Math.abs(value - v.pixels[at]) > 1).length;
    if (off || pixels.length !== v.pixels.length) wrong.push(`blur: ${off} of ${pixels.length} are off`);
  }
  done({ count, wrong });
}, (error) => done({ wrong: [String(error)] }));
"""


class Layout(PickerTest):
    def test_mirrors(self):
        """The page's layout, crop geometry and blurs are what Swift's are, in cases made up anew each time"""
        self.page()
        for seed in (1, random.randrange(1 << 32)):
            vectors = json.loads(subprocess.run([VECTORS, str(seed)], capture_output=True, check=True).stdout)
            answer = self.browser.run_later(SCRIPT, vectors)
            self.assertEqual(answer["wrong"][:5], [], f"seed {seed}")
            self.assertGreater(answer["count"], 5000)

    def test_dates(self):
        """Dates, times and numbers are written as Intl writes them, in both languages"""
        self.page()
        answer = self.browser.run_later(r"""
            const [seed, done] = arguments;
            import('/dates.js').then(({ dates, grouped }) => {
              const wrong = [];
              let state = seed;
              const chance = (below) => {
                state = (Math.imul(state, 1103515245) + 12345) >>> 1;
                return state % below;
              };
              const expect = (what, expected) => { if (what !== expected) wrong.push(`${what} is not ${expected}`); };
              for (const language of ['en', 'ja']) {
                const format = (options) => new Intl.DateTimeFormat(language, { timeZone: 'UTC', ...options });
                const day = format({ weekday: 'short', year: 'numeric', month: 'long', day: 'numeric' });
                const month = format({ year: 'numeric', month: 'short' });
                const time = format({ hour: 'numeric', minute: '2-digit' });
                const own = dates(language);
                for (let round = 0; round < 500; round += 1) {
                  const date = new Date(Date.UTC(1900 + chance(200), chance(12), 1 + chance(31), chance(24), chance(60)));
                  const text = `${date.toISOString().slice(0, 19)}+09:00`;
                  expect(own.dayTitle(text), day.format(date));
                  expect(own.dayTitle(text.slice(0, 10)), day.format(date));
                  expect(own.monthTitle(text), month.format(date));
                  // Which space stands before AM and PM differs between versions.
                  expect(own.timeTitle(text), time.format(date).replace(/\u202f/g, ' '));
                }
                for (const number of [0, 7, 999, 1000, 12345, 100000, 1234567]) {
                  expect(grouped(number), number.toLocaleString(language));
                }
              }
              done(wrong);
            }, (error) => done([String(error)]));""", random.randrange(1 << 31))
        self.assertEqual(answer[:5], [])
