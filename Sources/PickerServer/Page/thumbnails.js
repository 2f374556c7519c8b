// Brings thumbnails into cells: in the order of the wishes, a few at once, called off when nobody wants it any more.
import { address, api } from './api.js';

const sizes = [96, 128, 192, 256, 384, 512, 768];
const atOnce = 6;
// Fewer pictures than these are asked for one by one.
const packFrom = 8;

export function sizeFor(pixels) { return sizes.find((size) => size >= pixels) ?? sizes[sizes.length - 1]; }

export class ThumbnailLoader {
  constructor() {
    this.waiting = [];
    this.running = new Set();
    // The screen that is asked for as a whole: {urls, wishes}.
    this.pack = null;
    // Pictures that were shown lately, so that a way back is no way at all.
    this.recent = new Map();
    this.isPaused = false;
    this.idlers = [];
  }

  get isIdle() { return this.running.size === 0 && this.waiting.length === 0 && !this.pack; }

  // Comes when nobody waits for a picture any more.
  idle() {
    return this.isIdle ? Promise.resolve() : new Promise((done) => { this.idlers.push(done); });
  }

  static recentLimit = 400;

  // Asks for a picture; `on` is {picture(url, isFinal), waits(), failed(kind)}, of which `waits` is called as soon as it
  // is known that the picture will take a while, and `failed` with a word for why, or null where the connection is to
  // blame and not the picture. The address of a stand-in holds until what `picture` returns for the
  // picture itself is done. Returns what `cancel` takes, or null where it was at hand.
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
    if (this.pack?.urls.has(url)) {
      this.pack.wishes.push(wish);
      return wish;
    }
    on.waits();
    this.waiting.push(wish);
    this.pump();
    return wish;
  }

  // Asks for many of a list's pictures with one request, of which those in [first, end) are seen: a request for each
  // takes the browser longer than the pictures do. Wishes for them wait for its answer.
  async bring(library, [from, to], [first, end], size) {
    const urls = new Map();
    for (let index = from; index < to; index += 1) {
      const asset = library.at(index);
      const url = asset && !asset.isVideo ? address('thumbnails', asset, size) : null;
      // What is on its way comes with the answer to an earlier request.
      if (url && !this.recent.has(url) && !this.pack?.urls.has(url)) urls.set(url, index);
    }
    if (urls.size < packFrom) return;
    const pack = { urls, wishes: [] };
    this.pack = pack;
    let answer = { places: [], pictures: [] };
    try { answer = await api.thumbnails(library.list, from, to - from, size); } catch { /* One by one, then. */ }
    if (this.pack === pack) this.pack = null;
    const found = new Map(answer.places.map((index, order) => [index, answer.pictures[order]]));
    const isSeen = (wish) => urls.get(wish.url) >= first && urls.get(wish.url) < end;
    await Promise.all(pack.wishes.filter(isSeen).map((wish) => this.unpack(wish, found.get(urls.get(wish.url)))));
    pack.wishes.filter((wish) => !isSeen(wish)).forEach((wish) => this.unpack(wish, found.get(urls.get(wish.url))));
    this.pump();
    this.rest();
  }

  // Gives a wish the picture that came for it; without one it waits like any other.
  unpack(wish, picture) {
    if (!wish.on) return null;
    if (!picture) {
      wish.on.waits();
      this.waiting.push(wish);
      return null;
    }
    return wish.on.picture(this.keep(wish.url, picture), true);
  }

  rest() {
    if (this.isIdle) this.idlers.splice(0).forEach((done) => done());
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
        this.rest();
      });
    }
  }

  async load(wish) {
    wish.controller = new AbortController();
    let standIn = null;
    let shown = null;
    try {
      let response = await this.fetch(`${wish.url}&quick`, wish);
      if (response.headers.get('cameo-degraded')) {
        standIn = URL.createObjectURL(await response.blob());
        wish.on?.picture(standIn, false);
        response = await this.fetch(wish.url, wish);
      }
      shown = wish.on?.picture(this.keep(wish.url, URL.createObjectURL(await response.blob())), true);
    } catch (error) {
      if (error.name !== 'AbortError') wish.on?.failed(error.kind ?? null);
    }
    // A place is free for the next wish meanwhile.
    if (standIn) Promise.resolve(shown).finally(() => URL.revokeObjectURL(standIn));
  }

  async fetch(url, wish) {
    const response = await fetch(url, { signal: wish.controller.signal, credentials: 'same-origin' });
    if (response.ok) return response;
    const isPassing = response.status === 499 || response.status === 503;
    let kind = isPassing ? null : 'other';
    try { kind = (await response.json()).kind ?? kind; } catch { /* An answer without a word for it. */ }
    throw Object.assign(new Error(`${response.status}`), { kind });
  }

  // Keeps a picture, and returns the one to show: of two that came for one wish the first, which somebody may see.
  keep(url, object) {
    const known = this.recent.get(url);
    if (known) URL.revokeObjectURL(object);
    this.recent.delete(url);
    this.recent.set(url, known ?? object);
    if (this.recent.size > ThumbnailLoader.recentLimit) {
      const [oldest, object0] = this.recent.entries().next().value;
      this.recent.delete(oldest);
      URL.revokeObjectURL(object0);
    }
    return known ?? object;
  }
}
