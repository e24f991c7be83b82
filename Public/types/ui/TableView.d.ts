/**
 * A column of rows in sections: `<table-view>`. Only the cells in sight are there, and are used
 * again for others. What it, its data source and its delegate have: docs/UI.md.
 */
export class TableView extends RowScrollView {
    rowHeight: number;
    estimatedRowHeight: number;
    sectionHeaderHeight: number;
    allowsSelection: boolean;
    allowsMultipleSelection: boolean;
    keepsPositionAtTop: boolean;
    /**
   * @type {?object} */
    prefetchDataSource: object | null;
    /**
   * @param {string} [name]
   * @param {?string} [old]
   * @param {?string} [now] */
    attributeChangedCallback(name?: string | undefined, old?: string | null | undefined, now?: string | null | undefined): void;
    set dataSource(arg: any);
    /**
   * @type {any} */ get dataSource(): any;
    /** Gives the table its rows once.
   * @param {{title?: string, cells: HTMLElement[]}[]} all */
    setStaticSections(all: {
        title?: string;
        cells: HTMLElement[];
    }[]): void;
    get isStatic(): boolean;
    get numberOfSections(): number;
    /** 0 where there is no such section. */
    numberOfRows(section: any): number;
    /** Has a class make the cells of a kind.
   * @param {typeof HTMLElement} type */
    register(type: typeof HTMLElement, identifier: any): void;
    /** A cell to fill, used before if possible; an unknown kind gets a default cell. */
    dequeueReusableCell(identifier: any, _indexPath: any): any;
    /** Asks the data source for everything anew. */
    reloadData(): void;
    /** The same, where it is known what became of rows: what is seen stays. */
    /**
     * Makes the changes that are called for within, at once. `completion`: the motion is over.
     *
   * @param {?(() => void)} updates
   * @param {?(() => void)} [completion]
   * @param {boolean} [animated]
     *
   * @throws {RangeError} when they do not fit what the data source says; it is then read anew
     */
    performBatchUpdates(updates: (() => void) | null, completion?: (() => void) | null | undefined, animated?: boolean | undefined): void;
    /** Batches, each of what the one before leads to, as one; each is filled by its function. */
    /**
   * @param {IndexPath[]} paths before the batch; `animation` may be none */
    deleteRows(paths: IndexPath[], animation?: string): void;
    /**
   * @param {IndexPath[]} paths after the batch */
    insertRows(paths: IndexPath[], animation?: string): void;
    /**
   * @param {IndexPath[]} paths before the batch */
    reloadRows(paths: IndexPath[], animation?: string): void;
    moveRow(path: any, to: any): void;
    /**
   * @param {number[]} sections */
    deleteSections(sections: number[], animation?: string): void;
    insertSections(sections: any, animation?: string): void;
    reloadSections(sections: any, animation?: string): void;
    moveSection(section: any, to: any): void;
    /** Has the cells of rows filled anew, without motion. */
    reconfigureRows(paths: any): void;
    get visibleCells(): any;
    /**
   * @returns {IndexPath[]} */
    get indexPathsForVisibleRows(): IndexPath[];
    indexPath(cell: any): any;
    /** The cell of a row that is in sight or nearly so, or null. */
    cellForRow(path: any): any;
    /** Where the keyboard is. */
    get indexPathForSelectedRow(): IndexPath;
    get indexPathsForSelectedRows(): IndexPath[];
    /** Selects a row from code, null for none: the delegate is not told. */
    selectRow(path: any, animated?: boolean, position?: null): void;
    deselectRow(path: any, _animated?: boolean): void;
    encodeRestorableState(): {
        item?: undefined;
        section?: undefined;
        row?: undefined;
        below?: undefined;
        isAtTop?: undefined;
    } | {
        item: any;
        section: number;
        row: number;
        below: number;
        isAtTop: boolean;
    };
    decodeRestorableState({ item, section, row, below, isAtTop }: {
        item: any;
        section: any;
        row: any;
        below: any;
        isAtTop: any;
    }): boolean;
    /** No row shows any more that it is touched. */
    #private;
}
import { RowScrollView } from "./RowScrollView.js";
import { IndexPath } from "./IndexPath.js";
