import { isNews } from "./members.js";
import { marksOf } from "./ReadMarks.js";

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
