import { nextFrame } from "./Feed.js";
import { FreshetError, isWoken, Watchdog } from "./Service.js";

/** Limits of time, in milliseconds: docs/WEB.md, "Service". */
const DEFAULT_TIMEOUTS = { first: 10_000, silence: 40_000, wait: 30_000, least: 1000, most: 60_000 };

/** The longest pause that a server can ask for, in milliseconds. */
const MAX_PAUSE_MS = 3_600_000;

/** The time in which feeds that come and go share one new connection, in milliseconds. */
const DEBOUNCE_MS = 50;

/** The longest work on events before a frame is drawn, in milliseconds. */
const MAX_WORK_MS = 12;

/** The documents of a stream; what else a server tells there is not for this client. */
const kinds = ["unchanged", "changes", "snapshot", "missing"];

/** How many connections all pages of a browser hold: it opens six to a server, and no more. */
const slots = 3;

/** One connection for all feeds of a view: a stream, requests that wait, or ones now and then. */
export class Connection {
  #service;
  #times;
  #feeds = new Set();
  #stop = null;
  #change = null;
  #news = null;
  #failures = 0;
  /** Whether the server refused what was asked last: it is left alone for as long as it is due. */
  #isRefused = false;

  /** @param {import("./Service.js").Service} service */
  constructor(service, times) {
    this.#service = service;
    this.#times = { ...DEFAULT_TIMEOUTS, ...times };
    /** @type {"stream" | "wait" | "poll"} */
    this.mode = "stream";
  }

  /** @param {import("./Feed.js").Feed} feed to follow */
  add(feed) {
    hearOfPage();
    const service = this.#service;
    if (globalThis.document?.hidden && !services().has(service) && !isWoken(service)) service.sleep();
    active.set(this, service);
    this.#feeds.add(feed);
    this.#changed();
  }

