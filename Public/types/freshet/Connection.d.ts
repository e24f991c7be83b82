/** Returns the rows that follow, as changes; null where the server has them no more, or not so. */
export function rowsAfter(service: any, { id, sections, snapshot, token }: {
    id: any;
    sections: any;
    snapshot: any;
    token: any;
}, count: any): Promise<{
    items: {
        insert: never[];
    };
} | null>;
/**
 * The data of a stream's events, as they come (HTML, 9.2.6).
 *
 * @param {ReadableStream<Uint8Array>} body
 *
 * @param {() => void} [heard] called for every piece that arrives, comments too
 */
export function events(body: ReadableStream<Uint8Array>, heard?: (() => void) | undefined): AsyncGenerator<never, void, unknown>;
/** One connection for all feeds of a view: a stream, requests that wait, or ones now and then. */
export class Connection {
    /**
   * @param {import("./Service.js").Service} service */
    constructor(service: import("./Service.js").Service, times: any);
    /**
 * @type {"stream" | "wait" | "poll"} */
    mode: "stream" | "wait" | "poll";
    /**
   * @param {import("./Feed.js").Feed} feed to follow */
    add(feed: import("./Feed.js").Feed): void;
    /**
   * @param {import("./Feed.js").Feed} feed to follow no longer */
    remove(feed: import("./Feed.js").Feed): void;
    /** Ends the connection. */
    pause(): void;
    /** Ends it for a while, and says so. */
    sleep(): void;
    /** Connects anew, for all feeds that are followed when this turn of the program is over. */
    restart(): void;
    #private;
}
/** Requests for several feeds at once, which say what came of the last ones. */
export class BatchReader {
    /**
   * @param {import("./Service.js").Service} service */
    constructor(service: import("./Service.js").Service);
    /** Refreshes feeds.
   * @returns {Promise<number>} when to ask again, in seconds */
    pull(feeds: any, { wait, signal }?: {
        wait: any;
        signal: any;
    }): Promise<number>;
    #private;
}
/**
 * How long things may take, in milliseconds.
 */
export type Times = {
    answer: number;
    first: number;
    silence: number;
    wait: number;
    least: number;
    most: number;
};
export type Edits = {
    set?: Record<string, any>;
    unset?: string[];
};
export type NewSection = {
    index: number;
    section: Omit<import("./Snapshot.js").Section, "items">;
};
export type SectionEdits = {
    id: string;
    count?: number;
} & Edits;
export type Place = {
    id: string;
    index: number;
};
export type SectionChanges = {
    remove?: string[];
    insert?: NewSection[];
    move?: Place[];
    update?: SectionEdits[];
};
export type ItemChanges<T extends import("./Snapshot.js").Identified = import("./Snapshot.js").Item> = {
    remove?: string[];
    insert?: {
        section: string;
        index: number;
        item: T;
    }[];
    move?: (Place & {
        section: string;
    })[];
    update?: ({
        id: string;
    } & Edits)[];
};
/**
 * As the server sends them.
 */
export type Changes<T extends import("./Snapshot.js").Identified = import("./Snapshot.js").Item> = {
    feed?: Edits;
    sections?: SectionChanges;
    items?: ItemChanges<T>;
};
