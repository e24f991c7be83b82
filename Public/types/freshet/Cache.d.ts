/**
 * What a browser keeps of feeds between visits, in IndexedDB: a snapshot, and the changes since.
 * Tabs may write at once: what they leave leads to a version that the server had. */
export class Cache {
    /**
   * @param {string} [name] of the database */
    constructor(name?: string | undefined);
    /** Whether nothing was kept so far. */
    isNew: boolean;
    /** The documents kept of a feed, each following from the one before, and its note. */
    read(feed: string): Promise<{
        documents?: undefined;
        at?: undefined;
        length?: undefined;
        note?: undefined;
    } | {
        documents: any[];
        at: number;
        length: {
            whole: number;
            changes: number;
        };
        note: any;
    }>;
    /** Keeps a snapshot in place of all that was kept, or changes since a token besides. */
    write(feed: string, text: string, since?: string): Promise<void>;
    /** Keeps a note beside what is kept of a feed. */
    note(feed: string, note: object): Promise<void>;
    /** Forgets a feed. */
    forget(feed: string): Promise<void>;
    #private;
}
/** Keeps one feed in the cache between visits: a snapshot and the changes since. */
export class CachedFeed {
    constructor(service: import("./Service.js").Service, feed: import("./Feed.js").Feed);
    /** The documents, each following from the one before, when the last one came, and the note. */
    read(): Promise<{
        documents?: undefined;
        at?: undefined;
        note?: undefined;
    } | {
        documents: any[];
        at: number;
        note: any;
    }>;
    /** Keeps changes besides, or in place of too many of them the whole feed. */
    add({ since, ...document }: {
        [name: string]: any;
        since: string;
    }, text?: string): void;
    /** Keeps a snapshot in place of all that was kept. */
    replace(text: string): void;
    /** Keeps a note besides, if it is another. */
    note(note: object): void;
    /** Stops reading and writing: the cache belongs to another key. */
    end(): void;
    forget(): void;
    #private;
}
