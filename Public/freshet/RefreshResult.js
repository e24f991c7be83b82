/** What came of a refresh: the ids of the items that came, went, moved and changed. */
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
  /** The changes as the server sent them; null when nobody said how the one came of the other. */
  changes = null;

  /** A feed that is here for the first time. */
  static first() {
    return Object.assign(new RefreshResult(), { isFirst: true });
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
