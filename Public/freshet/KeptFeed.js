/** How long all changes kept beside a snapshot get before one replaces both. */
const limit = 2 ** 17;

/** What is kept of a feed between visits: a snapshot, and the changes since. */
export class KeptFeed {
  #service;
  #feed;
  /** How long that is. */
  #length = { whole: 0, changes: 0 };

  /** @param {import("./Service.js").Service} service @param {import("./Feed.js").Feed} feed */
  constructor(service, feed) {
    this.#service = service;
    this.#feed = feed;
  }

  /** The documents, each following from the one before, and when the last one came. */
  async read() {
    const { length, ...kept } = await this.#service.cache?.read(this.#place) ?? {};
    this.#length = length ?? this.#length;
    return kept;
  }

  /** Keeps changes besides, or in place of too many of them the whole feed. */
  add({ since, ...document }, text = JSON.stringify({ kind: "changes", since, ...document })) {
    this.#length.changes += text.length;
    if (this.#length.changes > Math.max(this.#length.whole, limit)) {
      this.replace(JSON.stringify(this.#feed.document));
    } else {
      this.#service.cache?.write(this.#place, text, since);
    }
  }

  /** Keeps a snapshot in place of all that was kept. */
  replace(text) {
    this.#length = { whole: text.length, changes: 0 };
    this.#service.cache?.write(this.#place, text);
  }

  /** From now on it keeps nothing: the cache is another key's. */
  end() { this.#service = {}; }

  forget() { this.#service.cache?.forget(this.#place); }

  get #place() { return `${this.#service.base} ${this.#feed.place}`; }
}
