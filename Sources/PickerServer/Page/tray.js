// What is picked, in order, and the way out.
import { address } from './api.js';
import { smallPicture } from './dom.js';
import { strings } from './strings.js';
import { sizeFor } from './thumbnails.js';

const shownLimit = 60;

export class Tray {
  // `on`: {finish(), cancel(), show(id), leave()}; the last where nothing in it can have the focus it had.
  constructor(root, selection, on) {
    this.root = root;
    this.selection = selection;
    this.on = on;
    this.picks = root.querySelector('.picks');
    this.count = root.querySelector('.count');
    this.finish = root.querySelector('#finish');
    root.querySelector('#cancel').textContent = strings.cancel;
    root.querySelector('#cancel').addEventListener('click', () => on.cancel());
    this.finish.addEventListener('click', () => on.finish());
    this.picks.setAttribute('aria-label', strings.selection);
    this.items = new Map();
  }

  show() {
    const { selection } = this;
    this.root.hidden = !selection.canPick;
    this.root.classList.toggle('round', selection.mask === 'circle');
    const { count, limit, minimum, cannotFinish } = selection;
    this.count.textContent = count === 0 ? strings.pickedNone(limit)
      : cannotFinish?.reason === 'tooFew' ? strings.atLeast(minimum) : strings.picked(count, limit);
    this.finish.textContent = strings.choose(count);
    // What is disabled, or taken out, has no keys any more.
    if (cannotFinish !== null && this.finish === document.activeElement) this.on.leave();
    this.finish.disabled = cannotFinish !== null;
    const focused = this.picks.contains(document.activeElement) ? document.activeElement : null;
    const wanted = selection.ids.slice(0, shownLimit);
    for (const [id, item] of this.items) {
      if (wanted.includes(id)) continue;
      if (item.contains(document.activeElement)) {
        const next = item.nextElementSibling ?? item.previousElementSibling;
        if (next) next.firstElementChild.focus(); else this.on.leave();
      }
      item.remove();
      this.items.delete(id);
    }
    wanted.forEach((id, order) => {
      const item = this.items.get(id) ?? this.item(id);
      this.items.set(id, item);
      this.picture(item, { id, version: selection.versions[order] }, selection.isVideo[order] === 1);
      if (this.picks.children[order] !== item) this.picks.insertBefore(item, this.picks.children[order] ?? null);
      const button = item.firstElementChild;
      const isEdited = selection.isEdited(id);
      const place = isEdited ? `${strings.place(order + 1, count)}, ${strings.cropped}` : strings.place(order + 1, count);
      button.setAttribute('aria-label', `${place}. ${strings.moveHint}`);
      item.classList.toggle('edited', isEdited);
    });
    // Who is moved keeps the focus.
    if (focused?.isConnected) focused.focus();
    this.picks.dataset.more = count > shownLimit ? `+${count - shownLimit}` : '';
  }

  // Shows a pick as it is now: its file may be another than when it was picked.
  picture(item, asset, isVideo) {
    if (item.version === asset.version) return;
    item.version = asset.version;
    const source = isVideo ? null : address('thumbnails', asset, sizeFor(44 * (devicePixelRatio || 1)));
    item.firstElementChild.replaceChildren(smallPicture(source));
  }

  item(id) {
    const item = document.createElement('div');
    item.setAttribute('role', 'listitem');
    item.className = 'pick';
    const button = document.createElement('button');
    button.addEventListener('click', () => this.on.show(id));
    button.addEventListener('keydown', (event) => this.key(event, id));
    item.append(button);
    this.makeDraggable(item, id);
    return item;
  }

  key(event, id) {
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      this.selection.drop(id);
    } else if (event.altKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
      event.preventDefault();
      if (this.selection.isOrdered) this.selection.move(id, event.key === 'ArrowLeft' ? -1 : 1);
    } else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      const item = this.items.get(id);
      const next = event.key === 'ArrowLeft' ? item.previousElementSibling : item.nextElementSibling;
      next?.firstElementChild.focus();
    }
  }

  makeDraggable(item, id) {
    if (!this.selection.isOrdered) return;
    item.draggable = true;
    item.addEventListener('dragstart', (event) => {
      this.dragged = id;
      event.dataTransfer.effectAllowed = 'move';
      event.dataTransfer.setData('text/plain', id);
    });
    item.addEventListener('dragover', (event) => { if (this.dragged) event.preventDefault(); });
    item.addEventListener('drop', (event) => {
      event.preventDefault();
      if (this.dragged) this.selection.moveToPlaceOf(this.dragged, id);
      this.dragged = null;
    });
  }
}
