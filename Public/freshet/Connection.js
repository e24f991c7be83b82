import { FreshetError } from "./FreshetError.js";
import { events } from "./events.js";
import { nextFrame } from "./nextFrame.js";
import { selection } from "./Pulls.js";
import { Watchdog } from "./Watchdog.js";

/** How long things may take, in milliseconds: docs/WEB.md, "Service". */
const usual = { first: 10_000, silence: 40_000, wait: 30_000, least: 1000, most: 60_000 };

/** The longest pause that a server can ask for, and how long feeds are awaited that come together. */
const [longest, together] = [3_600_000, 50];

/** How long events are taken in before a frame is drawn, in milliseconds. */
const longestWork = 12;

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
  #news;
  #failures = 0;
  /** Whether the server refused what was asked last: it is left alone for as long as it is due. */
  #isRefused = false;

  /** @param {import("./Service.js").Service} service */
  constructor(service, times) {
    this.#service = service;
    this.#times = { ...usual, ...times };
    /** @type {"stream" | "wait" | "poll"} */
    this.mode = "stream";
  }

  /** @param {import("./Feed.js").Feed} feed to follow */
  add(feed) {
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
    else this.#change ??= setTimeout(() => this.restart(), together);
  }

  /** Ends the connection. */
  pause() {
    clearTimeout(this.#change);
    this.#change = null;
    this.#stop?.abort();
    this.#stop = null;
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
    if (this.#feeds.size === 0 || this.#service._isAsleep) return;
    const stop = this.#stop = new AbortController();
    this.#failures = 0;
    this.mode = "stream";
    queueMicrotask(() => {
      if (!stop.signal.aborted) this.#run(stop.signal);
    });
  }

  async #run(signal) {
    this.#listen(signal);
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
    const pause = await this.#service.pull(this.#feeds, { wait, signal });
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
    try {
      const response = await this.#service.request(`/events?${selection(this.#feeds)}`, {
        signal: AbortSignal.any([signal, silence.signal]), headers: { Accept: "text/event-stream" },
      });
      if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) {
        throw new Unstreamable();
      }
      let worked = 0;
      for await (const data of events(response.body, heard)) {
        const start = performance.now();
        if (!await this.#take(data)) throw new Mismatch();
        worked += performance.now() - start;
        if (worked < longestWork) continue;
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

  /** Takes a document in: whether all feeds are then as the server has them. */
  async #take(text) {
    const document = JSON.parse(text);
    if (!kinds.includes(document.kind)) return true;
    let fits = true;
    for (const feed of this.#feeds) {
      if (feed.id === document.feed) await feed.take(document, text, () => { fits = false; });
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
    return Math.min(Math.max(this.#backOff(), retryAfter * 1000), longest);
  }

  /** How long to wait after one more failure, in milliseconds: longer and longer, at random. */
  #backOff() {
    const { least, most } = this.#times;
    return Math.random() * Math.min(most, least * 2 ** this.#failures++);
  }

  /** Hears from the browser's other pages what is new, for when they have all connections. */
  #listen(signal) {
    if (!globalThis.document || !globalThis.BroadcastChannel) return;
    const news = this.#news = new BroadcastChannel(`freshet ${this.#service.base}`);
    news.onmessage = ({ data: [id, token] }) => {
      if (this.#isRefused) return;
      for (const feed of this.#feeds) if (feed.id === id && feed.token !== token) this.#wakeUp?.();
    };
    signal.addEventListener("abort", () => news.close(), { once: true });
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
