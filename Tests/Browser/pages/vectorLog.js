import { nameOf } from "./vectorPaths.js";

const joined = ["didScroll", "touchDragInside", "touchDragOutside", "continueTracking"];

/** What a case hears, in order. */
export class Log {
  all = [];
  #told = 0;
  #hears;

  constructor(hears) {
    this.#hears = new Set(hears);
  }

  /** What was heard since it was last told. */
  get fresh() { return this.all.slice(this.#told); }
  told() { this.#told = this.all.length; }
  clear() {
    this.all = [];
    this.#told = 0;
  }

  add(entry) { this.all.push(entry); }

  /** Adds what only some cases want to hear. */
  heard(name, entry = name) {
    if (!this.#hears.has(name) || joined.includes(name) && this.fresh.at(-1) === entry) return;
    this.add(entry);
  }

  delegate = {
    willDisplay: (_, path) => this.heard("willDisplay", `willDisplay ${nameOf(path)}`),
    didScroll: () => this.heard("didScroll"),
    didChangeAdjustedContentInset: () => this.heard("didChangeAdjustedContentInset"),
    willBeginDragging: () => this.add("willBeginDragging"),
    didEndDragging: (_, willDecelerate) => this.add(`didEndDragging ${willDecelerate}`),
    didEndDecelerating: () => this.add("didEndDecelerating"),
    didScrollToTop: () => this.add("didScrollToTop"),
    needsRefresh: (data) => this.add(`needsRefresh ${data}`),
    didFail: (error) => this.add(`didFail ${error}`),
    didSelectRow: (path) => this.add(`didSelectRow ${nameOf(path)}`),
    didDeselectRow: (path) => this.add(`didDeselectRow ${nameOf(path)}`),
    performPrimaryAction: (path) => this.add(`performPrimaryAction ${nameOf(path)}`),
  };
}
