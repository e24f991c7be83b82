/** Batches of updates, each of what the one before leads to, as one: a table is laid out once. */
export class UpdateSequence {
  #batches = [];
  /** How many rows each section has before the first batch, and after each. */
  #counts;

  /** @param {number[]} counts how many rows each section has before */
  constructor(counts) {
    this.#counts = [counts];
  }

  /** @param {import("./TableUpdates.js").TableUpdates} batch @throws {RangeError} it does not fit */
  add(batch, counts) {
    batch.finish(this.#counts.at(-1), counts);
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

  /** Where rows came or moved to. @returns {import("./IndexPath.js").IndexPath[]} */
  get arrivedRows() {
    return this.#all("path", ({ rows: { inserted, moved } }) =>
      [...inserted, ...moved.map(([, to]) => to)]);
  }

  /** Where rows are whose cells are to be made anew. @returns {import("./IndexPath.js").IndexPath[]} */
  get reloadedRows() { return this.#places("reloaded"); }

  /** Where rows are whose cells are to be filled anew. @returns {import("./IndexPath.js").IndexPath[]} */
  get reconfiguredRows() { return this.#places("reconfigured"); }

  #places(kind) {
    return this.#all("path", (batch) => batch.rows[kind].map((path) => batch.path(path)));
  }

  /** Where sections came, or are to be made anew. @returns {number[]} */
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
