/** The place of a row: its section, and its number there. Tables take any object with these two. */
export class IndexPath {
  constructor(row, section = 0) {
    this.row = row;
    this.section = section;
  }

  static from(path) {
    return path instanceof IndexPath ? path : new IndexPath(path.row, path.section);
  }

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
  /** When they are others, `changed` is to be called. */
  sections = [];
  /** The heights of sections, and the numbers of their lines. */
  #known = null;

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

  has({ section, row }) { return row >= 0 && row < this.sections[section]?.rows.count; }

  top(section) { return this.#sums.heights.before(section); }
  bottom(section) { return this.#sums.heights.before(section + 1); }

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
const [MIN_RUN, MAX_RUN] = [64, 256];

/** The heights of a section's rows, in runs: a change costs the same however many there are. */
export class RowHeights {
  #estimate;
  /** Runs of rows, with their known heights; without those, as many rows of the estimate. */
  #runs;
  sum;

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
      const start = rest - rest % MIN_RUN;
      const parts = [start, Math.min(MIN_RUN, run.count - start)];
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
    if (run.heights?.length > MAX_RUN) {
      const heights = run.heights.splice(MAX_RUN / 2);
      const sum = heights.reduce((all, one) => all + one, 0);
      run.count -= heights.length;
      run.sum -= sum;
      this.#runs.splice(index + 1, 0, { count: heights.length, sum, heights });
    }
    if (!run.heights && height !== this.#estimate) this.set(row, height);
  }

  /** Takes a row out. Returns its height. */
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

/** A batch of changes: what goes is named by its place before it, what comes by that after it. */
export class TableUpdates {
  rows = { deleted: [], inserted: [], reloaded: [], reconfigured: [], moved: [] };
  sections = { deleted: [], inserted: [], reloaded: [], moved: [] };
  #goneSections;
  #comeSections;
  #goneRows;
  #comeRows;
  #moves;

  /** Sees whether it fits the rows of each section before and after. */
  finish(before, after) {
    const { rows, sections } = this;
    const [from, to] = [0, 1].map((end) => sections.moved.map((move) => move[end]));
    this.#goneSections = numbers([...sections.deleted, ...from], before.length, "before");
    this.#comeSections = numbers([...sections.inserted, ...to], after.length, "after");
    numbers([...sections.reloaded, ...sections.deleted], before.length, "before");
    const [out, into] = [0, 1].map((end) => rows.moved.map((move) => move[end]));
    this.#goneRows = grouped([...rows.deleted, ...out], before, "before");
    this.#comeRows = grouped([...rows.inserted, ...into], after, "after");
    grouped([...rows.reloaded, ...rows.deleted], before, "before");
    this.#moves = new Map(rows.moved.map(([path, target]) => [String(path), target]));
    const expected = before.length - this.#goneSections.length + this.#comeSections.length;
    if (expected !== after.length) {
      fail(`there are ${after.length} sections after it, and there were ${before.length}, of which `
        + `${this.#goneSections.length} went, and ${this.#comeSections.length} came`);
    }
    before.forEach((count, section) => this.#checkRows(section, count, after));
  }

  #checkRows(section, count, after) {
    const target = this.section(section);
    if (target === null || this.sections.reloaded.includes(section)) return;
    const gone = this.#goneRows.get(section)?.length ?? 0;
    const come = this.#comeRows.get(target)?.length ?? 0;
    if (count - gone + come === after[target]) return;
    fail(`section ${target}${target === section ? "" : `, before it section ${section},`} has `
      + `${after[target]} rows after it, and had ${count}, of which ${gone} were deleted or moved `
      + `away, and ${come} were inserted or moved in`);
  }

  /** Where a section is afterwards; null when it is gone. */
  section(section) {
    const move = this.sections.moved.find(([from]) => from === section);
    return move ? move[1] : placed(section, this.#goneSections, this.#comeSections);
  }

  /** Where a row is afterwards; null when it is gone. */
  path(path) {
    const target = this.#moves.get(String(path));
    if (target) return target;
    const section = this.section(path.section);
    if (section === null || this.sections.reloaded.includes(path.section)) return null;
    const row = placed(path.row, this.#goneRows.get(path.section), this.#comeRows.get(section));
    return row === null ? null : new IndexPath(row, section);
  }

  /** Whether a row, or its section, was moved. */
  isMoved(path) {
    return this.#moves.has(String(path))
      || this.sections.moved.some(([from]) => from === path.section);
  }

  /** Has a layout follow; heights go along with the rows. */
  apply(layout, make) {
    const fresh = new Set(this.sections.inserted);
    const heights = new Map();
    for (const [section, rows] of this.#goneRows) {
      const held = layout.sections[section].rows;
      for (const row of [...rows].reverse()) {
        const target = this.#moves.get(String(new IndexPath(row, section)));
        const height = held.remove(row);
        if (target) heights.set(String(target), height);
      }
    }
    const come = this.sections.moved.map(([from, to]) => [to, layout.sections[from]]);
    for (const section of [...this.#goneSections].reverse()) layout.sections.splice(section, 1);
    for (const section of this.sections.inserted) come.push([section, null]);
    for (const [section, held] of come.sort(([one], [other]) => one - other)) {
      layout.sections.splice(section, 0, held);
    }
    for (const section of this.sections.reloaded) fresh.add(this.section(section));
    for (const section of fresh) layout.sections[section] = make(section);
    for (const [section, rows] of this.#comeRows) {
      const held = layout.sections[section].rows;
      for (const row of rows) {
        const height = heights.get(String(new IndexPath(row, section)));
        if (!fresh.has(section)) held.insert(row, height);
        else if (height !== undefined) held.set(row, height);
      }
    }
    layout.changed();
  }
}

/** Where what was at `index` is when the places `gone` are taken out, and `come` filled. */
function placed(index, gone = [], come = []) {
  let [low, high] = [0, gone.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (gone[middle] < index) low = middle + 1; else high = middle;
  }
  if (gone[low] === index) return null;
  let place = index - low;
  for (const one of come) if (one <= place) place += 1; else break;
  return place;
}

/** Numbers in order, each there and named once. */
function numbers(list, count, when, what = "section") {
  const sorted = [...list].sort((one, other) => one - other);
  sorted.forEach((number, index) => {
    if (number === sorted[index - 1]) fail(`${what} ${number} is named twice`);
    if (!(number >= 0 && number < count)) {
      fail(`${what} ${number} is named, and there are ${count} ${when} it`);
    }
  });
  return sorted;
}

/** The rows of paths by section, in order, each there and named once. */
function grouped(paths, counts, when) {
  const groups = new Map();
  for (const { section, row } of paths) {
    if (!groups.has(section)) groups.set(section, []);
    groups.get(section).push(row);
  }
  for (const [section, rows] of groups) {
    if (!(section in counts)) numbers([section], counts.length, when);
    groups.set(section, numbers(rows, counts[section], when, `in section ${section} row`));
  }
  return groups;
}

function fail(what) {
  throw new RangeError(`A batch of updates does not fit: ${what}.`);
}

/** Batches of updates, each of what the one before leads to, as one: a table is laid out once. */
export class UpdateSequence {
  #batches = [];
  /** How many rows each section has before the first batch, and after each. */
  #counts;

  constructor(counts) {
    this.#counts = [counts];
  }

  add(batch, counts) {
    batch.finish(this.#counts.at(-1) ?? [], counts);
    this.#batches.push(batch);
    this.#counts.push(counts);
  }

  /** Where a section is afterwards; null when it is gone. */
  section(section) { return this.#after(0, section, "section"); }

  /** Where a row is afterwards; null when it is gone. */
  path(path) { return this.#after(0, path, "path"); }

  /** Whether a row, or its section, was moved. */
  isMoved(path) {
    for (const batch of this.#batches) {
      if (path === null || batch.isMoved(path)) return path !== null;
      path = batch.path(path);
    }
    return false;
  }

  /** Where rows came or moved to. */
  get arrivedRows() {
    return this.#all("path", ({ rows: { inserted, moved } }) =>
      [...inserted, ...moved.map(([, to]) => to)]);
  }

  /** Where rows are whose cells are to be made anew. */
  get reloadedRows() { return this.#places("reloaded"); }

  /** Where rows are whose cells are to be filled anew. */
  get reconfiguredRows() { return this.#places("reconfigured"); }

  #places(kind) {
    return this.#all("path", (batch) => batch.rows[kind].map((path) => batch.path(path)));
  }

  /** Where sections came, or are to be made anew. */
  get arrivedSections() {
    return this.#all("section", (batch) => [...batch.sections.inserted,
      ...batch.sections.reloaded.map((section) => batch.section(section))]);
  }

  get movesSections() { return this.#batches.some(({ sections }) => sections.moved.length > 0); }

  /** Has a layout follow, to which headers are then to be given anew. */
  apply(layout) {
    this.#batches.forEach((batch, index) =>
      batch.apply(layout, (section) => layout.section(this.#counts[index + 1][section], 0)));
  }

  /** What is somewhere after each batch, where it is at the end. */
  #all(way, of) {
    return this.#batches.flatMap((batch, index) => of(batch)
      .filter((place) => place !== null)
      .map((place) => this.#after(index + 1, place, way)))
      .filter((place) => place !== null);
  }

  #after(index, place, way) {
    for (let at = index; at < this.#batches.length && place !== null; at += 1) {
      place = this.#batches[at][way](place);
    }
    return place;
  }
}

/** The fewest changes from one list of sections to another, into a batch of updates. */
export function difference(before, after, { rows, sections }) {
  const [oldIDs, newIDs] = [before, after].map((list) => list.map(({ id }) => id));
  compare(oldIDs, newIDs, sections, same(oldIDs, newIDs), new Set(), (index) => index);
  const places = new Map(oldIDs.map((id, index) => [id, index]));
  const all = after.map(({ id, items }, section) => {
    const from = places.get(id);
    return { from, section, items, ends: same(before[from]?.items ?? [], items) };
  });
  const crossing = moveAcross(before, all, rows);
  for (const { from, section, items, ends } of all) {
    if (from === undefined) continue;
    compare(before[from].items, items, rows, ends, crossing,
      (row, isOld) => new IndexPath(row, isOld ? from : section));
  }
}

/** Moves what is in another section than before. Returns its identifiers. */
function moveAcross(before, all, { moved }) {
  const kept = new Map(all.map(({ from, ends }) => [from, ends]));
  const old = new Map();
  before.forEach(({ items }, section) => {
    const { start, ends } = kept.get(section) ?? { start: 0, ends: 0 };
    for (let row = start; row < items.length - ends; row += 1) {
      old.set(items[row], new IndexPath(row, section));
    }
  });
  const crossing = new Set();
  for (const { from, section, items, ends: { start, ends } } of all) {
    for (let row = start; row < items.length - ends; row += 1) {
      const was = old.get(items[row]);
      if (!was || was.section === from) continue;
      moved.push([was, new IndexPath(row, section)]);
      crossing.add(items[row]);
    }
  }
  return crossing;
}

/** How many identifiers are the same at the start of two lists, and at their ends. */
function same(before, after) {
  let [start, ends] = [0, 0];
  const shorter = Math.min(before.length, after.length);
  while (start < shorter && before[start] === after[start]) start += 1;
  while (ends < shorter - start && before.at(-1 - ends) === after.at(-1 - ends)) ends += 1;
  return { start, ends };
}

/** Changes between what differs in two lists of identifiers, without those that cross over. */
function compare(before, after, { deleted, inserted, moved }, { start, ends }, crossing, place) {
  const places = new Map();
  for (let index = start; index < before.length - ends; index += 1) {
    if (!crossing.has(before[index])) places.set(before[index], index);
  }
  const common = [];
  for (let index = start; index < after.length - ends; index += 1) {
    const id = after[index];
    if (crossing.has(id)) continue;
    const from = places.get(id);
    if (from === undefined) inserted.push(place(index, false));
    else common.push([from, index]);
    places.delete(id);
  }
  for (const index of places.values()) deleted.push(place(index, true));
  const kept = longestAscending(common.map(([from]) => from));
  common.forEach(([from, to], index) => {
    if (!kept.has(index)) moved.push([place(from, true), place(to, false)]);
  });
}

/** The indices of a longest ascending subsequence of numbers that differ (patience sorting). */
export function longestAscending(list) {
  const tails = [];
  const previous = [];
  list.forEach((number, index) => {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[tails[middle]] < number) low = middle + 1; else high = middle;
    }
    previous[index] = tails[low - 1];
    tails[low] = index;
  });
  const kept = new Set();
  for (let index = tails.at(-1); index !== undefined; index = previous[index]) kept.add(index);
  return kept;
}
