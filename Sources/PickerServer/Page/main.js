// Puts the parts together, and follows the server.
import { Albums } from './albums.js';
import { api, follow } from './api.js';
import { Cropper } from './cropper.js';
import { Detail } from './detail.js';
import { describeList, fillTypes, label } from './describing.js';
import { Grid } from './grid.js';
import { Library } from './library.js';
import { Scrubber } from './scrubber.js';
import { Selection } from './selection.js';
import { language, refusalText, strings } from './strings.js';
import { Tray } from './tray.js';
import { banner, toast } from './words.js';

// The token has been exchanged for a cookie: it need not stand in the history.
history.replaceState(null, '', `/${location.search.includes('lang=') ? `?lang=${language}` : ''}`);
document.documentElement.lang = language;

const find = (selector) => document.querySelector(selector);
const library = new Library();
const selection = new Selection();
const state = {
  session: null, list: null, album: 'smart-0', type: null,
  // Of the list that is on its way: whether what is on show stays in place, and what is to be shown.
  keeps: true, reveal: null,
};

const grid = new Grid(find('#grid'), library, selection, {
  activate, extend, leave, open: (index) => detail.open(index), section: pickSection, scrolled: () => scrubber.follow(),
});
const scrubber = new Scrubber(find('#scrubber'), grid, library);
const albums = new Albums(find('#albums'), (key) => choose({ album: key }));
const tray = new Tray(find('#tray'), selection, {
  finish, cancel, show: showPick, leave: () => grid.takeFocus(),
});
const detail = new Detail(find('#detail'), grid, library, selection, { toggle, crop: (asset) => openCrop(asset) });
const cropper = new Cropper(find('#cropper'), selection, {
  async kept(message, asset) {
    if (isSinglePortrait() && !detail.isOpen) {
      await selection.pick(asset.id);
      if (selection.orderOf(asset.id) !== null) finish();
    }
  },
  refused: (refusal) => toast(refusalText(refusal)),
});
// For the tests, and for whoever opens the console.
window.cameo = { grid, library, selection, scrubber, detail, cropper, albums, state, describe };

// MARK: Picking

// One profile picture: picking it is cropping it.
function isSinglePortrait() { return selection.mask !== null && selection.limit === 1; }

function activate(index, event) {
  const asset = library.at(index);
  if (!asset) return;
  if (!selection.canPick) detail.open(index);
  else if (event.shiftKey && selection.origin !== null && library.indexOf(selection.origin) !== null) {
    selection.range(library.list, library.indexOf(selection.origin), index);
  } else if (isSinglePortrait() && !asset.isVideo) openCrop(asset);
  else toggle(asset.id);
}

// Picks as far as a cell, from where a range was begun or else from the cell that the keys left.
function extend(index, from) {
  if (!selection.canPick) return;
  if (library.indexOf(selection.origin) === null) selection.origin = library.at(from)?.id ?? null;
  selection.range(library.list, library.indexOf(selection.origin) ?? from, index);
}

// The keys have left the cell where a range was begun.
function leave() { selection.origin = null; }

function toggle(id) {
  selection.origin = id;
  return selection.toggle(id);
}

function pickSection(section, action) { return selection.section(library.list, section, action); }

function openCrop(asset) {
  const isUsed = isSinglePortrait() && !detail.isOpen;
  // What is used at once is used as it is shown.
  const index = library.indexOf(asset.id);
  cropper.open(
    asset, isUsed ? strings.use : strings.keepCrop, !isUsed, index === null ? null : grid.pictureOf(index));
}

function showPick(id) {
  const index = library.indexOf(id);
  if (index === null) {
    // It may be in this list too, further on than what has come of it.
    choose(library.lacks(0, library.count) ? {} : { album: 'smart-0', type: null }, id);
    return;
  }
  grid.focus(index);
  detail.open(index);
}

async function finish() {
  const { failures } = selection;
  await selection.settled;
  // That something was not done has been said; whoever finishes now has not seen it yet.
  if (selection.failures > failures) return;
  if (selection.cannotFinish && selection.count > 0) {
    toast(refusalText(selection.cannotFinish));
    return;
  }
  try {
    end((await api.finish()).outcome);
  } catch (error) {
    // That it has come to its end, the server says by an event too.
    if (!state.isOver) toast(refusalText(error.answer?.reason ? error.answer : { reason: 'other' }));
  }
}

async function cancel() {
  try { end((await api.cancel()).outcome); } catch {
    if (!state.isOver) toast(refusalText({ reason: 'other' }));
  }
}

