import { loadValue, save } from "../ui/page.js";

/** The most ids that are kept of a feed. */
const MAX_MARKS = 20_000;

const all = new Map();

/** The marks of a feed. @param {string} id @returns {ReadMarks} */
export function marksOf(id) {
  if (!all.has(id)) all.set(id, new ReadMarks(`freshet read ${id}`));
  return all.get(id);
}

/** Which items of a feed were read on this device. */
export class ReadMarks {
  ids = new Set();
  /** What the browser had no room for: of each item whether it is read. @type {Map<string, boolean>} */
  #unsaved = new Map();

  constructor(name) {
    this.name = name;
    this.read();
  }

  /** Takes up what is kept, and leaves what is not. */
  read() {
    const kept = loadValue(this.name, () => localStorage);
    if (!Array.isArray(kept)) return;
    this.ids = new Set(kept);
    this.#apply();
  }

  #apply() {
    for (const [id, isRead] of this.#unsaved) if (isRead) this.ids.add(id); else this.ids.delete(id);
  }

  get size() { return this.ids.size; }
  has(id) { return this.ids.has(id); }

  /**
   * Marks items as read, or as unread, and forgets those that are not there any more. Other pages may
   * have marked some since this one began.
   * @param {string[]} ids @param {boolean} isRead
   * @param {import("../freshet.js").Snapshot} snapshot of the feed
   */
  setRead(ids, isRead, { sections, count, total = count }) {
    this.read();
    for (const id of ids) this.#unsaved.set(id, isRead);
    this.#apply();
    const there = new Set(sections.flatMap(({ items }) => items.map(({ id }) => id)));
    // Of a feed that is here in part others may be there, too.
    const isThere = (id) => total > count || there.has(id);
    const kept = [...this.ids].filter(isThere).slice(-MAX_MARKS);
    this.ids = new Set(kept);
    if (save(this.name, JSON.stringify(kept), () => localStorage)) this.#unsaved.clear();
  }
}