  /** @param {import("./Feed.js").Feed} feed to follow no longer */
  remove(feed) {
    if (this.#feeds.delete(feed)) this.#changed();
  }

  /** Connects anew if need be, once for all feeds that come and go within a moment. */
  #changed() {
    if (!this.#stop || this.#feeds.size === 0) this.restart();
    else this.#change ??= setTimeout(() => this.restart(), DEBOUNCE_MS);
  }

  /** Ends the connection. */
  pause() {
    clearTimeout(this.#change);
    this.#change = null;
    this.#stop?.abort();
    this.#stop = null;
    this.#news?.close();
    this.#news = null;
    this.#wakeUp?.();
  }

  /** Ends it for a while, and says so. */
  sleep() {
    this.pause();
    for (const feed of this.#feeds) feed.paused();
  }

  /** Connects anew, for all feeds that are followed when this turn of the program is over. */
  restart() {
    this.pause();
    if (this.#service.isAsleep) return;
    if (this.#feeds.size === 0) {
      active.delete(this);
      return;
    }
    const stop = this.#stop = new AbortController();
    this.#failures = 0;
    this.mode = "stream";
    queueMicrotask(() => {
      if (!stop.signal.aborted) this.#run(stop.signal);
    });
  }

  async #run(signal) {
    this.#listen();
    while (!signal.aborted) {
      let pause = 0;
      this.#isRefused = false;
      try {
        const name = `freshet ${this.#service.base} `;
        pause = await inSlot(name, (isHeld) => this.#connect(isHeld, signal));
      } catch (error) {
        if (signal.aborted) return;
        pause = this.#failed(error);
        this.#isRefused = error.status !== undefined;
      }
      await this.#sleep(pause, signal);
    }
  }

  /** One connection or request; the milliseconds to wait afterwards. */
  async #connect(isHeld, signal) {
    if (isHeld && this.mode === "stream") return this.#stream(signal);
    const { wait: longest, least } = this.#times;
    const wait = isHeld && this.mode === "wait" ? longest / 1000 : undefined;
    const [known, began] = [selection(this.#feeds), performance.now()];
    const pause = await this.#service.pull([...this.#feeds], { wait, signal });
    this.#failures = 0;
    if (!wait) return Math.max(pause * 1000 * (1 + Math.random() / 4), least);
    const wasHeld = performance.now() - began > longest / 2;
    if (!wasHeld && selection(this.#feeds) === known) this.mode = "poll";
    return 0;
  }

  async #stream(signal) {
    const { first, silence: limit } = this.#times;
    const silence = new Watchdog();
    silence.expect(first, new Unstreamable());
    const heard = () => silence.expect(limit, new FreshetError("The server went silent."));
    const began = performance.now();
    const isPrivate = this.#service.hasKey;
    try {
      const response = await asked(this.#service, "/events", this.#feeds, "", (path, options) =>
        this.#service.request(path, merged(options, {
          signal: AbortSignal.any([signal, silence.signal]), headers: { Accept: "text/event-stream" },
        })));
      if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) {
        throw new Unstreamable();
      }
      let worked = 0;
      for await (const data of events(response.body, heard)) {
        const start = performance.now();
        if (!await this.#apply(data, isPrivate)) throw new Mismatch();
        worked += performance.now() - start;
        if (worked < MAX_WORK_MS) continue;
        // However much comes, the page is drawn and operated.
        await nextFrame();
        worked = 0;
      }
      throw new FreshetError("The server ended the stream.");
    } catch (error) {
      if (silence.signal.aborted) throw silence.signal.reason;
      throw error instanceof FreshetError ? error : new FreshetError("The connection broke.");
    } finally {
      silence.end();
      // What breaks at once, again and again, is tried more and more seldom.
      if (performance.now() - began > first) this.#failures = 0;
    }
  }

  /** Applies a document. @returns {Promise<boolean>} whether all feeds are then as the server has them */
  async #apply(text, isPrivate) {
    const document = JSON.parse(text);
    if (!kinds.includes(document.kind)) return true;
    let fits = true;
    const mismatched = () => { fits = false; };
    for (const feed of this.#feeds) {
      if (feed.id === document.feed) await feed.applyDocument(document, text, { mismatched, isPrivate });
    }
    this.#news?.postMessage([document.feed, document.token]);
    return fits;
  }

  /** Chooses what to do after a failure; the milliseconds to wait before. */
  #failed(error) {
    // Asked again without a token the stream brings all of it: at once, if it helps.
    if (error instanceof Mismatch) {
      const pause = this.#backOff();
      return this.#failures > 1 ? pause : 0;
    }
    const isRefused = error.status >= 400 && ![401, 403, 408, 429, 503].includes(error.status);
    if (this.mode === "stream" && (isRefused || error instanceof Unstreamable)) {
      this.mode = "wait";
      return 0;
    }
    if (this.mode === "wait" && isRefused) {
      this.mode = "poll";
      return 0;
    }
    if (this.mode === "stream" && [408, 429, 503].includes(error.status) && this.#isServed) {
      // The feeds are well: where there is no stream now they are asked for, in a while.
      this.mode = "wait";
      return this.#pauseAfter(error);
    }
    this.mode = "stream";
    // That there are no such pages says nothing of a feed.
    for (const feed of this.#feeds) feed.failed(error, [401, 403].includes(error.status));
    return this.#pauseAfter(error);
  }

  /** Whether all feeds are here, and what was last heard of them was no failure. */
  get #isServed() {
    return [...this.#feeds].every(({ snapshot, error }) => snapshot && !error);
  }

  /** How long to wait after a failure, in milliseconds. */
  #pauseAfter({ retryAfter = 0 }) {
    return Math.min(Math.max(this.#backOff(), retryAfter * 1000), MAX_PAUSE_MS);
  }

  /** How long to wait after one more failure, in milliseconds: longer and longer, at random. */
  #backOff() {
    const { least, most } = this.#times;
    return Math.random() * Math.min(most, least * 2 ** this.#failures++);
  }

  /** Hears from the browser's other pages what is new, for when they have all connections. */
  #listen() {
    if (!globalThis.document || !globalThis.BroadcastChannel) return;
    this.#news = new BroadcastChannel(`freshet ${this.#service.base}`);
    this.#news.onmessage = ({ data: [id, token] }) => {
      if (this.#isRefused) return;
      for (const feed of this.#feeds) if (feed.id === id && feed.token !== token) this.#wakeUp?.();
    };
  }

  #wakeUp = null;

  async #sleep(time, signal) {
    if (time === 0 || signal.aborted) return;
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, time);
      this.#wakeUp = () => resolve(clearTimeout(timer));
    });
    this.#wakeUp = null;
  }
}

/**
 * The services of connections that have feeds, or sleep. They alone hear of the page: one that follows nothing is held
 * by nothing.
 * @type {Map<Connection, import("./Service.js").Service>}
 */
const active = new Map();
let hearsOfPage = false;

function services() { return new Set(active.values()); }

/** Has services wake and sleep with the page from now on. */
function hearOfPage() {
  if (hearsOfPage) return;
  hearsOfPage = true;
  globalThis.addEventListener?.("online", () => {
    for (const service of services()) if (!service.isAsleep) service.wake();
  });
  globalThis.document?.addEventListener("visibilitychange", () => {
    for (const service of services()) if (document.hidden) service.sleep(); else service.wake();
  });
}

