import { Cache } from "./Cache.js";
import { FreshetError } from "./FreshetError.js";

/** A feed server: sends requests, reads answers and problems, and shares connections. */
export class Service {
  #key;
  #fetch;
  #lines = new Map();

  /** @param {string} [base] without a slash at the end @param {object} [options] docs/WEB.md */
  constructor(base = "", { key, cache = new Cache(), fetch: send, times } = {}) {
    Object.assign(this, { base, cache, times });
    this.#key = key;
    this.#fetch = send ?? ((...request) => fetch(...request));
    globalThis.addEventListener?.("online", () => this.wake());
    globalThis.document?.addEventListener("visibilitychange", () =>
      document.hidden ? this.sleep() : this.wake());
  }

  /** The key; another one takes effect at once. */
  set key(key) {
    this.#key = key || undefined;
    this.wake();
  }

  /** Connects anew, as after sleep: what is followed is brought up to date at once. */
  wake() {
    for (const line of this.#lines.values()) line.restart();
  }

  /** Gives its connections up until `wake()`; a page does so while nobody can see it. */
  sleep() {
    for (const line of this.#lines.values()) line.pause();
  }

  /** The connection for all feeds of a view, once one was followed. */
  line(view) { return this.#lines.get(view); }

  /** The same, made if need be: its code comes with the first feed that is followed. */
  async connect(view) {
    const { Line } = await import("./Line.js").catch(() => { throw this.#lost(); });
    if (!this.#lines.has(view)) this.#lines.set(view, new Line(this, this.times));
    return this.line(view);
  }

  /** The feeds that may be read, all pages of the list. @returns {Promise<object[]>} */
  async feeds(options) {
    const feeds = [];
    for (let path = "/feeds"; path; ) {
      const { document } = await this.read(path, options);
      feeds.push(...document.feeds);
      path = document.next && resolved(document.next, path);
    }
    return feeds;
  }

  /** Refreshes feeds of a view. @returns {Promise<number>} when to ask again, in seconds */
  async pull(feeds, { wait, signal } = {}) {
    const all = [...feeds];
    let pause = 60;
    for (let start = 0; start < all.length; start += 100) {
      const some = all.slice(start, start + 100);
      const held = wait ? `&wait=${wait}` : "";
      const answer = await this.read(`/pull?${selection(some)}${held}`, { signal, wait });
      pause = Math.min(pause, answer.refreshAfter ?? 10);
      await Promise.all(some.map((feed) => feed.take(answer.document.feeds[feed.id])));
    }
    return pause;
  }

  /** Fetches a document: null if nothing changed. @returns {Promise<{document, text}>} */
  async read(path, options) {
    const response = await this.request(path, options);
    const refreshAfter = Number(response.headers.get("Refresh-After")) || undefined;
    if (response.status === 304) return { document: null, text: "", refreshAfter };
    let text;
    try {
      text = await response.text();
    } catch (error) {
      throw this.#lost(error, options?.signal);
    }
    const document = parsed(text);
    if (document === null) throw new FreshetError(notFreshet, { status: response.status });
    return { document, text, refreshAfter };
  }

  /**
   * Sends a request; `wait` is how many seconds the server may hold the answer.
   * @returns {Promise<Response>} with a status of success, or 304
   * @throws {FreshetError}
   */
  async request(path, { headers, signal, wait = 0, ...options } = {}) {
    const key = this.#key && { Authorization: `Bearer ${this.#key}` };
    const late = new AbortController();
    const limit = (this.times?.answer ?? patience) + wait * 1000;
    const timer = setTimeout(() => late.abort(new FreshetError(silent)), limit);
    let response;
    try {
      // The token says what is new; a cache in between could only hide it.
      response = await this.#fetch(this.base + path, {
        cache: "no-store", headers: { ...key, ...headers },
        signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal, ...options,
      });
    } catch (error) {
      throw late.signal.aborted ? late.signal.reason : this.#lost(error, signal);
    } finally {
      clearTimeout(timer);
    }
    if (response.ok || response.status === 304) return response;
    const { status } = response;
    const problem = parsed(await response.text().catch(() => ""));
    const reason = problem?.detail ?? problem?.title ?? response.statusText;
    const retryAfter = seconds(response.headers.get("Retry-After"));
    throw new FreshetError(`The server refused: ${reason} (${status})`,
      { status, problem, retryAfter });
  }

  #lost(error, signal) {
    return signal?.aborted ? error : new FreshetError("The server cannot be reached.");
  }
}

/** How long an answer may take to begin, in milliseconds. */
const patience = 30_000;
const silent = "The server does not answer.";
const notFreshet = "The server's answer is no document of a feed.";

/** The query for feeds with what is known of them. @param {import("./Feed.js").Feed[]} feeds */
export function selection(feeds) {
  const wanted = feeds.map(({ id, token }) =>
    `feed=${encodeURIComponent(id)}${token ? `@${token}` : ""}`);
  return wanted.join("&") + (feeds[0]?.view ?? "");
}

function parsed(text) {
  try {
    const value = JSON.parse(text);
    return value !== null && typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

/** A page's address, relative to the one before, as a path. */
function resolved(next, path) {
  const url = new URL(next, new URL(path, "http://server.invalid"));
  return url.pathname + url.search;
}

/** Retry-After in seconds: it is a number of them, or a date (RFC 9110, 10.2.3). */
function seconds(value) {
  if (value === null) return undefined;
  return /^\d+$/.test(value) ? Number(value)
    : Math.max(0, (Date.parse(value) - Date.now()) / 1000) || undefined;
}
