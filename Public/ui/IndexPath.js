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
