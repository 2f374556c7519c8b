// The grid: only what is seen, and a little more, is in the document.
import { element } from './dom.js';
import { listen } from './gestures.js';
import { Headings } from './headings.js';
import { GridLayout } from './layout.js';
import { kindOf } from './library.js';
import { dayTitle, strings, timeTitle, troubleText } from './strings.js';
import { blurCanvas } from './thumbhash.js';
import { ThumbnailLoader, sizeFor } from './thumbnails.js';

const levels = [84, 112, 148, 196, 264];
// Cells in the document at most: with a picture in each they make twice as many nodes.
const cellLimit = 140;
// Points a millisecond above which a picture would be gone before it is there.
const flingSpeed = 6;
const headerHeight = 52;

export class Grid {
  // `on`: {activate(index, event), extend(index, from), leave(), open(index), section(section, action), scrolled()}.
  constructor(root, library, selection, on) {
    this.root = root;
    this.library = library;
    this.selection = selection;
    this.on = on;
    this.content = root.querySelector('.content');
    this.list = root.querySelector('.cells');
    this.opener = root.querySelector('.opener');
    this.loader = new ThumbnailLoader();
    this.cells = new Map();
    this.pool = [];
    this.headings = new Headings(root.querySelector('.headings'), library, selection, on.section);
    this.level = 2;
    this.active = 0;
    this.anchor = { kind: 'top' };
    // Nothing is measured before there is something to show: whatever it would tell, the browser would have to find out.
    this.layout = new GridLayout({ width: 0, columns: 1, spacing: 0, headerHeight, scale: 1 }, []);
    this.last = { top: 0, at: 0 };
    this.arranged = 0;
    root.addEventListener('scroll', () => this.scrolled(), { passive: true });
    listen(this);
    new ResizeObserver(() => this.resized()).observe(root);
  }

  get width() { return this.root.clientWidth; }
  get height() { return this.root.clientHeight; }
  get offset() { return this.root.scrollTop; }

  metrics() {
    const width = this.root.clientWidth;
    const smallest = Math.sqrt((width * Math.max(1, this.root.clientHeight)) / (cellLimit * 0.7));
    const comfortable = width < 560 ? levels[this.level] * 0.8 : levels[this.level];
    return {
      width, minimumCell: Math.max(comfortable, smallest, 1), spacing: 3, headerHeight,
      scale: window.devicePixelRatio || 1,
    };
  }

  // Whether a cell is among those that are seen.
  sees(index) { return this.visible !== undefined && index >= this.visible[0] && index < this.visible[1]; }

  get thumbnailSize() { return sizeFor(this.layout.side); }

  // Shows the library's list anew. `anchor` tells what stays in place, `active` what has the focus.
  reload(anchor, active) {
    this.regroup();
    this.active = Math.min(Math.max(active ?? this.active, 0), Math.max(0, this.library.count - 1));
    this.arrange(anchor ?? { kind: 'top' }, true);
  }

  arrange(anchor, isNew = false) {
    this.layout = new GridLayout(this.metrics(), this.library.counts);
    this.lastHeight = this.height;
    this.content.style.height = `${this.layout.contentHeight}px`;
    this.root.scrollTop = this.layout.offsetKeeping(anchor, this.height);
    this.arranged = this.offset;
    this.anchor = anchor;
    // The pointer may be over another cell now.
    this.opener.hidden = true;
    for (const cell of this.cells.values()) {
      this.position(cell);
      cell.setAttribute('aria-posinset', cell.index + 1);
      cell.setAttribute('aria-setsize', this.library.count);
      if (cell.asset && !cell.asset.isVideo && cell.size < this.thumbnailSize) this.askFor(cell);
    }
    if (isNew) {
      const { seen, kept } = this.bounds();
      this.loader.bring(this.library, kept, seen, this.thumbnailSize);
    }
    this.render();
  }

  resized() {
    if (this.width === this.layout.metrics.width && this.height === this.lastHeight) return;
    this.rearrange();
    this.on.scrolled();
  }

  setLevel(level) {
    const next = Math.min(Math.max(level, 0), levels.length - 1);
    if (next === this.level) return;
    this.level = next;
    this.rearrange();
  }

  // The same list in another layout.
  rearrange() { this.arrange(this.anchor); }

  // Keeps the cells of assets that are still in the list, with their pictures, so that nothing flickers.
  regroup() {
    this.headings.regroup();
    const old = [...this.cells];
    this.cells = new Map();
    for (const [index, cell] of old) {
      const now = cell.asset ? this.library.indexOf(cell.asset.id) : null;
      const asset = now === null ? null : this.library.at(now);
      if (!asset || asset.version !== cell.asset.version || this.cells.has(now)) {
        this.cells.set(`old ${index}`, cell);
        this.release(`old ${index}`);
        continue;
      }
      cell.index = now;
      cell.id = `cell-${now}`;
      cell.asset = asset;
      this.cells.set(now, cell);
    }
  }

