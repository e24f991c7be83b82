import { RefreshResult } from "../freshet/Snapshot.js";

/**
 * What came of refreshes, one after the other, as of one: what came and went is in neither list.
 * @param {RefreshResult[]} results with at least one; `changes` are then a list of each one's
 * @returns {RefreshResult}
 */
export function merged(results) {
  if (results.length === 1) return results[0];
  const [inserted, removed, moved, updated] = [new Set(), new Set(), new Set(), new Set()];
  for (const result of results) {
    for (const id of result.removed) {
      for (const set of [moved, updated]) set.delete(id);
      if (!inserted.delete(id)) removed.add(id);
    }
    for (const id of result.inserted) {
      // What went and comes again may be another.
      if (removed.delete(id)) updated.add(id);
      else inserted.add(id);
    }
    for (const id of result.moved) if (!inserted.has(id)) moved.add(id);
    for (const id of result.updated) if (!inserted.has(id)) updated.add(id);
  }
  const changes = results.flatMap((result) => result.changes ?? []);
  return Object.assign(new RefreshResult(), {
    inserted, removed, moved, updated,
    changes: results.every((result) => result.changes) ? changes : null,
    isFirst: results.some(({ isFirst }) => isFirst),
    isRearranged: results.some(({ isRearranged }) => isRearranged),
  });
}
