// Types only: nothing loads this file.

/**
 * @typedef {object} ServiceOptions
 * @property {string} [key] for feeds that are not open to everyone
 * @property {?import("./Cache.js").Cache} [cache] where feeds are kept between visits; null nowhere
 * @property {typeof globalThis.fetch} [fetch] what sends requests
 * @property {Partial<Times>} [times]
 */

/**
 * How long things may take, in milliseconds.
 * @typedef {object} Times
 * @property {number} answer @property {number} first @property {number} silence
 * @property {number} wait @property {number} least @property {number} most
 */

/**
 * @typedef {object} FeedOptions
 * @property {number} [limit] @property {string[]} [sections] of a view
 * @property {number} [first] how many items to ask for first when nothing is known yet
 * @property {number} [most] beyond how many characters of JSON only those are taken, and the limit is `first`
 * @property {"changes"} [as]
 */

/** @typedef {{signal?: AbortSignal}} Ending */
/** @typedef {Ending & {wait?: number}} Waiting `wait` in seconds */
/** @typedef {RequestInit & {wait?: number}} RequestOptions */
/** @typedef {{id: string, title?: string, token: string, count: number, changed: string}} ListedFeed */
/** @typedef {{document: any, text: string, refreshAfter?: number, tag: ?string}} Document */

export {};
