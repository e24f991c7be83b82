/** The fewest changes from one list of sections to another, into a batch of updates. */
export function difference(before: ({
    id: string;
    items: string[];
})[], after: ({
    id: string;
    items: string[];
})[], { rows, sections }: {
    rows: TableUpdates["rows"];
    sections: TableUpdates["sections"];
}): void;
/** The indices of a longest ascending subsequence of numbers that differ (patience sorting). */
export function longestAscending(list: number[]): Set<number>;
/** The place of a row: its section, and its number there. Tables take any object with these two. */
export class IndexPath {
    static from(path: {
        row: number;
        section?: number;
    }): IndexPath;
    constructor(row: number, section?: number);
    row: number;
    section: number;
    isEqual(other: ({
        row: number;
        section: number;
    }) | null): boolean;
    /** Negative when this comes first, positive when the other does, zero when they are the same. */
    compare(other: ({
        row: number;
        section: number;
    }) | null): number;
    toString(): string;
}
/** Where the sections and rows of a table are; no element in here. */
export class TableLayout {
    constructor(estimate: number);
    /** When they are others, `changed` is to be called. */
    sections: ({
        header: number;
        rows: RowHeights;
    })[];
    estimate: number;
    /** Where a section with so many rows has yet to be placed. */
    section(count: number, header: number): {
        header: number;
        rows: RowHeights;
    };
    /** The sections, or their rows, are others now. */
    changed(): void;
    /** Rows of a section have other heights now. */
    resized(section: number): void;
    get height(): number;
    /** The number of rows and headers. */
    get lineCount(): number;
    get isEmpty(): boolean;
    has({ section, row }: {
        section: number;
        row: number;
    }): boolean;
    top(section: number): number;
    bottom(section: number): number;
    rowTop({ section, row }: {
        section: number;
        row: number;
    }): number;
    /** The number of a section's header, or else of its first row, among all of them, from 1. */
    firstLine(section: number): number;
    /** That of a row. */
    line({ section, row }: {
        section: number;
        row: number;
    }): number;
    /** The row at a height, or the nearest after it, or the last; null where there is none. */
    path(y: number): IndexPath | null;
    /** The number of the section at a height, 0 above the first. */
    sectionIndex(y: number): number;
    get last(): IndexPath | null;
    /** The row a number of rows away, no further than the first or last. */
    moved({ section, row }: {
        section: number;
        row: number;
    }, by: number): IndexPath;
    #private;
}
/** The heights of a section's rows, in runs: a change costs the same however many there are. */
export class RowHeights {
    constructor(count: number, estimate: number);
    sum: number;
    count: number;
    height(row: number): number;
    /** Where a row begins; that of the row after the last is the sum. */
    top(row: number): number;
    /** The row at a height, the first or last if it is beyond. */
    row(y: number): number;
    set(row: number, height: number): void;
    insert(row: number, height?: number): void;
    /** Takes a row out. Returns its height. */
    remove(row: number): number;
    #private;
}
/**
 * Numbers from 0 up, of which sums are asked and single ones changed, in steps that grow with the
 * logarithm of how many there are: a Fenwick tree ("A New Data Structure for Cumulative Frequency
 * Tables", 1994). */
export class Sums {
    constructor(values: number[]);
    set(index: number, value: number): void;
    /** The sum of the values before one. */
    before(index: number): number;
    /** The most values from the first on whose sum is no more than a limit. */
    count(limit: number): number;
    #private;
}
/** A batch of changes: what goes is named by its place before it, what comes by that after it. */
export class TableUpdates {
    rows: {
        deleted: IndexPath[];
        inserted: IndexPath[];
        reloaded: IndexPath[];
        reconfigured: IndexPath[];
        moved: [IndexPath, IndexPath][];
    };
    sections: {
        deleted: number[];
        inserted: number[];
        reloaded: number[];
        moved: [number, number][];
    };
    /** Sees whether it fits the rows of each section before and after. */
    finish(before: number[], after: number[]): void;
    /** Where a section is afterwards; null when it is gone. */
    section(section: number): number | null;
    /** Where a row is afterwards; null when it is gone. */
    path(path: IndexPath): IndexPath | null;
    /** Whether a row, or its section, was moved. */
    isMoved(path: {
        row: number;
        section: number;
    }): boolean;
    /** Has a layout follow; heights go along with the rows. */
    apply(layout: TableLayout, make: (section: number) => {
        header: number;
        rows: RowHeights;
    }): void;
    #private;
}
/** Batches of updates, each of what the one before leads to, as one: a table is laid out once. */
export class UpdateSequence {
    constructor(counts: number[]);
    add(batch: TableUpdates, counts: number[]): void;
    /** Where a section is afterwards; null when it is gone. */
    section(section: number): number | null;
    /** Where a row is afterwards; null when it is gone. */
    path(path: IndexPath | null): IndexPath | null;
    /** Whether a row, or its section, was moved. */
    isMoved(path: IndexPath | null): boolean;
    /** Where rows came or moved to. */
    get arrivedRows(): IndexPath[];
    /** Where rows are whose cells are to be made anew. */
    get reloadedRows(): IndexPath[];
    /** Where rows are whose cells are to be filled anew. */
    get reconfiguredRows(): IndexPath[];
    /** Where sections came, or are to be made anew. */
    get arrivedSections(): number[];
    get movesSections(): boolean;
    /** Has a layout follow, to which headers are then to be given anew. */
    apply(layout: TableLayout): void;
    #private;
}
