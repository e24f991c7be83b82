import { said } from "./FeedCell.js";
import { marksOf } from "./ReadMarks.js";

const inOrder = new Intl.Collator(undefined, { numeric: true });

/** The list of feeds, a link each. */
export class FeedListView {
  #list;
  #links = new Map();
  /** The id of the feed that changed last; null when there is none. */
  newest = null;

  /** @param {HTMLElement} list an empty one */
  constructor(list) {
    this.#list = list;
  }

  /** Shows feeds in place of those that are there, by their names. */
  show(feeds) {
    const old = this.#links;
    this.newest = feeds.reduce(
      (newest, feed) => (newest?.changed >= feed.changed ? newest : feed), null)?.id ?? null;
    const named = feeds.map(({ id, title, count }) => ({ id, name: said(title, id), count }))
      .sort((one, other) => inOrder.compare(one.name, other.name));
    this.#links = new Map(named.map(({ id }) => [id, old.get(id) ?? made(id)]));
    for (const { id, name, count } of named) this.say(id, name, count);
    // What is there stays, with the focus.
    const rows = [...this.#links.values()].map((link) => link.parentNode);
    if (rows.some((row, index) => row !== this.#list.children[index])) {
      this.#list.replaceChildren(...rows);
    }
    for (const row of [...this.#list.children].slice(rows.length)) row.remove();
  }

  /** Says what a feed is called and how many of its items are unread, if it is there. */
  say(id, name, count) {
    const [words, number] = this.#links.get(id)?.children ?? [{}, {}];
    words.textContent = name;
    number.textContent = Math.max(count - marksOf(id).size, 0).toLocaleString();
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
  const name = document.createElement("span");
  name.dir = "auto";
  const number = document.createElement("span");
  number.className = "count";
  link.append(name, number);
  document.createElement("li").append(link);
  return link;
}
