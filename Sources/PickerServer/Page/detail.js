// One picture, large; from its cell and back to its cell.
import { address } from './api.js';
import { element, icon, iconButton, isStill } from './dom.js';
import { inscribed } from './layout.js';
import { kindOf } from './library.js';
import { dayTitle, strings, timeTitle } from './strings.js';

const sizes = [1024, 1600, 2560];
const bars = 64;

export class Detail {
  // `on`: {toggle(id), crop(asset)}.
  constructor(dialog, grid, library, selection, on) {
    Object.assign(this, { dialog, grid, library, selection, on });
    this.flyer = document.querySelector('#flyer');
    // What is on show, and where it is in the list; null where nothing is.
    this.asset = null;
    this.index = null;
    this.name = element('h1', '', { id: 'detail-title' });
    this.about = element('p', '', { role: 'status' });
    this.stage = element('div', 'picture');
    this.pick = element('button', 'primary pick-button', { onclick: () => on.toggle(this.asset.id) });
    this.crop = element('button', 'tinted', { onclick: () => on.crop(this.asset) }, icon('crop'), strings.crop);
    this.previous = iconButton('back', strings.previous, () => this.advance(-1));
    this.next = iconButton('next', strings.next, () => this.advance(1));
    this.previous.classList.add('step', 'previous');
    this.next.classList.add('step', 'next');
    dialog.setAttribute('aria-labelledby', 'detail-title');
    dialog.tabIndex = -1;
    dialog.append(
      element('div', 'bar', {}, iconButton('close', strings.back, () => this.close()),
        element('div', 'titles', {}, this.name, this.about), this.crop, this.pick),
      this.stage, this.previous, this.next);
    dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      this.close();
    });
    dialog.addEventListener('keydown', (event) => this.key(event));
    this.swipe();
  }

  get isOpen() { return this.dialog.open; }

  async open(index) {
    if (this.isOpen || this.isBusy || !this.library.at(index)) return;
    this.isBusy = true;
    this.show(index);
    // What is at hand soon needs no stand-in on the way.
    await Promise.race([this.loaded, new Promise((done) => { setTimeout(done, 140); })]);
    // Meanwhile the list may have changed, see `listChanged`.
    if (this.asset) {
      const from = this.grid.frameOnScreen(this.index);
      this.dialog.showModal();
      (this.pick.hidden ? this.next : this.pick).focus();
      const source = this.image.naturalWidth ? this.image.src : this.grid.pictureOf(this.index);
      await this.fly(from, this.target(), source, true);
    }
    this.isBusy = false;
  }

  async close() {
    if (!this.isOpen) return;
    this.way?.finish();
    this.isBusy = true;
    const { index } = this;
    this.leave();
    if (index !== null && index < this.library.count) this.grid.reveal(index);
    const frame = index === null ? null : this.grid.frameOnScreen(index);
    const thumbnail = index === null ? null : this.grid.pictureOf(index);
    const [from, source] = [this.target(), this.image?.naturalWidth ? this.image.src : thumbnail];
    this.dialog.close();
    if (frame) {
      this.grid.focus(index);
      await this.fly(from, frame, source, false);
    }
    this.isBusy = false;
  }

  leave() { [this.asset, this.index] = [null, null]; }

  show(index) {
    const asset = this.library.at(index);
    [this.asset, this.index] = [asset, index];
    this.stage.replaceChildren();
    this.stage.classList.remove('broken');
    const image = new Image();
    this.image = image;
    image.alt = `${strings.kinds[kindOf(asset)]}, ${asset.name}`;
    image.draggable = false;
    const thumbnail = this.grid.pictureOf(index);
    if (asset.isVideo) {
      this.sign('film', strings.videoHint);
      this.loaded = Promise.resolve();
    } else {
      const wanted = Math.max(innerWidth, innerHeight) * (devicePixelRatio || 1);
      image.src = address('pictures', asset, sizes.find((size) => size >= wanted * 0.9) ?? 2560);
      this.place(image, asset, thumbnail);
      this.loaded = image.decode().then(() => {
        if (this.image === image) this.stage.replaceChildren(image);
      }, () => {
        if (this.image !== image) return;
        this.sign('broken', strings.brokenHint);
      });
    }
    this.describe();
    this.preload();
  }

  // Says why there is no picture.
  sign(kind, text) {
    this.stage.classList.add('broken');
    this.stage.replaceChildren(element('div', 'why', {}, element('span', `sign ${kind}`), element('p', '', {}, text)));
  }

  // Until the picture is there, its thumbnail stands where its middle will be.
  place(image, asset, thumbnail) {
    if (!thumbnail || !asset.width) return;
    const size = inscribed({ width: innerWidth, height: innerHeight - 2 * bars }, asset.width / asset.height);
    const side = Math.min(size.width, size.height);
    const standIn = element('img', 'stand-in', { src: thumbnail, alt: '' });
    standIn.style.width = standIn.style.height = `${side}px`;
    this.stage.append(standIn);
  }

  preload() {
    for (const near of [this.index + 1, this.index - 1]) {
      const asset = this.library.at(near);
      if (asset && !asset.isVideo && this.image) {
        const size = /\/(\d+)\?/.exec(this.image.src)?.[1];
        if (size) new Image().src = address('pictures', asset, size);
      }
    }
  }

  // The frame of the picture on the screen.
  target() {
    const box = this.stage.getBoundingClientRect();
    const asset = this.asset ?? this.lastAsset;
    const area = box.width ? box : { left: 0, top: bars, width: innerWidth, height: innerHeight - 2 * bars };
    const size = asset?.width ? inscribed(area, asset.width / asset.height) : area;
    return {
      x: area.left + (area.width - size.width) / 2, y: area.top + (area.height - size.height) / 2,
      width: size.width, height: size.height,
    };
  }

  describe() {
    const { asset, selection } = this;
    if (!asset) return;
    this.lastAsset = asset;
    this.name.textContent = asset.name;
    const kind = kindOf(asset);
    this.about.textContent = [
      strings.place(this.index + 1, this.library.count), kind === 'photo' ? null : strings.kinds[kind],
      `${dayTitle(asset.date)} ${timeTitle(asset.date)}`, asset.width ? `${asset.width} × ${asset.height}` : null,
    ].filter(Boolean).join(' · ');
    const order = selection.orderOf(asset.id);
    this.pick.hidden = !selection.canPick;
    this.pick.textContent = order === null ? strings.pick : strings.drop;
    this.pick.classList.toggle('on', order !== null);
    this.pick.dataset.badge = order === null ? '' : selection.isOrdered ? order + 1 : '✓';
    this.crop.hidden = !selection.mask || asset.isVideo;
    this.crop.classList.toggle('on', selection.isEdited(asset.id));
    const ends = [[this.previous, this.index === 0], [this.next, this.index >= this.library.count - 1]];
    for (const [button, isEnd] of ends) {
      // A button that is disabled would take the keys along.
      if (isEnd && button === document.activeElement) this.dialog.focus();
      button.disabled = isEnd;
    }
  }

  advance(distance) {
    const next = this.index + distance;
    if (next < 0 || next >= this.library.count) return;
    this.library.need(next, next + 1);
    if (!this.library.at(next)) return;
    this.show(next);
    // Behind the picture, the grid goes along.
    this.grid.active = next;
    this.grid.reveal(next);
  }

  // The list has changed: stays on its asset, or goes to the one that the server names.
  listChanged(id) {
    if (!this.asset) return;
    const index = id === null || id === undefined ? null : this.library.indexOf(id);
    const asset = index === null ? null : this.library.at(index);
    if (!asset) {
      this.leave();
      this.dialog.close();
    } else if (id === this.asset.id && asset.version === this.asset.version) {
      [this.asset, this.index] = [asset, index];
      this.describe();
    } else {
      this.show(index);
    }
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'ArrowLeft') this.advance(-1);
    else if (event.key === 'ArrowRight') this.advance(1);
    else if (event.key === ' ' && event.target.tagName !== 'BUTTON' && this.selection.canPick) {
      event.preventDefault();
      this.on.toggle(this.asset.id);
    } else if (event.key === 'c' && !this.crop.hidden) this.on.crop(this.asset);
  }

  swipe() {
    let start = null;
    const fingers = new Set();
    this.stage.addEventListener('pointerdown', (event) => {
      if (event.pointerType === 'mouse') return;
      fingers.add(event.pointerId);
      // Two fingers turn no page.
      start = fingers.size === 1 ? { id: event.pointerId, x: event.clientX, y: event.clientY } : null;
    });
    this.dialog.addEventListener('pointercancel', (event) => {
      fingers.delete(event.pointerId);
      start = null;
    });
    this.dialog.addEventListener('close', () => fingers.clear());
    this.dialog.addEventListener('pointerup', (event) => {
      fingers.delete(event.pointerId);
      if (start?.id !== event.pointerId) return;
      const [x, y] = [event.clientX - start.x, event.clientY - start.y];
      start = null;
      if (Math.abs(x) > 60 && Math.abs(x) > 2 * Math.abs(y)) this.advance(x < 0 ? 1 : -1);
      else if (y > 100) this.close();
    });
  }

  // Moves a picture from one frame to another. It fills its frame at both ends: the cell shows its middle.
  async fly(from, to, source, opens) {
    if (isStill() || !from || !to || !source) return;
    const image = this.flyer.firstElementChild;
    image.src = source;
    try { await image.decode(); } catch { return; }
    this.flyer.hidden = false;
    this.dialog.classList.toggle('flying', opens);
    document.body.append(this.flyer);
    if (opens) this.dialog.append(this.flyer);
    const frames = [from, to].map((frame, at) => ({
      left: `${frame.x}px`, top: `${frame.y}px`, width: `${frame.width}px`, height: `${frame.height}px`,
      borderRadius: (at === 0) === opens ? '3px' : '0px',
    }));
    this.way = this.flyer.animate(frames, { duration: 260, easing: 'cubic-bezier(.2, .8, .2, 1)' });
    try { await this.way.finished; } catch { /* Called off by another. */ }
    this.flyer.hidden = true;
    this.dialog.classList.remove('flying');
    document.body.append(this.flyer);
  }
}
