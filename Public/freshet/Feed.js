import { CachedFeed } from "./Cache.js";
import { FreshetError, isList } from "./Service.js";
import { diffSnapshots, fromChanges, RefreshResult, Snapshot } from "./Snapshot.js";

/** The most rows of a request. */
const MAX_ROWS = 1000;

/** How long an open feed is shown once the server has it no more, in milliseconds: PROTOCOL.md. */
const MISSING_MS = 86_400_000;

/** @typedef {import("./Snapshot.js").Item} Item */
/** @typedef {import("./Snapshot.js").Identified} Identified */

/**
 * @template {Identified} T
 * @typedef {{change: CustomEvent<RefreshResult<T>>, state: Event}} FeedEvents
 */

/**
 * One feed as a reader has it. Its options, members and events: docs/WEB.md.
 * @template {Identified} [T=Item]
 * @fires FeedEvents<T>
 */
export class Feed extends EventTarget {
  #service;
  #running = null;
  #turn = Promise.resolve();
  #restored = null;
  #cached;
  /** How many items are held at most; grows. @type {number | undefined} */
  #limit;
  /** The rows of one step where nobody says it, and the step under way. */
  #step;
  #growing = null;
  /** Ends with the following of the feed, if there is any. @type {?AbortController} */
  #follows = null;
  /** @type {any} */
  #connection = "idle";
  /** What follows it. */
  #joined;
  /** Whether what was heard of it last depended on a key. */
  #isPrivate = false;

  /**
   * @param {import("./Service.js").Service} service @param {string} id
   * @param {import("../freshet.js").FeedOptions} options
   */
  constructor(service, id, { limit, sections = [], first, most = Infinity, as } = {}) {
    super();
    this.#service = service;
    this.#cached = new CachedFeed(service, this);
    this.id = id;
    this.sections = sections;
    this.first = first;
    this.most = most;
    this.as = as;
    this.#limit = limit;
    /** The name under which it is cached. */
    this.cacheKey = id + this.view;
    /** @type {?Snapshot<T>} */
    this.snapshot = null;
    /** @type {?string} */
    this.token = null;
    /** @type {?Date} */
    this.refreshed = null;
    /** Since when the server has not what is still shown. @type {?Date} */
    this.missingSince = null;
    /** @type {?FreshetError} */
    this.error = null;
  }