  scrolled() {
    if (this.frameAsked) return;
    this.frameAsked = true;
    requestAnimationFrame((now) => {
      this.frameAsked = false;
      const speed = Math.abs(this.offset - this.last.top) / Math.max(1, now - this.last.at);
      this.last = { top: this.offset, at: now };
      this.loader.setPaused(speed > flingSpeed);
      clearTimeout(this.restTimer);
      this.restTimer = setTimeout(() => this.loader.setPaused(false), 50);
      // What a change of the layout did to the offset is no wish of anybody's: turned back, all is as it was.
      if (Math.abs(this.offset - this.arranged) > 1) this.anchor = this.layout.anchor(this.offset, this.height);
      this.render();
      this.on.scrolled();
    });
  }

  // What is seen, and what is in the document: [first, end) of each.
  bounds() {
    const { offset, height, layout } = this;
    const [first, end] = layout.range(offset, offset + height);
    const spare = Math.max(0, Math.floor((cellLimit - (end - first)) / 2));
    const rows = layout.columns ? Math.floor(spare / layout.columns) : 0;
    const margin = Math.min(height / 2, rows * layout.points(layout.side + layout.spacing));
    const [from, to] = layout.range(offset - margin, offset + height + margin);
    return { seen: [first, end], kept: [Math.max(from, first - spare), Math.min(to, end + spare)] };
  }

  render() {
    const { offset, height, layout } = this;
    const { seen: [first, end], kept: bounded } = this.bounds();
    const pinned = document.activeElement?.parentElement === this.list ? this.active : -1;
    for (const index of [...this.cells.keys()]) {
      if ((index < bounded[0] || index >= bounded[1]) && index !== pinned) this.release(index);
    }
    // What is seen is asked for first.
    for (let index = first; index < end; index += 1) this.place(index);
    for (let index = end; index < bounded[1]; index += 1) this.place(index);
    for (let index = first - 1; index >= bounded[0]; index -= 1) this.place(index);
    this.visible = [first, end];
    this.library.need(bounded[0], bounded[1]);
    this.headings.render(layout, offset, height);
    this.updateTabStop();
  }

  // MARK: Cells

  place(index) {
    if (this.cells.has(index)) return;
    const cell = this.pool.pop() ?? this.makeCell();
    cell.index = index;
    this.position(cell);
    cell.id = `cell-${index}`;
    this.cells.set(index, cell);
    this.fill(cell);
    this.list.append(cell);
  }

  position(cell) {
    const frame = this.layout.frame(cell.index);
    if (!frame) return;
    cell.style.transform = `translate(${frame.x}px, ${frame.y}px)`;
    cell.style.width = cell.style.height = `${frame.width}px`;
  }

  makeCell() {
    const cell = document.createElement('div');
    cell.className = 'cell';
    cell.setAttribute('role', 'option');
    cell.tabIndex = -1;
    return cell;
  }

  fill(cell) {
    const asset = this.library.at(cell.index);
    cell.asset = asset;
    cell.setAttribute('aria-posinset', cell.index + 1);
    cell.setAttribute('aria-setsize', this.library.count);
    if (!asset) {
      cell.setAttribute('aria-label', strings.loading);
      cell.setAttribute('aria-selected', 'false');
      return;
    }
    const kind = kindOf(asset);
    if (kind === 'photo') delete cell.dataset.kind; else cell.dataset.kind = kind;
    this.mark(cell);
    if (asset.isVideo) this.sign(cell, 'film'); else this.askFor(cell);
  }

  // Stands for a picture that there is not: a sign, and the name by which it can be told from others.
  sign(cell, kind) {
    cell.classList.add(kind);
    if (cell.querySelector('img')) return;
    cell.replaceChildren(element('span', 'name', {}, cell.asset.name));
  }

  // Until its picture comes, a cell shows what is known of it.
  blur(cell) {
    if (cell.firstChild) return;
    const blur = blurCanvas(cell.asset);
    if (blur) cell.append(blur);
  }

  askFor(cell) {
    const { id, version } = cell.asset;
    const isStill = () => cell.asset?.id === id && cell.asset.version === version;
    this.loader.cancel(cell.wish);
    cell.size = this.thumbnailSize;
    cell.wish = this.loader.want(cell.asset, cell.size, {
      picture: (url, isFinal) => this.show(cell, isStill, url, isFinal),
      waits: () => { if (isStill()) this.blur(cell); },
      failed: (kind) => { if (isStill()) this.fail(cell, kind); },
    });
  }

