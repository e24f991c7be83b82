import { recall } from "../ui/memory.js";

const all = new Map();

/** The marks of a feed. @param {string} id @returns {ReadMarks} */
export function marksOf(id) {
  if (!all.has(id)) all.set(id, new ReadMarks(`freshet read ${id}`));
  return all.get(id);
}

/** Which items of a feed were read on this device; `mark.js` changes them. */
class ReadMarks {
  constructor(name) {
    this.name = name;
    try {
      this.ids = new Set(JSON.parse(recall(name, () => localStorage) ?? "[]"));
    } catch {
      this.ids = new Set();
    }
  }

  get size() { return this.ids.size; }
  has(id) { return this.ids.has(id); }
}
