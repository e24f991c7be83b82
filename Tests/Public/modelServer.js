// A feed server of a few lines behind the interface of fetch, for tests.

import { Snapshot } from "../../Public/freshet.js";
import { changesBetween, generator } from "./randomFeeds.js";

const json = (value, options) => new Response(JSON.stringify(value), options);

/** Feeds with all their versions, the requests that came, and the streams that are open. */
export class ModelServer {
  feeds = new Map();
  asked = [];
  /** The headers of the requests that came. */
  sent = [];
  /** The methods of the requests that came. */
  methods = [];
  /** Whether snapshots are smaller than changes. */
  isSmall = false;
  streams = new Set();
  #waiting = new Set();
  #lives = 0;
  #random = generator(3);
  /** @type {(path: string) => Response | Error | undefined} what to answer in place of the truth */
  intercept = () => undefined;

  /** Sets a feed to a document of `title` and `sections`. */
  publish(id, document) {
    const feed = this.feeds.get(id) ?? { epoch: "aaaaaaaa", versions: [] };
    feed.versions.push(document);
    this.feeds.set(id, feed);
    this.#tell(id);
  }

  /** Forgets a feed, or makes another life of it. */
  delete(id, next) {
    this.feeds.delete(id);
    this.#lives += 1;
    const epoch = String(this.#lives).padStart(8, "b");
    if (next) this.feeds.set(id, { epoch, versions: [next] });
    this.#tell(id);
  }

  /** Breaks every stream that is open. */
  cut() {
    for (const stream of [...this.streams]) stream.end(new TypeError("cut"));
  }

  /** What a client hears that has `since` of a feed, and asked for it `as` changes or not. */
  document(id, since, as, limit) {
    const feed = this.feeds.get(id);
    if (!feed) return { kind: "missing", feed: id };
    const version = feed.versions.length;
    const now = viewed(feed.versions[version - 1], limit);
    const { count, order } = Snapshot.read(now);
    const token = `${feed.epoch}.${version}`;
    const both = { feed: id, token, count, order, ...now.total >= 0 && { total: now.total } };
    if (since === token) return { kind: "unchanged", ...both };
    const [epoch, last] = since?.split(".") ?? [];
    if (epoch !== feed.epoch || last < 1 || last > version || version - last > 8) {
      return { kind: "snapshot", ...now, ...both };
    }
    if (this.isSmall && as !== "changes") {
      return { kind: "snapshot", reason: "smaller", ...now, ...both };
    }
    const { total, ...before } = viewed(feed.versions[last - 1], limit);
    const changes = changesBetween(before, { ...now, total: undefined }, this.#random);
    delete changes.feed.set.total;
    return { kind: "changes", since, ...both, changes };
  }

  /** Rows by their place, at a version; 410 where that is forgotten. */
  #rows(id, query) {
    const feed = this.feeds.get(id);
    const [token, offset, limit] = ["version", "offset", "limit"].map((name) => query.get(name));
    const [epoch, version] = token.split(".");
    if (!feed) return json({ detail: "none" }, { status: 404 });
    if (epoch !== feed.epoch || feed.versions.length - version > 8) {
      return json({ detail: "forgotten" }, { status: 410 });
    }
    const all = feed.versions[version - 1].sections.flatMap((section) =>
      section.items.map((item, index) => ({ in: section.id, index, item })));
    const items = all.slice(Number(offset), Number(offset) + Number(limit));
    return json({ kind: "items", feed: id, token, total: all.length, offset: Number(offset), items });
  }

  /** What a service is given as `fetch`. */
  fetch = async (path, { signal, headers, method = "GET", body }) => {
    signal?.throwIfAborted();
    this.asked.push(path);
    this.methods.push(method);
    this.sent.push(headers ?? {});
    const other = this.intercept(path, { signal, headers, method });
    if (other instanceof Error) throw other;
    if (other) return other;
    const { pathname, searchParams: query } = new URL(path, "http://model.invalid");
    const wanted = method === "QUERY"
      ? Object.entries(JSON.parse(body).feeds).map(([id, token]) => [id, token ?? undefined])
      : query.getAll("feed").map((one) => one.split("@"));
    const [as, limit] = [query.get("as"), query.get("limit") ?? undefined];
    if (pathname === "/events") return this.#stream(wanted, { as, limit }, signal);
    if (pathname === "/pull") {
      const tag = headers?.["If-None-Match"];
      return this.#pull(wanted, { as, limit, wait: query.get("wait"), tag }, signal);
    }
    const [, , id, part] = pathname.split("/");
    if (part === "items") return this.#rows(id, query);
    const document = this.document(id, query.get("since") ?? undefined, as, limit);
    if (document.kind === "missing") return json({ detail: "none" }, { status: 404 });
    if (headers["If-None-Match"] === `"${document.token}"`) {
      return new Response(null, { status: 304 });
    }
    return json(document);
  };

  async #pull(wanted, { as, limit, wait, tag }, signal) {
    const feeds = () => Object.fromEntries(
      wanted.map(([id, token]) => [id, this.document(id, token, as, limit)]));
    const now = () => `"${wanted.map(([id]) => `${id}.${this.document(id).token ?? ""}`)}${limit ? ` ${limit}` : ""}"`;
    const isNews = () => now() !== tag
      && Object.values(feeds()).some(({ kind }) => !/unch|miss/.test(kind));
    while (wait && !isNews()) {
      await new Promise((resolve, reject) => {
        this.#waiting.add(resolve);
        signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
    }
    const both = { "Refresh-After": "0.001", ETag: now() };
    if (now() === tag) return new Response(null, { status: 304, headers: both });
    return json({ kind: "pull", feeds: feeds() }, { headers: both });
  }

  #stream(wanted, { as, limit }, signal) {
    const utf8 = new TextEncoder();
    const held = new Map(wanted);
    const stream = { wanted };
    const body = new ReadableStream({
      start: (controller) => {
        stream.tell = (id) => {
          if (!held.has(id)) return;
          const document = this.document(id, held.get(id), as, limit);
          held.set(id, document.token);
          const text = `: hello\nevent: ${document.kind}\nid: x\ndata: ${JSON.stringify(document)}`;
          const bytes = utf8.encode(`${text}\n\n`);
          const middle = Math.floor(this.#random() * bytes.length);
          controller.enqueue(bytes.slice(0, middle));
          controller.enqueue(bytes.slice(middle));
        };
        stream.end = (error) => {
          if (this.streams.delete(stream)) error ? controller.error(error) : controller.close();
        };
        signal?.addEventListener("abort", () => stream.end(signal.reason));
        this.streams.add(stream);
        for (const id of held.keys()) stream.tell(id);
      },
    });
    return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
  }

  #tell(id) {
    for (const stream of this.streams) stream.tell(id);
    for (const resume of this.#waiting) resume();
    this.#waiting.clear();
  }
}

/** The first items of a document, as a view shows them; all of it where there is no limit. */
function viewed(document, limit) {
  if (limit === undefined) return document;
  let rest = Number(limit);
  const sections = document.sections.map((section) => {
    const items = section.items.slice(0, rest);
    rest -= items.length;
    return { ...section, count: section.items.length, items };
  });
  const total = document.sections.reduce((sum, { items }) => sum + items.length, 0);
  return { ...document, sections, total };
}
