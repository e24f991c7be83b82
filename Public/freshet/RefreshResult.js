/** What came of a refresh: the ids of the items that came, went, moved and changed. */
export class RefreshResult {
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
  /** The changes as the server sent them; null when nobody said how the one came of the other. */
  changes = null;

  /** A feed that is here for the first time. */
  static first() {
    return Object.assign(new RefreshResult(), { isFirst: true });
  }

  /** What changes, as the server sent them, do to a snapshot. */
  static ofChanges(changes, old) {
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

  /** What differs between snapshots; moved is only what is in another section. */
  static ofDifference(old, now) {
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

  /** Whether nothing at all changed. */
  get isEmpty() {
    return !this.isFirst && !this.isRearranged
      && this.inserted.size + this.removed.size + this.moved.size + this.updated.size === 0;
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

function itemsByID({ sections }) {
  return new Map(sections.flatMap(({ id: section, items }) =>
    items.map((item) => [item.id, { section, item }])));
}

function outline({ members, sections }) {
  return JSON.stringify([members, sections.map(({ items, ...own }) => own)]);
}
