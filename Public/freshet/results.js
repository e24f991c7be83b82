// What refreshes changed: code that is loaded with the first changes, as applying.js.

import { RefreshResult } from "./RefreshResult.js";

/** What changes, as the server sent them, do to a snapshot. */
export function ofChanges(changes, old) {
  const { items: { remove = [], insert = [], move = [], update = [] } = {}, sections } = changes;
  const moved = new Set(move.map(({ id }) => id));
  const gone = new Set(sections?.remove);
  // Items that went with their section are in no list.
  const went = gone.size === 0 ? [] : old.sections.filter(({ id }) => gone.has(id))
    .flatMap(({ items }) => items.map(({ id }) => id)).filter((id) => !moved.has(id));
  return Object.assign(new RefreshResult(), {
    inserted: new Set(insert.map(({ item }) => item.id)), removed: new Set([...remove, ...went]),
    moved, updated: new Set(update.map(({ id }) => id)), changes,
    isRearranged: sections !== undefined || changes.feed !== undefined,
  });
}

/**
 * What differs between snapshots; moved is only what is in another section. Where just one of them is
 * of all items, the others are neither new nor gone.
 */
export function ofDifference(old, now) {
  if ((old.total === undefined) !== (now.total === undefined)) return ofPart(old, now);
  const result = new RefreshResult();
  const before = itemsByID(old);
  for (const [id, { section, item }] of itemsByID(now)) {
    const was = before.get(id);
    before.delete(id);
    if (!was) result.inserted.add(id);
    else if (was.section !== section) result.moved.add(id);
    if (was && JSON.stringify(was.item) !== JSON.stringify(item)) result.updated.add(id);
  }
  result.removed = new Set(before.keys());
  result.isRearranged = outline(old) !== outline(now);
  return result;
}

/** Only what became of items that are in both. */
function ofPart(old, now) {
  const before = itemsByID(old);
  const isOther = ([id, { item }]) =>
    before.has(id) && JSON.stringify(before.get(id).item) !== JSON.stringify(item);
  const updated = [...itemsByID(now)].filter(isOther).map(([id]) => id);
  return Object.assign(RefreshResult.first(), { updated: new Set(updated) });
}

function itemsByID({ sections }) {
  return new Map(sections.flatMap(({ id: section, items }) =>
    items.map((item) => [item.id, { section, item }])));
}

function outline({ members, sections }) {
  return JSON.stringify([members, sections.map(({ items, ...own }) => own)]);
}
