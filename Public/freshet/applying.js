// How snapshots change (PROTOCOL.md, "Applying changes"): code that is loaded with the first
// changes, or with all of freshet.js.

import { crc32OfLines } from "./crc32.js";
import { Feed } from "./Feed.js";
import { ofChanges } from "./results.js";
import { Snapshot } from "./Snapshot.js";

export { ofDifference } from "./results.js";

/** Up to how many changes of a list are made one by one. */
const few = 16;

Snapshot.prototype.applying = function (changes, total) {
  return applying(this, changes, total);
};

/** The check on the order of the items. */
Object.defineProperty(Snapshot.prototype, "order", { configurable: true, get() {
  return this._order ??= crc32OfLines(lines(this.sections)).toString(16).padStart(8, "0");
} });

/** Takes changes in; null, and nothing taken, if they lead elsewhere. */
Feed.prototype._apply = function ({ since, token, count, order, total, changes }, text) {
  let [next, result] = [null];
  try {
    result = ofChanges(changes, this.snapshot);
    next = this.snapshot.applying(changes, total);
  } catch {
    // They have not the form of changes.
  }
  if (!next?.fits({ count, order })) return null;
  this._show(next, token, result);
  this._kept.add({ since, token, count, order, total, changes }, text);
  return result;
};

/** A feed's snapshot as the server would send it. */
Object.defineProperty(Feed.prototype, "document", { configurable: true, get() {
  const { members, sections, count, order, total } = this.snapshot;
  const own = sections.map((section) => ({ count: section.items.length, ...section }));
  return { kind: "snapshot", feed: this.id, token: this.token, ...members, count, order, total,
    sections: own };
} });

/** A snapshot with what was kept besides; null where that leads to none that the server had. */
export function following(snapshot, documents) {
  let next = snapshot;
  for (const { changes, total, count } of documents) {
    next = next.applying(changes, total);
    // What another page kept may be of a view of other rows.
    if (next?.count !== count) return null;
  }
  return next.fits(documents.at(-1)) ? next : null;
}

/** A snapshot with changes, unchecked. @returns {?Snapshot} null when they do not fit */
function applying(snapshot, { feed = {}, sections = {}, items = {} }, total = snapshot.total) {
  const { remove = [], insert = [], move = [], update = [] } = items;
  const index = snapshot._index();
  const isOut = new Set([...remove, ...move.map(({ id }) => id)]);
  if (![...isOut, ...update.map(({ id }) => id)].every((id) => index.has(id))) return null;
  if (insert.some(({ item: { id } }) => index.has(id) && !isOut.has(id))) return null;
  const arranged = arrange(snapshot.sections, sections);
  if (arranged === null) return null;
  const touched = new Map();
  const touch = (id) => {
    if (!touched.has(id)) touched.set(id, { gone: [], placed: [], edits: new Map() });
    return touched.get(id);
  };
  for (const id of isOut) touch(index.get(id).section).gone.push(index.get(id).item);
  for (const { section, index: place, item } of insert) {
    touch(section).placed.push({ index: place, element: item });
  }
  const movedTo = new Map();
  for (const one of move) {
    movedTo.set(one.id, one.section);
    const { item } = index.get(one.id);
    touch(one.section).placed.push({ index: one.index, element: item });
  }
  for (const edit of update) {
    const { item, section } = index.get(edit.id);
    touch(movedTo.get(edit.id) ?? section).edits.set(edit.id, { ...edit, item });
  }
  const filled = fill(arranged, isOut, touched);
  if (filled === null) return null;
  const next = new Snapshot(edited(snapshot.members, feed), filled, total);
  const moved = [insert, [...isOut], sections.remove, sections.insert, sections.move];
  if (!moved.some((list) => list?.length > 0)) next._order = snapshot._order;
  hand(snapshot, next, sections.remove, touched, remove);
  return next;
}

/** Gives the index of a snapshot to the one that follows it. */
function hand(snapshot, next, goneSections = [], touched, gone) {
  const index = next._places = snapshot._places;
  snapshot._places = undefined;
  for (const { id, items } of goneSections.length > 0 ? snapshot.sections : []) {
    if (goneSections.includes(id)) for (const item of items) index.delete(item.id);
  }
  for (const id of gone) index.delete(id);
  for (const { id, items } of next.sections) {
    const { placed = [], edits = new Map() } = touched.get(id) ?? {};
    for (const { made } of edits.values()) {
      if (made) index.set(made.id, { item: made, section: id });
    }
    for (const { index: place } of placed) {
      index.set(items[place].id, { item: items[place], section: id });
    }
  }
}

