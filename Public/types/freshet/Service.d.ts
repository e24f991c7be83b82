/** Whether a value is an array of objects with an id each. */
export function isList(value: unknown): boolean;
/** Whether a service is to stay awake while nobody sees the page. */
export function isWoken(service: Service): boolean;
/** Why a request did not do what it was asked, in words for a person. */
export class FreshetError extends Error {
    /** A server that did not answer. */
    static networkError(): FreshetError;
    /** An answer that is no document of a feed server. */
    static badResponse(): FreshetError;
    /**
     *
   * @param {{status?: number, problem?: any, retryAfter?: number}} more retryAfter in seconds */
    constructor(message: string, { status, problem, retryAfter }?: {
        status?: number;
        problem?: any;
        retryAfter?: number;
    });
    /** Undefined without an answer, 0 where a browser keeps it from the page. */
    status: number | undefined;
    problem: any;
    /**
   * @type {number | undefined} in seconds */
    retryAfter: number | undefined;
    /** The name of the problem, if the server gave one: `behind`, `outcome-unknown`. */
    get type(): string | undefined;
    /** Whether the server said that for this reader the feed is not there: what was kept goes. */
    get isGone(): boolean;
}
/** Aborts a signal when data does not arrive in time. */
export class Watchdog {
    get signal(): AbortSignal;
    /** Aborts the signal unless it is called again within some time.
   * @param {number} time in milliseconds */
    expect(time: number, error: Error): void;
    /** Stops the timer; the signal stays as it is. */
    clear(): void;
    /** Stops the timer and aborts the signal. */
    end(): void;
    #private;
}
/** A feed server: sends requests, reads answers and problems, and shares connections. */
export class Service {
    /**
     *
   * @param {string} [base] the server's address, `""` for the page's own
     *
   * @throws {FreshetError} if it is no address of a server */
    constructor(base?: string | undefined, { key, cache, fetch: send, times }?: import("../freshet.js").ServiceOptions);
    /** Feeds that are shown though the server has them no more. */
    missing: Set<import("./Feed.js").Feed>;
    base: string;
    cache: Cache | null;
    times: Partial<import("../freshet.js").Times> | undefined;
    /** The key; another one takes effect at once. */
    set key(arg: string | undefined);
    /** Whether requests are sent with a key. */
    get hasKey(): boolean;
    /** Whether connections are given up until `wake()`. */
    get isAsleep(): boolean;
    /** Connects anew, as after sleep: what is followed is brought up to date at once. */
    wake(): void;
    /** Gives its connections up until `wake()`; a page does so while nobody can see it. */
    sleep(): void;
    /** The connection for all feeds of a query, once one was followed. */
    connection(query: string): import("./Connection.js").Connection | undefined;
    /** Returns the connection for a query; its code is loaded with the first feed that is followed. */
    connect(query: string): Promise<import("./Connection.js").Connection>;
    /**
     * The feeds that may be read, all pages of the list. */
    feeds(options?: import("../freshet.js").Ending | undefined): Promise<import("../freshet.js").ListedFeed[]>;
    /**
     *
   * @param {import("./Feed.js").Feed[]} feeds that it refreshes
     *
   * @returns {Promise<number>} when to ask again, in seconds */
    pull(feeds: import("./Feed.js").Feed[], options?: import("../freshet.js").Waiting | undefined): Promise<number>;
    /** Fetches rows that follow those of a feed, as changes; null where they do not fit. */
    rowsAfter(feed: Pick<import("./Feed.js").Feed<any>, "id" | "sections" | "snapshot" | "token">, count: number): Promise<import("../freshet.js").Changes<any> | null>;
    /**
     * Fetches a document: null if nothing changed. */
    read(path: string, options?: import("../freshet.js").RequestOptions | undefined): Promise<import("../freshet.js").Document>;
    /**
     * Sends a request; `wait` is how many seconds the server may hold the answer.
     *
   * @returns {Promise<Response>} with a status of success, or 304
     *
   * @throws {FreshetError} */
    request(path: string, options?: import("../freshet.js").RequestOptions | undefined): Promise<Response>;
    #private;
}
import { Cache } from "./Cache.js";
