import { remember } from "../ui/memory.js";

/** The ids of how many items are kept of a feed. */
const limit = 20_000;

/**
 * Marks items as read, or as unread; of those that are not there any more nothing is kept.
 * @param {object} marks of a feed (`ReadMarks.js`) @param {string[]} ids @param {boolean} isRead
 * @param {import("../freshet.js").Snapshot} snapshot of the feed
 */
export function mark(marks, ids, isRead, { sections }) {
  for (const id of ids) if (isRead) marks.ids.add(id); else marks.ids.delete(id);
  const there = new Set(sections.flatMap(({ items }) => items.map(({ id }) => id)));
  const kept = [...marks.ids].filter((id) => there.has(id)).slice(-limit);
  marks.ids = new Set(kept);
  remember(marks.name, JSON.stringify(kept), () => localStorage);
}
