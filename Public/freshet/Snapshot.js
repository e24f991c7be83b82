/** Members of a document that are not the publisher's. */
const reserved = new Set([
  "kind", "feed", "token", "since", "reason", "count", "order", "total", "sections", "items",
  "changes",
]);

/** @typedef {{id: string, [name: string]: any}} Item */
/** @typedef {{id: string, title?: string, index?: string, items: Item[]}} Section */

/** A feed's state at one version, which never changes; the next one shares what is the same. */
export class Snapshot {
  _order;
  /** Item and section's id by the item's id; handed on, since only the newest needs it. */
  _places;

  /** @param {Record<string, any>} members @param {Section[]} sections @param {number} [total] of a view */
  constructor(members, sections, total) {
    this.members = members;
    this.sections = sections;
    this.total = total;
  }

  /** Reads a document of the kind `snapshot`, of a `limit` or not. @returns {Snapshot} */
  static read({ total, count, sections, ...document }, isLimited = false) {
    const isWhole = total === undefined || total === count && !isLimited;
    const own = Object.entries(document).filter(([name]) => !reserved.has(name));
    const read = isWhole ? sections.map(({ count: _, ...section }) => section) : sections;
    return new Snapshot(Object.fromEntries(own), read, isWhole ? undefined : total);
  }

  get count() {
    return this.sections.reduce((sum, { items }) => sum + items.length, 0);
  }

  /** Whether it comes to what a document says, once `order` is there (applying.js). */
  fits({ count, order }) {
    return this.count === count && this.order === order;
  }

  /** @param {string} id @returns {Item | undefined} */
  item(id) {
    return this._index().get(id)?.item;
  }

  _index() {
    if (this._places) return this._places;
    const places = this._places = new Map();
    for (const { id, items } of this.sections) {
      for (const item of items) places.set(item.id, { item, section: id });
    }
    return places;
  }
}
