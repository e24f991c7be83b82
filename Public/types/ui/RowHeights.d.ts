/** The heights of a section's rows, in runs: a change costs the same however many there are. */
export class RowHeights {
    /**
   * @param {number} count
   * @param {number} estimate in pixels */
    constructor(count: number, estimate: number);
    sum: number;
    count: number;
    height(row: any): number;
    /** Where a row begins; that of the row after the last is the sum. */
    top(row: any): any;
    /** The row at a height, the first or last if it is beyond. */
    row(y: any): number;
    set(row: any, height: any): void;
    insert(row: any, height?: number): void;
    /** Takes a row out.
   * @returns {number} its height */
    remove(row: any): number;
    #private;
}