selection.onChange = () => {
  grid.markAll();
  tray.show();
  detail.describe();
};
selection.onRefusal = (refusal) => toast(refusalText(refusal));
selection.onVanished = (count) => toast(strings.vanished(count));

// MARK: What is on show

async function choose(change, reveal = null) {
  Object.assign(state, change, { keeps: false, reveal });
  albums.choose(state.album);
  find('#type').value = state.type ?? '';
  await load();
}

// Whether the list is of what was chosen last.
function isChosen() { return library.album === state.album && library.type === state.type; }

// Loads the list anew. What is in the middle of the grid, has the focus or is on show in detail stays so. All of that may
// become another while the server is asked.
async function load() {
  const asked = (state.asked ?? 0) + 1;
  state.asked = asked;
  const { anchor, active } = grid;
  const ids = [anchor.index, active].map((index) => (state.keeps ? library.at(index)?.id : null));
  const keep = [...ids, state.reveal, selection.origin].map((id) => id ?? '0');
  let list;
  let shown;
  do {
    shown = detail.asset?.id;
    const request = { album: state.album, type: state.type, keep };
    if (shown) Object.assign(request, { detail: shown, was: library.list });
    try { list = await api.list(request); } catch (error) {
      if (asked !== state.asked) return;
      if (error.status === 404 && state.album !== 'smart-0') choose({ album: 'smart-0' });
      // Where there is no connection, this is made up for once there is one again.
      else if (state.isConnected) setTimeout(refresh, 1000);
      return;
    }
    if (asked !== state.asked) return;
  } while (detail.asset && detail.asset.id !== shown);
  const { reveal } = state;
  take(list, [anchor.index, active]);
  keep.forEach((id, place) => { if ((list.positions[place] ?? null) !== null) library.note(id, list.positions[place]); });
  // What is not in this list is among all photos.
  if (reveal !== null && library.indexOf(reveal) === null && (state.type !== null || state.album !== 'smart-0')) {
    choose({ album: 'smart-0', type: null }, reveal);
  }
}

// Shows a list, in which the server has looked for what was at `asked`: for what has been scrolled or gone to since,
// that tells how far all has moved.
function take(list, asked) {
  const now = [grid.anchor.index, grid.active];
  const ids = now.map((index) => library.at(index)?.id);
  const hadFocus = grid.list.contains(document.activeElement);
  const wasSeen = grid.sees(grid.active);
  state.list = list;
  library.take(list);
  const [at, active] = now.map((index, place) => {
    const told = list.positions[place] ?? null;
    return library.indexOf(ids[place]) ?? (told === null ? null : told + index - asked[place]);
  });
  const { anchor } = grid;
  grid.reload(!state.keeps ? { kind: 'top' } : anchor.kind === 'cell'
    ? { ...anchor, index: Math.min(Math.max(at ?? anchor.index, 0), library.count - 1) } : anchor,
  // Where nobody has been yet, the first cell stays first.
  !state.keeps ? 0 : hadFocus || grid.active > 0 ? active ?? grid.active : grid.active);
  // The focus goes along with its cell, where that has not gone away.
  if (hadFocus && library.count > 0 && (wasSeen || !grid.list.contains(document.activeElement))) grid.focus(grid.active);
  const revealed = list.positions[2] ?? null;
  if (revealed !== null) grid.focus(revealed);
  Object.assign(state, { keeps: true, reveal: null });
  detail.listChanged(list.detail);
  scrubber.arrange();
  describe();
  library.fill(isFree);
}

// What somebody looks at goes before what they may look at.
const isFree = () => Promise.race([grid.loader.idle(), new Promise((done) => { setTimeout(done, 1500); })]);

async function loadAlbums() {
  await isFree();
  try { await albums.refresh(); } catch { return; /* They come with the next change, or the next connection. */ }
  fillTypes(state, albums);
  describe();
}

// Says what is on show, as it is now.
function describe() { describeList(state, albums, grid); }

function end(outcome) {
  if (!outcome || state.isOver) return;
  state.isOver = true;
  source?.close();
  detail.leave();
  for (const dialog of document.querySelectorAll('dialog[open]')) dialog.close();
  const ending = find('#end');
  const isPicked = outcome === 'picked';
  ending.querySelector('h1').textContent = isPicked ? strings.endPicked : strings.endCancelled;
  ending.querySelector('p').textContent = isPicked ? strings.endPickedHint(selection.count) : strings.endCancelledHint;
  ending.hidden = false;
  find('#app').inert = true;
  ending.focus();
  // Granted to windows that a script opened alone.
  setTimeout(() => window.close(), 1200);
}

