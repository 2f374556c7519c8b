// The crop step: a picture behind a mask, moved, zoomed and turned, with what will come of it beside.
import { address, api } from './api.js';
import { CropSession } from './crop.js';
import { element, icon, iconButton } from './dom.js';
import { strings } from './strings.js';

export class Cropper {
  // `on`: {kept(message, asset), refused(refusal)}.
  constructor(dialog, selection, on) {
    Object.assign(this, { dialog, selection, on });
    this.pointers = new Map();
    // What distinguishes one step from the next.
    this.step = null;
    this.area = element('div', 'area', { tabIndex: 0, role: 'application', 'aria-label': strings.cropArea });
    this.layer = element('div', 'layer');
    this.mask = element('div', 'mask');
    this.why = element('div', 'why', { role: 'alert', hidden: true });
    this.area.append(this.layer, this.mask, this.why);
    this.previews = [100, 200].map((points) => this.preview(points));
    this.zoom = element('input', '', {
      type: 'range', min: '0', max: '1', step: '0.001', 'aria-label': strings.zoom,
      oninput: () => this.change((crop) => crop.zoomTo(8 ** Number(this.zoom.value))),
    });
    this.keep = element('button', 'primary', { onclick: () => this.finish() });
    this.reset = element('button', '', {
      onclick: () => this.change((crop) => crop.reset(), true),
    }, strings.reset);
    this.help = element('p', 'help', { id: 'crop-help' }, strings.cropHelp);
    this.area.setAttribute('aria-describedby', 'crop-help');
    const title = element('h1', '', { id: 'crop-title' }, strings.crop);
    dialog.setAttribute('aria-labelledby', 'crop-title');
    dialog.append(
      element('div', 'bar', {}, element('button', '', { onclick: () => dialog.close() }, strings.cancel),
        element('div', 'titles', {}, title), this.keep),
      element('div', 'work', {}, this.area,
        element('aside', '', {},
          element('div', 'previews', {}, ...this.previews.map((one) => one.figure)),
          element('div', 'tools', {}, icon('minus'), this.zoom, icon('plus'),
            iconButton('turn', strings.turn, () => this.change((crop) => crop.turn())), this.reset),
          this.help)));
    this.listen();
    new ResizeObserver(() => this.resized()).observe(this.area);
  }

  preview(points) {
    const layer = element('div', 'layer');
    const frame = element('div', 'preview', {}, layer);
    frame.style.width = frame.style.height = `${points}px`;
    return { points, layer, figure: element('figure', '', {}, frame, element('figcaption', '', {}, `${points}`)) };
  }

  // `canTakeBack`: whether a crop that was kept goes again with a reset; else a reset keeps the middle of the picture.
  // `thumbnail` stands there until the picture is; null where there is none.
  async open(asset, keepLabel, canTakeBack, thumbnail) {
    const viewport = { width: 320, height: 320 };
    const step = {};
    this.step = step;
    let state;
    try { state = await api.crop(asset.id, viewport); } catch (error) {
      this.on.refused(error.answer ?? { reason: 'other' });
      return;
    }
    if (step !== this.step) return;
    this.asset = asset;
    this.dialog.classList.toggle('round', this.selection.mask === 'circle');
    Object.assign(this, { keepLabel, canTakeBack: canTakeBack && state.isKept, isReset: false });
    const [width, height] = state.picture;
    this.crop = new CropSession({ width, height }, viewport);
    Object.assign(this.crop, {
      zoom: state.zoom, quarterTurns: state.quarterTurns, centre: { x: state.centre[0], y: state.centre[1] },
    });
    const pictures = this.lay(asset, thumbnail);
    this.describe('loading');
    if (!this.dialog.open) this.dialog.showModal();
    this.resized();
    this.area.focus();
    // Nothing is kept that could not be seen.
    const isShown = await Promise.all(pictures.map((image) => image.decode())).then(() => true, () => false);
    if (step !== this.step) return;
    for (const image of pictures) image.parentElement.replaceChildren(...(isShown ? [image] : []));
    step.isReady = isShown;
    this.describe(isShown ? 'ready' : 'broken');
  }

  // Lays the picture behind the mask and into the previews, over its thumbnail, which shows its middle.
  lay(asset, thumbnail) {
    const { width, height } = this.crop.picture;
    const side = Math.min(width, height);
    const picture = (source, x, y, w, h) => {
      const image = element('img', '', { src: source, alt: '', draggable: false });
      Object.assign(image.style, { left: `${x}px`, top: `${y}px`, width: `${w}px`, height: `${h}px` });
      return image;
    };
    return [this.layer, ...this.previews.map((one) => one.layer)].map((layer) => {
      const sheet = element('div', 'sheet');
      if (thumbnail) sheet.append(picture(thumbnail, (width - side) / 2, (height - side) / 2, side, side));
      const whole = picture(address('pictures', asset, 2560), 0, 0, width, height);
      sheet.append(whole);
      layer.replaceChildren(sheet);
      return whole;
    });
  }

