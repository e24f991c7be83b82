/**
 * What a browser keeps of feeds between visits, in IndexedDB: a snapshot, and the changes since.
 * Tabs may write at once: what they leave leads to a version that the server had.
 */
export class Cache {
  #name;
  #database;
  /** Whether nothing was kept so far. */
  isNew = false;

  /** @param {string} [name] of the database */
  constructor(name = "freshet") {
    this.#name = name;
  }

  /** The documents kept of a feed, each following from the one before, and its note. @param {string} feed */
  async read(feed) {
    if (this.isNew) return {};
    const rows = await this.#do("readonly", (all) => all.getAll(keys(feed))) ?? [];
    const { note } = rows.find((row) => row.note) ?? {};
    const next = new Map(rows.map(({ since, text, at }) => [since, { text, at }]));
    const documents = [];
    const length = { whole: 0, changes: 0 };
    let [last, token, count, more] = [0, "", 0, ""];
    for (let since = ""; next.has(since); since = next.has(more) ? more : token) {
      const { text, at } = next.get(since);
      next.delete(since);
      length[since ? "changes" : "whole"] += text.length;
      documents.push(JSON.parse(text));
      ({ token, count } = documents.at(-1));
      // Rows that were loaded lead to no other version.
      more = `${token}+${count}`;
      last = at;
    }
    return { documents, at: last, length, note };
  }

  /** Keeps a snapshot in place of all that was kept, or changes since a token besides. */
  async write(feed, text, since = "") {
    this.isNew = false;
    await this.#do("readwrite", (all) => {
      if (since === "") all.delete(keys(feed, ""));
      return all.put({ text, since, at: Date.now() }, [feed, since]);
    });
  }

  /** Keeps a note beside what is kept of a feed. @param {string} feed @param {object} note */
  async note(feed, note) {
    await this.#do("readwrite", (all) => all.put({ note }, [feed]));
  }

  /** Forgets a feed. @param {string} feed */
  async forget(feed) {
    await this.#do("readwrite", (all) => all.delete(keys(feed)));
  }

  async #do(mode, work) {
    const database = await (this.#database ??= this.#open());
    if (!database) return undefined;
    return new Promise((resolve) => {
      try {
        const transaction = database.transaction("documents", mode);
        const request = work(transaction.objectStore("documents"));
        transaction.oncomplete = () => resolve(request.result);
        transaction.onabort = () => resolve(undefined);
      } catch {
        resolve(undefined);
      }
    });
  }

  #open() {
    return new Promise((resolve) => {
      try {
        const request = indexedDB.open(this.#name, 1);
        request.onupgradeneeded = () => request.result.createObjectStore("documents");
        request.onsuccess = () => {
          request.result.onversionchange = () => request.result.close();
          resolve(request.result);
        };
        request.onerror = () => resolve(null);
        // Another page may keep it closed; then one does without.
        setTimeout(resolve, DB_TIMEOUT_MS, null);
      } catch {
        resolve(null);
      }
    });
  }
}

/** The longest wait for the database, in milliseconds. */
const DB_TIMEOUT_MS = 3000;

/** The keys of a feed's documents, and without a first one also of its note. */
function keys(feed, ...first) {
  return IDBKeyRange.bound([feed, ...first], [feed, []]);
}

/** The characters of changes that may stand beside any snapshot before a new one replaces both. */
const MIN_CHANGES = 2 ** 17;

/** Keeps one feed in the cache between visits: a snapshot and the changes since. */
export class CachedFeed {
  #service;
  #feed;
  /** Characters of JSON in the cache. */
  #length = { whole: 0, changes: 0 };
  #noted = "";

  /** @param {import("./Service.js").Service} service @param {import("./Feed.js").Feed} feed */
  constructor(service, feed) {
    this.#service = service;
    this.#feed = feed;
  }

  /** The documents, each following from the one before, when the last one came, and the note. */
  async read() {
    const { length, ...kept } = await this.#service?.cache?.read(this.#key) ?? {};
    this.#length = length ?? this.#length;
    return kept;
  }

  /** Keeps changes besides, or in place of too many of them the whole feed. */
  add({ since, ...document }, text = JSON.stringify({ kind: "changes", since, ...document })) {
    this.#length.changes += text.length;
    if (this.#length.changes > Math.max(this.#length.whole, MIN_CHANGES)) {
      this.replace(JSON.stringify(this.#feed.document));
    } else {
      this.#service?.cache?.write(this.#key, text, since);
    }
  }

  /** Keeps a snapshot in place of all that was kept. */
  replace(text) {
    this.#length = { whole: text.length, changes: 0 };
    this.#service?.cache?.write(this.#key, text);
  }

  /** Keeps a note besides, if it is another. @param {object} note */
  note(note) {
    const noted = JSON.stringify(note);
    if (noted !== this.#noted) this.#service?.cache?.note?.(this.#key, note);
    this.#noted = noted;
  }

  /** Stops reading and writing: the cache belongs to another key. */
  end() { this.#service = null; }

  forget() {
    this.#noted = "";
    this.#service?.cache?.forget(this.#key);
  }

  get #key() { return `${this.#service?.base} ${this.#feed.cacheKey}`; }
}
