import { load } from "../ui/memory.js";

const all = new Map();

/** The marks of a feed. @param {string} id @returns {ReadMarks} */
export function marksOf(id) {
  if (!all.has(id)) all.set(id, new ReadMarks(`freshet read ${id}`));
  return all.get(id);
}

/** Which items of a feed were read on this device; `mark.js` changes them. */
export class ReadMarks {
  ids = new Set();

  constructor(name) {
    this.name = name;
    this.read();
  }

  /** Takes up what is kept. */
  read() {
    try {
      this.ids = new Set(JSON.parse(load(this.name, () => localStorage)) ?? this.ids);
    } catch {
      // It is no list.
    }
  }

  get size() { return this.ids.size; }
  has(id) { return this.ids.has(id); }
}
