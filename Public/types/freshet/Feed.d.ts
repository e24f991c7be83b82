/** One feed as a reader has it. Its options, members and events: docs/WEB.md. */
export class Feed extends EventTarget {
    /**
     *
   * @param {import("./Service.js").Service} service
   * @param {string} id
     *
   * @param {import("./options.js").FeedOptions} [options]
     */
    constructor(service: import("./Service.js").Service, id: string, { limit, sections, first, most, as }?: import("./options.js").FeedOptions | undefined);
    /** How many items are held at most; grows.
   * @type {number | undefined} */
    /** Ends with the following of the feed, if there is any.
   * @type {?AbortController} */
    id: string;
    /** Under which it is kept. */
    place: string;
    /**
 * @type {?Snapshot} */
    snapshot: Snapshot | null;
    /**
 * @type {?string} */
    token: string | null;
    /**
 * @type {?Date} */
    refreshed: Date | null;
    /**
 * @type {?FreshetError} */
    error: FreshetError | null;
    /** Its part of the feed, in a query. */
    get view(): string;
    /** What a pull and a stream are asked for, besides feeds. */
    get query(): string;
    /**
   * @returns {"idle" | "refreshing" | "live" | "offline"} */
    get state(): "live" | "idle" | "offline" | "refreshing";
    /** Takes up what was kept from the last visit.
   * @returns {Promise<boolean>} if anything was */
    restore(): Promise<boolean>;
    /**
     * Asks what is new and takes it in. Calls that come while one is under way share it.
     *
   * @param {{signal?: AbortSignal}} [options]
     *
   * @returns {Promise<RefreshResult>}
     *
   * @throws {FreshetError}
     */
    refresh({ signal }?: {
        signal?: AbortSignal | undefined;
    } | undefined): Promise<RefreshResult>;
    /** Whether there are rows after those that are here, which a limit leaves out. */
    get hasMore(): boolean;
    /**
     * Fetches those, which are shared by calls at the same time; the limit grows.
     *
   * @param {number} [count] up to 1,000
   * @returns {Promise<boolean>} whether there are still more
     */
    loadMore(count?: number | undefined): Promise<boolean>;
    /** Takes in the answer to what was asked, or what came by itself. */
    /** Lets go of what is held of it, here and in the cache.
   * @returns {RefreshResult} */
    forget(): RefreshResult;
    /** Follows the feed from now on.
   * @param {{signal?: AbortSignal}} [options] ends it, as `stop` */
    live({ signal }?: {
        signal?: AbortSignal | undefined;
    } | undefined): void;
    /** Follows the feed no longer. */
    stop(): void;
    /** For its connection: a try failed.
   * @param {FreshetError} error
   * @param {boolean} isGone */
    failed(error: FreshetError, isGone?: boolean): void;
    /** For its connection: it is given up for a while. */
    paused(): void;
    #private;
}
import { KeptFeed } from "./KeptFeed.js";
import { Snapshot } from "./Snapshot.js";
import { FreshetError } from "./FreshetError.js";
import { RefreshResult } from "./RefreshResult.js";
