import { load, save } from "../ui/page.js";

/** The most ids that are kept of a feed. */
const MAX_MARKS = 20_000;

const all = new Map();

/** The marks of a feed. @param {string} id @returns {ReadMarks} */
export function marksOf(id) {
  if (!all.has(id)) all.set(id, new ReadMarks(`freshet read ${id}`));
  return all.get(id);
}

/** Which items of a feed were read on this device. */
export class ReadMarks {
  ids = new Set();

  constructor(name) {
    this.name = name;
    this.read();
  }

  /** Takes up what is kept. */
  read() {
    try {
      this.ids = new Set(JSON.parse(load(this.name, () => localStorage)) ?? this.ids);
    } catch {
      // It is no list.
    }
  }

  get size() { return this.ids.size; }
  has(id) { return this.ids.has(id); }

  /**
   * Marks items as read, or as unread, and forgets those that are not there any more. Other pages may
   * have marked some since this one began.
   * @param {string[]} ids @param {boolean} isRead
   * @param {import("../freshet.js").Snapshot} snapshot of the feed
   */
  setRead(ids, isRead, { sections, count, total = count }) {
    this.read();
    for (const id of ids) if (isRead) this.ids.add(id); else this.ids.delete(id);
    const there = new Set(sections.flatMap(({ items }) => items.map(({ id }) => id)));
    // Of a feed that is here in part others may be there, too.
    const isThere = (id) => total > count || there.has(id);
    const kept = [...this.ids].filter(isThere).slice(-MAX_MARKS);
    this.ids = new Set(kept);
    save(this.name, JSON.stringify(kept), () => localStorage);
  }
}

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
