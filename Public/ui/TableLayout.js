/** The place of a row: its section, and its number there. Tables take any object with these two. */
export class IndexPath {
  /** @param {number} row @param {number} section */
  constructor(row, section = 0) {
    this.row = row;
    this.section = section;
  }

  /** @param {{row: number, section?: number}} path @returns {IndexPath} */
  static from(path) {
    return path instanceof IndexPath ? path : new IndexPath(path.row, path.section);
  }

  /** @param {?IndexPath} other */
  isEqual(other) {
    return this.compare(other) === 0;
  }

  /** Negative when this comes first, positive when the other does, zero when they are the same. */
  compare(other) {
    return other ? this.section - other.section || this.row - other.row : NaN;
  }

  toString() {
    return `row ${this.row} of section ${this.section}`;
  }
}

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

/** How many rows a run of known heights has at first, and at most. */
const [fewest, most] = [64, 256];

/** The heights of a section's rows, in runs: a change costs the same however many there are. */
export class RowHeights {
  #estimate;
  /** Runs of rows, with their known heights; without those, as many rows of the estimate. */
  #runs;
  sum;

  /** @param {number} count @param {number} estimate in pixels */
  constructor(count, estimate) {
    this.#estimate = estimate;
    this.count = count;
    this.sum = count * estimate;
    this.#runs = [{ count, sum: this.sum, heights: null }];
  }

  height(row) {
    const { run, rest } = this.#find(row);
    return run.heights?.[rest] ?? this.#estimate;
  }

  /** Where a row begins; that of the row after the last is the sum. */
  top(row) {
    const { run, rest, top } = this.#find(row);
    if (!run.heights) return top + rest * this.#estimate;
    return run.heights.slice(0, rest).reduce((sum, height) => sum + height, top);
  }

  /** The row at a height, the first or last if it is beyond. */
  row(y) {
    let [index, row, top] = [0, 0, 0];
    while (index < this.#runs.length - 1 && top + this.#runs[index].sum <= y) {
      row += this.#runs[index].count;
      top += this.#runs[index++].sum;
    }
    const run = this.#runs[index];
    let rest = run.heights ? 0 : Math.floor((y - top) / this.#estimate);
    while (run.heights && rest < run.count && top + run.heights[rest] <= y) {
      top += run.heights[rest++];
    }
    return Math.max(0, Math.min(row + rest, this.count - 1));
  }

  set(row, height) {
    let { run, rest, index } = this.#find(row);
    if ((run.heights?.[rest] ?? this.#estimate) === height) return;
    if (!run.heights) {
      const start = rest - rest % fewest;
      const parts = [start, Math.min(fewest, run.count - start)];
      parts.push(run.count - parts[0] - parts[1]);
      const made = parts.map((count) => ({ count, sum: count * this.#estimate, heights: null }));
      made[1].heights = new Array(parts[1]).fill(this.#estimate);
      this.#runs.splice(index, 1, ...made.filter(({ count }) => count > 0));
      ({ run, rest } = this.#find(row));
    }
    this.#grow(run, 0, height - run.heights[rest]);
    run.heights[rest] = height;
  }

  insert(row, height = this.#estimate) {
    const { run, rest, index } = this.#find(row);
    this.#grow(run, 1, run.heights ? height : this.#estimate);
    run.heights?.splice(rest, 0, height);
    if (run.heights?.length > most) {
      const heights = run.heights.splice(most / 2);
      const sum = heights.reduce((all, one) => all + one, 0);
      run.count -= heights.length;
      run.sum -= sum;
      this.#runs.splice(index + 1, 0, { count: heights.length, sum, heights });
    }
    if (!run.heights && height !== this.#estimate) this.set(row, height);
  }

  /** Takes a row out. @returns {number} its height */
  remove(row) {
    const { run, rest, index } = this.#find(row);
    const height = run.heights ? run.heights.splice(rest, 1)[0] : this.#estimate;
    this.#grow(run, -1, -height);
    if (run.count === 0 && this.#runs.length > 1) this.#runs.splice(index, 1);
    return height;
  }

  #grow(run, count, sum) {
    run.count += count;
    this.count += count;
    run.sum += sum;
    this.sum += sum;
  }

  #find(row) {
    let [index, rest, top] = [0, row, 0];
    while (index < this.#runs.length - 1 && rest >= this.#runs[index].count) {
      rest -= this.#runs[index].count;
      top += this.#runs[index++].sum;
    }
    return { run: this.#runs[index], rest, top, index };
  }
}

/**
 * Numbers from 0 up, of which sums are asked and single ones changed, in steps that grow with the
 * logarithm of how many there are: a Fenwick tree ("A New Data Structure for Cumulative Frequency
 * Tables", 1994).
 */
export class Sums {
  #values;
  /** At each place, from 1, the sum of as many values before it as its lowest bit says. */
  #tree;

  /** @param {number[]} values */
  constructor(values) {
    this.#values = values;
    this.#tree = new Float64Array(values.length + 1);
    for (let place = 1; place < this.#tree.length; place += 1) {
      this.#tree[place] += values[place - 1];
      const above = place + (place & -place);
      if (above < this.#tree.length) this.#tree[above] += this.#tree[place];
    }
  }

  set(index, value) {
    const more = value - this.#values[index];
    this.#values[index] = value;
    for (let place = index + 1; place < this.#tree.length; place += place & -place) {
      this.#tree[place] += more;
    }
  }

  /** The sum of the values before one. */
  before(index) {
    let sum = 0;
    for (let place = index; place > 0; place -= place & -place) sum += this.#tree[place];
    return sum;
  }

  /** The most values from the first on whose sum is no more than a limit. */
  count(limit) {
    let [place, left] = [0, limit];
    for (let step = 2 ** Math.floor(Math.log2(this.#tree.length)); step >= 1; step /= 2) {
      if (place + step >= this.#tree.length || this.#tree[place + step] > left) continue;
      place += step;
      left -= this.#tree[place];
    }
    return place;
  }
}
