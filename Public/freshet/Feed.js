import { FreshetError, isList } from "./FreshetError.js";
import { KeptFeed } from "./KeptFeed.js";
import { nextFrame } from "./nextFrame.js";
import { RefreshResult } from "./RefreshResult.js";
import { SharedWork } from "./SharedWork.js";
import { Snapshot } from "./Snapshot.js";

/** One feed as a reader has it. Its options, members and events: docs/WEB.md. */
export class Feed extends EventTarget {
  _service;
  #running = null;
  #turn = Promise.resolve();
  #restored = null;
  _kept;
  /** How many items are held at most; grows. @type {number | undefined} */
  _limit;
  /** Ends with the following of the feed, if there is any. @type {?AbortController} */
  _follows = null;
  #connection = "idle";
  /** What follows it. */
  #joined;

  /**
   * @param {import("./Service.js").Service} service @param {string} id
   * @param {import("./options.js").FeedOptions} [options]
   */
  constructor(service, id, { limit, sections = [], first, most = Infinity, as } = {}) {
    super();
    this._service = service;
    this._kept = new KeptFeed(service, this);
    this.id = id;
    Object.assign(this, { first, most, as, sections, _limit: limit });
    /** Under which it is kept. */
    this.place = id + this.view;
    /** @type {?Snapshot} */
    this.snapshot = null;
    /** @type {?string} */
    this.token = null;
    /** @type {?Date} */
    this.refreshed = null;
    /** @type {?FreshetError} */
    this.error = null;
  }

  /** Its part of the feed, in a query. */
  get view() {
    return (this._limit === undefined ? "" : `&limit=${this._limit}`)
      + this.sections.map((section) => `&section=${encodeURIComponent(section)}`).join("");
  }

  /** What a pull and a stream are asked for, besides feeds. */
  get query() { return this.view + (this.as ? `&as=${this.as}` : ""); }

  /** @returns {"idle" | "refreshing" | "live" | "offline"} */
  get state() {
    return this.#running ? "refreshing" : this.#connection;
  }

  /** Takes up what was kept from the last visit. @returns {Promise<boolean>} if anything was */
  restore() {
    // What cannot be read is as good as nothing.
    return this.#restored ??= this.#restore().catch(() => false);
  }

