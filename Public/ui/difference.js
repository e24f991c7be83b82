import { IndexPath } from "./IndexPath.js";

/** The fewest changes from one list of sections to another, into a batch of updates. */
export function difference(before, after, { rows, sections }) {
  const [oldSections, newSections] = [before, after].map((list) => list.map(({ id }) => id));
  const places = new Map(oldSections.map((id, index) => [id, index]));
  compare(oldSections, newSections, sections, (index) => index, (index) => index);

  const old = new Map();
  before.forEach(({ items }, section) =>
    items.forEach((id, row) => old.set(id, new IndexPath(row, section))));
  const crossing = new Set();
  after.forEach(({ id, items }, section) => {
    const from = places.get(id);
    items.forEach((item, row) => {
      const was = old.get(item);
      if (!was || was.section === from) return;
      rows.moved.push([was, new IndexPath(row, section)]);
      crossing.add(item);
    });
    if (from === undefined) return;
    const there = crossing.size === 0 ? items
      : items.map((item) => (crossing.has(item) ? null : item));
    compare(before[from].items, there, rows,
      (row) => new IndexPath(row, from), (row) => new IndexPath(row, section));
  });
  // What crosses over was taken for gone where it was.
  rows.deleted = rows.deleted.filter((path) =>
    !crossing.has(before[path.section].items[path.row]));
}

/** Changes of one list to another, of which each identifier is in it once; null is none. */
function compare(before, after, { deleted, inserted, moved }, oldPlace, newPlace) {
  let [start, ends] = [0, 0];
  const shorter = Math.min(before.length, after.length);
  while (start < shorter && before[start] === after[start]) start += 1;
  while (ends < shorter - start && before.at(-1 - ends) === after.at(-1 - ends)) ends += 1;
  const places = new Map();
  const end = before.length - ends;
  for (let index = start; index < end; index += 1) places.set(before[index], index);
  const common = [];
  for (let index = start; index < after.length - ends; index += 1) {
    const id = after[index];
    if (id === null) continue;
    const from = places.get(id);
    if (from === undefined) inserted.push(newPlace(index));
    else common.push([from, index]);
    places.delete(id);
  }
  for (const index of places.values()) deleted.push(oldPlace(index));
  const kept = longestAscending(common.map(([from]) => from));
  common.forEach(([from, to], index) => {
    if (!kept.has(index)) moved.push([oldPlace(from), newPlace(to)]);
  });
}

/** The indices of a longest ascending subsequence of numbers that differ (patience sorting). */
export function longestAscending(list) {
  const tails = [];
  const previous = [];
  list.forEach((number, index) => {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[tails[middle]] < number) low = middle + 1; else high = middle;
    }
    previous[index] = tails[low - 1];
    tails[low] = index;
  });
  const kept = new Set();
  for (let index = tails.at(-1); index !== undefined; index = previous[index]) kept.add(index);
  return kept;
}
