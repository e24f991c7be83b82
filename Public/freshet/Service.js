import { FreshetError } from "./FreshetError.js";

/** A feed server: sends requests, and reads answers and problems. */
export class Service {
  #base;
  #fetch;

  /**
   * @param {string} [base] where the server is, without a slash at the end
   * @param {typeof fetch} [send] what sends requests
   */
  constructor(base = "", send = (...request) => fetch(...request)) {
    this.#base = base;
    this.#fetch = send;
  }

  /**
   * The feeds that may be read, all pages of the list.
   * @returns {Promise<{id: string, title?: string, token: string, count: number}[]>}
   */
  async feeds() {
    const feeds = [];
    for (let path = "/feeds"; path !== null; ) {
      const list = await this.#get(path);
      feeds.push(...list.feeds);
      path = list.next === undefined ? null : this.#resolve(list.next, path);
    }
    return feeds;
  }

  /**
   * A feed's snapshot, or with a token what changed since.
   * @param {string} feed
   * @param {string} [since] the token of what the caller has
   * @returns {Promise<object>} a document of the kind `snapshot`, `changes` or `unchanged`
   */
  feed(feed, since) {
    const query = since === undefined ? "" : `?since=${encodeURIComponent(since)}`;
    return this.#get(`/feeds/${encodeURIComponent(feed)}${query}`);
  }

  #resolve(next, path) {
    const url = new URL(next, new URL(path, "http://server.invalid"));
    return url.pathname + url.search;
  }

  async #get(path) {
    let response;
    try {
      // The token says what is new; a cache in between could only hide it.
      response = await this.#fetch(this.#base + path, { cache: "no-store" });
    } catch {
      throw new FreshetError("The server cannot be reached.");
    }
    const document = await response.json().catch(() => null);
    if (!response.ok) {
      const reason = document?.detail ?? document?.title ?? response.statusText;
      throw new FreshetError(`The server refused: ${reason} (${response.status})`, response.status);
    }
    if (document === null || typeof document !== "object") {
      throw new FreshetError("The server's answer is no document of a feed.", response.status);
    }
    return document;
  }
}
