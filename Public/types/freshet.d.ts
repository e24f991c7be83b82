export { Cache } from "./freshet/Cache.js";
export { events } from "./freshet/Connection.js";
export { Feed } from "./freshet/Feed.js";
export type FeedOptions = {
    limit?: number | undefined;
    /**
     * of a view */
    sections?: string[] | undefined;
    /**
     * how many items to ask for first when nothing is known yet */
    first?: number | undefined;
    /**
     * beyond how many characters of JSON only those are taken, and the limit is `first` */
    most?: number | undefined;
    as?: "changes" | undefined;
};
export type ServiceOptions = {
    /**
     * for feeds that are not open to everyone */
    key?: string | undefined;
    /**
     * where feeds are kept between visits; null nowhere */
    cache?: import("./freshet/Cache.js").Cache | null | undefined;
    /**
     * what sends requests */
    fetch?: typeof fetch | undefined;
    times?: Partial<Times> | undefined;
};
export type Ending = {
    signal?: AbortSignal;
};
/**
 * `wait` in seconds */
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
 * `isPrivate`: it was read with a key, and may be another without. */
export type Document = {
    document: any;
    text: string;
    refreshAfter?: number;
    tag: string | null;
    isPrivate: boolean;
};
/**
 * How long things may take, in milliseconds. */
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
    section: Omit<import("./freshet/Snapshot.js").Section, "items">;
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
export type ItemChanges<T extends import("./freshet/Snapshot.js").Identified = import("./freshet/Snapshot.js").Item> = {
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
 * As the server sends them. */
export type Changes<T extends import("./freshet/Snapshot.js").Identified = import("./freshet/Snapshot.js").Item> = {
    feed?: Edits;
    sections?: SectionChanges;
    items?: ItemChanges<T>;
};
export { FreshetError, Service } from "./freshet/Service.js";
export { crc32, RefreshResult, Snapshot } from "./freshet/Snapshot.js";