/** Here, now, there can be no streams. */
class Unstreamable extends FreshetError {
  constructor() {
    super("The way to the server lets no stream through.");
  }
}

/** What came of changes is not what the server has. */
class Mismatch extends FreshetError {
  constructor() {
    super("What was sent does not fit what was here.");
  }
}

/** Runs work with one of the connections that all pages share, if one is free. */
function inSlot(name, work, slot = 0) {
  const locks = globalThis.document && navigator.locks;
  if (!locks || slot === slots) return work(!locks);
  let asked = false;
  return locks.request(name + slot, { ifAvailable: true }, (lock) => {
    asked = true;
    return lock ? work(true) : inSlot(name, work, slot + 1);
  }).catch((error) => {
    // A page without an origin may not ask for locks.
    if (asked) throw error;
    return work(true);
  });
}

/** The most feeds of a request, and the most requests whose tags are kept. */
const [MAX_FEEDS, MAX_TAGS] = [100, 100];

/** Requests for several feeds at once, which say what came of the last ones. */
export class BatchReader {
  #service;
  /** Tags of answers, by what is asked for once they were taken in. */
  #tags = new Map();

  /** @param {import("./Service.js").Service} service */
  constructor(service) {
    this.#service = service;
  }

  /**
   * Refreshes feeds.
   * @param {Iterable<import("./Feed.js").Feed>} feeds @param {import("../freshet.js").Waiting} options
   * @returns {Promise<number>} when to ask again, in seconds
   */
  async pull(feeds, { wait, signal } = {}) {
    let pause = 60;
    const each = [...new Set(feeds)];
    for (const query of new Set(each.map((feed) => feed.query))) {
      const all = each.filter((feed) => feed.query === query);
      for (let start = 0; start < all.length; start += MAX_FEEDS) {
        const answer = await this.#ask(all.slice(start, start + MAX_FEEDS), wait, signal);
        pause = Math.min(pause, answer.refreshAfter ?? 10);
      }
    }
    return pause;
  }

  /** Refreshes feeds of one query by one request. */
  async #ask(feeds, wait, signal) {
    const [question, [{ query }]] = [selection(feeds), feeds];
    const known = this.#tags.get(question);
    this.#tags.delete(question);
    const more = wait ? `&wait=${wait}` : "";
    const answer = await asked(this.#service, "/pull", feeds, more, (path, options) =>
      this.#service.read(path, merged(options,
        { signal, wait, headers: known && { "If-None-Match": known } })));
    const isSame = known !== undefined && answer.document === null;
    const documents = answer.document?.feeds;
    const documentOf = (feed) => (isSame ? unchanged(feed) : documents?.[feed.id]);
    const { isPrivate } = answer;
    await Promise.all(feeds.map((feed) =>
      feed.applyDocument(documentOf(feed), undefined, { query, isPrivate })));
    const tag = isSame ? known : answer.tag;
    // Only while the feeds are as that answer left them does its tag say what is here.
    const isAsSaid = ({ id, token }) => isSame || token === (documents[id].token ?? null);
    if (tag && feeds.every(isAsSaid)) this.#keep(selection(feeds), tag);
    return answer;
  }

  #keep(asked, tag) {
    this.#tags.set(asked, tag);
    if (this.#tags.size > MAX_TAGS) this.#tags.delete(this.#tags.keys().next().value);
  }
}

/** Returns the version that is known of each feed, by its id. */
function tokensOf(feeds) {
  const tokens = new Map();
  // Of a feed that is here twice, once without anything, everything is wanted.
  for (const { id, token } of feeds) tokens.set(id, tokens.get(id) === null ? null : token);
  return tokens;
}

/** Returns the query for feeds, each once, with the version that is known of it. */
function selection(feeds) {
  const [{ query } = { query: "" }] = feeds;
  return [...tokensOf(feeds)].map(([id, token]) =>
    `feed=${encodeURIComponent(id)}${token ? `@${token}` : ""}`).join("&") + query;
}

/** The bytes of a request's target that every server and proxy takes (RFC 9110, 4.1). */
const MAX_TARGET = 8000;

/** The services on the way to which something does not know the method QUERY. */
const unqueried = new WeakSet();

/**
 * Sends a request for feeds: where their names are too long for its target in a body (RFC 10008),
 * unless something on the way does not take that.
 */
