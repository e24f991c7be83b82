/** Where the sections and rows of a table are; no element in here. */
export class TableLayout {
    /**
   * @param {number} estimate of a row's height */
    constructor(estimate: number);
    /**
   * @type {{header: number, rows: RowHeights}[]} `changed` is to be called when they are others */
    sections: {
        header: number;
        rows: RowHeights;
    }[];
    estimate: number;
    /** Where a section with so many rows has yet to be placed. */
    section(count: any, header: any): {
        header: any;
        rows: RowHeights;
    };
    /** The sections, or their rows, are others now. */
    changed(): void;
    /** Rows of a section have other heights now. */
    resized(section: any): void;
    get height(): any;
    /** The number of rows and headers. */
    get lineCount(): any;
    get isEmpty(): boolean;
    /**
   * @param {IndexPath} path */
    has({ section, row }: IndexPath): boolean;
    top(section: any): any;
    bottom(section: any): any;
    /**
   * @param {IndexPath} path */
    rowTop({ section, row }: IndexPath): any;
    /** The number of a section's header, or else of its first row, among all of them, from 1. */
    firstLine(section: any): any;
    /** That of a row. */
    line({ section, row }: {
        section: any;
        row: any;
    }): any;
    /** The row at a height, or the nearest after it, or the last; null where there is none. */
    path(y: any): IndexPath | null;
    /** The number of the section at a height, 0 above the first. */
    sectionIndex(y: any): number;
    get last(): IndexPath | null;
    /** The row a number of rows away, no further than the first or last. */
    moved({ section, row }: {
        section: any;
        row: any;
    }, by: any): IndexPath;
    #private;
}
import { RowHeights } from "./RowHeights.js";
import { IndexPath } from "./IndexPath.js";
