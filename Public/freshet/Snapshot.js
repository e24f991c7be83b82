/** Members of a document that are not the publisher's. */
const reserved = new Set([
  "kind", "feed", "token", "since", "reason", "count", "order", "total", "sections", "items",
  "changes",
]);

/** @typedef {{id: string}} Identified */
/** @typedef {{id: string, [name: string]: any}} Item */
/**
 * @template {Identified} [T=Item]
 * @typedef {{id: string, title?: string, index?: string, items: T[], [name: string]: any}} Section
 */
/** Up to this number the changes of a list are made one by one. */
const MAX_SINGLE = 16;

/**
 * A feed's state at one version, which never changes; the next one shares what is the same.
 * @template {Identified} [T=Item]
 */
export class Snapshot {
  #order;
  /** Item and section's id by the item's id; handed on, since only the newest needs it. */
  #index;

  /** @param {Record<string, any>} members @param {Section<T>[]} sections @param {number} [total] of a view */
  constructor(members, sections, total) {
    /** @readonly @type {Readonly<Record<string, any>>} */
    this.members = Object.freeze(members);
    /** @readonly @type {readonly Section<T>[]} */
    this.sections = Object.freeze(sections);
    /** @readonly @type {number | undefined} */
    this.total = total;
    Object.freeze(this);
  }

  /** Reads a document of the kind `snapshot`, of a `limit` or not. @returns {Snapshot<any>} */
  static read({ total, count, sections, ...document }, isLimited = false) {
    const isWhole = total === undefined || total === count && !isLimited;
    const own = Object.entries(document).filter(([name]) => !reserved.has(name));
    const read = isWhole ? sections.map(({ count: _, ...section }) => section) : sections;
    return new Snapshot(Object.fromEntries(own), read, isWhole ? undefined : total);
  }

  get count() {
    return this.sections.reduce((sum, { items }) => sum + items.length, 0);
  }

  /** The check on the order of the items. */
  get order() {
    return this.#order ??= orderOf(this.sections).toString(16).padStart(8, "0");
  }

  /** Whether count and order are those of a document. */
  fits({ count, order }) {
    return this.count === count && this.order === order;
  }

  /** @param {string} id @returns {T | undefined} */
  item(id) {
    return this.#places().get(id)?.item;
  }

  #places() {
    if (this.#index) return this.#index;
    const places = this.#index = new Map();
    for (const { id, items } of this.sections) {
      for (const item of items) places.set(item.id, { item, section: id });
    }
    return places;
  }

  /** Returns a snapshot with cached changes applied; null where they lead to none that the server had. */
  following(documents) {
    /** @type {?Snapshot<T>} */
    let next = this;
    for (const { changes, total, count } of documents) {
      next = next.applying(changes, total);
      // What another page kept may be of a view of other rows.
      if (next?.count !== count) return null;
    }
    return next.fits(documents.at(-1)) ? next : null;
  }

  /**
   * Returns a snapshot with changes (READING.md, "Applying changes"), unchecked.
   * @param {import("../freshet.js").Changes<T>} changes @param {number} [total] @returns {?Snapshot<T>} null when they do not fit
   */
  applying({ feed = {}, sections = {}, items = {} }, total = this.total) {
    const { remove = [], insert = [], move = [], update = [] } = items;
    const index = this.#places();
    const isOut = new Set([...remove, ...move.map(({ id }) => id)]);
    if (![...isOut, ...update.map(({ id }) => id)].every((id) => index.has(id))) return null;
    if (insert.some(({ item: { id } }) => index.has(id) && !isOut.has(id))) return null;
    const arranged = applySections(this.sections, sections);
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
    const filled = applyItems(arranged, isOut, touched);
    if (filled === null) return null;
    /** @type {Snapshot<any>} */
    const next = new Snapshot(edited(this.members, feed), filled, total);
    const moved = [insert, [...isOut], sections.remove, sections.insert, sections.move];
    if (!moved.some((list) => list?.length > 0)) next.#order = this.#order;
    this.#transfer(next, sections.remove, touched, remove);
    return next;
  }

