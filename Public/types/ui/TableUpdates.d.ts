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
import { IndexPath } from "./IndexPath.js";
