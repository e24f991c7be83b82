/** What a table is to show: sections of items, each known by an identifier that is used once. */
export class DiffableDataSourceSnapshot {
    /** A snapshot of what is there: identifiers of sections, each with those of its items. */
    static of(sections: any): DiffableDataSourceSnapshot;
    /** Those whose cells are to be made anew, and those to be filled anew. */
    reloadedItemIdentifiers: Set<any>;
    reconfiguredItemIdentifiers: Set<any>;
    reloadedSectionIdentifiers: Set<any>;
    /** A copy of it: changing one does not change the other. */
    copy(): DiffableDataSourceSnapshot;
    /** A copy with nothing to be reloaded. */
    get numberOfSections(): number;
    get numberOfItems(): number;
    get sectionIdentifiers(): string[];
    get itemIdentifiers(): string[];
    numberOfItemsInSection(id: any): number;
    itemIdentifiersInSection(id: any): string[];
    indexOfSection(id: any): number;
    /** Its number among all items; -1 when it is not there. */
    indexOfItem(id: any): number;
    sectionIdentifier(itemID: any): any;
    appendSections(ids: any): void;
    insertSections(ids: any, { before, after }: {
        before: any;
        after: any;
    }): void;
    deleteSections(ids: any): void;
    moveSection(id: any, { before, after }: {
        before: any;
        after: any;
    }): void;
    reloadSections(ids: any): void;
    /** Adds items at the end of a section, the last unless one is named. */
    appendItems(ids: any, toSection?: string | undefined): void;
    /**
   * @param {{before?: string, after?: string}} place beside which item */
    insertItems(ids: any, { before, after }: {
        before: any;
        after: any;
    }): void;
    deleteItems(ids: any): void;
    deleteAllItems(): void;
    moveItem(id: any, place: any): void;
    reloadItems(ids: any): void;
    reconfigureItems(ids: any): void;
    /** The sections themselves, not to be changed. */
    get _sections(): {
        id: string;
        items: string[];
    }[];
    /** Where items are, for so many of them.
   * @returns {(id: string) => IndexPath} */
    /** Makes the changes of the protocol: all, or none if they do not fit. */
    #private;
}
import { IndexPath } from "./IndexPath.js";
