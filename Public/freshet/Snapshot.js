import { crc32 } from "./crc32.js";

/** Members of a document that are not the publisher's. */
const reserved = new Set([
  "kind", "feed", "token", "since", "reason", "count", "order", "total", "sections", "items",
  "changes",
]);

/** @typedef {{id: string}} Item */
/** @typedef {{id: string, title?: string, index?: string, items: Item[]}} Section */

/** A feed's state at one version, which never changes; the next one shares what is the same. */
export class Snapshot {
  #order;
  /** Item and section's id by the item's id; handed on, since only the newest needs it. */
  #places;

  /** @param {object} members @param {Section[]} sections @param {number} [total] of a view */
  constructor(members, sections, total) {
    Object.assign(this, { members, sections, total });
  }

  /** Reads a document of the kind `snapshot`. @returns {Snapshot} */
  static read({ total, count, sections, ...document }) {
    const isWhole = total === undefined || total === count;
    const own = Object.entries(document).filter(([name]) => !reserved.has(name));
    const read = isWhole ? sections.map(({ count: _, ...section }) => section) : sections;
    return new Snapshot(Object.fromEntries(own), read, isWhole ? undefined : total);
  }

  get count() {
    return this.sections.reduce((sum, { items }) => sum + items.length, 0);
  }

  /** The check on the order of the items. */
  get order() {
    return this.#order ??= crc32(lines(this.sections)).toString(16).padStart(8, "0");
  }

  /** @param {string} id @returns {Item | undefined} */
  item(id) {
    return this.#index().get(id)?.item;
  }

  #index() {
    if (this.#places) return this.#places;
    const places = this.#places = new Map();
    for (const { id, items } of this.sections) {
      for (const item of items) places.set(item.id, { item, section: id });
    }
    return places;
  }

  /** This with changes (PROTOCOL.md), unchecked. @returns {?Snapshot} null: they do not fit */
  applying({ feed = {}, sections = {}, items = {} }, total = this.total) {
    const { remove = [], insert = [], move = [], update = [] } = items;
    const index = this.#index();
    const isOut = new Set([...remove, ...move.map(({ id }) => id)]);
    if (![...isOut, ...update.map(({ id }) => id)].every((id) => index.has(id))) return null;
    if (insert.some(({ item: { id } }) => index.has(id) && !isOut.has(id))) return null;
    const arranged = arrange(this.sections, sections);
    if (arranged === null) return null;
    const touched = new Map();
    const touch = (id) => {
      if (!touched.has(id)) touched.set(id, { placed: [], edits: new Map() });
      return touched.get(id);
    };
    for (const id of isOut) touch(index.get(id).section);
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
      touch(movedTo.get(edit.id) ?? index.get(edit.id).section).edits.set(edit.id, edit);
    }
    const filled = fill(arranged, isOut, touched);
    if (filled === null) return null;
    const next = new Snapshot(edited(this.members, feed), filled, total);
    const moved = [insert, [...isOut], sections.remove, sections.insert, sections.move];
    if (!moved.some((list) => list?.length > 0)) next.#order = this.#order;
    this.#hand(next, sections.remove, touched, remove);
    return next;
  }

  /** Gives the index to the snapshot that follows this one. */
  #hand(next, goneSections = [], touched, gone) {
    const index = next.#places = this.#places;
    this.#places = undefined;
    for (const { id, items } of goneSections.length > 0 ? this.sections : []) {
      if (goneSections.includes(id)) for (const item of items) index.delete(item.id);
    }
    for (const id of gone) index.delete(id);
    for (const { id, items } of next.sections) {
      const { placed = [], edits = [] } = touched.get(id) ?? {};
      if (edits.size > 0) {
        for (const item of items) {
          if (edits.has(item.id)) index.set(item.id, { item, section: id });
        }
      }
      for (const { index: place } of placed) {
        index.set(items[place].id, { item: items[place], section: id });
      }
    }
  }
}

/** What the check `order` is made over. */
function* lines(sections) {
  for (const { id, items } of sections) {
    yield `#${id}\n`;
    yield items.map((item) => ` ${item.id}\n`).join("");
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
    const items = changed(section.items, isOut, work.edits, work.placed);
    return items && { ...section, items };
  });
  return filled.includes(null) ? null : filled;
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
