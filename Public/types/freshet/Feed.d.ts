/** Waits until a page that is in sight shows what it has now; elsewhere not at all. */
export function nextFrame(): Promise<void>;
/**
 * @typedef {import("./Snapshot.js").Item} Item */
/**
 * @typedef {import("./Snapshot.js").Identified} Identified */
/**
 *
 * @typedef {{change: CustomEvent<RefreshResult<T>>, state: Event}} FeedEvents */
/**
 * One feed as a reader has it. Its options, members and events: docs/WEB.md. */
export class Feed<T extends import("./Snapshot.js").Identified = import("./Snapshot.js").Item> extends EventTarget {
    addEventListener<K extends keyof FeedEvents<T>>(type: K,
        listener: ((event: FeedEvents<T>[K]) => void) | null,
        options?: boolean | AddEventListenerOptions): void;
    removeEventListener<K extends keyof FeedEvents<T>>(type: K,
        listener: ((event: FeedEvents<T>[K]) => void) | null,
        options?: boolean | EventListenerOptions): void;
    constructor(service: import("./Service.js").Service, id: string, { limit, sections, first, most, as }?: import("../freshet.js").FeedOptions);
    id: string;
    sections: string[];
    first: number | undefined;
    most: number;
    as: "changes" | undefined;
    /** The name under which it is cached. */
    cacheKey: string;
    snapshot: Snapshot<T> | null;
    token: string | null;
    refreshed: Date | null;
    /** Since when the server has not what is still shown. */
    missingSince: Date | null;
    error: FreshetError | null;
    /** The server of the feed. */
    get service(): import("./Service.js").Service;
    /** How many items are held at most; undefined for all. */
    get limit(): number | undefined;
    /** Its part of the feed, in a query. */
    get view(): string;
    /** What a pull and a stream are asked for, besides feeds. */
    get query(): string;
    /**
     * How it is: `offline` where nothing answers, `failed` where something else than the feed came. */
    get state(): "idle" | "refreshing" | "live" | "offline" | "failed";
    /**
     * Calls a listener now, and whenever `snapshot`, `state` or `error` is another.
     * It is bound, so that frameworks can take it as it is.
   * @returns {() => void} ends that */
    subscribe: (listener: (snapshot: Snapshot<T> | null) => void) => () => void;
    /** Takes up what was kept from the last visit.
   * @returns {Promise<boolean>} if anything was */
    restore(): Promise<boolean>;
    /**
     * Asks what is new and takes it in. Calls that come while one is under way share it.
     *
   * @throws {FreshetError} */
    refresh({ signal }?: {
        signal?: AbortSignal;
    }): Promise<RefreshResult<T>>;
    /** Whether there are rows after those that are here, which a limit leaves out. */
    get hasMore(): boolean;
    /**
     * Loads the rows after those that are here; calls at the same time share a request.
     *
   * @param {number} [count] up to 1,000
   * @returns {Promise<boolean>} whether there are still more */
    loadMore(count?: number | undefined): Promise<boolean>;
    /**
     * Applies a document of a pull or a stream.
   * @param {string} [text] its JSON
     *
   * @param {{mismatched?: () => void, query?: string, isPrivate?: boolean}} options `mismatched` is called, and
     * nothing asked for, when changes lead elsewhere; the document answers `query` */
    applyDocument(document: any, text?: string | undefined, { mismatched, query, isPrivate }?: {
        mismatched?: () => void;
        query?: string;
        isPrivate?: boolean;
    }): Promise<RefreshResult<T>>;
    /** The snapshot as the server would send it. */
    get document(): any;
    /** Stops caching: the cache belongs to another key. */
    stopCaching(): void;
    /** Lets go of what is held of it, here and in the cache. */
    forget(): RefreshResult<any>;
    /** Follows the feed from now on.
   * @param {{signal?: AbortSignal}} options ends it, as `stop` */
    live({ signal }?: {
        signal?: AbortSignal;
    }): void;
    /** Follows the feed no longer. */
    stop(): void;
    /** For its connection: a try failed. */
    failed(error: FreshetError, isGone?: boolean): void;
    /** For its connection: it is given up for a while. */
    paused(): void;
    #private;
}
export type Item = import("./Snapshot.js").Item;
export type Identified = import("./Snapshot.js").Identified;
export type FeedEvents<T extends import("./Snapshot.js").Identified> = {
    change: CustomEvent<RefreshResult<T>>;
    state: Event;
};
import { Snapshot } from "./Snapshot.js";
import { FreshetError } from "./Service.js";
import { RefreshResult } from "./Snapshot.js";
