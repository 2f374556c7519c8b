// The geometry of a crop step: that of CropSession in Sources/Cameo/Picking but for mirroring, and is tested against it.
import { around, inscribed } from './layout.js';

const zoomRange = [1, 8];
const limited = (value, low, high) => Math.min(Math.max(value, low), high);
const rounded = (value) => Math.floor(value + 0.5);

export class CropSession {
  // picture and viewport: {width, height}; the mask's aspect is width over height.
  constructor(picture, viewport, aspect = 1) {
    this.picture = picture;
    this.viewport = viewport;
    this.aspect = aspect;
    this.reset();
  }

  reset() {
    this.zoom = 1;
    this.quarterTurns = 0;
    this.centre = { x: this.picture.width / 2, y: this.picture.height / 2 };
  }

  get isTransposed() { return (this.quarterTurns & 1) === 1; }
  get maskFrame() {
    return around({ x: this.viewport.width / 2, y: this.viewport.height / 2 }, inscribed(this.viewport, this.aspect));
  }

  // How much of the upright original the mask shows, in pixels.
  get shownSize() {
    const covering = inscribed(this.picture, this.isTransposed ? 1 / this.aspect : this.aspect);
    return { width: covering.width / this.zoom, height: covering.height / this.zoom };
  }

  get pointsPerPixel() {
    return this.maskFrame.width / (this.isTransposed ? this.shownSize.height : this.shownSize.width);
  }

  // What is cut out, in whole pixels of the upright original: [x, y, width, height].
  get crop() {
    const length = (shown, limit) => Math.min(limit, Math.max(1, rounded(shown)));
    const width = length(this.shownSize.width, this.picture.width);
    const height = length(this.shownSize.height, this.picture.height);
    const start = (centre, size, limit) => limited(rounded(centre - size / 2), 0, limit - size);
    return [
      start(this.centre.x, width, this.picture.width), start(this.centre.y, height, this.picture.height), width, height,
    ];
  }

  // A way on the screen as a way on the upright original.
  onPicture(way) {
    const scale = this.pointsPerPixel;
    const [x, y] = [way.x / scale, way.y / scale];
    return [{ x, y }, { x: y, y: -x }, { x: -x, y: -y }, { x: -y, y: x }][this.quarterTurns];
  }

  pan(x, y) {
    const way = this.onPicture({ x, y });
    this.centre = { x: this.centre.x - way.x, y: this.centre.y - way.y };
    this.clamp();
  }

  // Zooms so that what is at `anchor`, a point of the viewport, stays there as far as the edges allow.
  zoomTo(zoom, anchor) {
    const arm = anchor
      ? { x: anchor.x - this.viewport.width / 2, y: anchor.y - this.viewport.height / 2 } : { x: 0, y: 0 };
    const before = this.onPicture(arm);
    this.zoom = limited(zoom, ...zoomRange);
    const after = this.onPicture(arm);
    this.centre = { x: this.centre.x + before.x - after.x, y: this.centre.y + before.y - after.y };
    this.clamp();
  }

  turn(quarters = 1) {
    this.quarterTurns = (this.quarterTurns + quarters) & 3;
    this.clamp();
  }

  clamp() {
    const { width, height } = this.shownSize;
    const place = (at, shown, limit) => {
      const margin = Math.min(shown / 2, limit / 2);
      return limited(at, margin, limit - margin);
    };
    this.centre = {
      x: place(this.centre.x, width, this.picture.width), y: place(this.centre.y, height, this.picture.height),
    };
  }

  // The CSS transform that shows the picture, laid out at its own size in pixels, in a viewport of `side` points.
  transform(side) {
    const scale = side / Math.min(this.shownSize.width, this.shownSize.height);
    return `translate(${side / 2}px, ${side / 2}px) rotate(${this.quarterTurns * 90}deg) `
      + `scale(${scale}) translate(${-this.centre.x}px, ${-this.centre.y}px)`;
  }
}
