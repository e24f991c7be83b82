/** A feed server: sends requests, reads answers and problems, and shares connections. */
export class Service {
    /**
   * @param {string} [base] no slash at its end
   * @param {import("./options.js").ServiceOptions} [options] */
    constructor(base?: string | undefined, { key, cache, fetch: send, times }?: import("./options.js").ServiceOptions | undefined);
    /** The key; another one takes effect at once. */
    set key(arg: any);
    /** Whether there is one. */
    get hasKey(): boolean;
    /** Connects anew, as after sleep: what is followed is brought up to date at once. */
    wake(): void;
    /** Gives its connections up until `wake()`; a page does so while nobody can see it. */
    sleep(): void;
    /** The connection for all feeds of a query, once one was followed. */
    connection(query: any): any;
    /** The same, made if need be: its code comes with the first feed that is followed. */
    connect(query: any): Promise<any>;
    /**
     * The feeds that may be read, all pages of the list.
     *
   * @param {import("./options.js").Ending} [options]
   * @returns {Promise<import("./options.js").ListedFeed[]>}
     */
    feeds(options?: import("./options.js").Ending | undefined): Promise<import("./options.js").ListedFeed[]>;
    /**
     *
   * @param {import("./Feed.js").Feed[]} feeds that it refreshes
   * @param {import("./options.js").Waiting} [options]
     *
   * @returns {Promise<number>} when to ask again, in seconds
     */
    pull(feeds: import("./Feed.js").Feed[], options?: import("./options.js").Waiting | undefined): Promise<number>;
    /**
     * Fetches a document: null if nothing changed.
     *
   * @param {string} path
   * @param {import("./options.js").RequestOptions} [options]
   * @returns {Promise<import("./options.js").Document>}
     */
    read(path: string, options?: import("./options.js").RequestOptions | undefined): Promise<import("./options.js").Document>;
    /**
     * Sends a request; `wait` is how many seconds the server may hold the answer.
     *
   * @param {string} path
   * @param {import("./options.js").RequestOptions} [options]
     *
   * @returns {Promise<Response>} with a status of success, or 304
     *
   * @throws {FreshetError}
     */
    request(path: string, options?: import("./options.js").RequestOptions | undefined): Promise<Response>;
    #private;
}
