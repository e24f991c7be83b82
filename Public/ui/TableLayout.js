import { IndexPath } from "./IndexPath.js";
import { RowHeights } from "./RowHeights.js";

/** Where the sections and rows of a table are; no element in here. */
export class TableLayout {
  /** @type {{header: number, rows: RowHeights}[]} to be changed between `begin` and `changed` */
  sections = [];
  #starts = null;

  /** @param {number} estimate of a row's height */
  constructor(estimate) {
    this.estimate = estimate;
  }

  /** Where a section with so many rows has yet to be placed. */
  section(count, header) {
    return { header, rows: new RowHeights(count, this.estimate) };
  }

  /** The sections or heights are others now. */
  changed() { this.#starts = null; }

  get height() { return this.#places.height; }
  /** The number of rows and headers. */
  get lineCount() { return this.#places.lines; }
  get isEmpty() { return this.sections.every(({ rows }) => rows.count === 0); }

  top(section) { return this.#places.starts[section].top; }
  bottom(section) {
    const { header, rows } = this.sections[section];
    return this.top(section) + header + rows.sum;
  }

  /** @param {IndexPath} path */
  rowTop({ section, row }) {
    const { header, rows } = this.sections[section];
    return this.top(section) + header + rows.top(row);
  }

  /** The number of a section's header, or else of its first row, among all of them, from 1. */
  firstLine(section) { return this.#places.starts[section].lines + 1; }
  /** That of a row. */
  line({ section, row }) {
    return this.firstLine(section) + (this.sections[section].header > 0 ? 1 : 0) + row;
  }

  /** The row at a height, or the nearest after it, or the last; null where there is none. */
  path(y) {
    let section = this.sectionIndex(y);
    let held = this.sections[section];
    let row = held?.rows.row(y - this.top(section) - held.header);
    while (held?.rows.count === 0) [held, row] = [this.sections[section += 1], 0];
    return held ? new IndexPath(row, section) : this.last;
  }

  /** The number of the section at a height, 0 above the first. */
  sectionIndex(y) {
    const { starts } = this.#places;
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (starts[middle].top <= y) low = middle + 1; else high = middle;
    }
    return Math.max(low - 1, 0);
  }

  get last() {
    const section = this.sections.findLastIndex(({ rows }) => rows.count > 0);
    return section < 0 ? null : new IndexPath(this.sections[section].rows.count - 1, section);
  }

  /** The row a number of rows away, no further than the first or last. */
  moved({ section, row }, by) {
    const step = Math.sign(by);
    for (let left = Math.abs(by); left > 0;) {
      const room = step > 0 ? this.sections[section].rows.count - 1 - row : row;
      const taken = Math.min(room, left);
      row += step * taken;
      left -= taken;
      if (left === 0) break;
      let next = section + step;
      while (this.sections[next]?.rows.count === 0) next += step;
      if (!this.sections[next]) break;
      section = next;
      row = step > 0 ? 0 : this.sections[next].rows.count - 1;
      left -= 1;
    }
    return new IndexPath(row, section);
  }

  get #places() {
    if (this.#starts) return this.#starts;
    let [top, lines] = [0, 0];
    const starts = this.sections.map(({ header, rows }) => {
      const start = { top, lines };
      top += header + rows.sum;
      lines += rows.count + (header > 0 ? 1 : 0);
      return start;
    });
    this.#starts = { starts, height: top, lines };
    return this.#starts;
  }
}
