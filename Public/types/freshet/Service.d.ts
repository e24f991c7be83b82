/** Whether a value is an array of objects with an id each. */
export function isList(value: any): boolean;
/**
 *
 * @typedef {object} ServiceOptions
 *
 * @property {string} [key] for feeds that are not open to everyone
 *
 * @property {?import("./Cache.js").Cache} [cache] where feeds are kept between visits; null nowhere
 *
 * @property {typeof globalThis.fetch} [fetch] what sends requests
 *
 * @property {Partial<import("./Connection.js").Times>} [times]
 */
/**
 * @typedef {{signal?: AbortSignal}} Ending */
/**
 * @typedef {Ending & {wait?: number}} Waiting `wait` in seconds */
/**
 * @typedef {RequestInit & {wait?: number}} RequestOptions */
/**
 * @typedef {{id: string, title?: string, token: string, count: number, changed: string}} ListedFeed */
/**
 * `isPrivate`: it was read with a key, and may be another without.
 *
 * @typedef {{document: any, text: string, refreshAfter?: number, tag: ?string, isPrivate: boolean}} Document
 */
/** Why a request did not do what it was asked, in words for a person. */
export class FreshetError extends Error {
    /** Returns the error of a server that did not answer. */
    static networkError(): FreshetError;
    /** Returns the error of an answer that is no document of a feed server. */
    static badResponse(): FreshetError;
    /**
     *
   * @param {string} message
     *
   * @param {{status?: number, problem?: object, retryAfter?: number}} [more] retryAfter in seconds
     */
    constructor(message: string, { status, problem, retryAfter }?: {
        status?: number | undefined;
        problem?: object | undefined;
        retryAfter?: number | undefined;
    } | undefined);
    /**
   * @type {number | undefined} */
    status: number | undefined;
    /**
   * @type {any} */
    problem: any;
    /**
   * @type {number | undefined} in seconds */
    retryAfter: number | undefined;
    /** The name of the problem, if the server gave one: `behind`, `outcome-unknown`. */
    get type(): any;
    /** Whether the server said that for this reader the feed is not there: what was kept goes. */
    get isGone(): boolean;
}
/** Aborts a signal when data does not arrive in time. */
export class Watchdog {
    get signal(): AbortSignal;
    /** Aborts the signal unless it is called again within some milliseconds.
   * @param {number} time
   * @param {Error} error */
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
   * @param {string} [base] no slash at its end
   * @param {ServiceOptions} [options] */
    constructor(base?: string | undefined, { key, cache, fetch: send, times }?: ServiceOptions | undefined);
    /**
     * Feeds that are shown although the server has them no more: until another key is used.
     *
   * @type {Set<import("./Feed.js").Feed>}
     */
    missing: Set<import("./Feed.js").Feed>;
    /** The key; another one takes effect at once. */
    set key(arg: any);
    /** Whether requests are sent with a key. */
    get hasKey(): boolean;
    /** Whether connections are given up until `wake()`. */
    get isAsleep(): boolean;
    /** Connects anew, as after sleep: what is followed is brought up to date at once. */
    wake(): void;
    /** Gives its connections up until `wake()`; a page does so while nobody can see it. */
    sleep(): void;
    /** The connection for all feeds of a query, once one was followed. */
    connection(query: any): any;
    /** Returns the connection for a query; its code is loaded with the first feed that is followed. */
    connect(query: any): Promise<any>;
    /**
     * The feeds that may be read, all pages of the list.
     *
   * @param {Ending} [options]
   * @returns {Promise<ListedFeed[]>}
     */
    feeds(options?: Ending | undefined): Promise<ListedFeed[]>;
    /**
     *
   * @param {import("./Feed.js").Feed[]} feeds that it refreshes
   * @param {Waiting} [options]
     *
   * @returns {Promise<number>} when to ask again, in seconds
     */
    pull(feeds: import("./Feed.js").Feed[], options?: Waiting | undefined): Promise<number>;
    /** Fetches rows that follow those of a feed, as changes; null where they do not fit. */
    rowsAfter(feed: any, count: any): Promise<{
        items: {
            insert: never[];
        };
    } | null>;
    /**
     * Fetches a document: null if nothing changed.
     *
   * @param {string} path
   * @param {RequestOptions} [options]
   * @returns {Promise<Document>}
     */
    read(path: string, options?: RequestOptions | undefined): Promise<Document>;
    /**
     * Sends a request; `wait` is how many seconds the server may hold the answer.
     *
   * @param {string} path
   * @param {RequestOptions} [options]
     *
   * @returns {Promise<Response>} with a status of success, or 304
     *
   * @throws {FreshetError}
     */
    request(path: string, options?: RequestOptions | undefined): Promise<Response>;
    #private;
}
export type ServiceOptions = {
    /**
     * for feeds that are not open to everyone
     */
    key?: string | undefined;
    /**
     * where feeds are kept between visits; null nowhere
     */
    cache?: Cache | null | undefined;
    /**
     * what sends requests
     */
    fetch?: typeof fetch | undefined;
    times?: Partial<import("./Connection.js").Times> | undefined;
};
export type Ending = {
    signal?: AbortSignal;
};
/**
 * `wait` in seconds
 */
export type Waiting = Ending & {
    wait?: number;
};
export type RequestOptions = RequestInit & {
    wait?: number;
};
export type ListedFeed = {
    id: string;
    title?: string;
    token: string;
    count: number;
    changed: string;
};
/**
 * `isPrivate`: it was read with a key, and may be another without.
 */
export type Document = {
    document: any;
    text: string;
    refreshAfter?: number;
    tag: string | null;
    isPrivate: boolean;
};
import { Cache } from "./Cache.js";
