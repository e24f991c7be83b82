import { formatRelative, language } from "../words.js";
import { firstNonEmpty, isNews } from "./members.js";
import { marksOf } from "./marks.js";

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

/** How many feeds are counted unless they are opened, those that changed last, of how many items. */
const [MAX_FEEDS, MAX_ITEMS] = [60, 5000];

/** How many items of each feed are unread: the list and an installed page's icon show it. */
export class UnreadCounts {
  #reader;
  #watched = new WeakSet();
  /** The snapshot and the marks of each feed that were counted last. */
  #counted = new Map();
  #badge = 0;

  /** @param {import("./Reader.js").Reader} reader */
  constructor(reader) {
    this.#reader = reader;
    // Another page of the browser marked something.
    addEventListener("storage", ({ key }) => {
      const [, id] = /^freshet read (.*)$/s.exec(key ?? "") ?? [];
      if (id === undefined) return;
      marksOf(id).read();
      this.count(reader.feeds.get(id));
      reader.items?.tick();
    });
  }

  /** Has the feeds of the list follow the stream of the one in sight, or asks once for all of them. */
  async follow(isLive) {
    const { feed: seen, feeds, list, service } = this.#reader;
    let room = MAX_ITEMS;
    const listed = [...list.feeds].sort((one, other) => (one.changed < other.changed ? 1 : -1))
      .slice(0, MAX_FEEDS).filter(({ count }) => count <= room && (room -= count) >= 0);
    const counted = listed.map(({ id }) => this.#reader.feedOf(id));
    for (const feed of feeds.values()) {
      this.#watch(feed);
      this.count(feed);
      if (feed === seen) continue;
      if (isLive && counted.includes(feed)) feed.live();
      else feed.stop();
    }
    if (isLive) return;
    await Promise.all(counted.map((feed) => feed.restore()));
    const stale = counted.filter((feed, index) => feed !== seen && feed.token !== listed[index].token);
    // What cannot be asked now is asked with the next refresh.
    if (stale.length > 0) await service.pull(stale).catch(() => {});
  }

  #watch(feed) {
    if (this.#watched.has(feed)) return;
    this.#watched.add(feed);
    feed.addEventListener("change", ({ detail }) => {
      const name = this.#reader.list.name(feed.id);
      if (name !== undefined && !detail.isFirst && !detail.isMore) {
        this.#reader.list.setStatus(feed.id, name, new Date().toISOString());
      }
      this.count(feed);
    });
  }

  /** Counts a feed, unless nothing of it is another. @param {?import("../freshet.js").Feed} feed */
  count(feed) {
    if (!feed?.snapshot) return;
    const { id, snapshot } = feed;
    const { ids } = marksOf(id);
    const last = this.#counted.get(id);
    const isKnown = last?.snapshot === snapshot && last.ids === ids;
    const count = isKnown ? last.count : unreadCount(snapshot, ids);
    this.#counted.set(id, { snapshot, ids, count });
    const sum = this.#reader.list.setUnread(id, count);
    if (sum === this.#badge) return;
    this.#badge = sum;
    // Where the page is not installed, or may not, its icon has none.
    navigator.setAppBadge?.(sum).catch(() => {});
  }
}

/**
 * Returns how many items of a feed are unread: none of values and of directories. Of rows that are not
 * here as many are taken to be unread as there are more of than marks.
 * @param {import("../freshet.js").Snapshot} snapshot @param {Set<string>} ids of items that were read
 */
export function unreadCount({ members, sections, count, total = count }, ids) {
  if (members.collate) return 0;
  let [news, unread, known] = [0, 0, 0];
  for (const { items } of sections) {
    for (const item of items) {
      const isRead = ids.has(item.id);
      if (isRead) known += 1;
      if (!isNews(item)) continue;
      news += 1;
      if (!isRead) unread += 1;
    }
  }
  return news === 0 ? 0 : unread + Math.max(total - count - (ids.size - known), 0);
}
