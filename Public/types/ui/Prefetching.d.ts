/** Tells a table's prefetch data source which rows will soon be needed, and which no longer. */
export class Prefetching {
    /**
   * @param {import("./TableView.js").TableView} table */
    constructor(table: import("./TableView.js").TableView);
    /** The rows are others now. */
    reset(): void;
    /** The table shows these rows now. */
    shown(paths: any): void;
    #private;
}
