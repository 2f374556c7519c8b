// Where cells lie: mirrors GridLayout of Sources/Cameo/Picking, and is tested against it. Lengths are points, but for
// those that are called pixels.

const round = (value) => Math.floor(value + 0.5);

export class GridLayout {
  // metrics: {width, minimumCell or columns, spacing, headerHeight, scale}; sections: numbers of cells.
  constructor(metrics, sections) {
    this.metrics = metrics;
    this.sections = sections;
    const pixels = (points) => round(points * metrics.scale);
    const width = Math.floor(metrics.width * metrics.scale);
    const gap = pixels(metrics.spacing);
    const wanted = metrics.columns
      ?? Math.max(1, Math.floor((width + gap) / (Math.max(1, Math.ceil(metrics.minimumCell * metrics.scale)) + gap)));
    this.side = Math.max(0, Math.trunc((width - (wanted - 1) * gap) / wanted));
    this.columns = this.side === 0 ? 0 : wanted;
    this.spacing = gap;
    this.header = pixels(metrics.headerHeight);
    this.margin = this.side === 0 ? 0 : Math.trunc((width - wanted * this.side - (wanted - 1) * gap) / 2);
    this.bands = [];
    this.bandOfSection = [];
    let first = 0;
    let bottom = 0;
    sections.forEach((count, section) => {
      this.bandOfSection.push(this.bands.length);
      if (count === 0) return;
      const top = this.bands.length === 0 ? 0 : bottom + gap;
      this.bands.push({ section, first, count, top });
      first += count;
      bottom = top + this.header + (Math.floor((count - 1) / wanted) + 1) * (this.side + gap) - gap;
      this.bands[this.bands.length - 1].bottom = bottom;
    });
    this.count = first;
    this.height = this.side === 0 ? 0 : bottom;
  }

  get isCollapsed() { return this.side === 0; }
  get contentHeight() { return this.points(this.height); }
  points(pixels) { return pixels / this.metrics.scale; }

