// The protocol in the browser and anywhere else with fetch: no view of a page in here.

export { Cache } from "./freshet/Cache.js";
export { events } from "./freshet/Connection.js";
export { Feed } from "./freshet/Feed.js";
export { FreshetError, Service } from "./freshet/Service.js";
export { crc32, RefreshResult, Snapshot } from "./freshet/Snapshot.js";

/**
 * @typedef {object} FeedOptions
 * @property {number} [limit] @property {string[]} [sections] of a view
 * @property {number} [first] how many items to ask for first when nothing is known yet
 * @property {number} [most] beyond how many characters of JSON only those are taken, and the limit is `first`
 * @property {"changes"} [as]
 */

/**
 * @typedef {object} ServiceOptions
 * @property {string} [key] for feeds that are not open to everyone
 * @property {?import("./freshet/Cache.js").Cache} [cache] where feeds are kept between visits; null nowhere
 * @property {typeof globalThis.fetch} [fetch] what sends requests
 * @property {Partial<Times>} [times]
 */

/** @typedef {{signal?: AbortSignal}} Ending */
/** @typedef {Ending & {wait?: number}} Waiting `wait` in seconds */
/** @typedef {RequestInit & {wait?: number}} RequestOptions */
/** @typedef {{id: string, title?: string, token: string, count: number, changed: string}} ListedFeed */
/**
 * `isPrivate`: it was read with a key, and may be another without.
 * @typedef {{document: any, text: string, refreshAfter?: number, tag: ?string, isPrivate: boolean}} Document
 */

/**
 * How long things may take, in milliseconds.
 * @typedef {object} Times
 * @property {number} answer @property {number} first @property {number} silence
 * @property {number} wait @property {number} least @property {number} most
 */

/** @typedef {{set?: Record<string, any>, unset?: string[]}} Edits */
/** @typedef {{index: number, section: Omit<import("./freshet/Snapshot.js").Section, "items">}} NewSection */
/** @typedef {{id: string, count?: number} & Edits} SectionEdits */
/** @typedef {{id: string, index: number}} Place */
/**
 * @typedef {{remove?: string[], insert?: NewSection[], move?: Place[], update?: SectionEdits[]}} SectionChanges
 */
/**
 * @template {import("./freshet/Snapshot.js").Identified} [T=import("./freshet/Snapshot.js").Item]
 * @typedef {{remove?: string[], insert?: {section: string, index: number, item: T}[],
 *   move?: (Place & {section: string})[], update?: ({id: string} & Edits)[]}} ItemChanges
 */
/**
 * As the server sends them.
 * @template {import("./freshet/Snapshot.js").Identified} [T=import("./freshet/Snapshot.js").Item]
 * @typedef {{feed?: Edits, sections?: SectionChanges, items?: ItemChanges<T>}} Changes
 */
