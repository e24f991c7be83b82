import { IndexPath } from "./IndexPath.js";

/** The fewest changes from one list of sections to another, into a batch of updates. */
export function difference(before, after, { rows, sections }) {
  const [oldIDs, newIDs] = [before, after].map((list) => list.map(({ id }) => id));
  compare(oldIDs, newIDs, sections, same(oldIDs, newIDs), new Set(), (index) => index);
  const places = new Map(oldIDs.map((id, index) => [id, index]));
  const all = after.map(({ id, items }, section) => {
    const from = places.get(id);
    return { from, section, items, ends: same(before[from]?.items ?? [], items) };
  });
  const crossing = moveAcross(before, all, rows);
  for (const { from, section, items, ends } of all) {
    if (from === undefined) continue;
    compare(before[from].items, items, rows, ends, crossing,
      (row, isOld) => new IndexPath(row, isOld ? from : section));
  }
}

/** Moves what is in another section than before. @returns {Set<string>} its identifiers */
function moveAcross(before, all, { moved }) {
  const kept = new Map(all.map(({ from, ends }) => [from, ends]));
  const old = new Map();
  before.forEach(({ items }, section) => {
    const { start, ends } = kept.get(section) ?? { start: 0, ends: 0 };
    for (let row = start; row < items.length - ends; row += 1) {
      old.set(items[row], new IndexPath(row, section));
    }
  });
  const crossing = new Set();
  for (const { from, section, items, ends: { start, ends } } of all) {
    for (let row = start; row < items.length - ends; row += 1) {
      const was = old.get(items[row]);
      if (!was || was.section === from) continue;
      moved.push([was, new IndexPath(row, section)]);
      crossing.add(items[row]);
    }
  }
  return crossing;
}

/** How many identifiers are the same at the start of two lists, and at their ends. */
function same(before, after) {
  let [start, ends] = [0, 0];
  const shorter = Math.min(before.length, after.length);
  while (start < shorter && before[start] === after[start]) start += 1;
  while (ends < shorter - start && before.at(-1 - ends) === after.at(-1 - ends)) ends += 1;
  return { start, ends };
}

/** Changes between what differs in two lists of identifiers, without those that cross over. */
function compare(before, after, { deleted, inserted, moved }, { start, ends }, crossing, place) {
  const places = new Map();
  for (let index = start; index < before.length - ends; index += 1) {
    if (!crossing.has(before[index])) places.set(before[index], index);
  }
  const common = [];
  for (let index = start; index < after.length - ends; index += 1) {
    const id = after[index];
    if (crossing.has(id)) continue;
    const from = places.get(id);
    if (from === undefined) inserted.push(place(index, false));
    else common.push([from, index]);
    places.delete(id);
  }
  for (const index of places.values()) deleted.push(place(index, true));
  const kept = longestAscending(common.map(([from]) => from));
  common.forEach(([from, to], index) => {
    if (!kept.has(index)) moved.push([place(from, true), place(to, false)]);
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