  async show(cell, isStill, url, isFinal) {
    const image = new Image();
    image.src = url;
    image.alt = '';
    image.draggable = false;
    try { await image.decode(); } catch {
      if (isFinal && isStill()) this.fail(cell, 'other');
      return;
    }
    // A stand-in that took longer than the picture itself must not take its place.
    if (isStill() && (isFinal || !cell.isFinal)) {
      cell.isFinal = isFinal;
      cell.isLost = false;
      cell.replaceChildren(image);
      if (!cell.classList.contains('broken')) return;
      cell.classList.remove('broken');
      cell.removeAttribute('title');
      this.mark(cell);
    }
  }

  // Says in a cell why there is no picture, or no better one; null stands for the connection, see `retry`.
  fail(cell, kind) {
    cell.isLost = kind === null;
    if (cell.isLost && cell.querySelector('img')) return;
    this.sign(cell, 'broken');
    cell.title = troubleText(kind ?? 'other');
    this.mark(cell);
  }

  // There is a connection again: asks for what was asked for in vain.
  retry() {
    for (const cell of this.cells.values()) if (cell.asset && cell.isLost) this.askFor(cell);
    this.render();
  }

  release(index) {
    const cell = this.cells.get(index);
    this.cells.delete(index);
    this.loader.cancel(cell.wish);
    cell.wish = null;
    cell.asset = null;
    cell.size = 0;
    cell.isFinal = false;
    cell.isLost = false;
    cell.remove();
    cell.replaceChildren();
    cell.className = 'cell';
    cell.removeAttribute('title');
    delete cell.dataset.kind;
    delete cell.dataset.badge;
    if (this.pool.length < cellLimit) this.pool.push(cell);
  }

  // Shows whether and as which a cell is picked.
  mark(cell) {
    const { asset } = cell;
    if (!asset) return;
    const order = this.selection.orderOf(asset.id);
    const isPicked = order !== null;
    cell.classList.toggle('picked', isPicked);
    cell.classList.toggle('edited', this.selection.isEdited(asset.id));
    cell.setAttribute('aria-selected', String(isPicked));
    if (isPicked) cell.dataset.badge = this.selection.isOrdered ? order + 1 : '✓'; else delete cell.dataset.badge;
    const parts = [strings.kinds[kindOf(asset)], `${dayTitle(asset.date)} ${timeTitle(asset.date)}`, asset.name];
    if (cell.classList.contains('broken')) parts.push(strings.brokenPicture);
    if (isPicked) parts.push(this.selection.isOrdered ? strings.pickedAs(order + 1) : strings.isPicked);
    cell.setAttribute('aria-label', parts.join(', '));
  }

  // The selection has changed.
  markAll() {
    for (const cell of this.cells.values()) this.mark(cell);
    this.headings.markAll();
  }

  rowsCame(first, end) {
    for (const [index, cell] of this.cells) {
      if (index >= first && index < end && !cell.asset) this.fill(cell);
    }
    this.headings.markAll();
  }

  // MARK: Where somebody is

  updateTabStop() {
    for (const [index, cell] of this.cells) cell.tabIndex = index === this.active ? 0 : -1;
    // A grid without the active cell would be passed over by the tabulator.
    if (!this.cells.has(this.active) && this.cells.size > 0) {
      const first = this.cells.get(this.visible[0]) ?? this.cells.values().next().value;
      first.tabIndex = 0;
    }
  }

  // Scrolls so that a cell is seen, headings and all.
  reveal(index) {
    const offset = this.layout.offsetRevealing(index, this.offset, this.height);
    const frame = this.layout.frame(index);
    // The heading that sticks to the upper edge must not hide it.
    const hidden = frame ? offset + headerHeight - frame.y : 0;
    const target = hidden > 0 ? Math.max(0, offset - hidden) : offset;
    if (Math.abs(target - this.offset) < 0.5) return;
    this.root.scrollTop = target;
    this.anchor = this.layout.anchor(target, this.height);
    this.render();
  }

  focus(index) {
    this.active = index;
    this.reveal(index);
    this.render();
    this.cells.get(index)?.focus({ preventScroll: true });
  }

  // Gives the focus to the cell that the tabulator leads to.
  takeFocus() { this.list.querySelector('[tabindex="0"]')?.focus({ preventScroll: true }); }

  // The frame of a cell on the screen.
  frameOnScreen(index) {
    const frame = this.layout.frame(index);
    if (!frame) return null;
    const box = this.root.getBoundingClientRect();
    return { x: box.left + frame.x, y: box.top + frame.y - this.offset, width: frame.width, height: frame.height };
  }

  // The address of what a cell shows; of a broken picture's stand-in it holds no more.
  pictureOf(index) {
    const cell = this.cells.get(index);
    return cell?.classList.contains('broken') ? null : cell?.querySelector('img')?.src ?? null;
  }
}
