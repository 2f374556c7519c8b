// The list on show: how many assets in which moments, and those of them that have come so far.
import { api } from './api.js';

const chunk = 1000;

export class Library {
  constructor() {
    this.empty();
    this.onRows = () => {};
    this.onOutdated = () => {};
  }

  empty() {
    this.list = null;
    this.count = 0;
    this.counts = [];
    this.days = [];
    this.places = [];
    this.rows = [];
    this.indexes = new Map();
    this.asked = new Set();
  }

  // Takes a list as the server tells it, with its first assets.
  take(message) {
    this.empty();
    Object.assign(this, {
      list: message.list, count: message.count, counts: message.counts, days: message.days, places: message.places,
      album: message.album, type: message.type ?? null,
    });
    this.rows = new Array(message.count);
    this.add(message.assets);
  }

  add(assets) {
    for (let at = 0; at < assets.ids.length; at += 1) {
      const index = assets.from + at;
      if (this.rows[index]) continue;
      this.rows[index] = {
        index,
        id: assets.ids[at],
        version: assets.versions[at],
        date: assets.dates[at],
        isVideo: assets.isVideo[at] === 1,
        subtypes: assets.subtypes[at],
        width: assets.widths[at],
        height: assets.heights[at],
        name: assets.names[at],
        hash: assets.hashes[at],
      };
      this.indexes.set(assets.ids[at], index);
    }
  }

  // Notes where an asset is that has not come yet.
  note(id, index) { this.indexes.set(id, index); }

  at(index) { return this.rows[index] ?? null; }
  indexOf(id) { return this.indexes.get(id) ?? null; }

  // Asks for what is missing of [first, end).
  need(first, end) {
    for (let start = Math.floor(first / chunk) * chunk; start < end; start += chunk) {
      if (this.lacks(Math.max(first, start), Math.min(end, start + chunk))) this.needChunk(start);
    }
  }

  lacks(first, end) {
    for (let index = first; index < Math.min(end, this.count); index += 1) if (!this.rows[index]) return true;
    return false;
  }

  async needChunk(start) {
    if (this.asked.has(start) || start < 0 || start >= this.count) return;
    const { list, asked } = this;
    asked.add(start);
    if (!this.lacks(start, start + chunk)) return;
    try {
      const assets = await api.assets(list, start);
      if (list !== this.list) return;
      this.add(assets);
      this.onRows(start, start + assets.ids.length);
    } catch (error) {
      asked.delete(start);
      if (error.status === 410 && list === this.list) this.onOutdated();
    }
  }

  // Brings everything in, a part after the other, each once `isFree` says that there is nothing better to do.
  async fill(isFree) {
    const { list } = this;
    for (let start = 0; start < this.count && list === this.list; start += chunk) {
      await isFree();
      await this.needChunk(start);
      await new Promise((done) => { (window.requestIdleCallback ?? setTimeout)(done); });
    }
  }
}

const subtypeNames = [[1, 'live'], [2, 'panorama'], [4, 'screenshot'], [8, 'animated'], [16, 'raw']];

// The one word that says best what an asset is.
export function kindOf(asset) {
  if (asset.isVideo) return 'video';
  return subtypeNames.find(([bit]) => asset.subtypes & bit)?.[1] ?? 'photo';
}
