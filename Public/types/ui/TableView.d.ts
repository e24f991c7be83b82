/**
 * A column of rows in sections: `<table-view>`. Only the cells in sight are there, and are used
 * again for others. What it, its data source and its delegate have: docs/UI.md. */
export class TableView extends TallScrollView {
    rowHeight: number;
    estimatedRowHeight: number;
    sectionHeaderHeight: number;
    allowsSelection: boolean;
    allowsMultipleSelection: boolean;
    keepsPositionAtTop: boolean;
    /** What has the rows, and nothing else, for screen readers. */
    grid: HTMLDivElement;
    layout: TableLayout;
    rows: TableRows;
    prefetching: Prefetching;
    /** The actions beside rows, where a delegate has some. */
    swipe: RowSwipe | null;
    prefetchDataSource: import("./protocols.js").TableViewDataSourcePrefetching | null;
    /** @param {string} [name]
   * @param {string | null} [now] */ attributeChangedCallback(name?: string | undefined, old?: string | null | undefined, now?: string | null | undefined): void;
    set dataSource(arg: import("./protocols.js").TableViewDataSource | null);
    get dataSource(): import("./protocols.js").TableViewDataSource | null;
    /** Gives the table its rows once. */
    setStaticSections(all: {
        title?: string | null;
        cells: HTMLElement[];
    }[]): void;
    get isStatic(): boolean;
    get numberOfSections(): number;
    /** 0 where there is no such section. */
    numberOfRows(section: number): number;
    /** Has a class make the cells of a kind. */
    register(type: new () => import("./TableViewCell.js").TableViewCell, identifier: string): void;
    /** A cell to fill, used before if possible; an unknown kind gets a default cell. */
    dequeueReusableCell(identifier: string, _indexPath?: {
        row: number;
        section: number;
    } | undefined): any;
    /** Asks the data source for everything anew. */
    reloadData(): void;
    /** The same, where it is known what became of rows: what is seen stays. */
    reloadKeeping(place: (path: IndexPath) => IndexPath | null): void;
    /**
     * Makes the changes that are called for within, at once. `completion`: the motion is over.
     *
   * @throws {RangeError} when they do not fit what the data source says; it is then read anew */
    performBatchUpdates(updates: (() => void) | null, completion?: (() => void) | null | undefined, animated?: boolean): void;
    /** Batches, each of what the one before leads to, as one; each is filled by its function. */
    performBatches(all: (((updates: TableUpdates) => void) | null)[], completion: (() => void) | null | undefined, animated?: boolean | undefined): void;
    /** Deletes rows, by their places before the batch; `animation` may be none. */
    deleteRows(paths: ({
        row: number;
        section: number;
    })[], animation?: string): void;
    /** Inserts rows, by their places after the batch. */
    insertRows(paths: ({
        row: number;
        section: number;
    })[], animation?: string): void;
    /** Reloads rows, by their places before the batch. */
    reloadRows(paths: ({
        row: number;
        section: number;
    })[], animation?: string): void;
    moveRow(path: {
        row: number;
        section: number;
    }, to: {
        row: number;
        section: number;
    }): void;
    deleteSections(sections: number[], animation?: string): void;
    insertSections(sections: number[], animation?: string): void;
    reloadSections(sections: number[], animation?: string): void;
    moveSection(section: number, to: number): void;
    /** Has the cells of rows filled anew, without motion. */
    reconfigureRows(paths: ({
        row: number;
        section: number;
    })[]): void;
    get visibleCells(): (import("./TableViewCell.js").TableViewCell & {
        indexPath: IndexPath;
    })[];
    get indexPathsForVisibleRows(): IndexPath[];
    indexPath(cell: HTMLElement & {
        indexPath?: IndexPath | null;
    }): IndexPath | null;
    /** The cell of a row that is in sight or nearly so, or null. */
    cellForRow(path: {
        row: number;
        section: number;
    }): (import("./TableViewCell.js").TableViewCell & {
        indexPath: IndexPath;
    }) | null;
    /** Where the keyboard is. */
    get activeIndexPath(): IndexPath | null;
    activateRow(path: IndexPath): void;
    get indexPathForSelectedRow(): IndexPath | null;
    get indexPathsForSelectedRows(): IndexPath[];
    /** Selects a row from code, null for none: the delegate is not told. */
    selectRow(path: ({
        row: number;
        section: number;
    }) | null, animated?: boolean, position?: string | null): void;
    deselectRow(path: {
        row: number;
        section: number;
    }, _animated?: boolean): void;
    encodeRestorableState(): {
        item?: string | null;
        section?: number;
        row?: number;
        below?: number;
        isAtTop?: boolean;
    };
    sectionTitle(section: number): string | null;
    headerHeight(section: number): number;
    makeCell(path: IndexPath): import("./TableViewCell.js").TableViewCell;
    /** No row shows any more that it is touched. */
    endHighlight(): void;
    set delegate(arg: import("./protocols.js").TableViewDelegate | null);
    get delegate(): import("./protocols.js").TableViewDelegate | null;
    get focusTarget(): HTMLDivElement;
    /** The part of the content whose cells are there. */
    get renderedRange(): {
        from: number;
        to: number;
    };
    /** The numbers of the sections in that part. */
    sectionsInSight(): number[];
    /** There are other rows: the content is as high as they are. */
    handleContentChange(): void;
    /** Makes a change; whoever hears then which rows are shown may make another. */
    makeChange(make: () => void): void;
    /** Makes the changes of a batch. What the reader sees stays where it is. */
    applyBatch(batch: import("./TableLayout.js").UpdateSequence, motion: RowMotion | null): void;
    /** Makes a change after which a row is so far below the position, if it can be. */
    holdRow(path: IndexPath | null, below: number | null | undefined, change?: () => void): void;
    /** Has the cells of rows filled anew, where they have one; they stay the same. */
    refillRows(paths: IndexPath[]): void;
    /** A row's rectangle in the content; an empty one where there is no such row. */
    rectForRow(path: {
        row: number;
        section: number;
    }): DOMRect;
    /** To the top, middle or bottom; by none no further than shows the row. */
    scrollToRow(path: {
        row: number;
        section: number;
    }, position?: string, animated?: boolean): void;
    /**
   * @throws {RangeError} where there is no such row */
    checkedPath(path: {
        row: number;
        section: number;
    }): IndexPath;
    heightForRow({ section, row }: {
        section: number;
        row: number;
    }): number;
    /** Whether a row is in sight, if only in part. */
    isRowVisible(path: {
        row: number;
        section: number;
    }, y?: number): boolean;
    /** What is in a row has another size, once all heard of it: for all of a frame at once. */
    handleRowResize(): void;
    /** Rows may have other heights now. */
    handleWidthChange(): void;
    #private;
}
/** Tells a table's prefetch data source which rows will soon be needed, and which no longer. */
export class Prefetching {
    constructor(table: import("./TableView.js").TableView);
    /** The rows are others now. */
    reset(): void;
    /** The table shows these rows now. */
    shown(paths: IndexPath[]): void;
    #private;
}
/** The data source of a static table: sections and cells that were given once. */
export class StaticDataSource {
    /** The sections that markup has: `<section title>` with cells in them, or cells alone. */
    static read(element: HTMLElement): StaticDataSource | null;
    constructor(sections: {
        title?: string | null;
        cells: HTMLElement[];
    }[]);
    numberOfSections(): number;
    numberOfRows(section: number): number;
    titleForHeader(section: number): string | null;
    cell({ section, row }: {
        section: number;
        row: number;
    }): HTMLElement;
    #private;
}
import { TallScrollView } from "./ScrollView.js";
import { TableLayout } from "./TableLayout.js";
import { TableRows } from "./TableRows.js";
import { RowSwipe } from "./RowSelection.js";
import { IndexPath } from "./TableLayout.js";
import { TableUpdates } from "./TableLayout.js";
import { RowMotion } from "./TableRows.js";
