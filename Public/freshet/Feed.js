import { FreshetError, isList } from "./FreshetError.js";
import { KeptFeed } from "./KeptFeed.js";
import { nextFrame } from "./nextFrame.js";
import { RefreshResult } from "./RefreshResult.js";
import { SharedWork } from "./SharedWork.js";
import { Snapshot } from "./Snapshot.js";

/** One feed as a reader has it. Its options, members and events: docs/WEB.md. */
export class Feed extends EventTarget {
  #service;
  #running = null;
  #turn = Promise.resolve();
  #restored = null;
  #kept;
  /** Ends with the following of the feed, if there is any. @type {?AbortController} */
  #follows = null;
  #connection = "idle";

  /**
   * @param {import("./Service.js").Service} service @param {string} id
   * @param {import("./options.js").FeedOptions} [options]
   */
  constructor(service, id, { limit, sections = [], first, as } = {}) {
    super();
    this.#service = service;
    this.#kept = new KeptFeed(service, this);
    this.id = id;
    this.first = first;
    this.view = (limit === undefined ? "" : `&limit=${limit}`)
      + sections.map((section) => `&section=${encodeURIComponent(section)}`).join("");
    /** What a pull and a stream are asked for, besides feeds. */
    this.query = this.view + (as ? `&as=${as}` : "");
    /** @type {?Snapshot} */
    this.snapshot = null;
    /** @type {?string} */
    this.token = null;
    /** @type {?Date} */
    this.refreshed = null;
    /** @type {?FreshetError} */
    this.error = null;
  }

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
    const { documents, at } = await this.#kept.read();
    const [first, ...changes] = documents ?? [];
    if (first?.kind !== "snapshot" || this.snapshot) return false;
    let snapshot = Snapshot.read(first);
    if (changes.length > 0) await changing();
    for (const { changes: some, total } of changes) snapshot = snapshot?.applying(some, total);
    const last = changes.at(-1) ?? first;
    if (changes.length > 0 && !snapshot?.fits(last)) return false;
    this.#show(snapshot, last.token, RefreshResult.first(), new Date(at));
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
    const run = new SharedWork((signal) => this.#inTurn(() => this.#ask(signal)), () => {
      if (this.#running === run) this.#running = null;
      this.#say();
    });
    queueMicrotask(() => this.#say());
    return run;
  }

  async #ask(signal) {
    try {
      await this.restore();
      const result = this.token === null && this.first && !this.view
        ? await this.#askFirst(signal) : await this.#askSince(this.token, signal);
      if (this.#connection === "offline") {
        this.#connected("idle");
        this.#join();
      }
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
    if (document?.total !== document?.count) {
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

  #get(query, signal, token) {
    const headers = token ? { "If-None-Match": `"${token}"` } : {};
    return this.#service.read(`/feeds/${encodeURIComponent(this.id)}${query}`, { signal, headers });
  }

  /**
   * Takes in a document of a pull or a stream.
   * @param {() => void} [mismatched] called, in place of a request for the feed, when changes lead
   * to something else than the server has; the token is then null
   * @returns {Promise<RefreshResult>}
   */
  async take(document, text, mismatched) {
    const known = this.token;
    // A snapshot that waited for another answer may be older than that: the server knows.
    const isStale = () => document?.kind === "snapshot" && this.token !== known;
    const result = await this.#inTurn(() => (isStale()
      ? this.#askSince(this.token) : this.#take(document, text, undefined, undefined, mismatched)));
    const error = document?.kind === "missing" ? this.error : null;
    this.#connected(this.#follows ? "live" : "idle", error);
    return result;
  }

  #inTurn(work) {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }

  /** Takes in the answer to what was asked, or what came by itself. */
  async #take(document, text, signal, asked, mismatched) {
    const { kind, since, token, feed = this.id } = document ?? {};
    const isHere = token === this.token && token !== null;
    switch (feed === this.id && kind) {
      case "unchanged":
        if (!isHere) return this.#again(signal, asked);
        if (document.order) await changing();
        if (!document.order || this.snapshot.fits(document)) return this.#same();
        break;
      case "changes":
        // A stream may bring what a refresh has brought already.
        if (isHere) return this.#same();
        if (since !== this.token) return this.#again(signal, asked);
        const result = this.#apply(document, text, await changing());
        if (result) return result;
        break;
      case "missing":
        this.error = new FreshetError(`There is no feed “${this.id}” here.`, { status: 404 });
        return this.forget();
      case "snapshot": case undefined: return this.#replace(document, text);
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
    if (asked === null) return this.#replace(null);
    return this.#askSince(asked === undefined ? this.token : null, signal);
  }

  /** Takes changes in; null, and nothing taken, if they lead elsewhere. */
  #apply({ since, token, count, order, total, changes }, text, { ofChanges }) {
    let [next, result] = [null];
    try {
      result = ofChanges(changes, this.snapshot);
      next = this.snapshot.applying(changes, total);
    } catch {
      // They have not the form of changes.
    }
    if (!next?.fits({ count, order })) return null;
    this.#show(next, token, result);
    this.#kept.add({ since, token, count, order, total, changes }, text);
    return result;
  }

