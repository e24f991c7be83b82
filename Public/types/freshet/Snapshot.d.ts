/** Returns what changes, as the server sent them, do to a snapshot. */
export function fromChanges(changes: import("../freshet.js").Changes<any>, old: Snapshot<any>): RefreshResult<any>;
/**
 * Returns what differs between snapshots; moved is only what is in another section. Where just one of them is
 * of all items, the others are neither new nor gone. */
export function diffSnapshots(old: Snapshot<any>, now: Snapshot<any>): RefreshResult<any>;
/** Returns the CRC-32 (RFC 1952, 8) over texts, as if they were one, in UTF-8. */
export function crc32(texts: Iterable<string>): number;
/**
 * A feed's state at one version, which never changes; the next one shares what is the same. */
export class Snapshot<T extends Identified = Item> {
    /** Reads a document of the kind `snapshot`, of a `limit` or not. */
    static read({ total, count, sections, ...document }: {
        [name: string]: any;
        total?: number | undefined;
        count: number;
        sections: Section[];
    }, isLimited?: boolean): Snapshot<any>;
    /**
   * @param {number} [total] of a view */
    constructor(members: Record<string, any>, sections: Section<T>[], total?: number | undefined);
    /** @readonly */
    readonly members: Readonly<Record<string, any>>;
    /** @readonly */
    readonly sections: readonly Section<T>[];
    /** @readonly */
    readonly total: number | undefined;
    get count(): number;
    /** The check on the order of the items. */
    get order(): string;
    /** Whether count and order are those of a document. */
    fits({ count, order }: {
        count: number;
        order: string;
    }): boolean;
    item(id: string): T | undefined;
    /** Returns a snapshot with cached changes applied; null where they lead to none that the server had. */
    following(documents: any): Snapshot<T> | null;
    /**
     * Returns a snapshot with changes (READING.md, "Applying changes"), unchecked.
   * @returns {?Snapshot<T>} null when they do not fit */
    applying({ feed, sections, items }: import("../freshet.js").Changes<T>, total?: number | undefined): Snapshot<T> | null;
    #private;
}
/**
 * The outcome of a refresh: the ids of the items that came, went, moved and changed. */
export class RefreshResult<T extends Identified = Item> {
    /** A feed that is here for the first time. */
    static first(): RefreshResult<any>;
    /** Whether there was nothing to compare with before, or a part: `updated` is then of that. */
    isFirst: boolean;
    inserted: Set<string>;
    removed: Set<string>;
    moved: Set<string>;
    updated: Set<string>;
    /** Whether sections, or members of the feed itself, came, went, moved or changed. */
    isRearranged: boolean;
    /** Whether rows that follow were loaded: they are in `changes`, and none of them is new. */
    isMore: boolean;
    /**
     * The changes as the server sent them; null when nobody said how the one came of the other. */
    changes: import("../freshet.js").Changes<T> | null;
    /** Whether nothing at all changed. */
    get isEmpty(): boolean;
    /** In words for a person: `1 new, 1 moved, 2 changed`; of what is here for the first time `Loaded`. */
    get words(): string;
}
export type Identified = {
    id: string;
};
export type Item = {
    [name: string]: any;
    id: string;
};
export type Section<T extends Identified = Item> = {
    [name: string]: any;
    id: string;
    title?: string | undefined;
    index?: string | undefined;
    items: T[];
};
