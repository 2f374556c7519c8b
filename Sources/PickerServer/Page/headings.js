// The grid's sticky headings, one a moment: its day, its place, and a button that picks or drops all of it.
import { dayTitle, placeTitle, strings } from './strings.js';

export class Headings {
  // `pickAll(section)` is called where somebody wants all of a moment, or none of it.
  constructor(root, library, selection, pickAll) {
    this.root = root;
    this.library = library;
    this.selection = selection;
    this.pickAll = pickAll;
    this.layout = null;
    this.elements = new Map();
  }

  drop() {
    for (const element of this.elements.values()) element.remove();
    this.elements.clear();
  }

  // Shows those of the sections that share a height with what is seen, and no others.
  render(layout, offset, height) {
    this.layout = layout;
    const shown = new Set(layout.sectionsIn(offset, offset + height));
    for (const [section, element] of this.elements) {
      if (shown.has(section)) continue;
      element.remove();
      this.elements.delete(section);
    }
    for (const section of shown) {
      if (!this.elements.has(section)) this.elements.set(section, this.make(section));
    }
  }

  // The selection, or what is known of the assets, has changed.
  markAll() {
    for (const [section, element] of this.elements) this.mark(section, element);
  }

  make(section) {
    const { y, height } = this.layout.sectionFrame(section);
    const element = document.createElement('div');
    element.className = 'moment';
    // Not by a transform: what sticks goes by where its section was laid out.
    element.style.top = `${y}px`;
    element.style.height = `${height}px`;
    const bar = document.createElement('div');
    bar.className = 'heading';
    const title = document.createElement('h2');
    title.textContent = dayTitle(this.library.days[section]);
    const place = document.createElement('p');
    place.textContent = placeTitle(this.library.places[section]);
    bar.append(title, place);
    if (this.selection.canPick) {
      const button = document.createElement('button');
      button.className = 'text';
      button.addEventListener('click', () => this.pickAll(section));
      bar.append(button);
    }
    element.append(bar);
    this.mark(section, element);
    const next = [...this.elements.keys()].filter((other) => other > section).sort((a, b) => a - b)[0];
    this.root.insertBefore(element, this.elements.get(next) ?? null);
    return element;
  }

  // Whether all of a moment is picked can be told once all of it has come.
  mark(section, element) {
    const button = element.querySelector('button');
    if (!button) return;
    const first = this.layout.firstIndex(section);
    let isAll = true;
    for (let index = first; index < first + this.library.counts[section] && isAll; index += 1) {
      const asset = this.library.at(index);
      isAll = asset !== null && this.selection.orderOf(asset.id) !== null;
    }
    const day = dayTitle(this.library.days[section]);
    button.textContent = isAll ? strings.dropAll : strings.pickAll;
    button.setAttribute('aria-label', isAll ? `${strings.dropAll}: ${day}` : strings.pickMoment(day));
  }
}
