import { recall, remember } from "../ui/memory.js";

const forGood = () => localStorage;
/** The ids of how many items are kept of a feed. */
const limit = 20_000;
const all = new Map();

/** The marks of a feed. @param {string} id @returns {ReadMarks} */
export function marksOf(id) {
  if (!all.has(id)) all.set(id, new ReadMarks(`freshet read ${id}`));
  return all.get(id);
}

/** Which items of a feed were read on this device. */
class ReadMarks {
  #name;
  #ids;

  constructor(name) {
    this.#name = name;
    try {
      this.#ids = new Set(JSON.parse(recall(name, forGood) ?? "[]"));
    } catch {
      this.#ids = new Set();
    }
  }

  get size() { return this.#ids.size; }
  has(id) { return this.#ids.has(id); }

  /** Marks items as read, or as unread; of those that are not there any more nothing is kept. */
  mark(ids, isRead, { sections }) {
    for (const id of ids) if (isRead) this.#ids.add(id); else this.#ids.delete(id);
    const there = new Set(sections.flatMap(({ items }) => items.map(({ id }) => id)));
    const kept = [...this.#ids].filter((id) => there.has(id)).slice(-limit);
    this.#ids = new Set(kept);
    remember(this.#name, JSON.stringify(kept), forGood);
  }
}
