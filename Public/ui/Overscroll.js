import { prefersReducedMotion, rubberBand, rubberBandPull } from "./motion.js";

/** How long the content takes to come back, in milliseconds. */
const settleTime = 380;

/** What happens past the ends of a scroll view: content follows a finger less, and comes back. */
export class Overscroll {
  /** How far the content is below its place (negative: above), in pixels. */
  distance = 0;
  /** Whether a finger holds it. */
  isPulling = false;
  #view;
  #isArmed = false;
  #last = null;
  #origin = 0;
  #animation = 0;
  #move = (event) => this.#moved(event);

  /** @param {import("./ScrollView.js").ScrollView} view */
  constructor(view) {
    this.#view = view;
    view.addEventListener("touchstart", (event) => this.#began(event), { passive: true });
  }

  /** Listens to fingers while they could pull. */
  arm() {
    const isArmed = this.isPulling || this.#view._isAtEnd(1) || this.#view._isAtEnd(-1);
    if (isArmed === this.#isArmed) return;
    this.#isArmed = isArmed;
    if (isArmed) this.#view.addEventListener("touchmove", this.#move, { passive: false });
    else this.#view.removeEventListener("touchmove", this.#move);
  }

  /** Lets the content go: it comes back to its place, unless a finger holds it. */
  settle() {
    cancelAnimationFrame(this.#animation);
    this.#animation = 0;
    if (this.isPulling || this.distance === 0) return;
    if (prefersReducedMotion()) {
      this.#view._overscrolled(0);
      return;
    }
    const from = this.distance;
    let start = null;
    const step = (time) => {
      start ??= time;
      const part = Math.min((time - start) / settleTime, 1);
      this.#view._overscrolled(part < 1 ? from * (1 - part) ** 3 : 0);
      this.#animation = part < 1 ? requestAnimationFrame(step) : 0;
    };
    this.#animation = requestAnimationFrame(step);
  }

  /** The finger stays where it is while the content's place moves by `distance`. */
  rebase(distance) {
    this.#view._overscrolled(distance);
    if (!this.isPulling) return;
    this.#origin = this.#last.clientY - rubberBandPull(distance, this.#view.clientHeight);
  }

  /** The finger is gone: called for every one. */
  end() {
    this.#last = null;
    if (!this.isPulling) return;
    this.isPulling = false;
    this.settle();
  }

  #began(event) {
    this.#last = event.touches.length === 1 ? event.touches[0] : null;
    if (this.#last && this.distance !== 0) this.#begin(this.distance, this.#last.clientY);
    this.arm();
  }

  #begin(distance, y) {
    cancelAnimationFrame(this.#animation);
    this.#animation = 0;
    this.isPulling = true;
    this.#origin = y - rubberBandPull(distance, this.#view.clientHeight);
  }

  #moved(event) {
    if (event.touches.length !== 1 || this.#last === null) return this.end();
    const touch = event.touches[0];
    const [dx, dy] = [touch.clientX - this.#last.clientX, touch.clientY - this.#last.clientY];
    if (!this.isPulling && dy !== 0 && Math.abs(dy) > Math.abs(dx)
      && this.#view._isAtEnd(Math.sign(dy)) && this.#view._canPull(event, dy)) {
      this.#begin(0, this.#last.clientY);
    }
    this.#last = touch;
    if (!this.isPulling) return;
    const pulled = touch.clientY - this.#origin;
    if (pulled === 0 || !this.#view._isAtEnd(Math.sign(pulled))) {
      // Back at its place: from here on the browser scrolls.
      this.isPulling = false;
      this.#view._overscrolled(0);
      return;
    }
    if (event.cancelable) event.preventDefault();
    this.#view._overscrolled(rubberBand(pulled, this.#view.clientHeight));
  }
}
