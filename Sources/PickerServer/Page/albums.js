// The list of albums: beside the grid where there is room, over it where there is not.
import { api, address } from './api.js';
import { smallPicture } from './dom.js';
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
    const { albums, types } = await api.albums();
    this.albums = albums;
    this.types = types;
    this.show();
  }

  show() {
    const focused = this.list.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const groups = [[strings.library, true], [strings.folders, false]];
    this.list.replaceChildren(...groups.flatMap(([title, isSmart]) => {
      const albums = this.albums.filter((album) => album.isSmart === isSmart);
      if (albums.length === 0) return [];
      const heading = document.createElement('h2');
      heading.textContent = title;
      const list = document.createElement('ul');
      list.append(...albums.map((album) => this.item(album)));
      return [heading, list];
    }));
    if (focused) this.list.querySelector(`[data-key="${focused}"]`)?.focus();
  }

  item(album) {
    const item = document.createElement('li');
    const button = document.createElement('button');
    button.dataset.key = album.key;
    if (album.key === this.current) button.setAttribute('aria-current', 'true');
    const picture = document.createElement('span');
    picture.className = 'key';
    const key = { id: album.keyAsset, version: album.keyVersion };
    if (key.id) {
      picture.append(smallPicture(
        album.isKeyVideo ? null : address('thumbnails', key, sizeFor(40 * (devicePixelRatio || 1)))));
    }
    const title = document.createElement('span');
    title.className = 'name';
    title.textContent = albumTitle(album);
    const count = document.createElement('span');
    count.className = 'number';
    count.textContent = grouped(album.count);
    button.append(picture, title, count);
    button.addEventListener('click', () => {
      this.close(true);
      this.onChoose(album.key);
    });
    item.append(button);
    return item;
  }

  choose(key) {
    this.current = key;
    for (const button of this.list.querySelectorAll('button')) {
      if (button.dataset.key === key) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
    }
  }
}
