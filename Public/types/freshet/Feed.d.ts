/** One feed as a reader has it. Its options, members and events: docs/WEB.md. */
export class Feed extends EventTarget {
    /**
     *
   * @param {import("./Service.js").Service} service
   * @param {string} id
     *
   * @param {import("./options.js").FeedOptions} [options]
     */
    constructor(service: import("./Service.js").Service, id: string, { limit, sections, first, as }?: import("./options.js").FeedOptions | undefined);
    id: string;
    first: number | undefined;
    view: string;
    /** What a pull and a stream are asked for, besides feeds. */
    query: string;
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
    /**
   * @returns {"idle" | "refreshing" | "live" | "offline"} */
    get state(): "offline" | "idle" | "refreshing" | "live";
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
    /**
     * Takes in a document of a pull or a stream.
     *
   * @param {() => void} [mismatched] called, in place of a request for the feed, when changes lead
     * to something else than the server has; the token is then null
     *
   * @returns {Promise<RefreshResult>}
     */
    take(document: any, text: any, mismatched?: (() => void) | undefined): Promise<RefreshResult>;
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
import { Snapshot } from "./Snapshot.js";
import { FreshetError } from "./FreshetError.js";
import { RefreshResult } from "./RefreshResult.js";
