/** The place of a row: its section, and its number there. Tables take any object with these two. */
export class IndexPath {
    /**
   * @param {{row: number, section?: number}} path
   * @returns {IndexPath} */
    static from(path: {
        row: number;
        section?: number;
    }): IndexPath;
    /**
   * @param {number} row
   * @param {number} section */
    constructor(row: number, section?: number);
    row: number;
    section: number;
    /**
   * @param {?IndexPath} other */
    isEqual(other: IndexPath | null): boolean;
    /** Negative when this comes first, positive when the other does, zero when they are the same. */
    compare(other: any): number;
    toString(): string;
}