  // Says how far the picture is: `loading`, `ready` or `broken`.
  describe(phase) {
    const isBroken = phase === 'broken';
    this.keep.disabled = phase !== 'ready';
    this.area.setAttribute('aria-busy', String(phase === 'loading'));
    this.dialog.classList.toggle('broken', isBroken);
    this.why.hidden = !isBroken;
    this.why.replaceChildren(...(isBroken
      ? [element('span', 'sign broken'), element('p', '', {}, strings.brokenHint)] : []));
  }

  get isOpen() { return this.dialog.open; }
  // Whether the picture is there to be cropped.
  get isReady() { return this.isOpen && this.step?.isReady === true; }

  resized() {
    if (!this.crop || !this.dialog.open) return;
    const box = this.area.getBoundingClientRect();
    const margin = 24;
    this.inset = margin;
    this.crop.viewport = {
      width: Math.max(1, box.width - 2 * margin), height: Math.max(1, box.height - 2 * margin),
    };
    this.draw();
  }

  change(action, isReset = false) {
    if (!this.crop) return;
    this.isReset = isReset;
    action(this.crop);
    this.draw();
  }

  get takesBack() { return this.canTakeBack && this.isReset; }

  draw() {
    const { crop } = this;
    this.keep.textContent = this.takesBack ? strings.dropCrop : this.keepLabel;
    const frame = crop.maskFrame;
    this.layer.style.left = `${this.inset + frame.x}px`;
    this.layer.style.top = `${this.inset + frame.y}px`;
    Object.assign(this.mask.style, {
      left: `${this.inset + frame.x}px`, top: `${this.inset + frame.y}px`, width: `${frame.width}px`,
      height: `${frame.height}px`,
    });
    this.layer.firstElementChild.style.transform = crop.transform(frame.width);
    for (const { points, layer } of this.previews) layer.firstElementChild.style.transform = crop.transform(points);
    this.zoom.value = String(Math.log(crop.zoom) / Math.log(8));
    this.zoom.setAttribute('aria-valuetext', `${crop.zoom.toFixed(1)}×`);
  }

  async finish() {
    const { crop, asset, step } = this;
    if (!this.isReady || step.isSent) return;
    step.isSent = true;
    // A disabled button has no keys, nor have those around it.
    if (document.activeElement === this.keep) this.area.focus();
    this.keep.disabled = true;
    try {
      const message = await api.setCrop({
        id: asset.id, version: asset.version, viewport: [crop.viewport.width, crop.viewport.height], centre: [crop.centre.x, crop.centre.y],
        zoom: crop.zoom, quarterTurns: crop.quarterTurns, isKept: !this.takesBack,
      });
      // Whoever has left the step meanwhile wants nothing more of it.
      if (step !== this.step || !this.dialog.open) return;
      this.dialog.close();
      this.on.kept(message, asset);
    } catch (error) {
      step.isSent = false;
      this.on.refused(error.answer?.reason ? error.answer : { reason: 'other' });
    } finally {
      if (step === this.step) this.keep.disabled = false;
    }
  }

  // A point of the screen in the viewport.
  point(event) {
    const box = this.area.getBoundingClientRect();
    return { x: event.clientX - box.left - this.inset, y: event.clientY - box.top - this.inset };
  }

  listen() {
    const { area, pointers } = this;
    area.addEventListener('pointerdown', (event) => {
      area.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, this.point(event));
    });
    area.addEventListener('pointermove', (event) => {
      const before = pointers.get(event.pointerId);
      if (!before) return;
      const now = this.point(event);
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
      pointers.set(event.pointerId, now);
      this.change((crop) => {
        if (!other) {
          crop.pan(now.x - before.x, now.y - before.y);
          return;
        }
        const distance = (a) => Math.hypot(a.x - other.x, a.y - other.y);
        const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
        crop.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
        crop.zoomTo(crop.zoom * (distance(now) / Math.max(1, distance(before))), middle);
      });
    });
    for (const name of ['pointerup', 'pointercancel']) {
      area.addEventListener(name, (event) => pointers.delete(event.pointerId));
    }
    area.addEventListener('wheel', (event) => {
      event.preventDefault();
      const speed = event.ctrlKey ? 0.01 : 0.002;
      this.change((crop) => crop.zoomTo(crop.zoom * Math.exp(-event.deltaY * speed), this.point(event)));
    }, { passive: false });
    area.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const step = event.shiftKey ? 40 : 8;
      const ways = { ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
      if (ways[event.key]) this.change((crop) => crop.pan(...ways[event.key]));
      else if (event.key === '+' || event.key === '=') this.change((crop) => crop.zoomTo(crop.zoom * 1.1));
      else if (event.key === '-') this.change((crop) => crop.zoomTo(crop.zoom / 1.1));
      else if (event.key === 'r' || event.key === 'R') this.change((crop) => crop.turn(event.shiftKey ? -1 : 1));
      else if (event.key === 'Enter') this.finish();
      else return;
      event.preventDefault();
    });
  }
}

