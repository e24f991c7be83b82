/** What is kept of a feed between visits: a snapshot, and the changes since. */
export class KeptFeed {
    /**
   * @param {import("./Service.js").Service} service
   * @param {import("./Feed.js").Feed} feed */
    constructor(service: import("./Service.js").Service, feed: import("./Feed.js").Feed);
    /** The documents, each following from the one before, and when the last one came. */
    read(): Promise<any>;
    /** Keeps changes besides, or in place of too many of them the whole feed. */
    add({ since, ...document }: {
        [x: string]: any;
        since: any;
    }, text?: string): void;
    /** Keeps a snapshot in place of all that was kept. */
    replace(text: any): void;
    /** From now on it keeps nothing: the cache is another key's. */
    end(): void;
    forget(): void;
    #private;
}
