import { Cache } from "./Cache.js";

/** Why a request did not do what it was asked, in words for a person. */
export class FreshetError extends Error {
  name = "FreshetError";
  /** Undefined without an answer, 0 where a browser keeps it from the page. @type {number | undefined} */
  status;
  /** @type {any} */
  problem;
  /** @type {number | undefined} in seconds */
  retryAfter;

  /**
   * @param {string} message
   * @param {{status?: number, problem?: any, retryAfter?: number}} more retryAfter in seconds
   */
  constructor(message, { status, problem, retryAfter } = {}) {
    super(message);
    Object.assign(this, { status, problem, retryAfter });
  }

  /** A server that did not answer. */
  static networkError() { return new FreshetError("The server cannot be reached."); }

  /** An answer that is no document of a feed server. */
  static badResponse() {
    return new FreshetError("The server's answer is no document of a feed.", { status: 200 });
  }

  /** The name of the problem, if the server gave one: `behind`, `outcome-unknown`. */
  get type() {
    return typeof this.problem?.type === "string" ? this.problem.type.split("/").at(-1) : undefined;
  }

  /** Whether the server said that for this reader the feed is not there: what was kept goes. */
  get isGone() {
    return [401, 403, 404, 410].includes(this.status);
  }
}

/** Whether a value is an array of objects with an id each. */
export function isList(value) {
  return Array.isArray(value) && value.every((one) => typeof one?.id === "string");
}

/** Aborts a signal when data does not arrive in time. */
export class Watchdog {
  #late = new AbortController();
  #timer;

  get signal() { return this.#late.signal; }

  /** Aborts the signal unless it is called again within some time. @param {number} time in milliseconds */
  expect(time, error) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#late.abort(error), time);
  }

