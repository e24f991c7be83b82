import { Feed } from "./Feed.js";

/** How many feeds a request may name, and of how many requests the tags are kept. */
const [feedLimit, tagLimit] = [100, 100];

/** Requests for several feeds at once, which say what came of the last ones. */
export class Pulls {
  #service;
  /** Tags of answers, by what is asked for once they were taken in. */
  #tags = new Map();

  /** @param {import("./Service.js").Service} service */
  constructor(service) {
    this.#service = service;
  }

  /** Refreshes feeds. @returns {Promise<number>} when to ask again, in seconds */
  async pull(feeds, { wait, signal } = {}) {
    let pause = 60;
    const each = [...new Set(feeds)];
    for (const query of new Set(each.map((feed) => feed.query))) {
      const all = each.filter((feed) => feed.query === query);
      for (let start = 0; start < all.length; start += feedLimit) {
        const answer = await this.#ask(all.slice(start, start + feedLimit), wait, signal);
        pause = Math.min(pause, answer.refreshAfter ?? 10);
      }
    }
    return pause;
  }

  /** Refreshes feeds of one query by one request. */
  async #ask(feeds, wait, signal) {
    const [asked, [{ query }]] = [selection(feeds), feeds];
    const known = this.#tags.get(asked);
    this.#tags.delete(asked);
    const answer = await this.#service.read(`/pull?${asked}${wait ? `&wait=${wait}` : ""}`,
      { signal, wait, headers: known && { "If-None-Match": known } });
    const isSame = known !== undefined && answer.document === null;
    const documents = answer.document?.feeds;
    const documentOf = (feed) => (isSame ? unchanged(feed) : documents?.[feed.id]);
    await Promise.all(feeds.map((feed) => feed.take(documentOf(feed), undefined, undefined, query)));
    const tag = isSame ? known : answer.tag;
    // Only while the feeds are as that answer left them does its tag say what is here.
    const isAsSaid = ({ id, token }) => isSame || token === (documents[id].token ?? null);
    if (tag && feeds.every(isAsSaid)) this.#keep(selection(feeds), tag);
    return answer;
  }

  #keep(asked, tag) {
    this.#tags.set(asked, tag);
    if (this.#tags.size > tagLimit) this.#tags.delete(this.#tags.keys().next().value);
  }
}

/**
 * Takes in a document of a pull or a stream.
 * @param {() => void} [mismatched] called, in place of a request for the feed, when changes lead
 * to something else than the server has; the token is then null
 * @param {string} [query] what it was asked for
 * @returns {Promise<import("./RefreshResult.js").RefreshResult>}
 */
Feed.prototype.take = async function (document, text, mismatched, query = this.query) {
  const known = this.token;
  // Of another part of the feed it says nothing of this one; and a snapshot that waited for
  // another answer may be older than that: the server knows.
  const isStale = () => query !== this.query
    || document?.kind === "snapshot" && this.token !== known;
  const result = await this._inTurn(() => (isStale() ? this._askSince(this.token)
    : this._take(document, text, undefined, undefined, mismatched)));
  const error = document?.kind === "missing" ? this.error : null;
  this._connected(this._follows ? "live" : "idle", error);
  return result;
};

/** The query for feeds, each once, with what is known of them. */
export function selection(feeds) {
  const [{ query } = { query: "" }] = feeds;
  const tokens = new Map();
  // Of a feed that is here twice, once without anything, everything is wanted.
  for (const { id, token } of feeds) tokens.set(id, tokens.get(id) === null ? null : token);
  return [...tokens].map(([id, token]) =>
    `feed=${encodeURIComponent(id)}${token ? `@${token}` : ""}`).join("&") + query;
}

/** What a pull says of a feed when nothing came of it. */
function unchanged({ id, token }) {
  return token ? { kind: "unchanged", token } : { kind: "missing", feed: id };
}
