import { formatRelative, language } from "../words.js";
import { firstNonEmpty } from "./FeedCell.js";

const inOrder = new Intl.Collator(language, { numeric: true });

/** The list of feeds, a link each. */
export class FeedListView {
  #list;
  #links = new Map();
  /** The id of the feed that changed last; null when there is none. */
  newest = null;
  /** The feeds as the server lists them. */
  feeds = [];

  /** @param {HTMLElement} list an empty one */
  constructor(list) {
    this.#list = list;
  }

  get isEmpty() { return this.#links.size === 0; }
  has(id) { return this.#links.has(id); }

  /** Shows feeds, by their names, one of them in sight. */
  show(feeds, selected) {
    const old = this.#links;
    this.feeds = feeds;
    this.newest = feeds.reduce(
      (newest, feed) => (newest?.changed >= feed.changed ? newest : feed), null)?.id ?? null;
    const named = feeds.map((feed) => ({ ...feed, name: firstNonEmpty(feed.title, feed.id) }))
      .sort((one, other) => inOrder.compare(one.name, other.name));
    this.#links = new Map(named.map(({ id }) => [id, old.get(id) ?? made(id)]));
    for (const { id, name, changed } of named) this.setStatus(id, name, changed);
    // What is there stays, with the focus.
    const rows = [...this.#links.values()].map((link) => link.parentNode);
    if (rows.some((row, index) => row !== this.#list.children[index])) {
      this.#list.replaceChildren(...rows);
    }
    for (const row of [...this.#list.children].slice(rows.length)) row.remove();
    this.select(selected);
  }

  /** Says what a feed is called, and when it changed. */
  setStatus(id, name, changed) {
    const link = this.#links.get(id);
    if (!link) return;
    const [words, time] = link.children;
    words.textContent = name;
    [link.dataset.sign = "•"] = name.match(/[\p{L}\p{N}]/u) ?? [];
    if (changed) time.dateTime = changed;
    this.#time(time);
  }

  /** Says how many items of a feed are unread; 0 says nothing. @returns {number} of all feeds */
  setUnread(id, count) {
    const link = this.#links.get(id);
    if (link) link.lastChild.textContent = count > 0 ? count.toLocaleString(language) : "";
    if (link) link.unread = count;
    return [...this.#links.values()].reduce((sum, { unread = 0 }) => sum + unread, 0);
  }

  /** Says anew how long ago all was. */
  tick() { for (const link of this.#links.values()) this.#time(link.children[1]); }

  #time(place) {
    const date = new Date(place.dateTime || NaN);
    place.textContent = Number.isNaN(date.getTime()) ? "" : formatRelative(date);
  }

  /** What a feed is called; undefined if it is not there. */
  name(id) { return this.#links.get(id)?.firstChild.textContent; }

  /** Puts the focus on a feed, if it is there. */
  focus(id) { this.#links.get(id)?.focus(); }

  /** Marks the feed in sight. @param {?string} id */
  select(id) {
    for (const [name, link] of this.#links) link.ariaCurrent = name === id ? "page" : null;
  }
}

function made(id) {
  const link = document.createElement("a");
  link.href = `#${encodeURIComponent(id)}`;
  // A colour of its own, which stays the same.
  const number = [...id].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 8191, 7);
  link.style.setProperty("--hue", (number * 137) % 360);
  link.append(...["span", "time", "span"].map((name) => document.createElement(name)));
  link.firstChild.dir = "auto";
  link.lastChild.className = "count";
  document.createElement("li").append(link);
  return link;
}
