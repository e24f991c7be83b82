// How a feed whose view has a limit grows: code that is loaded with all of freshet.js, or with the
// first list that is scrolled.

import "./applying.js";
import { RefreshResult } from "./RefreshResult.js";

/** The most rows of a request. */
const most = 1000;

/** What is under way, and how many rows come where nobody says it, by feed. */
const [works, steps] = [new WeakMap(), new WeakMap()];

/**
 * Has a feed hold the rows after those that are here; calls at the same time share a request.
 * @param {import("./Feed.js").Feed} feed @param {number} [count]
 * @returns {Promise<boolean>} whether there are still more
 */
export async function grow(feed, count) {
  if (!feed.token) {
    await feed.refresh();
    return feed.hasMore;
  }
  if (!steps.has(feed)) steps.set(feed, feed.first ?? feed._limit);
  const number = Math.min(Math.max(count ?? steps.get(feed) ?? 1, 1), most);
  if (!works.has(feed)) {
    works.set(feed, feed._inTurn(() => grown(feed, number)).finally(() => works.delete(feed)));
  }
  return works.get(feed);
}

async function grown(feed, count) {
  if (!feed.token || !feed.hasMore) return false;
  const limit = Math.max(feed._limit, feed.snapshot.count + count);
  try {
    const rows = await rowsAfter(feed, count);
    // It was forgotten meanwhile.
    if (!feed.token) return false;
    const { token, snapshot: { total, count: held } } = feed;
    const next = rows && feed.snapshot.applying(rows, total);
    if (next) {
      feed._limit = limit;
      feed._show(next, token, Object.assign(new RefreshResult(), { changes: rows, isMore: true }));
      feed._kept.add({ since: `${token}+${held}`, token, count: next.count, order: next.order,
        total, changes: rows });
    } else {
      await takeAnew(feed, limit);
    }
  } catch (error) {
    if (error.isGone) feed.failed(error);
    throw error;
  }
  // Those that follow it go on with the new limit.
  feed._join();
  return feed.hasMore;
}

/** All that the greater view shows, where the version that is here is forgotten. */
async function takeAnew(feed, limit) {
  const before = feed._limit;
  feed._limit = limit;
  try {
    const { document, text } = await feed._get(feed.view.replace("&", "?"));
    await feed._replace(document, text);
  } catch (error) {
    feed._limit = before;
    throw error;
  }
}

/** The rows that follow, as changes; null where the server has them no more, or not so. */
async function rowsAfter({ id, sections, snapshot, token, _service: service }, count) {
  if (sections.length > 1) return null;
  const part = sections.length === 1 ? `sections/${encodeURIComponent(sections[0])}` : "items";
  const held = snapshot.count;
  const path = `/feeds/${encodeURIComponent(id)}/${part}`
    + `?offset=${held}&limit=${count}&version=${token}`;
  const { document } = await service.read(path).catch((error) => {
    if (error.status === 404 || error.status === 410) return {};
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
