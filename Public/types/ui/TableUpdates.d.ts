/** The fewest changes from one list of sections to another, into a batch of updates. */
export function difference(before: any, after: any, { rows, sections }: {
    rows: any;
    sections: any;
}): void;
/** The indices of a longest ascending subsequence of numbers that differ (patience sorting). */
export function longestAscending(list: any): Set<any>;
/** A batch of changes: what goes is named by its place before it, what comes by that after it. */
export class TableUpdates {
    rows: {
        deleted: never[];
        inserted: never[];
        reloaded: never[];
        reconfigured: never[];
        moved: never[];
    };
    sections: {
        deleted: never[];
        inserted: never[];
        reloaded: never[];
        moved: never[];
    };
    /** Sees whether it fits the rows of each section before and after.
   * @throws {RangeError} */
    finish(before: any, after: any): void;
    /** Where a section is afterwards; null when it is gone. */
    section(section: any): number | null;
    /** Where a row is afterwards; null when it is gone.
   * @param {IndexPath} path */
    path(path: IndexPath): any;
    /** Whether a row, or its section, was moved. */
    isMoved(path: any): any;
    /** Has a layout follow; heights go along with the rows. */
    apply(layout: any, make: any): void;
    #private;
}
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
   * @returns {import("./TableLayout.js").IndexPath[]} */
    get arrivedRows(): IndexPath[];
    /** Where rows are whose cells are to be made anew.
   * @returns {import("./TableLayout.js").IndexPath[]} */
    get reloadedRows(): IndexPath[];
    /** Where rows are whose cells are to be filled anew.
   * @returns {import("./TableLayout.js").IndexPath[]} */
    get reconfiguredRows(): IndexPath[];
    /** Where sections came, or are to be made anew.
   * @returns {number[]} */
    get arrivedSections(): number[];
    get movesSections(): boolean;
    /** Has a layout follow, to which headers are then to be given anew. */
    apply(layout: any): void;
    #private;
}
import { IndexPath } from "./TableLayout.js";