  async #replace(document, text = JSON.stringify(document)) {
    const next = this.#read(document);
    const { ofDifference } = this.snapshot ? await changing() : {};
    const old = this.snapshot;
    const result = old && old.total === next.total
      ? ofDifference(old, next) : RefreshResult.first();
    this.#show(next, document.token, result);
    this.#kept.replace(text);
    return result;
  }

  #read(document) {
    const isOne = document?.kind === "snapshot" && isList(document.sections)
      && document.sections.every(({ items }) => isList(items));
    if (isOne) return Snapshot.read(document);
    throw FreshetError.strange();
  }

  #show(snapshot, token, result, refreshed = new Date()) {
    Object.assign(this, { snapshot, token, refreshed });
    this.dispatchEvent(new CustomEvent("change", { detail: result }));
  }

  /** Lets go of what is held of it, here and in the cache. @returns {RefreshResult} */
  forget() {
    const old = this.snapshot;
    this.#kept.forget();
    const removed = new Set(old?.sections.flatMap(({ items }) => items.map(({ id }) => id)));
    const result = Object.assign(new RefreshResult(),
      { removed, isRearranged: old !== null });
    Object.assign(this, { snapshot: null, token: null });
    if (old) this.dispatchEvent(new CustomEvent("change", { detail: result }));
    return result;
  }

  /** Follows the feed from now on. @param {{signal?: AbortSignal}} [options] ends it, as `stop` */
  live({ signal } = {}) {
    if (signal?.aborted || this.#follows) return;
    const follows = this.#follows = new AbortController();
    signal?.addEventListener("abort", () => this.stop(), { signal: follows.signal });
    this.restore().then(() => this.#join(follows));
  }

  async #join(follows = this.#follows) {
    const isFollowed = () => follows !== null && this.#follows === follows;
    try {
      const connection = isFollowed() && await this.#service.connect(this.query);
      if (isFollowed()) connection.add(this);
    } catch (error) {
      if (isFollowed()) this.failed(error);
    }
  }

  /** Follows the feed no longer. */
  stop() {
    if (!this.#follows) return;
    this.#follows.abort();
    this.#follows = null;
    this.#service.connection(this.query)?.remove(this);
    this.#connected("idle");
  }

  /** For its connection: a try failed. @param {FreshetError} error @param {boolean} isGone */
  failed(error, isGone = error.isGone) {
    // A key that is refused may have expired; with the next one this goes on from its token.
    if (isGone && !(error.status === 401 && this.#service.hasKey)) this.forget();
    this.#connected("offline", error);
  }

  /** For its connection: it is given up for a while. */
  paused() {
    if (this.#connection === "live") this.#connected("idle");
  }

  #connected(state, error = null) {
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
