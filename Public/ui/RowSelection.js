/** Which rows of a table are selected, and which the keyboard is at. */
export class RowSelection {
  /** @type {import("./IndexPath.js").IndexPath[]} */
  paths = [];
  #table;

  constructor(table) { this.#table = table; }
  clear() { this.paths = []; }
  mark(cell, path) { cell.isSelected = this.paths.some((one) => one.isEqual(path)); }
}
