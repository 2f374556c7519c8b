// The grid's sticky headings, one a moment: its day, its place, and a button that picks or drops all of it.
import { element, setChildren } from './dom.js';
import { dayTitle, placeTitle, strings } from './strings.js';

export class Headings {
  // `pickAll(section, action)` is called where somebody wants all of a moment, or none of it.
  constructor(root, library, selection, pickAll) {
    this.root = root;
    this.library = library;
    this.selection = selection;
    this.pickAll = pickAll;
    this.layout = null;
    this.elements = new Map();
    // Where the focus was, if it went with its heading.
    this.left = null;
  }

  // What tells a moment from the others, whatever list it is in.
  key(section) { return JSON.stringify([this.library.days[section], this.library.places[section]]); }

  // The list is another: keeps the headings of moments that it still has.
  regroup() {
    const sections = new Map();
    for (let section = this.library.days.length - 1; section >= 0; section -= 1) sections.set(this.key(section), section);
    const old = [...this.elements];
    this.elements = new Map();
    for (const [section, heading] of old) {
      const now = sections.get(heading.key);
      if (now === undefined || this.elements.has(now)) {
        if (heading.contains(document.activeElement)) this.left = section;
        heading.remove();
      } else {
        heading.section = now;
        this.elements.set(now, heading);
      }
    }
  }

  // Shows those of the sections that share a height with what is seen, and no others.
  render(layout, offset, height) {
    const isNew = layout !== this.layout;
    this.layout = layout;
    const shown = layout.sectionsIn(offset, offset + height);
    const old = this.elements;
    this.elements = new Map(shown.map((section) => [section, old.get(section) ?? this.make(section)]));
    for (const [section, heading] of this.elements) if (isNew || !old.has(section)) this.place(section, heading);
    setChildren(this.root, [...this.elements.values()]);
    if (this.left === null) return;
    const nearest = [...shown].sort((a, b) => Math.abs(a - this.left) - Math.abs(b - this.left))[0];
    this.left = null;
    this.elements.get(nearest)?.querySelector('button')?.focus({ preventScroll: true });
  }

  // The selection, or what is known of the assets, has changed.
  markAll() {
    for (const [section, heading] of this.elements) this.mark(section, heading);
  }

  make(section) {
    const bar = element('div', 'heading', {}, element('h2', '', {}, dayTitle(this.library.days[section])),
      element('p', '', {}, placeTitle(this.library.places[section])));
    const heading = element('div', 'moment', { section, key: this.key(section) }, bar);
    if (this.selection.canPick) {
      // What it does is what it says.
      bar.append(element('button', 'text', { onclick: (event) => this.pickAll(heading.section, event.target.value) }));
    }
    return heading;
  }

  // Not by a transform: what sticks goes by where its section was laid out.
  place(section, heading) {
    const { y, height } = this.layout.sectionFrame(section);
    heading.style.top = `${y}px`;
    heading.style.height = `${height}px`;
    this.mark(section, heading);
  }

  // Whether all of a moment is picked can be told once all of it has come.
  mark(section, heading) {
    const button = heading.querySelector('button');
    if (!button) return;
    const first = this.layout.firstIndex(section);
    let isAll = true;
    for (let index = first; index < first + this.library.counts[section] && isAll; index += 1) {
      const asset = this.library.at(index);
      isAll = asset !== null && this.selection.orderOf(asset.id) !== null;
    }
    const day = dayTitle(this.library.days[section]);
    button.value = isAll ? 'drop' : 'pick';
    button.textContent = isAll ? strings.dropAll : strings.pickAll;
    button.setAttribute('aria-label', isAll ? `${strings.dropAll}: ${day}` : strings.pickMoment(day));
  }
}
