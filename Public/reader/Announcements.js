import { RefreshResult } from "../freshet/Snapshot.js";
import { announce } from "../ui/announce.js";
import { merged } from "./merged.js";
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
    this.#sum = merged([this.#sum ?? new RefreshResult(), result]);
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
