/** Returns what changes, as the server sent them, do to a snapshot. */
export function fromChanges(changes: any, old: any): RefreshResult & {
    inserted: Set<any>;
    removed: Set<any>;
    moved: Set<any>;
    updated: Set<any>;
    changes: any;
    isRearranged: boolean;
};
/**
 * Returns what differs between snapshots; moved is only what is in another section. Where just one of them is
 * of all items, the others are neither new nor gone.
 */
export function diffSnapshots(old: any, now: any): RefreshResult;
/** Returns the CRC-32 of zlib and gzip (RFC 1952, 8) over texts, as if they were one, in UTF-8.
 * @param {Iterable<string>} texts */
export function crc32(texts: Iterable<string>): number;
/** A feed's state at one version, which never changes; the next one shares what is the same. */
export class Snapshot {
    /** Reads a document of the kind `snapshot`, of a `limit` or not.
   * @returns {Snapshot} */
    static read({ total, count, sections, ...document }: {
        [x: string]: any;
        total: any;
        count: any;
        sections: any;
    }, isLimited?: boolean): Snapshot;
    /**
   * @param {Record<string, any>} members
   * @param {Section[]} sections
   * @param {number} [total] of a view */
    constructor(members: Record<string, any>, sections: Section[], total?: number | undefined);
    members: Record<string, any>;
    sections: Section[];
    total: number | undefined;
    get count(): number;
    /** The check on the order of the items. */
    get order(): any;
    /** Whether count and order are those of a document. */
    fits({ count, order }: {
        count: any;
        order: any;
    }): boolean;
    /**
   * @param {string} id
   * @returns {Item | undefined} */
    item(id: string): Item | undefined;
    /** Returns a snapshot with cached changes applied; null where they lead to none that the server had. */
    following(documents: any): Snapshot | null;
    /**
     * Returns a snapshot with changes (PROTOCOL.md, "Applying changes"), unchecked.
     *
   * @param {Changes} changes
   * @param {number} [total]
   * @returns {?Snapshot} null when they do not fit
     */
    applying({ feed, sections, items }: Changes, total?: number | undefined): Snapshot | null;
    #private;
}
/** The outcome of a refresh: the ids of the items that came, went, moved and changed. */
export class RefreshResult {
    /** A feed that is here for the first time. */
    static first(): RefreshResult & {
        isFirst: boolean;
    };
    /** Whether there was nothing to compare with before, or a part: `updated` is then of that. */
    isFirst: boolean;
    /**
   * @type {Set<string>} */
    inserted: Set<string>;
    /**
   * @type {Set<string>} */
    removed: Set<string>;
    /**
   * @type {Set<string>} */
    moved: Set<string>;
    /**
   * @type {Set<string>} */
    updated: Set<string>;
    /** Whether sections, or members of the feed itself, came, went, moved or changed. */
    isRearranged: boolean;
    /** Whether rows that follow were loaded: they are in `changes`, and none of them is new. */
    isMore: boolean;
    /** The changes as the server sent them; null when nobody said how the one came of the other. */
    changes: null;
    /** Whether nothing at all changed. */
    get isEmpty(): boolean;
    /** In words for a person: `1 new, 1 moved, 2 changed`. */
    get words(): string;
}
export type Item = {
    [name: string]: any;
    id: string;
};
export type Section = {
    id: string;
    title?: string;
    index?: string;
    items: Item[];
};
/**
 * as the server sends them
 */
export type Changes = {
    feed?: object;
    sections?: object;
    items?: object;
};