async function asked(service, path, feeds, more, send) {
  const target = `${path}?${selection(feeds)}${more}`;
  if (target.length <= MAX_TARGET || unqueried.has(service)) return send(target);
  const [{ query }] = feeds;
  // Members of an object would not keep the order of names that are numbers.
  const names = [...tokensOf(feeds)].map((one) => one.map((part) => JSON.stringify(part)).join(":"));
  const rest = (query + more).replace("&", "?");
  try {
    return await send(path + rest, { method: "QUERY", body: `{"feeds":{${names.join()}}}`,
      headers: { "Content-Type": "application/json" } });
  } catch (error) {
    // A server's problem is its own word. What a browser may not send looks like no server.
    const isUnknown = [405, 501].includes(error.status)
      || [400, 403].includes(error.status) && error.type === undefined
      || error.message === FreshetError.networkError().message;
    if (!isUnknown) throw error;
    const answer = await send(target);
    unqueried.add(service);
    return answer;
  }
}

/** Returns options with more of them, the headers of both included. */
function merged(options, more) {
  return { ...options, ...more, headers: { ...options?.headers, ...more.headers } };
}

/** Returns the document of a feed that a pull did not name. */
function unchanged({ id, token }) {
  return token ? { kind: "unchanged", token } : { kind: "missing", feed: id };
}

/** Returns the rows that follow, as changes; null where the server has them no more, or not so. */
export async function rowsAfter(service, { id, sections, snapshot, token }, count) {
  if (sections.length > 1) return null;
  const part = sections.length === 1 ? `sections/${encodeURIComponent(sections[0])}` : "items";
  const held = snapshot.count;
  const path = `/feeds/${encodeURIComponent(id)}/${part}`
    + `?offset=${held}&limit=${count}&version=${token}`;
  const { document } = await service.read(path).catch((error) => {
    if (error.status === 404 || error.status === 410) return { document: null };
    throw error;
  });
  const { items, offset, total } = document ?? {};
  if (!Array.isArray(items) || document.token !== token || offset !== held) return null;
  if (items.length !== Math.min(count, total - held)) return null;
  const ends = new Map(snapshot.sections.map((section) => [section.id, section.items.length]));
  const [insert, ids] = [[], new Set()];
  for (const row of items) {
    const { in: section, index, item } = row ?? {};
    if (ends.get(section) !== index || typeof item?.id !== "string") return null;
    ends.set(section, index + 1);
    insert.push({ section, index, item });
    ids.add(item.id);
  }
  return ids.size < items.length ? null : { items: { insert } };
}

/** Servers of which the console says already that they do not let this page read. */
const told = new Set();

/**
 * Returns why no answer of a server of another origin came: it is away, or lets no page of this one read, which
 * the console then says, once.
 * @param {string} base @returns {Promise<FreshetError>}
 */
export async function unreadable(base) {
  const { origin } = globalThis.location ?? {};
  if (!origin || new URL(base, location.href).origin === origin) return FreshetError.networkError();
  const signal = AbortSignal.timeout(DEFAULT_TIMEOUTS.first);
  const isThere = await fetch(`${base}/healthz`, { mode: "no-cors", cache: "no-store", signal })
    .then(() => true, () => false);
  if (!isThere) return FreshetError.networkError();
  if (!told.has(base)) {
    console.error(`Freshet: ${base} answers, but lets no page of ${origin} read. Its configuration `
      + `allows that: allowed-origins: ["${origin}"] (freshet serve --config FILE; OPERATIONS.md).`);
  }
  told.add(base);
  return new FreshetError(`The server lets no page of ${origin} read.`, { status: 0 });
}

/**
 * The data of a stream's events, as they come (HTML, 9.2.6).
 * @param {ReadableStream<Uint8Array>} body
 * @param {() => void} [heard] called for every piece that arrives, comments too
 */
export async function* events(body, heard) {
  const reader = body.getReader();
  const utf8 = new TextDecoder();
  let [rest, data, last] = ["", null, ""];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      heard?.();
      const text = utf8.decode(value, { stream: true });
      const lines = text.split(/\r\n|\n|\r/);
      // The end of a piece may part a line feed from its carriage return.
      if (last === "\r" && text[0] === "\n") lines.shift();
      last = text.at(-1) ?? last;
      if (lines.length === 0) continue;
      lines[0] = rest + lines[0];
      rest = lines.pop();
      for (const line of lines) {
        if (line === "") {
          if (data !== null) yield data;
          data = null;
        } else if (/^data(:|$)/.test(line)) {
          const more = line.slice(line[5] === " " ? 6 : 5);
          data = data === null ? more : `${data}\n${more}`;
        }
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
