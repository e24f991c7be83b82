/** The elements of a table: those of the rows in sight or nearly so, and of their sections. */
export class TableRows {
    constructor(table: import("./TableView.js").TableView);
    /** The cells that are shown, in order. */
    cells: (import("./TableViewCell.js").TableViewCell & {
        indexPath: import("./TableLayout.js").IndexPath;
    })[];
    /** The elements of the sections that are shown, by the sections' numbers. */
    sections: Map<number, HTMLElement>;
    /** The cells of which the delegate must still be told that they will be shown. */
    told: (import("./TableViewCell.js").TableViewCell)[];
    register(type: new () => import("./TableViewCell.js").TableViewCell, kind: string): void;
    /** Returns an unused cell of a kind, or makes one; a kind that is not registered gets the default class. */
    dequeue(kind: string): import("./TableViewCell.js").TableViewCell;
    cell(path: {
        row: number;
        section: number;
    }): (TableViewCell & {
        indexPath: import("./TableLayout.js").IndexPath;
    }) | null;
    get headers(): Element[];
    clear(): void;
    /** Gives the cells and sections their places after a batch, and takes away the removed ones. */
    follow(batch: import("./TableLayout.js").UpdateSequence, motion: RowMotion | null): void;
    /** Has the data source make a row's cell again; with `keeps`, fill the same cell. */
    remake(path: import("./TableLayout.js").IndexPath, keeps?: boolean): import("./TableViewCell.js").TableViewCell & {
        indexPath: import("./TableLayout.js").IndexPath;
    } | null;
    /** Keeps a cell that is no longer shown, to be used for other rows. */
    recycle(cell: import("./TableViewCell.js").TableViewCell): void;
    /** Shows the rows at these paths, in order, and returns the cells that are new. */
    show(paths: (import("./TableLayout.js").IndexPath)[]): (import("./TableViewCell.js").TableViewCell & {
        indexPath: import("./TableLayout.js").IndexPath;
    })[];
    /** Writes a section's header, which it may not have. */
    titleSection(number: number): void;
    #private;
}
/** Animates the rows in sight from their places before a change, when it is made, to those after it. */
export class RowMotion {
    constructor(view: import("./ScrollView.js").ScrollView, { headers, cells }: {
        headers: Element[];
        cells: (import("./TableViewCell.js").TableViewCell)[];
    });
    /** Fades a cell where it was, below the others, and takes it away. */
    leave(element: import("./TableViewCell.js").TableViewCell, then: () => void): Promise<void>;
    /** Moves everything to its place after a batch; resolves when the motion has ended. */
    run(batch: import("./TableLayout.js").UpdateSequence, { headers, cells }: {
        headers: Element[];
        cells: (import("./TableViewCell.js").TableViewCell)[];
    }): Promise<PromiseSettledResult<Animation | undefined>[]>;
    #private;
}
import { TableViewCell } from "./TableViewCell.js";
