import { load, save } from "../ui/memory.js";
import { marksOf } from "./ReadMarks.js";

/** The database, its store, and where a tab with a key keeps them until it is closed. */
const [database, store, inTab] = ["freshet stars", "items", "freshet stars"];

/**
 * @typedef {{feed: string, title: string, item: {id: string}, starred: string}} Star
 * an item as it was, in a feed of that title, and when it was starred
 */

/**
 * The items that somebody starred on this device, whole, so that they stay when a feed loses them.
 * They are in IndexedDB; what a key opened is kept as long as the key, until the tab closes.
 */
export class Stars {
  /** The key that was in use. */
  key;
  /** @type {Map<string, Star>} */
  #all = new Map();
  /** @type {?IDBDatabase} null where nothing is kept for good */
  #kept = null;

  constructor(key) {
    this.key = key;
  }

  /** Takes up what is kept. @param {string} key empty for none */
  static async open(key) {
    const stars = new Stars(key);
    try {
      const all = key ? JSON.parse(load(inTab) || "[]") : await stars.#read();
      for (const star of all) stars.#all.set(nameOf(star.feed, star.item.id), star);
    } catch {
      // Where the browser keeps nothing they last as long as the page.
    }
    return stars;
  }

  async #read() {
    const request = indexedDB.open(database, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(store);
    this.#kept = await done(request);
    return done(this.#kept.transaction(store).objectStore(store).getAll());
  }

  /** All of them, the last one first. @returns {Star[]} */
  get all() {
    return [...this.#all.values()].sort((one, other) => (one.starred < other.starred ? 1 : -1));
  }

  has(feed, id) { return this.#all.has(nameOf(feed, id)); }

  /** The item as it was when it was starred; undefined if it is not. */
  item(feed, id) { return this.#all.get(nameOf(feed, id))?.item; }

  /** Stars an item, or takes the star away. @returns {Promise<boolean>} whether it has one now */
  async toggle(feed, title, item) {
    const name = nameOf(feed, item.id);
    const isStarred = !this.#all.delete(name);
    const star = { feed, title, item, starred: new Date().toISOString() };
    if (isStarred) this.#all.set(name, star);
    if (this.key) save(inTab, JSON.stringify([...this.#all.values()]));
    const items = this.#kept?.transaction(store, "readwrite").objectStore(store);
    await (items && done(isStarred ? items.put(star, name) : items.delete(name)));
    return isStarred;
  }

  /**
   * All stars as a JSON Feed, and what was read of each of some feeds. No request is made for it.
   * @param {string[]} feeds
   */
  export(feeds) {
    const items = this.all.map(({ feed, title, item, starred }) =>
      ({ ...item, _freshet: { feed, feed_title: title, starred } }));
    const read = Object.fromEntries(feeds.map((id) => [id, [...marksOf(id).ids]]));
    return JSON.stringify({ version: "https://jsonfeed.org/version/1.1", title: "Freshet", items,
      _freshet: { read } }, null, 1);
  }
}

function nameOf(feed, id) { return JSON.stringify([feed, id]); }

/** What comes of a request to IndexedDB. */
function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
