// The list of albums: beside the grid where there is room, over it where there is not.
import { api, address } from './api.js';
import { element, setChildren, smallPicture } from './dom.js';
import { grouped } from './dates.js';
import { strings } from './strings.js';
import { sizeFor } from './thumbnails.js';

export function albumTitle(album) {
  return album.isSmart ? strings.smart[Number(album.key.split('-')[1])] : album.title;
}

export class Albums {
  constructor(root, onChoose) {
    this.root = root;
    this.onChoose = onChoose;
    this.list = root.querySelector('.albums');
    this.veil = document.querySelector('#veil');
    this.menu = document.querySelector('#menu');
    this.groups = [[strings.library, true], [strings.folders, false]].map(([title, isSmart]) => (
      { isSmart, heading: element('h2', '', {}, title), list: element('ul', '') }));
    this.items = new Map();
    this.asked = 0;
    this.albums = [];
    this.types = {};
    this.current = 'smart-0';
    this.narrow = matchMedia('(max-width: 859px)');
    this.narrow.addEventListener('change', () => this.close());
    this.menu.addEventListener('click', () => this.open());
    this.veil.addEventListener('click', () => this.close(true));
    root.querySelector('[data-close]').addEventListener('click', () => this.close(true));
    root.addEventListener('keydown', (event) => { if (event.key === 'Escape') this.close(true); });
    root.addEventListener('focusout', (event) => {
      if (this.isOpen && event.relatedTarget && !root.contains(event.relatedTarget)) this.close();
    });
    this.close();
  }

  get isOpen() { return this.root.classList.contains('open'); }
  title(key) {
    const album = this.albums.find((one) => one.key === key);
    return album ? albumTitle(album) : strings.smart[0];
  }

  open() {
    this.root.classList.add('open');
    this.root.inert = false;
    this.veil.hidden = false;
    this.menu.setAttribute('aria-expanded', 'true');
    (this.list.querySelector('[aria-current]') ?? this.list.querySelector('button'))?.focus();
  }

  close(returnsFocus = false) {
    const wasOpen = this.isOpen;
    this.root.classList.remove('open');
    this.root.inert = this.narrow.matches;
    this.veil.hidden = true;
    this.menu.setAttribute('aria-expanded', 'false');
    if (wasOpen && returnsFocus) this.menu.focus();
  }

  async refresh() {
    this.asked += 1;
    const { asked } = this;
    const { albums, types } = await api.albums();
    // An answer that a later one has overtaken.
    if (asked !== this.asked) return;
    this.albums = albums;
    this.types = types;
    this.show();
  }

  show() {
    const focused = this.list.contains(document.activeElement) ? document.activeElement : null;
    const old = this.items;
    this.items = new Map();
    for (const album of this.albums) {
      const item = old.get(album.key) ?? this.item(album.key);
      this.fill(item, album);
      this.items.set(album.key, item);
    }
    const groups = this.groups.filter(({ isSmart }) => this.albums.some((album) => album.isSmart === isSmart));
    for (const { isSmart, list } of groups) {
      setChildren(list, this.albums.filter((album) => album.isSmart === isSmart).map(({ key }) => this.items.get(key).root));
    }
    setChildren(this.list, groups.flatMap(({ heading, list }) => [heading, list]));
    if (focused?.isConnected) focused.focus();
  }

  item(key) {
    const [picture, title, count] = ['key', 'name', 'number'].map((name) => element('span', name));
    const onclick = () => {
      this.close(true);
      this.onChoose(key);
    };
    const button = element('button', '', { onclick }, picture, title, count);
    button.dataset.key = key;
    if (key === this.current) button.setAttribute('aria-current', 'true');
    return { root: element('li', '', {}, button), picture, title, count, shown: null };
  }

  fill(item, album) {
    item.title.textContent = albumTitle(album);
    item.count.textContent = grouped(album.count);
    const key = { id: album.keyAsset, version: album.keyVersion };
    const shown = !key.id ? null : album.isKeyVideo ? 'video' : address('thumbnails', key, sizeFor(40 * (devicePixelRatio || 1)));
    if (shown === item.shown) return;
    item.shown = shown;
    item.picture.replaceChildren(...(shown ? [smallPicture(album.isKeyVideo ? null : shown)] : []));
  }

  choose(key) {
    this.current = key;
    for (const button of this.list.querySelectorAll('button')) {
      if (button.dataset.key === key) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
    }
  }
}
