/** Batches of updates, each of what the one before leads to, as one: a table is laid out once. */
export class UpdateSequence {
    /**
   * @param {number[]} counts how many rows each section has before */
    constructor(counts: number[]);
    /**
   * @param {import("./TableUpdates.js").TableUpdates} batch
   * @throws {RangeError} it does not fit */
    add(batch: import("./TableUpdates.js").TableUpdates, counts: any): void;
    /** Where a section is afterwards; null when it is gone. */
    section(section: any): any;
    /** Where a row is afterwards; null when it is gone. */
    path(path: any): any;
    /** Whether a row, or its section, was moved. */
    isMoved(path: any): boolean;
    /** Where rows came or moved to.
   * @returns {import("./IndexPath.js").IndexPath[]} */
    get arrivedRows(): import("./IndexPath.js").IndexPath[];
    /** Where rows are whose cells are to be made anew.
   * @returns {import("./IndexPath.js").IndexPath[]} */
    get reloadedRows(): import("./IndexPath.js").IndexPath[];
    /** Where rows are whose cells are to be filled anew.
   * @returns {import("./IndexPath.js").IndexPath[]} */
    get reconfiguredRows(): import("./IndexPath.js").IndexPath[];
    /** Where sections came, or are to be made anew.
   * @returns {number[]} */
    get arrivedSections(): number[];
    get movesSections(): boolean;
    /** Has a layout follow, to which headers are then to be given anew. */
    apply(layout: any): void;
    #private;
}
