/** The part of a table that scrolls: what is in sight has cells, each at its place. */
export class RowScrollView extends TallScrollView {
    /** What has the rows, and nothing else, for screen readers. */
    /** The actions beside rows, where a delegate has some.
   * @type {?RowSwipe} */
    focus(options: any): void;
    /** The part of the content whose cells are there. */
    get _frame(): {
        from: number;
        to: number;
    };
    /** The numbers of the sections in that part. */
    /** There are other rows: the content is as high as they are. */
    /** Makes a change; whoever hears then which rows are shown may make another. */
    /** Makes the changes of a batch. What the reader sees stays where it is. */
    /** Makes a change after which a row is so far below the position, if it can be. */
    /** Has the cells of rows filled anew, where they have one; they stay the same. */
    /** Shows the cells that are in sight, each at its place. */
    /** A row's rectangle in the content; an empty one where there is no such row. */
    rectForRow(path: any): DOMRect;
    /**
   * @param {string} position top, middle, bottom; none: no further than shows the row */
    scrollToRow(path: any, position?: string, animated?: boolean): void;
    /**
   * @throws {RangeError} where there is no such row */
    _height({ section, row }: {
        section: any;
        row: any;
    }): number;
    /** Whether a row is in sight, if only in part. */
    /** What is in a row has another size, once all heard of it: for all of a frame at once. */
    /** Rows may have other heights now. */
    #private;
}
import { TallScrollView } from "./TallScrollView.js";
import { TableLayout } from "./TableLayout.js";
import { RowSwipe } from "./RowSwipe.js";
import { IndexPath } from "./IndexPath.js";
