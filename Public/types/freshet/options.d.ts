export type ServiceOptions = {
    /**
     * for feeds that are not open to everyone
     */
    key?: string | undefined;
    /**
     * where feeds are kept between visits; null nowhere
     */
    cache?: import("./Cache.js").Cache | null | undefined;
    /**
     * what sends requests
     */
    fetch?: typeof fetch | undefined;
    times?: Partial<Times> | undefined;
};
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
export type FeedOptions = {
    limit?: number | undefined;
    /**
     * of a view
     */
    sections?: string[] | undefined;
    /**
     * how many items to ask for first when nothing is known yet
     */
    first?: number | undefined;
    /**
     * beyond how many characters of JSON only those are taken, and the limit is `first`
     */
    most?: number | undefined;
    as?: "changes" | undefined;
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
export type Document = {
    document: any;
    text: string;
    refreshAfter?: number;
    tag: string | null;
};