  /** The server of the feed. */
  get service() { return this.#service; }

  /** How many items are held at most; undefined for all. @returns {number | undefined} */
  get limit() { return this.#limit; }

  /** Its part of the feed, in a query. */
  get view() {
    return (this.#limit === undefined ? "" : `&limit=${this.#limit}`)
      + this.sections.map((section) => `&section=${encodeURIComponent(section)}`).join("");
  }

  /** What a pull and a stream are asked for, besides feeds. */
  get query() { return this.view + (this.as ? `&as=${this.as}` : ""); }

  /**
   * How it is: `offline` where nothing answers, `failed` where something else than the feed came.
   * @returns {"idle" | "refreshing" | "live" | "offline" | "failed"}
   */
  get state() {
    return this.#running ? "refreshing" : this.#connection;
  }

  /**
   * Calls a listener now, and whenever `snapshot`, `state` or `error` is another.
   * It is bound, so that frameworks can take it as it is.
   * @param {(snapshot: ?Snapshot<T>) => void} listener @returns {() => void} ends that
   */
  subscribe = (listener) => {
    const tell = () => listener(this.snapshot);
    for (const name of ["change", "state"]) this.addEventListener(name, tell);
    tell();
    return () => {
      for (const name of ["change", "state"]) this.removeEventListener(name, tell);
    };
  };

  /** Takes up what was kept from the last visit. @returns {Promise<boolean>} if anything was */
  restore() {
    // What cannot be read is as good as nothing.
    return this.#restored ??= this.#restore().catch(() => false);
  }

  async #restore() {
    // What nobody knows of may be for a key only.
    const { documents, at, note = { isPrivate: true, missing: 0 } } = await this.#cached.read();
    const { isPrivate, missing, refreshed = at } = note;
    const [first, ...changes] = documents ?? [];
    if (first?.kind !== "snapshot" || this.snapshot) return false;
    const last = changes.at(-1) ?? first;
    const whole = this.#read(first);
    const snapshot = last === first ? whole : whole.following(changes);
    if (!snapshot) return false;
    const { total, count } = snapshot;
    // What was loaded later is still there.
    if (this.#limit || total >= 0 && !this.sections[0]) {
      this.#limit = Math.max(this.#limit ?? this.first ?? 1, count);
    }
    if (missing && Date.now() - missing >= MISSING_MS) {
      this.#cached.forget();
      return false;
    }
    this.#isPrivate = isPrivate;
    this.#show(snapshot, missing ? null : last.token, RefreshResult.first(), new Date(refreshed), missing);
    return true;
  }

  /**
   * Asks what is new and takes it in. Calls that come while one is under way share it.
   * @param {{signal?: AbortSignal}} options
   * @returns {Promise<RefreshResult<T>>}
   * @throws {FreshetError}
   */
  refresh({ signal } = {}) {
    this.#running ??= this.#begin();
    return this.#running.join(signal);
  }

  #begin() {
    const run = new SharedWork((signal) => this.#inTurn(() => this.#ask(signal)), () => {
      if (this.#running === run) this.#running = null;
      this.#notify();
    });
    queueMicrotask(() => this.#notify());
    return run;
  }

  async #ask(signal) {
    try {
      await this.restore();
      const result = this.token === null && !this.snapshot && this.first && !this.view
        ? await this.#askFirst(signal) : await this.#askSince(this.token, signal);
      const isDown = ["offline", "failed"].includes(this.#connection);
      if (isDown) this.#connected("idle");
      if (isDown || this.#isElsewhere) this.#join();
      return result;
    } catch (error) {
      const wasLive = this.#connection === "live";
      if (!signal.aborted) this.failed(error);
      // The connection may be well, and then says so.
      if (!signal.aborted && wasLive) this.#join();
      throw error;
    }
  }

  async #askFirst(signal) {
    const { document, text } = await this.#get(`?limit=${this.first}`, signal);
    const { total, count } = document ?? {};
    if (total !== count && text.length * total > this.most * count) this.#limit = this.first;
    else if (total !== count) {
      this.#show(this.#read(document), null, RefreshResult.first());
      // The rest may take a while to take in.
      await nextFrame();
      return this.#askSince(null, signal);
    }
    return this.#replace(document, text);
  }

  async #askSince(token, signal) {
    const query = token ? `?since=${token}${this.query}` : this.view.replace("&", "?");
    const { document, text } = await this.#get(query, signal, token);
    return this.#take(document ?? { kind: "unchanged", token }, text, signal, token);
  }

  async #get(query, signal, token) {
    const headers = token ? { "If-None-Match": `"${token}"` } : {};
    const answer = await this.#service.read(`/feeds/${encodeURIComponent(this.id)}${query}`, { signal, headers });
    this.#isPrivate = answer.isPrivate;
    return answer;
  }

  /** Whether there are rows after those that are here, which a limit leaves out. */
  get hasMore() {
    const isPart = ({ count, items }) => count > items.length;
    // Rows are left out at the end.
    return this.#limit !== undefined && this.snapshot?.sections.findLast(isPart) !== undefined;
  }

  /**
   * Loads the rows after those that are here; calls at the same time share a request.
   * @param {number} [count] up to 1,000 @returns {Promise<boolean>} whether there are still more
   */
  async loadMore(count) {
    if (!this.token) {
      await this.refresh();
      return this.hasMore;
    }
    this.#step ??= this.first ?? this.#limit;
    const number = Math.min(Math.max(count ?? this.#step ?? 1, 1), MAX_ROWS);
    return this.#growing ??= this.#inTurn(() => this.#loadRows(number))
      .finally(() => { this.#growing = null; });
  }

  async #loadRows(count) {
    if (!this.token || !this.hasMore) return false;
    const limit = Math.max(this.#limit, this.snapshot.count + count);
    try {
      const { id, sections, snapshot, token } = this;
      const rows = await this.#service.rowsAfter({ id, sections, snapshot, token }, count);
      // It was forgotten meanwhile.
      if (!this.token) return false;
      const { total, count: held } = snapshot;
      const next = rows && snapshot.applying(rows, total);
      if (next) {
        this.#limit = limit;
        this.#show(next, token, Object.assign(new RefreshResult(), { changes: rows, isMore: true }));
        this.#cached.add({ since: `${token}+${held}`, token, count: next.count, order: next.order,
          total, changes: rows });
      } else {
        await this.#askForView(limit);
      }
    } catch (error) {
      if (error.isGone) this.failed(error);
      throw error;
    }
    // A connection that follows the feed goes on with the new limit.
    this.#join();
    return this.hasMore;
  }

  /** Asks for all rows of a greater view: the server has not the version that is here. */
  async #askForView(limit) {
    const before = this.#limit;
    this.#limit = limit;
    try {
      const { document, text } = await this.#get(this.view.replace("&", "?"));
      this.#replace(document, text);
    } catch (error) {
      this.#limit = before;
      throw error;
    }
  }

  /** @returns {Promise<any>} */
  #inTurn(work) {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }

  /**
   * Applies a document of a pull or a stream.
   * @param {any} document @param {string} [text] its JSON
   * @param {{mismatched?: () => void, query?: string, isPrivate?: boolean}} options `mismatched` is called, and
   * nothing asked for, when changes lead elsewhere; the document answers `query`
   * @returns {Promise<RefreshResult<T>>}
   */
  async applyDocument(document, text,
    { mismatched, query = this.query, isPrivate = this.#service.hasKey } = {}) {
    const known = this.token;
    // Of another part of the feed it says nothing of this one; and a snapshot that waited for
    // another answer may be older than that: the server knows.
    const isStale = () => query !== this.query
      || document?.kind === "snapshot" && this.token !== known;
    const result = await this.#inTurn(() => {
      if (isStale()) return this.#askSince(this.token);
      if (document?.kind !== "missing") this.#isPrivate = isPrivate;
      return this.#take(document, text, undefined, undefined, mismatched);
    });
    const error = document?.kind === "missing" ? this.error : null;
    this.#connected(this.#follows ? "live" : "idle", error);
    return result;
  }

