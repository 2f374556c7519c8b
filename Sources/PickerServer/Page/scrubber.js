// A bar of dates along the grid: drag it, or use the arrow keys, to go to another time.
import { monthTitle, strings } from './strings.js';

export class Scrubber {
  constructor(root, grid, library) {
    this.root = root;
    this.grid = grid;
    this.library = library;
    this.thumb = root.querySelector('.thumb');
    this.bubble = root.querySelector('.bubble');
    this.years = root.querySelector('.years');
    // Where the keys led to, {section, offset}: several moments at the end share one offset.
    this.chosen = null;
    root.setAttribute('aria-label', strings.scrubber);
    root.setAttribute('aria-valuemin', '1');
    root.addEventListener('pointerdown', (event) => {
      root.setPointerCapture(event.pointerId);
      root.classList.add('held');
      this.drag(event);
    });
    root.addEventListener('pointermove', (event) => { if (root.classList.contains('held')) this.drag(event); });
    for (const name of ['pointerup', 'pointercancel']) {
      root.addEventListener(name, () => root.classList.remove('held'));
    }
    root.addEventListener('keydown', (event) => this.key(event));
  }

  get furthest() { return this.grid.layout.maximumOffset(this.grid.height); }

  drag(event) {
    const box = this.root.getBoundingClientRect();
    const share = (event.clientY - box.top - 20) / Math.max(1, box.height - 40);
    this.grid.root.scrollTop = Math.min(Math.max(share, 0), 1) * this.furthest;
  }

  key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    const last = this.library.counts.length - 1;
    let section = this.section;
    if (step) section = Math.min(Math.max(section + step, 0), last);
    else if (event.key === 'Home') section = 0;
    else if (event.key === 'End') section = last;
    else return;
    event.preventDefault();
    this.grid.root.scrollTop = this.grid.layout.sectionFrame(section).y;
    this.chosen = { section, offset: this.grid.offset };
    this.follow();
  }

  get section() {
    if (this.chosen?.offset === this.grid.offset) return this.chosen.section;
    const at = this.grid.layout.sectionAt(this.grid.offset + 1);
    return this.grid.offset > 0 && this.grid.offset >= this.furthest - 1 ? this.library.counts.length - 1 : at ?? 0;
  }

  // Places the years once for a layout.
  arrange() {
    const { layout } = this.grid;
    [this.chosen, this.shown] = [null, null];
    this.root.hidden = layout.isCollapsed || layout.contentHeight < this.grid.height * 1.5;
    this.root.setAttribute('aria-valuemax', String(Math.max(1, this.library.counts.length)));
    const room = this.root.clientHeight - 40;
    let [year, bottom] = ['', -Infinity];
    const marks = [];
    for (const band of layout.bands) {
      const its = this.library.days[band.section].slice(0, 4);
      const top = 20 + Math.min(1, layout.points(band.top) / Math.max(1, this.furthest)) * room;
      if (its === year) continue;
      year = its;
      if (top - bottom < 22) continue;
      bottom = top;
      const mark = document.createElement('span');
      mark.textContent = its;
      mark.style.transform = `translateY(${top}px)`;
      marks.push(mark);
    }
    this.years.replaceChildren(...marks);
    this.follow();
  }

  // The grid was scrolled.
  follow() {
    if (this.root.hidden || this.library.count === 0) return;
    const share = this.furthest > 0 ? this.grid.offset / this.furthest : 0;
    const room = this.grid.height - 40;
    this.thumb.style.transform = `translateY(${20 + Math.min(1, share) * room}px)`;
    const { section } = this;
    if (section === this.shown) return;
    this.shown = section;
    const title = monthTitle(this.library.days[section]);
    this.bubble.textContent = title;
    this.root.setAttribute('aria-valuenow', String(section + 1));
    this.root.setAttribute('aria-valuetext', title);
  }
}
