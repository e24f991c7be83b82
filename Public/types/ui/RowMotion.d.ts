/** Shows by motion what became of the rows in sight: made before they change, and run after. */
export class RowMotion {
    /**
     *
   * @param {HTMLElement} view
     *
   * @param {{headers: HTMLElement[], cells: import("./TableViewCell.js").TableViewCell[]}} rows
     */
    constructor(view: HTMLElement, { headers, cells }: {
        headers: HTMLElement[];
        cells: import("./TableViewCell.js").TableViewCell[];
    });
    /** Fades a cell where it was, and takes it away.
   * @param {() => void} then */
    leave(element: any, then: () => void): any;
    /** Runs the motion to where all is after a batch, to its end. */
    run(batch: any, { headers, cells }: {
        headers: any;
        cells: any;
    }): Promise<PromiseSettledResult<any>[]>;
    #private;
}
