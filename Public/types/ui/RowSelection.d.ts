/** Which rows of a table are selected, and which one the keyboard is at. */
export class RowSelection {
    /**
   * @param {import("./TableView.js").TableView} table */
    constructor(table: import("./TableView.js").TableView);
    /**
   * @type {import("./TableLayout.js").IndexPath[]} */
    paths: import("./TableLayout.js").IndexPath[];
    /**
   * @type {?import("./TableLayout.js").IndexPath} where the keyboard is */
    active: import("./TableLayout.js").IndexPath | null;
    /** Forgets rows that are no more, and follows those that moved. */
    follow(place: any): void;
    /** Has a cell show whether its row is selected, and where the keyboard is. */
    mark(cell: any, path?: any): void;
    /** Selects the active row for the person, and says so; a selected one is so again. */
    choose(): void;
    select(path: any): void;
    deselect(path: any, tells?: boolean): void;
    /** Moves the keyboard to a row. */
    activate(path: any): void;
    /** Whether a key was meant for the rows. */
    key({ key, target, altKey, ctrlKey, metaKey }: {
        key: any;
        target: any;
        altKey: any;
        ctrlKey: any;
        metaKey: any;
    }): boolean;
    /** Has a touched cell show that it is. */
    highlight(cell: any): void;
    #private;
}
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
