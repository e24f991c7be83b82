/** The elements of a table: those of the rows in sight or nearly so, and of their sections. */
export class TableRows {
    constructor(table: import("./TableView.js").TableView);
    /** The cells that are shown, in order. */
    cells: (import("./TableViewCell.js").TableViewCell & {
        indexPath: import("./TableLayout.js").IndexPath;
    })[];
    /** By number. */
    sections: Map<number, HTMLElement>;
    /** Those of which the delegate is to be told that they will be shown. */
    told: (import("./TableViewCell.js").TableViewCell)[];
    register(type: new () => import("./TableViewCell.js").TableViewCell, kind: string): void;
    /** A cell of a kind, used before if there is one; of the default kind if it is not known. */
    dequeue(kind: string): import("./TableViewCell.js").TableViewCell;
    cell(path: {
        row: number;
        section: number;
    }): (TableViewCell & {
        indexPath: import("./TableLayout.js").IndexPath;
    }) | null;
    get headers(): Element[];
    clear(): void;
    /** Has the cells and sections that a batch leaves stand for what they are afterwards. */
    follow(batch: import("./TableLayout.js").UpdateSequence, motion: RowMotion | null): void;
    /** Has the data source fill a row's cell anew: another one, or, if it `keeps` it, that one as it is. */
    remake(path: import("./TableLayout.js").IndexPath, keeps?: boolean): import("./TableViewCell.js").TableViewCell & {
        indexPath: import("./TableLayout.js").IndexPath;
    } | null;
    /** Gives a cell up for others. */
    recycle(cell: import("./TableViewCell.js").TableViewCell): void;
    /** Shows the rows of these places, in order. Returns the cells that are new. */
    show(paths: (import("./TableLayout.js").IndexPath)[]): (import("./TableViewCell.js").TableViewCell & {
        indexPath: import("./TableLayout.js").IndexPath;
    })[];
    /** Writes a section's header, which it may not have. */
    titleSection(number: number): void;
    #private;
}
/** Shows by motion what became of the rows in sight: made before they change, and run after. */
export class RowMotion {
    constructor(view: import("./ScrollView.js").ScrollView, { headers, cells }: {
        headers: Element[];
        cells: (import("./TableViewCell.js").TableViewCell)[];
    });
    /** Fades a cell where it was, below the others, and takes it away. */
    leave(element: import("./TableViewCell.js").TableViewCell, then: () => void): Promise<void>;
    /** Runs the motion to where all is after a batch, to its end. */
    run(batch: import("./TableLayout.js").UpdateSequence, { headers, cells }: {
        headers: Element[];
        cells: (import("./TableViewCell.js").TableViewCell)[];
    }): Promise<PromiseSettledResult<Animation | undefined>[]>;
    #private;
}
import { TableViewCell } from "./TableViewCell.js";