  /** Applies changes; null, and nothing applied, if they lead elsewhere. */
  #apply({ since, token, count, order, total, changes }, text) {
    let [next, result] = [null, null];
    try {
      result = fromChanges(changes, this.snapshot);
      next = this.snapshot.applying(changes, total);
    } catch {
      // They have not the form of changes.
    }
    if (!next?.fits({ count, order })) return null;
    this.#show(next, token, result);
    this.#note();
    this.#cached.add({ since, token, count, order, total, changes }, text);
    return result;
  }

  /** The snapshot as the server would send it. */
  get document() {
    const { members, sections, count, order, total } = this.snapshot;
    const own = sections.map((section) => ({ count: section.items.length, ...section }));
    return { kind: "snapshot", feed: this.id, token: this.token, ...members, count, order, total,
      sections: own };
  }

  /** Stops caching: the cache belongs to another key. */
  stopCaching() { this.#cached.end(); }

  /** Applies the answer to a request, or a document that came by itself. */
  async #take(document, text, signal, asked, mismatched) {
    const { kind, since, token, feed = this.id } = document ?? {};
    const isHere = token === this.token && token !== null;
    switch (feed === this.id && kind) {
      case "unchanged":
        if (!isHere) return this.#again(signal, asked);
        if (!document.order || this.snapshot?.fits(document)) return this.#same();
        break;
      case "changes":
        // A stream may bring what a refresh has brought already.
        if (isHere) return this.#same();
        if (since !== this.token) return this.#again(signal, asked);
        const result = this.#apply(document, text);
        if (result) return result;
        break;
      case "missing":
        return this.#missed(new FreshetError(`There is no feed “${this.id}” here.`, { status: 404 }));
      case "snapshot": case undefined: return this.#replace(document, text);
    }
    this.token = null;
    return mismatched ? (mismatched(), new RefreshResult()) : this.#again(signal, asked);
  }

  /** What is here is what the server has. */
  #same() {
    this.refreshed = new Date();
    this.#note();
    return new RefreshResult();
  }

  /** What came does not fit: asks for what would, and then for everything. */
  #again(signal, asked) {
    if (asked === null) return this.#replace(null);
    return this.#askSince(asked === undefined ? this.token : null, signal);
  }

  #replace(document, text = JSON.stringify(document)) {
    const next = this.#read(document);
    const old = this.snapshot;
    const result = old ? diffSnapshots(old, next) : RefreshResult.first();
    this.#show(next, document.token, result);
    this.#note();
    this.#cached.replace(text);
    return result;
  }

  #read(document) {
    const isOne = document?.kind === "snapshot" && isList(document.sections)
      && document.sections.every(({ items }) => isList(items));
    if (isOne) return Snapshot.read(document, this.#limit !== undefined);
    throw FreshetError.badResponse();
  }

  #show(snapshot, token, result, refreshed = new Date(), missing = 0) {
    Object.assign(this, { snapshot, token, refreshed });
    this.#misses(missing);
    this.dispatchEvent(new CustomEvent("change", { detail: result }));
  }

  /** Takes since when the server has not what is here; 0 if it has it. */
  #misses(time) {
    this.missingSince = time ? new Date(time) : null;
    this.#service.missing[time ? "add" : "delete"](this);
  }

  /** Keeps beside the copy whom it is for, and in which minute the server had it, or since when not. */
  #note() {
    const refreshed = this.refreshed.getTime();
    this.#cached.note({
      isPrivate: this.#isPrivate, missing: this.missingSince?.getTime(), refreshed: refreshed - refreshed % 60_000,
    });
  }

  /** The server has it not: what is open stays for a while, and says so. */
  #missed(error) {
    const since = this.missingSince?.getTime() ?? Date.now();
    this.error = error;
    if (!this.snapshot || this.#isPrivate || Date.now() - since >= MISSING_MS) return this.forget();
    this.#misses(since);
    this.token = null;
    this.#note();
    const time = this.missingSince.toLocaleString();
    this.error = new FreshetError(`The server has not had this feed since ${time}.`, error);
    return new RefreshResult();
  }

  /** Lets go of what is held of it, here and in the cache. @returns {RefreshResult<any>} */
  forget() {
    const old = this.snapshot;
    this.#cached.forget();
    const removed = new Set(old?.sections.flatMap(({ items }) => items.map(({ id }) => id)));
    const result = Object.assign(new RefreshResult(),
      { removed, isRearranged: old !== null });
    Object.assign(this, { snapshot: null, token: null });
    this.#misses(0);
    if (old) this.dispatchEvent(new CustomEvent("change", { detail: result }));
    return result;
  }

  /** Follows the feed from now on. @param {{signal?: AbortSignal}} options ends it, as `stop` */
  live({ signal } = {}) {
    if (signal?.aborted || this.#follows) return;
    const follows = this.#follows = new AbortController();
    signal?.addEventListener("abort", () => this.stop(), { signal: follows.signal });
    this.restore().then(() => this.#join(follows));
  }

  async #join(follows = this.#follows) {
    if (this.#isElsewhere) this.#joined.remove(this);
    const isFollowed = () => follows !== null && this.#follows === follows;
    try {
      const connection = isFollowed() && await this.#service.connect(this.query);
      if (isFollowed()) (this.#joined = connection).add(this);
    } catch (error) {
      if (isFollowed()) this.failed(error);
    }
  }

  /** Whether it is followed with another query than it has. */
  get #isElsewhere() {
    return this.#joined && this.#joined !== this.#service.connection(this.query);
  }

  /** Follows the feed no longer. */
  stop() {
    if (!this.#follows) return;
    this.#follows.abort();
    this.#follows = null;
    this.#joined?.remove(this);
    this.#connected("idle");
  }

  /** For its connection: a try failed. @param {FreshetError} error @param {boolean} isGone */
  failed(error, isGone = error.isGone) {
    // A key that is refused may have expired; with the next one this goes on from its token.
    const isMissing = isGone && error.status === 404;
    if (isMissing) this.#missed(error);
    else if (isGone && !(error.status === 401 && this.#service.hasKey)) this.forget();
    this.#connected(error.status === undefined ? "offline" : "failed", isMissing ? this.error : error);
  }

  /** For its connection: it is given up for a while. */
  paused() {
    if (this.#connection === "live") this.#connected("idle");
  }

  #connected(state, error = null) {
    this.error = error;
    this.#connection = state;
    this.#notify();
  }

  #lastState = "idle ";

  #notify() {
    const now = `${this.state} ${this.error?.message ?? ""}`;
    if (now === this.#lastState) return;
    this.#lastState = now;
    this.dispatchEvent(new Event("state"));
  }
}

/** Shares work between callers that wait for it; it is aborted when none of them waits any more. */
class SharedWork {
  #stop = new AbortController();
  #result;
  #callers = 0;
  #ended;

  /** @param {() => void} ended called when it is over, or nobody waits for it */
  constructor(work, ended) {
    this.#ended = ended;
    this.#result = work(this.#stop.signal).finally(ended);
    this.#result.catch(() => {});
  }

  /** Waits for it. @param {AbortSignal} [signal] ends the waiting */
  join(signal) {
    this.#callers += 1;
    return new Promise((resolve, reject) => {
      const leave = () => {
        reject(signal.reason);
        if (--this.#callers > 0) return;
        this.#stop.abort(signal.reason);
        this.#ended();
      };
      if (signal?.aborted) return leave();
      signal?.addEventListener("abort", leave, { once: true });
      const settled = (settle) => (value) => {
        signal?.removeEventListener("abort", leave);
        settle(value);
      };
      return this.#result.then(settled(resolve), settled(reject));
    });
  }
}

/** Waits until a page that is in sight shows what it has now; elsewhere not at all. */
export function nextFrame() {
  if (!globalThis.requestAnimationFrame || document.hidden) return Promise.resolve();
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    // Of a page that is hidden meanwhile no frame comes.
    setTimeout(resolve, 200);
  });
}
