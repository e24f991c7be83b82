import { RefreshResult } from "../freshet/RefreshResult.js";
import { announce } from "../ui/announce.js";
import { resultWords } from "./status.js";

/** The least time between two announcements, and how long the first waits, in milliseconds. */
const [pause, gathering] = [8000, 1000];

/** Tells a screen reader what comes by itself: summed up, and now and then only. */
export class Announcements {
  #sum = null;
  #last = -pause;
  #timer = 0;

  /** @param {RefreshResult} result what came */
  add(result) {
    if (result.isEmpty || result.isFirst) return;
    if (!this.#sum) {
      const wait = Math.max(gathering, this.#last + pause - performance.now());
      this.#timer = setTimeout(() => this.#say(), wait);
    }
    this.#sum = sum(this.#sum ?? new RefreshResult(), result);
  }

  /** Says nothing of what came so far: the feed is another. */
  clear() {
    clearTimeout(this.#timer);
    this.#sum = null;
  }

  #say() {
    this.#last = performance.now();
    if (!this.#sum.isEmpty) announce(resultWords(this.#sum));
    this.#sum = null;
  }
}

/** What came of one refresh and of the next, as one: what came and went is in neither list. */
function sum(one, next) {
  const inserted = union(one.inserted, next.inserted, next.removed);
  const removed = union(one.removed, next.removed, union(one.inserted, next.inserted));
  const without = union(next.removed, inserted);
  return Object.assign(new RefreshResult(), {
    inserted, removed, moved: union(one.moved, next.moved, without),
    updated: union(one.updated, next.updated, without),
    isRearranged: one.isRearranged || next.isRearranged,
  });
}

/** What is in one of two sets, and not in a third. */
function union(one, other, without = new Set()) {
  return new Set([...one, ...other].filter((id) => !without.has(id)));
}