  // The last band that comes before something, by a test that holds for a first part of them.
  band(isBefore) {
    let low = 0;
    let high = this.bands.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (isBefore(this.bands[middle])) low = middle; else high = middle;
    }
    return low;
  }

  // The frame of a cell in the content; null out of range.
  frame(index) {
    if (!(index >= 0 && index < this.count) || this.isCollapsed) return null;
    const band = this.bands[this.band((b) => b.first <= index)];
    const row = Math.floor((index - band.first) / this.columns);
    const column = (index - band.first) % this.columns;
    const side = this.points(this.side);
    return {
      x: this.points(this.margin + column * (this.side + this.spacing)),
      y: this.points(band.top + this.header + row * (this.side + this.spacing)),
      width: side,
      height: side,
    };
  }

  // {section, item} of a cell.
  position(index) {
    if (!(index >= 0 && index < this.count)) return null;
    const band = this.bands[this.band((b) => b.first <= index)];
    return { section: band.section, item: index - band.first };
  }

  firstIndex(section) { return this.bands[this.bandOfSection[section]].first; }

  // The extent of a section, its header included.
  sectionFrame(section) {
    const band = this.bands[this.bandOfSection[section]];
    return { y: this.points(band.top), height: this.points(band.bottom - band.top) };
  }

  // The bands from `top` to `bottom`, with the rows of each that lie there.
  rows(top, bottom) {
    const [low, high] = [top * this.metrics.scale, bottom * this.metrics.scale];
    if (this.isCollapsed || this.count === 0 || !(high > low)) return [];
    const found = [];
    for (let at = this.band((b) => b.top <= low); at < this.bands.length && this.bands[at].top < high; at += 1) {
      const band = this.bands[at];
      const origin = band.top + this.header;
      const pitch = this.side + this.spacing;
      const count = Math.floor((band.count - 1) / this.columns) + 1;
      const first = Math.min(Math.max(Math.floor((low - (origin + this.side)) / pitch) + 1, 0), count);
      const end = Math.max(first, Math.min(Math.max(Math.ceil((high - origin) / pitch), 0), count));
      found.push({ band, first, end });
    }
    return found;
  }

  // The cells of all rows that share a height with the content from `top` to `bottom`: [first, end).
  range(top, bottom) {
    let range = null;
    for (const { band, first, end } of this.rows(top, bottom)) {
      if (first === end) continue;
      range = [range?.[0] ?? band.first + first * this.columns, band.first + Math.min(band.count, end * this.columns)];
    }
    return range ?? [0, 0];
  }

  // The sections that share a height with the content from `top` to `bottom`.
  sectionsIn(top, bottom) {
    return this.rows(top, bottom).map(({ band }) => band).filter((b) => b.bottom > top * this.metrics.scale)
      .map((b) => b.section);
  }

  sectionAt(y) {
    if (this.bands.length === 0) return null;
    return this.bands[this.band((b) => this.points(b.top) <= y)].section;
  }

  maximumOffset(viewportHeight) { return Math.max(0, this.contentHeight - viewportHeight); }

  clamped(offset, viewportHeight) { return Math.min(Math.max(0, offset), this.maximumOffset(viewportHeight)); }

  // The offset at which a cell is seen: the same where all of it is, else with the cell in the middle.
  offsetRevealing(index, offset, viewportHeight) {
    const cell = this.frame(index);
    if (!cell) return offset;
    if (cell.y >= offset - 1e-6 && cell.y + cell.height <= offset + viewportHeight + 1e-6) return offset;
    return this.clamped(cell.y + cell.height / 2 - viewportHeight / 2, viewportHeight);
  }

  // What a viewport should go on showing when the layout changes: {kind: top | end | cell, index, share}.
  anchor(offset, viewportHeight) {
    if (this.isCollapsed || this.count === 0 || offset <= 0) return { kind: 'top' };
    if (offset >= this.maximumOffset(viewportHeight)) return { kind: 'end' };
    const middle = offset + viewportHeight / 2;
    const [first, end] = this.range(offset, offset + viewportHeight);
    const index = first === end
      ? this.bands[this.band((b) => this.points(b.top) <= middle)].first : this.nearest(middle, first, end);
    const cell = this.frame(index);
    if (!cell || !(viewportHeight > 0)) return { kind: 'top' };
    return { kind: 'cell', index, share: (cell.y + cell.height / 2 - offset) / viewportHeight };
  }

  offsetKeeping(anchor, viewportHeight) {
    if (anchor.kind === 'top') return 0;
    if (anchor.kind === 'end') return this.maximumOffset(viewportHeight);
    const cell = this.frame(anchor.index);
    return cell ? this.clamped(cell.y + cell.height / 2 - anchor.share * viewportHeight, viewportHeight) : 0;
  }

  // The cell in the middle column of the row nearest to `y`, of those from `first` to before `end`.
  nearest(y, first, end) {
    const centre = (index) => { const cell = this.frame(index); return cell.y + cell.height / 2; };
    let [low, high] = [first, end];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (centre(middle) < y) low = middle + 1; else high = middle;
    }
    let best = null;
    for (const index of [low, low - 1]) {
      if (index < first || index >= end) continue;
      if (best === null || Math.abs(centre(index) - y) < Math.abs(centre(best) - y)) best = index;
    }
    const place = this.position(best);
    const inRow = place.item % this.columns;
    return best - inRow
      + Math.min(Math.trunc(this.columns / 2), this.sections[place.section] - 1 - (place.item - inRow));
  }

  // The next cell for an arrow key; stays where there is none.
  neighbour(index, key) {
    const { section, item } = this.position(index);
    const column = item % this.columns;
    if (key === 'ArrowLeft') return Math.max(0, index - 1);
    if (key === 'ArrowRight') return Math.min(this.count - 1, index + 1);
    const at = this.bandOfSection[section];
    if (key === 'ArrowDown') {
      const last = this.sections[section] - 1;
      if (item + this.columns <= last) return index + this.columns;
      if (Math.floor(item / this.columns) < Math.floor(last / this.columns)) return index - item + last;
      const next = this.bands[at + 1];
      return next ? next.first + Math.min(column, next.count - 1) : index;
    }
    if (item >= this.columns) return index - this.columns;
    const before = this.bands[at - 1];
    if (!before) return index;
    const start = Math.floor((before.count - 1) / this.columns) * this.columns;
    return before.first + Math.min(before.count - 1, start + column);
  }

  // The two ends of a picture's way between its cell and the detail view: {cell, pictureInCell, pictureInDetail}.
  zoomTransition(index, picture, offset, viewport) {
    const frame = this.frame(index);
    if (!frame || !(picture.width > 0 && picture.height > 0)) return null;
    const cell = { ...frame, y: frame.y - offset };
    const aspect = picture.width / picture.height;
    const middle = { x: cell.x + cell.width / 2, y: cell.y + cell.height / 2 };
    const covering = cell.width > cell.height * aspect
      ? { width: cell.width, height: cell.width / aspect } : { width: cell.height * aspect, height: cell.height };
    return {
      cell,
      pictureInCell: around(middle, covering),
      pictureInDetail: around({ x: viewport.width / 2, y: viewport.height / 2 }, inscribed(viewport, aspect)),
    };
  }
}

export function around(centre, size) {
  return { x: centre.x - size.width / 2, y: centre.y - size.height / 2, width: size.width, height: size.height };
}

// The largest size of an aspect inside another.
export function inscribed({ width, height }, aspect) {
  return width > height * aspect ? { width: height * aspect, height } : { width, height: width / aspect };
}
