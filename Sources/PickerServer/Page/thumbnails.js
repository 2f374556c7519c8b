// Brings thumbnails into cells: the newest wish first, a few at once, called off when nobody wants it any more.
import { address } from './api.js';

const sizes = [96, 128, 192, 256, 384, 512, 768];
const atOnce = 6;

export function sizeFor(pixels) { return sizes.find((size) => size >= pixels) ?? sizes[sizes.length - 1]; }

export class ThumbnailLoader {
  constructor() {
    this.waiting = [];
    this.running = new Set();
    // Pictures that were shown lately, so that a way back is no way at all.
    this.recent = new Map();
    this.isPaused = false;
    this.idlers = [];
  }

  get isIdle() { return this.running.size === 0 && this.waiting.length === 0; }

  // Comes when nobody waits for a picture any more.
  idle() {
    return this.isIdle ? Promise.resolve() : new Promise((done) => { this.idlers.push(done); });
  }

  static recentLimit = 400;

  // Asks for a picture; `on` is {picture(url, isFinal), failed(reason)}. Returns what `cancel` takes, or null where
  // the picture was at hand.
  want(asset, size, on) {
    const url = address('thumbnails', asset, size);
    const known = this.recent.get(url);
    if (known) {
      this.recent.delete(url);
      this.recent.set(url, known);
      on.picture(known, true);
      return null;
    }
    const wish = { url, on, controller: null };
    this.waiting.push(wish);
    this.pump();
    return wish;
  }

  cancel(wish) {
    if (!wish) return;
    const at = this.waiting.indexOf(wish);
    if (at >= 0) this.waiting.splice(at, 1);
    wish.on = null;
    wish.controller?.abort();
  }

  setPaused(isPaused) {
    this.isPaused = isPaused;
    if (!isPaused) this.pump();
  }

  pump() {
    while (!this.isPaused && this.running.size < atOnce && this.waiting.length > 0) {
      const wish = this.waiting.shift();
      this.running.add(wish);
      this.load(wish).finally(() => {
        this.running.delete(wish);
        this.pump();
        if (this.isIdle) this.idlers.splice(0).forEach((done) => done());
      });
    }
  }

  async load(wish) {
    wish.controller = new AbortController();
    try {
      let response = await this.fetch(`${wish.url}&quick`, wish);
      if (response.headers.get('cameo-degraded')) {
        wish.on?.picture(URL.createObjectURL(await response.blob()), false);
        response = await this.fetch(wish.url, wish);
      }
      const url = URL.createObjectURL(await response.blob());
      this.keep(wish.url, url);
      wish.on?.picture(url, true);
    } catch (error) {
      if (error.name !== 'AbortError') wish.on?.failed(error.message);
    }
  }

  async fetch(url, wish) {
    const response = await fetch(url, { signal: wish.controller.signal, credentials: 'same-origin' });
    if (response.ok) return response;
    let reason = `${response.status}`;
    try { reason = (await response.json()).error ?? reason; } catch { /* The number has to do. */ }
    throw new Error(reason);
  }

  keep(url, object) {
    this.recent.set(url, object);
    if (this.recent.size <= ThumbnailLoader.recentLimit) return;
    const [oldest, object0] = this.recent.entries().next().value;
    this.recent.delete(oldest);
    URL.revokeObjectURL(object0);
  }
}