  async #restore() {
    const { documents, at } = await this._kept.read();
    const [first, ...changes] = documents ?? [];
    if (first?.kind !== "snapshot" || this.snapshot) return false;
    const last = changes.at(-1) ?? first;
    const whole = this.#read(first);
    const snapshot = last === first ? whole : (await changing()).following(whole, changes);
    if (!snapshot) return false;
    const { total, count } = snapshot;
    // What was loaded later is still there.
    if (this._limit || total >= 0 && !this.sections[0]) {
      this._limit = Math.max(this._limit ?? this.first ?? 1, count);
    }
    this._show(snapshot, last.token, RefreshResult.first(), new Date(at));
    return true;
  }

  /**
   * Asks what is new and takes it in. Calls that come while one is under way share it.
   * @param {{signal?: AbortSignal}} [options]
   * @returns {Promise<RefreshResult>}
   * @throws {FreshetError}
   */
  refresh({ signal } = {}) {
    this.#running ??= this.#begin();
    return this.#running.join(signal);
  }

  #begin() {
    const run = new SharedWork((signal) => this._inTurn(() => this.#ask(signal)), () => {
      if (this.#running === run) this.#running = null;
      this.#say();
    });
    queueMicrotask(() => this.#say());
    return run;
  }

  async #ask(signal) {
    try {
      await this.restore();
      const result = this.token === null && !this.snapshot && this.first && !this.view
        ? await this.#askFirst(signal) : await this._askSince(this.token, signal);
      const isOffline = this.#connection === "offline";
      if (isOffline) this._connected("idle");
      if (isOffline || this.#isElsewhere) this._join();
      return result;
    } catch (error) {
      const wasLive = this.#connection === "live";
      if (!signal.aborted) this.failed(error);
      // The connection may be well, and then says so.
      if (!signal.aborted && wasLive) this._join();
      throw error;
    }
  }

  async #askFirst(signal) {
    const { document, text } = await this._get(`?limit=${this.first}`, signal);
    const { total, count } = document ?? {};
    if (total !== count && text.length * total > this.most * count) this._limit = this.first;
    else if (total !== count) {
      this._show(this.#read(document), null, RefreshResult.first());
      // The rest may take a while to take in.
      await nextFrame();
      return this._askSince(null, signal);
    }
    return this._replace(document, text);
  }

  async _askSince(token, signal) {
    const query = token ? `?since=${token}${this.query}` : this.view.replace("&", "?");
    const { document, text } = await this._get(query, signal, token);
    return this._take(document ?? { kind: "unchanged", token }, text, signal, token);
  }

  _get(query, signal, token) {
    const headers = token ? { "If-None-Match": `"${token}"` } : {};
    return this._service.read(`/feeds/${encodeURIComponent(this.id)}${query}`, { signal, headers });
  }

  /** Whether there are rows after those that are here, which a limit leaves out. */
  get hasMore() {
    const isPart = ({ count, items }) => count > items.length;
    // Rows are left out at the end.
    return this._limit !== undefined && this.snapshot?.sections.findLast(isPart) !== undefined;
  }

  /**
   * Fetches those, which are shared by calls at the same time; the limit grows.
   * @param {number} [count] up to 1,000 @returns {Promise<boolean>} whether there are still more
   */
  async loadMore(count) {
    const { grow } = await import("./growing.js").catch(() => { throw FreshetError.lost(); });
    return grow(this, count);
  }

  _inTurn(work) {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }

  /** Takes in the answer to what was asked, or what came by itself. */
  async _take(document, text, signal, asked, mismatched) {
    const { kind, since, token, feed = this.id } = document ?? {};
    const isHere = token === this.token && token !== null;
    switch (feed === this.id && kind) {
      case "unchanged":
        if (!isHere) return this.#again(signal, asked);
        if (document.order) await changing();
        if (!document.order || this.snapshot?.fits(document)) return this.#same();
        break;
      case "changes":
        // A stream may bring what a refresh has brought already.
        if (isHere) return this.#same();
        if (since !== this.token) return this.#again(signal, asked);
        await changing();
        const result = this._apply(document, text);
        if (result) return result;
        break;
      case "missing":
        this.error = new FreshetError(`There is no feed “${this.id}” here.`, { status: 404 });
        return this.forget();
      case "snapshot": case undefined: return this._replace(document, text);
    }
    this.token = null;
    return mismatched ? (mismatched(), new RefreshResult()) : this.#again(signal, asked);
  }

  /** What is here is what the server has. */
  #same() {
    this.refreshed = new Date();
    return new RefreshResult();
  }

  /** What came does not fit: asks for what would, and then for everything. */
  #again(signal, asked) {
    if (asked === null) return this._replace(null);
    return this._askSince(asked === undefined ? this.token : null, signal);
  }

  async _replace(document, text = JSON.stringify(document)) {
    const next = this.#read(document);
    const { ofDifference } = this.snapshot ? await changing() : {};
    const old = this.snapshot;
    const result = old ? ofDifference(old, next) : RefreshResult.first();
    this._show(next, document.token, result);
    this._kept.replace(text);
    return result;
  }

  #read(document) {
    const isOne = document?.kind === "snapshot" && isList(document.sections)
      && document.sections.every(({ items }) => isList(items));
    if (isOne) return Snapshot.read(document, this._limit !== undefined);
    throw FreshetError.strange();
  }

  _show(snapshot, token, result, refreshed = new Date()) {
    Object.assign(this, { snapshot, token, refreshed });
    this.dispatchEvent(new CustomEvent("change", { detail: result }));
  }

  /** Lets go of what is held of it, here and in the cache. @returns {RefreshResult} */
  forget() {
    const old = this.snapshot;
    this._kept.forget();
    const removed = new Set(old?.sections.flatMap(({ items }) => items.map(({ id }) => id)));
    const result = Object.assign(new RefreshResult(),
      { removed, isRearranged: old !== null });
    Object.assign(this, { snapshot: null, token: null });
    if (old) this.dispatchEvent(new CustomEvent("change", { detail: result }));
    return result;
  }

  /** Follows the feed from now on. @param {{signal?: AbortSignal}} [options] ends it, as `stop` */
  live({ signal } = {}) {
    if (signal?.aborted || this._follows) return;
    const follows = this._follows = new AbortController();
    signal?.addEventListener("abort", () => this.stop(), { signal: follows.signal });
    this.restore().then(() => this._join(follows));
  }

  async _join(follows = this._follows) {
    if (this.#isElsewhere) this.#joined.remove(this);
    const isFollowed = () => follows !== null && this._follows === follows;
    try {
      const connection = isFollowed() && await this._service.connect(this.query);
      if (isFollowed()) (this.#joined = connection).add(this);
    } catch (error) {
      if (isFollowed()) this.failed(error);
    }
  }

  /** Whether it is followed with another query than it has. */
  get #isElsewhere() {
    return this.#joined && this.#joined !== this._service.connection(this.query);
  }

  /** Follows the feed no longer. */
  stop() {
    if (!this._follows) return;
    this._follows.abort();
    this._follows = null;
    this.#joined?.remove(this);
    this._connected("idle");
  }

  /** For its connection: a try failed. @param {FreshetError} error @param {boolean} isGone */
  failed(error, isGone = error.isGone) {
    // A key that is refused may have expired; with the next one this goes on from its token.
    if (isGone && !(error.status === 401 && this._service.hasKey)) this.forget();
    this._connected("offline", error);
  }

  /** For its connection: it is given up for a while. */
  paused() {
    if (this.#connection === "live") this._connected("idle");
  }

  _connected(state, error = null) {
    this.error = error;
    this.#connection = state;
    this.#say();
  }

  #said = "idle ";

  #say() {
    const now = `${this.state} ${this.error?.message ?? ""}`;
    if (now === this.#said) return;
    this.#said = now;
    this.dispatchEvent(new Event("state"));
  }
}

/** Has snapshots change, by code that comes with the first changes. */
async function changing() {
  return changed ??= await import("./applying.js").catch(() => { throw FreshetError.lost(); });
}

let changed;
