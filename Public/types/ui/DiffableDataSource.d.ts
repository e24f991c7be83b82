/**
 * A table's data source that is told what there is, and has the table change to it. */
export class DiffableDataSource<T extends string = string> {
    titleForHeader?(section: number): string | null | undefined;
    constructor(tableView: import("./TableView.js").TableView, cellProvider: (table: import("./TableView.js").TableView, indexPath: IndexPath, item: T) => HTMLElement);
    /** Called when `unseenAbove` is another. */
    unseenAboveChanged: (() => void) | null;
    /** A copy of what the table shows. */
    snapshot(): DiffableDataSourceSnapshot;
    /**
     * The items that came above what was in sight, are still there, and were not in sight since: none at the table's
     * top. Another set when they are others. */
    get unseenAbove(): ReadonlySet<T>;
    /** Counts items to `unseenAbove` that came before the table had rows, if they are above what is in sight. */
    noteUnseen(identifiers: Iterable<T>): void;
    /** For the table: other rows are in sight. */
    rowsDidShow(): void;
    /**
     * Shows a snapshot: what differs comes, goes and moves. `completion`: the motion is over.
     * `isNews`: what comes counts to `unseenAbove`, unlike what a filter had hidden. */
    apply(snapshot: DiffableDataSourceSnapshot, animatingDifferences?: boolean, completion?: (() => void) | null | undefined, isNews?: boolean): void;
    /** Shows a snapshot without finding out what differs. */
    applySnapshotUsingReloadData(snapshot: DiffableDataSourceSnapshot, completion?: (() => void) | null | undefined): void;
    /**
     * Makes the changes of the protocol (4), in about the same time however long the table is. Several, each of what
     * the one before leads to, are one batch.
     *
   * @throws {RangeError} when they name what is not there */
    applyChanges(changes: import("../freshet.js").Changes<{
        id: string;
    }> | (import("../freshet.js").Changes<{
        id: string;
    }>)[], animatingDifferences?: boolean, completion?: (() => void) | null | undefined): void;
    numberOfSections(): number;
    numberOfRows(section: number): number;
    cell(path: IndexPath, table: import("./TableView.js").TableView): HTMLElement;
    get sectionIdentifiers(): string[];
    itemIdentifier(path: {
        row: number;
        section: number;
    }): T | null;
    sectionIdentifier(index: number): string | null;
    index(sectionIdentifier: string): number;
    indexPath(item: string): IndexPath | null;
    #private;
}
/** What a table is to show: sections of items, each known by an identifier that is used once. */
export class DiffableDataSourceSnapshot {
    /** A snapshot of what is there: identifiers of sections, each with those of its items. */
    static of(sections: Iterable<[string, string[]]>): DiffableDataSourceSnapshot;
    /** Those whose cells are to be made anew, and those to be filled anew. */
    reloadedItemIdentifiers: Set<string>;
    reconfiguredItemIdentifiers: Set<string>;
    reloadedSectionIdentifiers: Set<string>;
    /** A copy of it: changing one does not change the other. */
    copy(): DiffableDataSourceSnapshot;
    /** A copy with nothing to be reloaded. */
    plainCopy(): DiffableDataSourceSnapshot;
    get numberOfSections(): number;
    get numberOfItems(): number;
    get sectionIdentifiers(): string[];
    get itemIdentifiers(): string[];
    numberOfItemsInSection(id: string): number;
    itemIdentifiersInSection(id: string): string[];
    indexOfSection(id: string): number;
    /** Its number among all items; -1 when it is not there. */
    indexOfItem(id: string): number;
    sectionIdentifier(itemID: string): string | null;
    appendSections(ids: string[]): void;
    insertSections(ids: string[], { before, after }: {
        before?: string | undefined;
        after?: string | undefined;
    }): void;
    deleteSections(ids: string[]): void;
    moveSection(id: string, { before, after }: {
        before?: string | undefined;
        after?: string | undefined;
    }): void;
    reloadSections(ids: string[]): void;
    /** Adds items at the end of a section, the last unless one is named. */
    appendItems(ids: string[], toSection?: string | undefined): void;
    insertItems(ids: string[], { before, after }: {
        before?: string | undefined;
        after?: string | undefined;
    }): void;
    deleteItems(ids: string[]): void;
    deleteAllItems(): void;
    moveItem(id: string, place: {
        before?: string;
        after?: string;
    }): void;
    reloadItems(ids: string[]): void;
    reconfigureItems(ids: string[]): void;
    /** The sections themselves, not to be changed. */
    get sections(): {
        id: string;
        items: string[];
    }[];
    /** Where items are, for so many of them. */
    pathFinder(count: number): (id: string) => IndexPath;
    sectionNumber(id: string): number;
    /** Makes the changes of the protocol: all, or none if they do not fit. */
    applyChanges(sections: import("../freshet.js").SectionChanges, items: import("../freshet.js").ItemChanges<{
        id: string;
    }>): void;
    #private;
}
import { IndexPath } from "./TableLayout.js";
