/** From which speed on content goes on when a finger lets go, in pixels a millisecond. */
const slowest = 0.08;

/** What a finger on a scroll view is doing. */
export class Dragging {
  /** Whether the content goes on without it. */
  isDecelerating = false;
  #view;
  #drag = null;
  #moved = (event) => this.#follow(event);
  #ended = (event) => this.#letGo(event);

  /** @param {import("./ScrollView.js").ScrollView} view */
  constructor(view) {
    this.#view = view;
    view.addEventListener("touchstart", (event) => this.#touch(event), { passive: true });
  }

  get isTracking() { return this.#drag !== null; }
  get hasBegun() { return this.#drag?.hasBegun ?? false; }

  /** The content moves, or is to. */
  begin() {
    if (!this.#drag || this.#drag.hasBegun) return;
    this.#drag.hasBegun = true;
    if (this.#view.keyboardDismissMode !== "none") document.activeElement?.blur();
    this.#view._willBeginDragging();
  }

  #touch({ target, touches: [{ clientY: y }], timeStamp: time }) {
    if (this.#drag || target.closest("index-bar")) return;
    this.isDecelerating = false;
    this.#drag = { hasBegun: false, target, y, time, speed: 0 };
    // The view would hear nothing more of a touch whose row was taken away meanwhile.
    target.addEventListener("touchmove", this.#moved, { passive: true });
    for (const name of ["touchend", "touchcancel"]) target.addEventListener(name, this.#ended);
  }

  #follow({ touches: [{ clientY: y }], timeStamp: time }) {
    const drag = this.#drag;
    drag.speed = (y - drag.y) / Math.max(time - drag.time, 1);
    Object.assign(drag, { y, time });
    if (this.#view._overscroll.isPulling) this.begin();
  }

  #letGo({ touches, timeStamp }) {
    if (touches.length > 0) return;
    const { hasBegun, target, time, speed } = this.#drag;
    this.#drag = null;
    target.removeEventListener("touchmove", this.#moved);
    for (const name of ["touchend", "touchcancel"]) target.removeEventListener(name, this.#ended);
    if (hasBegun) {
      const isFast = Math.abs(speed) > slowest && timeStamp - time < 100;
      this.isDecelerating = isFast || this.#view._overscroll.distance !== 0;
      this.#view._didEndDragging(this.isDecelerating);
    }
    this.#view._overscroll.end();
  }
}