  #transfer(next, goneSections = [], touched, gone) {
    const index = next.#index = this.#index;
    this.#index = undefined;
    for (const { id, items } of goneSections.length > 0 ? this.sections : []) {
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
}

/** Steps 2, 3 and 5 for sections: gone and moved ones out, new and moved ones in, edits. */
function applySections(sections, { remove = [], insert = [], move = [], update = [] }) {
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
function applyItems(sections, isOut, touched) {
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
  if (gone.length + placed.length + edits.size <= MAX_SINGLE) return withFew(list, gone, placed, edits);
  const all = changed(list, isOut, edits, placed);
  for (const item of edits.size > 0 && all || []) {
    if (edits.has(item.id)) edits.get(item.id).made = item;
  }
  return all;
}

/** Applies few changes without a look at each item of a long list. */
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

/** Returns a list after steps 1 to 5; null when a place cannot be. */
function changed(list, isOut, edits, placed) {
  const kept = isOut.size > 0 ? list.filter(({ id }) => !isOut.has(id)) : list;
  const all = insertAt(placed, kept);
  return edits.size === 0 ? all
    : all?.map((one) => (edits.has(one.id) ? edited(one, edits.get(one.id)) : one)) ?? null;
}

/** Puts elements at their places in the final list; null when a place cannot be. */
function insertAt(placed, kept) {
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

/**
 * The outcome of a refresh: the ids of the items that came, went, moved and changed.
 * @template {Identified} [T=Item]
 */
export class RefreshResult {
  /** Whether there was nothing to compare with before, or a part: `updated` is then of that. */
  isFirst = false;
  /** @type {Set<string>} */
  inserted = new Set();
  /** @type {Set<string>} */
  removed = new Set();
  /** @type {Set<string>} */
  moved = new Set();
  /** @type {Set<string>} */
  updated = new Set();
  /** Whether sections, or members of the feed itself, came, went, moved or changed. */
  isRearranged = false;
  /** Whether rows that follow were loaded: they are in `changes`, and none of them is new. */
  isMore = false;
  /**
   * The changes as the server sent them; null when nobody said how the one came of the other.
   * @type {?import("../freshet.js").Changes<T>}
   */
  changes = null;

  /** A feed that is here for the first time. @returns {RefreshResult<any>} */
  static first() {
    return Object.assign(new RefreshResult(), { isFirst: true });
  }

  /** Whether nothing at all changed. */
  get isEmpty() {
    return !this.isFirst && !this.isRearranged
      && this.inserted.size + this.removed.size + this.moved.size + this.updated.size === 0;
  }

  /** In words for a person: `1 new, 1 moved, 2 changed`; of what is here for the first time `Loaded`. */
  get words() {
    const parts = [["inserted", "new"], ["moved", "moved"], ["updated", "changed"], ["removed", "gone"]]
      .filter(([kind]) => this[kind].size > 0).map(([kind, what]) => `${this[kind].size} ${what}`);
    if (parts.length > 0) return parts.join(", ");
    if (this.isFirst || this.isMore) return "Loaded";
    return this.isRearranged ? "Rearranged" : "Nothing new";
  }
}

/** Returns what changes, as the server sent them, do to a snapshot. @returns {RefreshResult<any>} */
export function fromChanges(changes, old) {
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
 * Returns what differs between snapshots; moved is only what is in another section. Where just one of them is
 * of all items, the others are neither new nor gone.
 * @returns {RefreshResult<any>}
 */
export function diffSnapshots(old, now) {
  const isPart = (old.total === undefined) !== (now.total === undefined);
  const result = isPart ? RefreshResult.first() : new RefreshResult();
  const before = itemsByID(old);
  for (const [id, { section, item }] of itemsByID(now)) {
    const was = before.get(id);
    before.delete(id);
    if (was && JSON.stringify(was.item) !== JSON.stringify(item)) result.updated.add(id);
    if (isPart) continue;
    if (!was) result.inserted.add(id);
    else if (was.section !== section) result.moved.add(id);
  }
  if (isPart) return result;
  result.removed = new Set(before.keys());
  result.isRearranged = outline(old) !== outline(now);
  return result;
}

function itemsByID({ sections }) {
  return new Map(sections.flatMap(({ id: section, items }) =>
    items.map((item) => [item.id, { section, item }])));
}

function outline({ members, sections }) {
  return JSON.stringify([members, sections.map(({ items, ...own }) => own)]);
}

const utf8 = new TextEncoder();
const crcTable = Int32Array.from({ length: 256 }, (_, value) => {
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** Returns the CRC-32 (RFC 1952, 8) over texts, as if they were one, in UTF-8. @param {Iterable<string>} texts */
export function crc32(texts) {
  let sum = -1;
  for (const text of texts) sum = added(sum, text);
  return ~sum >>> 0;
}

/** Returns the check `order` of sections, as a number. */
function orderOf(sections) {
  let sum = -1;
  const add = (sign, id) => { sum = added(added(added(sum, sign), id), "\n"); };
  for (const { id, items } of sections) {
    add("#", id);
    for (const item of items) add(" ", item.id);
  }
  return ~sum >>> 0;
}

/** Continues a sum with a text: most have signs of a byte each. */
function added(sum, text) {
  let next = sum;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code > 127) return addedBytes(sum, utf8.encode(text));
    next = crcTable[(next ^ code) & 255] ^ (next >>> 8);
  }
  return next;
}

function addedBytes(sum, bytes) {
  // By index: an iterator takes ten times as long.
  for (let index = 0; index < bytes.length; index += 1) {
    sum = crcTable[(sum ^ bytes[index]) & 255] ^ (sum >>> 8);
  }
  return sum;
}
