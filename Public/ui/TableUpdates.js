import { IndexPath } from "./IndexPath.js";

/** A batch of changes: what goes is named by its place before it, what comes by that after it. */
export class TableUpdates {
  rows = { deleted: [], inserted: [], reloaded: [], reconfigured: [], moved: [] };
  sections = { deleted: [], inserted: [], reloaded: [], moved: [] };
  #goneSections;
  #comeSections;
  #goneRows;
  #comeRows;
  #moves;

  /** Sees whether it fits the rows of each section before and after. @throws {RangeError} */
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

  /** Where a row is afterwards; null when it is gone. @param {IndexPath} path */
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
    come.push(...this.sections.inserted.map((section) => [section, null]));
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

/** @returns {never} */
function fail(what) {
  throw new RangeError(`A batch of updates does not fit: ${what}.`);
}