/** Steps 2, 3 and 5 for sections: gone and moved ones out, new and moved ones in, edits. */
function arrange(sections, { remove = [], insert = [], move = [], update = [] }) {
  const byID = new Map(sections.map((section) => [section.id, section]));
  const isOut = new Set([...remove, ...move.map(({ id }) => id)]);
  const isThere = ({ id }) => byID.has(id) && !remove.includes(id);
  if (![...isOut].every((id) => byID.has(id)) || !update.every(isThere)) return null;
  const edits = new Map(update.map(({ id, set, unset, count }) =>
    [id, { set: count === undefined ? set : { ...set, count }, unset }]));
  return changed(sections, isOut, edits, [
    ...move.map(({ index, id }) => ({ index, element: byID.get(id) })),
    ...insert.map(({ index, section }) => ({ index, element: { ...section, items: [] } })),
  ]);
}

/** Steps 1, 4 and 5 for items, in the sections that they touch. */
function fill(sections, isOut, touched) {
  const known = new Set(sections.map(({ id }) => id));
  for (const [id, { placed, edits }] of touched) {
    if (!known.has(id) && placed.length + edits.size > 0) return null;
  }
  const filled = sections.map((section) => {
    const work = touched.get(section.id);
    if (!work) return section;
    const items = changedItems(section.items, isOut, work);
    return items && { ...section, items };
  });
  return filled.includes(null) ? null : filled;
}

/** Items after steps 1, 4 and 5; null when a place cannot be. Notes what edits made. */
function changedItems(list, isOut, { gone, placed, edits }) {
  if (gone.length + placed.length + edits.size <= few) return withFew(list, gone, placed, edits);
  const all = changed(list, isOut, edits, placed);
  for (const item of edits.size > 0 && all || []) {
    if (edits.has(item.id)) edits.get(item.id).made = item;
  }
  return all;
}

/** The same for few changes, which does not look at each item of a long list. */
function withFew(list, gone, placed, edits) {
  const items = [...list];
  for (const item of gone) items.splice(items.indexOf(item), 1);
  let last = -1;
  for (const { index, element } of [...placed].sort((one, other) => one.index - other.index)) {
    if (!Number.isInteger(index) || index <= last || index > items.length) return null;
    items.splice(last = index, 0, element);
  }
  for (const edit of edits.values()) {
    let place = items.indexOf(edit.item);
    // One that went may have come again.
    if (place < 0) place = items.findIndex(({ id }) => id === edit.id);
    if (place >= 0) items[place] = edit.made = edited(items[place], edit);
  }
  return items;
}

/** A list after steps 1 to 5; null when a place cannot be. */
function changed(list, isOut, edits, placed) {
  const kept = isOut.size > 0 ? list.filter(({ id }) => !isOut.has(id)) : list;
  const all = put(placed, kept);
  return edits.size === 0 ? all
    : all?.map((one) => (edits.has(one.id) ? edited(one, edits.get(one.id)) : one)) ?? null;
}

/** Puts elements at their places in the final list; null when a place cannot be. */
function put(placed, kept) {
  if (placed.length === 0) return kept;
  const final = [];
  let next = 0;
  for (const { index, element } of [...placed].sort((one, other) => one.index - other.index)) {
    while (final.length < index && next < kept.length) final.push(kept[next++]);
    if (final.length !== index) return null;
    final.push(element);
  }
  while (next < kept.length) final.push(kept[next++]);
  return final;
}

/** A copy with members set and unset; spreading keeps even a member called `__proto__` one. */
function edited(object, { set = {}, unset = [] }) {
  const copy = { ...object, ...set };
  for (const name of unset) delete copy[name];
  return copy;
}

/** What the check `order` is made over. */
function* lines(sections) {
  for (const { id, items } of sections) {
    yield ["#", [id]];
    yield [" ", items.map((item) => item.id)];
  }
}
