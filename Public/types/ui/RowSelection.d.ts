/** The keyboard is not, or no more, at the row of a cell. */
export function leaveRow(table: import("./TableView.js").TableView, cell: import("./TableViewCell.js").TableViewCell): void;
/** Which rows of a table are selected, and which one the keyboard is at. */
export class RowSelection {
    constructor(table: import("./TableView.js").TableView);
    paths: (import("./TableLayout.js").IndexPath)[];
    /** Where the keyboard is. */
    active: import("./TableLayout.js").IndexPath | null;
    /** Forgets rows that are no more, and follows those that moved. */
    follow(place: (path: import("./TableLayout.js").IndexPath) => import("./TableLayout.js").IndexPath | null): void;
    /** Has a cell show whether its row is selected, and where the keyboard is. */
    mark(cell: import("./TableViewCell.js").TableViewCell, path?: import("./TableLayout.js").IndexPath | null): void;
    /** Selects the active row for the person, and says so; a selected one is so again. */
    choose(): void;
    select(path: import("./TableLayout.js").IndexPath | null): void;
    deselect(path: {
        row: number;
        section: number;
    }): void;
    /** Moves the keyboard to a row. */
    activate(path: import("./TableLayout.js").IndexPath | null): void;
    /** Whether a key was meant for the rows. */
    key({ key, target, altKey, ctrlKey, metaKey }: {
        key: string;
        target: EventTarget | null;
        altKey: boolean;
        ctrlKey: boolean;
        metaKey: boolean;
    }): boolean;
    /** Has a touched cell show that it is. */
    highlight(cell: import("./TableViewCell.js").TableViewCell | null): void;
    #private;
}
/** Actions beside a row, which a finger uncovers that moves it sideways. */
export class RowSwipe {
    constructor(table: import("./TableView.js").TableView);
    /** Covers the actions, if there are any in sight. */
    close(isAnimated?: boolean): void;
    /** The same at once, where a cell is given up that has some. */
    leave(cell: import("./TableViewCell.js").TableViewCell): void;
    #private;
}
