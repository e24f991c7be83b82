/** Actions beside a row, which a finger uncovers that moves it sideways. */
export class RowSwipe {
    /**
   * @param {import("./TableView.js").TableView} table whose delegate has actions */
    constructor(table: import("./TableView.js").TableView);
    /** Covers the actions, if there are any in sight. */
    close(isAnimated?: boolean): void;
    /** The same at once, where a cell is given up that has some. */
    leave(cell: any): void;
    #private;
}