// MARK: Following

let source;
let isStale = false;
let isOutdated = false;
let refreshing = false;

// One refresh at a time; what happens during one is seen by the next.
async function refresh() {
  if (refreshing) {
    isStale = true;
    return;
  }
  refreshing = true;
  isStale = false;
  try {
    state.session = await api.session();
    if (!isOutdated && isChosen() && state.session.library.revision === state.list.library.revision) {
      state.list.library = state.session.library;
      selection.take(state.session.selection);
    } else {
      isOutdated = false;
      await Promise.all([load(), selection.refresh()]);
      loadAlbums();
    }
    describe();
  } catch { /* The connection is told of elsewhere. */ }
  refreshing = false;
  if (isStale) setTimeout(refresh, 250);
}

const appear = () => { find('#app').hidden = false; };

async function start() {
  label(grid);
  // It is laid out once, with what it shows, and empty only where that takes long.
  const late = setTimeout(appear, 250);
  const answers = await persist(() => Promise.all([
    api.session(), api.list({ album: state.album, type: state.type }),
  ]));
  if (!answers) return;
  const [session, list] = answers;
  banner(null);
  clearTimeout(late);
  state.session = session;
  document.title = session.title ? `${session.title} – Cameo` : 'Cameo';
  selection.setRules(session);
  grid.list.setAttribute('aria-multiselectable', String(selection.canPick && selection.limit !== 1));
  document.body.classList.toggle('browse', !selection.canPick);
  if (selection.canPick) selection.take(session.selection);
  tray.show();
  state.list = list;
  library.take(list);
  describe();
  appear();
  grid.reload({ kind: 'top' }, 0);
  // With the frame in which the cells are laid out, not before it.
  requestAnimationFrame(() => scrubber.arrange());
  loadAlbums();
  library.fill(isFree);
  if (session.outcome) {
    end(session.outcome);
    return;
  }
  // What has happened meanwhile is told at the beginning.
  await isFree();
  if (!state.isOver) connect();
}

const aWhile = () => new Promise((done) => { setTimeout(done, 1000); });

// The answer, as soon as there is one; null for a page that the server does not admit, as it is not the one of before.
async function persist(ask) {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      banner(error.status === 403 ? strings.expired : strings.lost);
      if (error.status === 403) return null;
    }
    await aWhile();
  }
}

function connect() {
  source = follow({
    hello(data) {
      banner(null);
      state.isConnected = true;
      grid.retry();
      const { revision, version } = JSON.parse(data);
      const { library: known } = state.list;
      if (revision !== known.revision || !isChosen() || ['loading', 'partial'].includes(known.phase)) refresh();
      else if (version > selection.version) selection.refresh();
    },
    library: () => refresh(),
    selection: (version) => { if (Number(version) > selection.version) setTimeout(() => {
      if (Number(version) > selection.version) selection.refresh();
    }, 30); },
    finished: (outcome) => end(outcome),
    lost() {
      state.isConnected = false;
      if (!state.isOver) banner(strings.lost);
    },
    async closed() {
      this.lost();
      if (!await persist(api.session)) return;
      await aWhile();
      if (!state.isOver) connect();
    },
  });
}

library.onRows = (first, end) => grid.rowsCame(first, end);
// The server does not know the list any more, though the library may be what it was.
library.onOutdated = selection.onOutdated = () => {
  isOutdated = true;
  refresh();
};
find('#type').addEventListener('change', (event) => choose({ type: event.target.value || null }));
find('#smaller').addEventListener('click', () => { grid.setLevel(grid.level - 1); scrubber.arrange(); });
find('#larger').addEventListener('click', () => { grid.setLevel(grid.level + 1); scrubber.arrange(); });
new ResizeObserver(() => scrubber.arrange()).observe(find('#grid'));
// A key that is held down has been pressed once: what it opens must not be told by it what to do.
document.addEventListener('keydown', (event) => {
  if (!event.repeat || (event.key !== 'Enter' && event.key !== ' ')) return;
  event.preventDefault();
  event.stopPropagation();
}, { capture: true });
document.addEventListener('keydown', (event) => {
  // A crop is kept or called off first.
  if (cropper.isOpen || !selection.canPick) return;
  if (!(event.ctrlKey || event.metaKey) || event.key !== 'Enter') return;
  // To the button that has the focus it would be a click.
  event.preventDefault();
  finish();
});
start();
