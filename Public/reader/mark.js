import { save } from "../ui/memory.js";

/** The ids of how many items are kept of a feed. */
const limit = 20_000;

/**
 * Marks items as read, or as unread; of those that are not there any more nothing is kept. Other
 * pages may have marked some since this one began.
 * @param {object} marks of a feed (`ReadMarks.js`) @param {string[]} ids @param {boolean} isRead
 * @param {import("../freshet.js").Snapshot} snapshot of the feed
 */
export function mark(marks, ids, isRead, { sections, count, total = count }) {
  marks.read();
  for (const id of ids) if (isRead) marks.ids.add(id); else marks.ids.delete(id);
  const there = new Set(sections.flatMap(({ items }) => items.map(({ id }) => id)));
  // Of a feed that is here in part others may be there, too.
  const isThere = (id) => total > count || there.has(id);
  const kept = [...marks.ids].filter(isThere).slice(-limit);
  marks.ids = new Set(kept);
  save(marks.name, JSON.stringify(kept), () => localStorage);
}
