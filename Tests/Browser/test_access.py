"""What a screen reader, a magnifier and a keyboard need, by a script of our own in the manner of axe."""

from support import HEADER_ALONE, PickerTest

CHECKS = r"""
const problems = [];
const isShown = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: false })
  && !e.closest('[inert], [aria-hidden=true], [hidden]');
const describe = (e) => `${e.tagName.toLowerCase()}${e.id ? `#${e.id}` : ''}${typeof e.className === 'string' && e.className ? `.${e.className.trim().replaceAll(' ', '.')}` : ''}`;
const scope = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
const all = [...scope.querySelectorAll('*')].filter(isShown);

// Names
const nameOf = (e) => {
  const by = e.getAttribute('aria-labelledby');
  if (by) return by.split(/\s+/).map((id) => document.getElementById(id)?.textContent ?? '').join(' ').trim();
  return (e.getAttribute('aria-label') ?? (e.labels?.[0]?.textContent || e.textContent || e.alt || e.title || '')).trim();
};
const needsName = 'button, a[href], input, select, textarea, [role=option], [role=listbox], [role=slider], [role=application], dialog, nav';
for (const e of [scope, ...all]) if (e.matches(needsName) && !nameOf(e)) problems.push(`no name: ${describe(e)}`);
for (const e of all) if (e.tagName === 'IMG' && !e.hasAttribute('alt')) problems.push(`no alt: ${describe(e)}`);

// Roles
const parents = { option: 'listbox', listitem: 'list' };
for (const e of all) {
  const role = e.getAttribute('role');
  if (parents[role] && !e.closest(`[role=${parents[role]}]`)) problems.push(`${role} outside ${parents[role]}: ${describe(e)}`);
  if (role === 'option' && !e.hasAttribute('aria-selected')) problems.push(`option says nothing of its state: ${describe(e)}`);
  if (role === 'slider' && !['aria-valuemin', 'aria-valuemax', 'aria-valuenow'].every((a) => e.hasAttribute(a))) problems.push(`slider without values: ${describe(e)}`);
  for (const attribute of ['aria-controls', 'aria-labelledby', 'aria-describedby']) {
    for (const id of (e.getAttribute(attribute) ?? '').split(/\s+/).filter(Boolean)) {
      if (!document.getElementById(id)) problems.push(`${attribute} of ${describe(e)} leads nowhere`);
    }
  }
  if (e.matches('[role=option] :is(button, a, input, [tabindex])')) problems.push(`control in an option: ${describe(e)}`);
}
const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) problems.push(`twice: #${id}`);
if (!document.documentElement.lang) problems.push('no language');
if (!document.title) problems.push('no title');
if (scope === document.body) {
  if (document.querySelectorAll('main').length !== 1) problems.push('not one main');
  if (all.filter((e) => e.tagName === 'H1').length !== 1) problems.push('not one h1');
}
for (const e of document.querySelectorAll('[tabindex]')) if (e.tabIndex > 0) problems.push(`a tabindex over 0: ${describe(e)}`);
for (const e of document.querySelectorAll('[aria-hidden=true] :is(button, a, input, [tabindex="0"])')) problems.push(`focus on what is hidden: ${describe(e)}`);

// Contrast of text on what lies behind it
const parse = (text) => {
  const canvas = parse.canvas ??= Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true });
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = text;
  canvas.fillRect(0, 0, 1, 1);
  const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
  return [r, g, b, a / 255];
};
const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
const luminance = ([r, g, b]) => [r, g, b].map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
  .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const behind = (e) => {
  const layers = [];
  for (let at = e; at; at = at.parentElement) layers.push(parse(getComputedStyle(at).backgroundColor));
  return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255, 1]);
};
let [measured, badges] = [0, 0];
const measure = (style, ground, what) => {
  const [a, b] = [luminance(over(parse(style.color), ground)), luminance(ground)];
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const size = parseFloat(style.fontSize);
  const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
  measured += 1;
  if (ratio < (isLarge ? 3 : 4.5)) problems.push(`contrast ${ratio.toFixed(2)}: ${what}`);
};
// The scrubber's words are there while it is held, pointed at or has the focus.
const words = scope.querySelectorAll('#scrubber:not([hidden]) :is(.bubble, .years span)');
for (const e of new Set([...all, ...words])) {
  for (const part of ['::before', '::after']) {
    const style = getComputedStyle(e, part);
    if (!/^"[^"]+"$/.test(style.content) || style.opacity === '0' || style.display === 'none') continue;
    measure(style, over(parse(style.backgroundColor), behind(e)), `${describe(e)}${part} ${style.content}`);
    badges += 1;
  }
  if (![...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())) continue;
  if (e.closest(':disabled, option') || getComputedStyle(e).fontSize === '0px') continue;
  if (e.matches('#toast:not(.shown)')) continue;
  measure(getComputedStyle(e), behind(e), `${describe(e)} “${e.textContent.trim().slice(0, 30)}”`);
}

// What a finger can hit
for (const e of all) {
  if (!e.matches('button, select, input, [role=slider]')) continue;
  const box = e.getBoundingClientRect();
  if (box.width > 0 && (box.width < 24 || (box.height < 24 && e.type !== 'range'))) problems.push(`too small: ${describe(e)} ${box.width}×${box.height}`);
}
return { problems, measured, badges, words: words.length, elements: all.length };
"""


