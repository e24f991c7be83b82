/** What came of a refresh: the ids of the items that came, went, moved and changed. */
export class Refreshment {
  /** Whether there was nothing to compare with before. */
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

  /** A feed that is here for the first time. */
  static first() {
    const refreshment = new Refreshment();
    refreshment.isFirst = true;
    return refreshment;
  }

  /**
   * What changes did between two snapshots.
   * @param {object} changes as the server sent them
   * @param {import("./Snapshot.js").Snapshot} old
   * @param {import("./Snapshot.js").Snapshot} now
   */
  static ofChanges(changes, old, now) {
    const { items = {}, sections, feed } = changes;
    const refreshment = new Refreshment();
    refreshment.inserted = new Set((items.insert ?? []).map(({ item }) => item.id));
    // Items that went with their section are in no list.
    const before = itemsByID(old);
    const after = itemsByID(now);
    refreshment.removed = new Set([...before.keys()].filter((id) => !after.has(id)));
    refreshment.moved = new Set((items.move ?? []).map(({ id }) => id));
    refreshment.updated = new Set((items.update ?? []).map(({ id }) => id));
    refreshment.isRearranged = sections !== undefined || feed !== undefined;
    return refreshment;
  }

  /**
   * What differs between two snapshots when nobody said how one came of the other; items count
   * as moved only when they are in another section.
   * @param {import("./Snapshot.js").Snapshot} old
   * @param {import("./Snapshot.js").Snapshot} now
   */
  static ofDifference(old, now) {
    const refreshment = new Refreshment();
    const before = itemsByID(old);
    const after = itemsByID(now);
    refreshment.removed = new Set([...before.keys()].filter((id) => !after.has(id)));
    for (const [id, { section, item }] of after) {
      const was = before.get(id);
      if (was === undefined) {
        refreshment.inserted.add(id);
        continue;
      }
      if (was.section !== section) refreshment.moved.add(id);
      if (JSON.stringify(was.item) !== JSON.stringify(item)) refreshment.updated.add(id);
    }
    refreshment.isRearranged = outline(old) !== outline(now);
    return refreshment;
  }

  /** In words for a person: `1 new, 1 moved, 2 changed`. */
  get words() {
    const parts = [
      [this.inserted.size, "new"], [this.moved.size, "moved"], [this.updated.size, "changed"],
      [this.removed.size, "gone"],
    ].filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
    if (parts.length > 0) return parts.join(", ");
    return this.isRearranged ? "Rearranged" : "Nothing new";
  }
}

function itemsByID(snapshot) {
  const byID = new Map();
  for (const { members, items } of snapshot.sections) {
    for (const item of items) byID.set(item.id, { section: members.get("id"), item });
  }
  return byID;
}

function outline(snapshot) {
  const sections = snapshot.sections.map(({ members }) => [...members]);
  return JSON.stringify([[...snapshot.members], sections]);
}
