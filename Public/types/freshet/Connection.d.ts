/** Returns the rows that follow, as changes; null where the server has them no more, or not so. */
export function rowsAfter(service: import("./Service.js").Service, { id, sections, snapshot, token }: Pick<import("./Feed.js").Feed<any>, "id" | "sections" | "snapshot" | "token">, count: number): Promise<import("../freshet.js").Changes<any> | null>;
/**
 * Returns why no answer of a server of another origin came: it is away, or lets no page of this one read, which
 * the console then says, once. */
export function unreadable(base: string): Promise<FreshetError>;
/**
 * The data of a stream's events, as they come (HTML, 9.2.6).
 *
 * @param {() => void} [heard] called for every piece that arrives, comments too */
export function events(body: ReadableStream<Uint8Array>, heard?: (() => void) | undefined): AsyncGenerator<string>;
/** One connection for all feeds of a view: a stream, requests that wait, or ones now and then. */
export class Connection {
    constructor(service: import("./Service.js").Service, times: Partial<import("../freshet.js").Times> | undefined);
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
    constructor(service: import("./Service.js").Service);
    /**
     * Refreshes feeds.
     *
   * @returns {Promise<number>} when to ask again, in seconds */
    pull(feeds: Iterable<import("./Feed.js").Feed>, { wait, signal }?: import("../freshet.js").Waiting): Promise<number>;
    #private;
}
import { FreshetError } from "./Service.js";
