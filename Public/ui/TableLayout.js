import { IndexPath } from "./IndexPath.js";
import { RowHeights } from "./RowHeights.js";
import { Sums } from "./Sums.js";

/** Where the sections and rows of a table are; no element in here. */
export class TableLayout {
  /** @type {{header: number, rows: RowHeights}[]} `changed` is to be called when they are others */
  sections = [];
  /** The heights of sections, and the numbers of their lines. @type {?{heights, lines}} */
  #known = null;

  /** @param {number} estimate of a row's height */
  constructor(estimate) {
    this.estimate = estimate;
  }

  /** Where a section with so many rows has yet to be placed. */
  section(count, header) {
    return { header, rows: new RowHeights(count, this.estimate) };
  }

  /** The sections, or their rows, are others now. */
  changed() { this.#known = null; }
  /** Rows of a section have other heights now. */
  resized(section) { this.#known?.heights.set(section, heightOf(this.sections[section])); }

  get height() { return this.#sums.heights.before(this.sections.length); }
  /** The number of rows and headers. */
  get lineCount() { return this.#sums.lines.before(this.sections.length); }
  get isEmpty() { return this.sections.every(({ rows }) => rows.count === 0); }

  /** @param {IndexPath} path */
  has({ section, row }) { return row >= 0 && row < this.sections[section]?.rows.count; }

  top(section) { return this.#sums.heights.before(section); }
  bottom(section) { return this.#sums.heights.before(section + 1); }

  /** @param {IndexPath} path */
  rowTop({ section, row }) {
    const { header, rows } = this.sections[section];
    return this.top(section) + header + rows.top(row);
  }

  /** The number of a section's header, or else of its first row, among all of them, from 1. */
  firstLine(section) { return this.#sums.lines.before(section) + 1; }
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
    return Math.max(Math.min(this.#sums.heights.count(y), this.sections.length - 1), 0);
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

  get #sums() {
    return this.#known ??= {
      heights: new Sums(this.sections.map(heightOf)),
      lines: new Sums(this.sections.map(({ header, rows }) => rows.count + (header > 0 ? 1 : 0))),
    };
  }
}

function heightOf({ header, rows }) { return header + rows.sum; }
