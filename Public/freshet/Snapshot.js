import { crc32 } from "./crc32.js";

/** Members of a document that are the protocol's and not the publisher's. */
const reserved = new Set([
  "kind", "feed", "token", "since", "reason", "count", "order", "total", "sections", "items",
  "changes",
]);

/**
 * A feed's whole state at one version: members of its own, and sections of items. It is never
 * changed; applying changes makes another one, which shares what is the same.
 */
export class Snapshot {
  /**
   * @param {Map<string, unknown>} members the feed's own
   * @param {{members: Map<string, unknown>, items: object[]}[]} sections in order
   */
  constructor(members, sections) {
    this.members = members;
    this.sections = sections;
  }

  /**
   * Reads a document of the kind `snapshot`.
   * @param {object} document
   * @returns {Snapshot}
   */
  static read(document) {
    const members = new Map(Object.entries(document).filter(([name]) => !reserved.has(name)));
    const sections = document.sections.map((section) => {
      const own = Object.entries(section).filter(([name]) => name !== "count" && name !== "items");
      return { members: new Map(own), items: section.items };
    });
    return new Snapshot(members, sections);
  }

  /** The number of items. */
  get count() {
    return this.sections.reduce((sum, section) => sum + section.items.length, 0);
  }

  /** The check on the order of the items: eight lower-case hexadecimal digits. */
  get order() {
    const lines = [];
    for (const section of this.sections) {
      lines.push(`#${section.members.get("id")}\n`);
      for (const item of section.items) lines.push(` ${item.id}\n`);
    }
    const bytes = new TextEncoder().encode(lines.join(""));
    return crc32(bytes).toString(16).padStart(8, "0");
  }

  /**
   * This with changes applied, by the six steps of the protocol less the last, the check.
   * @param {object} changes
   * @returns {Snapshot | null} null when they name what is not there or a place that cannot be
   */
  applying(changes) {
    const { feed = {}, sections = {}, items = {} } = changes;
    const held = new Map();
    const byID = new Map();
    for (const section of this.sections) {
      byID.set(section.members.get("id"), section);
      for (const item of section.items) held.set(item.id, item);
    }
    const isOut = new Set([...(items.remove ?? []), ...(items.move ?? []).map((move) => move.id)]);
    const edits = new Map((items.update ?? []).map((one) => [one.id, one]));
    if (![...isOut, ...edits.keys()].every((id) => held.has(id))) return null;

    const arranged = arrange(this.sections, byID, sections);
    if (arranged === null) return null;
    const filled = fill(arranged, isOut, placements(items, held), edits);
    if (filled === null) return null;
    return new Snapshot(edited(this.members, feed), filled);
  }
}

/** Steps 2, 3 and 5 for sections: gone and moved ones out, new and moved ones in, edits. */
function arrange(sections, byID, { remove = [], insert = [], move = [], update = [] }) {
  const isOut = new Set([...remove, ...move.map((one) => one.id)]);
  const edits = new Map(update.map((one) => [one.id, one]));
  if (![...isOut, ...edits.keys()].every((id) => byID.has(id))) return null;
  const placed = move.map(({ index, id }) => ({ index, element: byID.get(id) }));
  for (const { index, section } of insert) {
    const own = Object.entries(section).filter(([name]) => name !== "count");
    placed.push({ index, element: { members: new Map(own), items: [] } });
  }
  const all = put(placed, sections.filter((section) => !isOut.has(section.members.get("id"))));
  return all?.map((section) => {
    const edit = edits.get(section.members.get("id"));
    return edit ? { members: edited(section.members, edit), items: section.items } : section;
  }) ?? null;
}

/** Steps 1, 4 and 5 for items, section by section. */
function fill(sections, isOut, placedBySection, edits) {
  const known = new Set(sections.map((section) => section.members.get("id")));
  if (![...placedBySection.keys()].every((id) => known.has(id))) return null;
  const filled = [];
  for (const { members, items } of sections) {
    const kept = isOut.size === 0 ? items : items.filter((item) => !isOut.has(item.id));
    const all = put(placedBySection.get(members.get("id")) ?? [], kept);
    if (all === null) return null;
    const isEdited = edits.size > 0 && all.some((item) => edits.has(item.id));
    filled.push({ members, items: isEdited ? all.map((item) => update(item, edits)) : all });
  }
  return filled;
}

/** What comes into each section, with its place. */
function placements(items, held) {
  const placed = new Map();
  const add = (section, index, element) => {
    if (!placed.has(section)) placed.set(section, []);
    placed.get(section).push({ index, element });
  };
  for (const { section, index, item } of items.insert ?? []) add(section, index, item);
  for (const { section, index, id } of items.move ?? []) add(section, index, held.get(id));
  return placed;
}

/** Puts elements at their places in the final list; null when a place cannot be. */
function put(placed, kept) {
  if (placed.length === 0) return kept;
  const sorted = [...placed].sort((left, right) => left.index - right.index);
  const final = [];
  let next = 0;
  for (const { index, element } of sorted) {
    while (final.length < index && next < kept.length) final.push(kept[next++]);
    if (final.length !== index) return null;
    final.push(element);
  }
  while (next < kept.length) final.push(kept[next++]);
  return final;
}

/** A map of members with an edit applied. */
function edited(members, { set = {}, unset = [] }) {
  const names = Object.keys(set);
  if (names.length === 0 && unset.length === 0) return members;
  const result = new Map(members);
  for (const name of unset) result.delete(name);
  for (const name of names) result.set(name, set[name]);
  return result;
}

/** An item with its edit applied, if there is one. */
function update(item, edits) {
  const edit = edits.get(item.id);
  return edit ? Object.fromEntries(edited(new Map(Object.entries(item)), edit)) : item;
}
