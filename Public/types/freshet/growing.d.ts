/**
 * Has a feed hold the rows after those that are here; calls at the same time share a request.
 *
 * @param {import("./Feed.js").Feed} feed
 * @param {number} [count]
 *
 * @returns {Promise<boolean>} whether there are still more
 */
export function grow(feed: import("./Feed.js").Feed, count?: number | undefined): Promise<boolean>;
