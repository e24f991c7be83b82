/** A table's data source that is told what there is, and has the table change to it. */
export class DiffableDataSource {
    /**
   * @param {(table, indexPath: IndexPath, item: string) => HTMLElement} cellProvider */
    constructor(tableView: any, cellProvider: (table: any, indexPath: IndexPath, item: string) => HTMLElement);
    /** A copy of what the table shows. */
    snapshot(): DiffableDataSourceSnapshot;
    /**
     * Shows a snapshot: what differs comes, goes and moves. `completion`: the motion is over.
     *
   * @param {import("./DiffableDataSourceSnapshot.js").DiffableDataSourceSnapshot} snapshot
     *
   * @param {boolean} [animatingDifferences]
   * @param {?(() => void)} [completion]
     */
    apply(snapshot: import("./DiffableDataSourceSnapshot.js").DiffableDataSourceSnapshot, animatingDifferences?: boolean | undefined, completion?: (() => void) | null | undefined): void;
    /** Shows a snapshot without finding out what differs. */
    applySnapshotUsingReloadData(snapshot: any, completion?: null): void;
    /**
     * Makes the changes of the protocol (4), in about the same time however long the table is.
     *
   * @param {object | object[]} changes several, each of what the one before leads to, are one batch
     *
   * @param {boolean} [animatingDifferences]
   * @param {?(() => void)} [completion]
     *
   * @throws {RangeError} when they name what is not there
     */
    applyChanges(changes: object | object[], animatingDifferences?: boolean | undefined, completion?: (() => void) | null | undefined): void;
    numberOfSections(): number;
    numberOfRows(section: any): number;
    cell(path: any, table: any): HTMLElement;
    get sectionIdentifiers(): string[];
    itemIdentifier(path: any): any;
    sectionIdentifier(index: any): string;
    index(sectionIdentifier: any): number;
    indexPath(item: any): IndexPath | null;
    #private;
}
import { DiffableDataSourceSnapshot } from "./DiffableDataSourceSnapshot.js";
import { IndexPath } from "./IndexPath.js";