class Access(PickerTest):
    def check(self, what):
        self.browser.wait("document.getAnimations().length === 0")
        answer = self.browser.run(CHECKS)
        self.assertEqual(answer["problems"], [], what)
        self.assertGreater(answer["measured"], 1, what)
        return answer

    def test_grid(self):
        """The grid has roles, names and contrast, light and dark, narrow and wide, in both languages"""
        for language in ("en", "ja"):
            for scheme in ("light", "dark"):
                self.browser.appearance(scheme)
                page = self.page(language=language)
                page.toggle(0)
                for size in ((1280, 800), (390, 844)):
                    self.resized(size)
                    page.settle()
                    answer = self.check(f"{language}, {scheme}, {size}")
                    # The pick's number; the bubble and at least one year.
                    self.assertEqual(answer["badges"], 1)
                    self.assertGreater(answer["words"], 1)
                    self.save(f"grid-{language}-{scheme}-{size[0]}")
                self.browser.size(1280, 800)

    def test_dialogs(self):
        """So have the detail view and the crop step, the empty library and the list of albums on a narrow screen"""
        out = self.folder()
        for scheme in ("light", "dark"):
            self.browser.appearance(scheme)
            page = self.page("--profile", "circle", "-o", str(out), "--limit", "2")
            page.open_detail(page.index("Mei.jpg"))
            self.browser.wait("document.querySelector('#detail .picture > img:not(.stand-in)')")
            self.check(f"detail, {scheme}")
            self.save(f"detail-{scheme}")
            self.browser.press("c")
            self.browser.wait("cameo.cropper.isReady")
            self.check(f"crop, {scheme}")
            self.save(f"crop-{scheme}")
            self.browser.press("Escape")
            self.browser.press("Escape")
            self.browser.wait("!cameo.detail.isOpen && !cameo.detail.isBusy")
            self.resized((390, 844))
            page.settle()
            page.press_button("#menu")
            self.browser.wait("cameo.albums.isOpen")
            self.check(f"albums, {scheme}")
            self.browser.run_later("setTimeout(arguments[0], 300)")
            self.save(f"albums-{scheme}")
            self.browser.press("Escape")
            self.assertEqual(page.value("document.activeElement.id"), "menu")
            self.browser.size(1280, 800)
            page = self.page(photos=self.folder())
            self.check(f"empty, {scheme}")

    def test_troubles(self):
        """So have what cannot be shown, large or to be cropped, photos that cannot be read, a library for looking only, and the end"""
        photos = self.copy("Portraits")
        (photos / "Portraits" / "broken.jpg").write_bytes(HEADER_ALONE)
        for scheme in ("light", "dark"):
            self.browser.appearance(scheme)
            page = self.page("--limit", "2", "--profile", "circle", photos=photos)
            page.open_detail(page.index("broken.jpg"))
            self.browser.wait("document.querySelector('#detail .picture.broken .why')")
            self.check(f"broken, {scheme}")
            self.browser.press("c")
            self.browser.wait("document.querySelector('#cropper .why:not([hidden])')")
            self.check(f"broken crop, {scheme}")
            self.save(f"broken-crop-{scheme}")
            self.browser.press("Escape")
            self.browser.press("Escape")
            self.browser.wait("!cameo.detail.isOpen && !cameo.detail.isBusy")
            page.toggle(page.index("Mei.jpg"))
            page.value("(window.close = () => {}, 0)")
            page.finish()
            self.browser.wait("cameo.state.isOver")
            self.check(f"end, {scheme}")
            self.save(f"end-{scheme}")
            page = self.page("--no-open", subcommand="serve")
            self.check(f"serve, {scheme}")
            page = self.page("--no-open", photos=self.folder(), subcommand="serve")
            # With the connection, the page is told how things really are.
            self.browser.wait("cameo.state.isConnected")
            page.value("(cameo.state.list.library = { phase: 'failed', reason: 'No such file' }, cameo.describe(), 0)")
            self.browser.wait("document.querySelector('#notice.failed')")
            self.check(f"failed, {scheme}")

    def test_focus_order(self):
        """The tabulator goes through albums, bar, headings, grid, dates and tray, each visibly, and comes round"""
        page = self.page()
        page.toggle(0)
        self.browser.reload()
        page.settle()
        order, seen = [], []
        for _ in range(60):
            self.browser.press("Tab")
            focus = page.value(
                "(e => ({where: ['#albums', 'header', '.headings', '.cells', '#scrubber', '#tray'].find(s => e.closest(s)) ?? e.tagName,"
                " outline: getComputedStyle(e).outlineStyle, id: e.id || e.dataset.key || e.ariaLabel}))(document.activeElement)")
            # Behind the last one the browser's own controls would come.
            if focus["where"] == "BODY":
                continue
            self.assertNotEqual(focus["outline"], "none", focus)
            seen.append(focus["id"])
            if not order or order[-1] != focus["where"]:
                order.append(focus["where"])
            if len(order) > 6:
                break
        self.assertEqual(order, ["#albums", "header", ".headings", ".cells", "#scrubber", "#tray", "#albums"])
        self.assertEqual(seen[-2:], ["finish", seen[0]])

    def test_dialog_keeps_focus(self):
        """Focus stays inside the detail view while it is open"""
        page = self.page()
        page.open_detail(3)
        for _ in range(12):
            self.browser.press("Tab")
            self.assertTrue(page.value(
                "document.activeElement === document.body || !!document.activeElement.closest('#detail')"))

    def test_languages(self):
        """Both languages say everything"""
        page = self.page()
        answer = self.browser.run_later(
            "const done = arguments[0]; import('/strings.js').then(({ tables }) => {"
            " const keys = (t, p = '') => Object.entries(t).flatMap(([k, v]) =>"
            "   v && typeof v === 'object' ? keys(v, `${p}${k}.`) : [`${p}${k}:${typeof v}`]);"
            " done([keys(tables.english).sort(), keys(tables.japanese).sort()]); })")
        self.assertEqual(*answer)
        self.assertGreater(len(answer[0]), 60)
        self.assertEqual(page.value("document.documentElement.lang"), "en")
