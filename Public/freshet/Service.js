import { Cache } from "./Cache.js";
import { FreshetError, isList } from "./FreshetError.js";
import { Watchdog } from "./Watchdog.js";

/** A feed server: sends requests, reads answers and problems, and shares connections. */
export class Service {
  #key;
  #fetch;
  #connections = new Map();
  #pulls;
  // Whether it sleeps.
  _isAsleep = false;

  /** @param {string} [base] no slash at its end @param {import("./options.js").ServiceOptions} [options] */
  constructor(base = "", { key, cache = new Cache(), fetch: send, times } = {}) {
    Object.assign(this, { base, cache, times });
    this.#key = key;
    this.#fetch = send ?? ((...request) => fetch(...request));
    globalThis.addEventListener?.("online", () => this._isAsleep || this.wake());
    globalThis.document?.addEventListener("visibilitychange", () =>
      document.hidden ? this.sleep() : this.wake());
  }

  /** The key; another one takes effect at once. */
  set key(key) {
    this.#key = key || undefined;
    if (!this._isAsleep) this.wake();
  }

  /** Whether there is one. */
  get hasKey() { return Boolean(this.#key); }

  /** Connects anew, as after sleep: what is followed is brought up to date at once. */
  wake() {
    this._isAsleep = false;
    for (const connection of this.#connections.values()) connection.restart();
  }

  /** Gives its connections up until `wake()`; a page does so while nobody can see it. */
  sleep() {
    this._isAsleep = true;
    for (const connection of this.#connections.values()) connection.sleep();
  }

  /** The connection for all feeds of a query, once one was followed. */
  connection(query) { return this.#connections.get(query); }

  /** The same, made if need be: its code comes with the first feed that is followed. */
  async connect(query) {
    const { Connection } = await import("./Connection.js").catch(() => { throw this.#lost(); });
    if (!this.#connections.has(query)) {
      this.#connections.set(query, new Connection(this, this.times));
    }
    return this.connection(query);
  }

  /**
   * The feeds that may be read, all pages of the list.
   * @param {import("./options.js").Ending} [options] @returns {Promise<import("./options.js").ListedFeed[]>}
   */
  async feeds(options) {
    const feeds = [];
    const asked = new Set();
    for (let path = "/feeds"; path; ) {
      const { document } = await this.read(path, options);
      asked.add(path);
      if (!isList(document?.feeds)) throw FreshetError.strange();
      feeds.push(...document.feeds);
      path = document.next && resolved(document.next, path);
      if (asked.has(path)) throw FreshetError.strange();
    }
    return feeds;
  }

  /**
   * @param {import("./Feed.js").Feed[]} feeds that it refreshes @param {import("./options.js").Waiting} [options]
   * @returns {Promise<number>} when to ask again, in seconds
   */
  async pull(feeds, options) {
    const { Pulls } = await import("./Pulls.js").catch(() => { throw this.#lost(); });
    this.#pulls ??= new Pulls(this);
    return this.#pulls.pull(feeds, options);
  }

  /**
   * Fetches a document: null if nothing changed.
   * @param {string} path @param {import("./options.js").RequestOptions} [options] @returns {Promise<import("./options.js").Document>}
   */
  async read(path, options) {
    return this.#send(path, options, async ({ status, headers }, whole) => {
      const refreshAfter = Number(headers.get("Refresh-After")) || undefined;
      const tag = headers.get("ETag");
      if (status === 304) return { document: null, text: "", refreshAfter, tag };
      const text = await whole();
      const document = parsed(text);
      if (document === null) throw FreshetError.strange();
      return { document, text, refreshAfter, tag };
    });
  }

  /**
   * Sends a request; `wait` is how many seconds the server may hold the answer.
   * @param {string} path @param {import("./options.js").RequestOptions} [options]
   * @returns {Promise<Response>} with a status of success, or 304
   * @throws {FreshetError}
   */
  async request(path, options) {
    return this.#send(path, options, (response) => response);
  }

  /** Sends a request, and has its answer taken, whose `whole` text must keep coming. */
  async #send(path, { headers, signal, wait = 0, ...options } = {}, take) {
    // A browser sends no other ones, and says no more than that it did not.
    if (/[^\x21-\x7e]/.test(this.#key)) throw new FreshetError(noKey, { status: 401 });
    const key = this.#key && { Authorization: `Bearer ${this.#key}` };
    const watchdog = new Watchdog();
    const expect = (more = 0) => watchdog.expect(
      (this.times?.answer ?? patience) + more, new FreshetError(silent));
    const ends = AbortSignal.any([watchdog.signal, ...signal ? [signal] : []]);
    expect(wait * 1000);
    try {
      // The token says what is new; a cache in between could only hide it.
      const response = await this.#fetch(this.base + path,
        { cache: "no-store", headers: { ...key, ...headers }, signal: ends, ...options });
      const whole = () => textOf(response, ends, expect);
      if (response.ok || response.status === 304) return await take(response, whole);
      throw refusal(response, await whole().catch(() => ""));
    } catch (error) {
      if (error instanceof FreshetError) throw error;
      throw watchdog.signal.aborted ? watchdog.signal.reason : this.#lost(error, signal);
    } finally {
      watchdog.rest();
    }
  }

  #lost(error, signal) {
    return signal?.aborted ? error : FreshetError.lost();
  }
}

/** How long an answer may take to begin, in milliseconds. */
const patience = 30_000;
const noKey = "A key has only letters, digits and signs of ASCII.";
const silent = "The server does not answer.";

/** The text of an answer. @param {() => void} heard called for every piece of it */
function textOf({ body }, signal, heard) {
  const pieces = new TransformStream({
    transform(piece, all) {
      heard();
      all.enqueue(piece);
    },
  });
  return new Response(body?.pipeThrough(pieces, { signal })).text();
}

function refusal({ status, statusText, headers }, text) {
  const problem = parsed(text);
  const reason = problem?.detail ?? problem?.title ?? statusText;
  return new FreshetError(`The server refused: ${reason} (${status})`,
    { status, problem, retryAfter: seconds(headers.get("Retry-After")) });
}

function parsed(text) {
  try {
    const value = JSON.parse(text);
    return value !== null && typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

/** A page's address, relative to the one before, as a path; never one elsewhere. */
function resolved(next, path) {
  const base = new URL(path, "http://server.invalid");
  const { origin, pathname, search } = URL.canParse(next, base) ? new URL(next, base) : {};
  if (origin !== base.origin || pathname.startsWith("//")) throw FreshetError.strange();
  return pathname + search;
}

/** Retry-After in seconds: it is a number of them, or a date (RFC 9110, 10.2.3). */
function seconds(value) {
  if (value === null) return undefined;
  return /^\d+$/.test(value) ? Number(value)
    : Math.max(0, (Date.parse(value) - Date.now()) / 1000) || undefined;
}