  /** Stops the timer; the signal stays as it is. */
  clear() { clearTimeout(this.#timer); }

  /** Stops the timer and aborts the signal. */
  end() {
    this.clear();
    this.#late.abort();
  }
}

/** The services that were told to wake since the page was hidden. @type {WeakSet<Service>} */
let woken = new WeakSet();
const forgetWoken = () => { woken = new WeakSet(); };

/** Whether a service is to stay awake while nobody sees the page. @param {Service} service */
export function isWoken(service) { return woken.has(service); }

/** A feed server: sends requests, reads answers and problems, and shares connections. */
export class Service {
  #key;
  #fetch;
  #connections = new Map();
  #batches;
  #isAsleep = false;
  /** Whether this page may read its answers. */
  #isReadable = false;
  /** Feeds that are shown though the server has them no more. @type {Set<import("./Feed.js").Feed>} */
  missing = new Set();

  /**
   * @param {string} [base] the server's address, `""` for the page's own
   * @param {import("../freshet.js").ServiceOptions} options
   * @throws {FreshetError} if it is no address of a server
   */
  constructor(base = "", { key, cache = new Cache(), fetch: send, times } = {}) {
    if (!addresses.test(base) || !URL.canParse(base, "http://server.invalid")) {
      throw new FreshetError(`The address of a server begins with http:// or https://, unlike “${base}”.`);
    }
    this.base = base.replace(/\/+$/, "");
    /** @type {?Cache} */
    this.cache = cache;
    this.times = times;
    this.#key = key;
    this.#fetch = send ?? ((...request) => fetch(...request));
  }

  /** The key; another one takes effect at once. */
  set key(key) {
    const before = this.#key;
    this.#key = key || undefined;
    if (this.#key !== before) for (const feed of this.missing) feed.forget();
    if (!this.#isAsleep) this.wake();
  }

  /** Whether requests are sent with a key. */
  get hasKey() { return Boolean(this.#key); }

  /** Whether connections are given up until `wake()`. */
  get isAsleep() { return this.#isAsleep; }

  /** Connects anew, as after sleep: what is followed is brought up to date at once. */
  wake() {
    this.#isAsleep = false;
    if (globalThis.document?.hidden) {
      woken.add(this);
      document.addEventListener("visibilitychange", forgetWoken, { once: true });
    }
    for (const connection of this.#connections.values()) connection.restart();
  }

  /** Gives its connections up until `wake()`; a page does so while nobody can see it. */
  sleep() {
    this.#isAsleep = true;
    for (const connection of this.#connections.values()) connection.sleep();
  }

  /** The connection for all feeds of a query, once one was followed. */
  connection(query) { return this.#connections.get(query); }

  /** Returns the connection for a query; its code is loaded with the first feed that is followed. */
  async connect(query) {
    const { Connection } = await this.#lines();
    if (!this.#connections.has(query)) {
      this.#connections.set(query, new Connection(this, this.times));
    }
    return this.connection(query);
  }

  /**
   * The feeds that may be read, all pages of the list.
   * @param {import("../freshet.js").Ending} [options]
   * @returns {Promise<import("../freshet.js").ListedFeed[]>}
   */
  async feeds(options) {
    const feeds = [];
    const asked = new Set();
    for (let path = "/feeds"; path; ) {
      const { document } = await this.read(path, options);
      asked.add(path);
      if (!isList(document?.feeds)) throw FreshetError.badResponse();
      feeds.push(...document.feeds);
      path = document.next && resolved(document.next, path);
      if (asked.has(path)) throw FreshetError.badResponse();
    }
    return feeds;
  }

  /**
   * @param {import("./Feed.js").Feed[]} feeds that it refreshes @param {import("../freshet.js").Waiting} [options]
   * @returns {Promise<number>} when to ask again, in seconds
   */
  async pull(feeds, options) {
    const { BatchReader } = await this.#lines();
    this.#batches ??= new BatchReader(this);
    return this.#batches.pull(feeds, options);
  }

  /** Fetches rows that follow those of a feed, as changes; null where they do not fit. */
  async rowsAfter(feed, count) {
    return (await this.#lines()).rowsAfter(this, feed, count);
  }

  /** Loads the code of connections. */
  #lines() {
    return import("./Connection.js").catch(() => { throw FreshetError.networkError(); });
  }

  /**
   * Fetches a document: null if nothing changed.
   * @param {string} path @param {import("../freshet.js").RequestOptions} [options]
   * @returns {Promise<import("../freshet.js").Document>}
   */
  async read(path, options) {
    const { hasKey } = this;
    return this.#send(path, options, async ({ status, headers }, whole) => {
      const about = {
        refreshAfter: Number(headers.get("Refresh-After")) || undefined, tag: headers.get("ETag"),
        // Of another origin it may be hidden.
        isPrivate: hasKey && /authorization|\*/i.test(headers.get("Vary") ?? "authorization"),
      };
      if (status === 304) return { document: null, text: "", ...about };
      const text = await whole();
      const document = parsed(text);
      if (document === null) throw FreshetError.badResponse();
      return { document, text, ...about };
    });
  }

  /**
   * Sends a request; `wait` is how many seconds the server may hold the answer.
   * @param {string} path @param {import("../freshet.js").RequestOptions} [options]
   * @returns {Promise<Response>} with a status of success, or 304
   * @throws {FreshetError}
   */
  async request(path, options) {
    return this.#send(path, options, (response) => response);
  }

  /**
   * Sends a request, and has its answer taken, whose `whole` text must keep coming.
   * @param {string} path @param {import("../freshet.js").RequestOptions} options
   */
  async #send(path, { headers, signal, wait = 0, ...options } = {}, take) {
    // A browser sends no other ones, and says no more than that it did not.
    if (/[^\x21-\x7e]/.test(this.#key)) throw new FreshetError(noKey, { status: 401 });
    const key = this.#key && { Authorization: `Bearer ${this.#key}` };
    const watchdog = new Watchdog();
    const expect = (more = 0) => watchdog.expect(
      (this.times?.answer ?? ANSWER_TIMEOUT_MS) + more, new FreshetError(silent));
    const ends = AbortSignal.any([watchdog.signal, ...signal ? [signal] : []]);
    expect(wait * 1000);
    let response;
    try {
      // The token says what is new; a cache in between could only hide it.
      response = await this.#fetch(this.base + path,
        { cache: "no-store", headers: { ...key, ...headers }, signal: ends, ...options });
      this.#isReadable = true;
      const whole = () => textOf(response, ends, expect);
      if (response.ok || response.status === 304) return await take(response, whole);
      throw refusal(response, await whole().catch(() => ""));
    } catch (error) {
      if (error instanceof FreshetError) throw error;
      throw watchdog.signal.aborted ? watchdog.signal.reason
        : signal?.aborted ? error : response ? FreshetError.networkError() : await this.#unreachable();
    } finally {
      watchdog.clear();
    }
  }

  /** Returns why no answer came: a browser does not say that this page may not read it. */
  async #unreachable() {
    if (!this.base || this.#isReadable) return FreshetError.networkError();
    return this.#lines().then(({ unreadable }) => unreadable(this.base), (error) => error);
  }
}

/** Addresses of servers: whole, or paths on the page's own. */
const addresses = /^(https?:\/\/|\.{0,2}(\/(?!\/)|$))[^?#\s]*$/i;

/** The time until an answer must begin, in milliseconds. */
const ANSWER_TIMEOUT_MS = 30_000;
const noKey = "A key has only letters, digits and signs of ASCII.";
const silent = "The server does not answer.";

/** The text of an answer. @param {Response} answer @param {() => void} heard called for every piece of it */
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
  const url = URL.canParse(next, base) ? new URL(next, base) : null;
  if (url?.origin !== base.origin || url.pathname.startsWith("//")) throw FreshetError.badResponse();
  return url.pathname + url.search;
}

/** Retry-After in seconds: it is a number of them, or a date (RFC 9110, 10.2.3). */
function seconds(value) {
  if (value === null) return undefined;
  return /^\d+$/.test(value) ? Number(value)
    : Math.max(0, (Date.parse(value) - Date.now()) / 1000) || undefined;
}
