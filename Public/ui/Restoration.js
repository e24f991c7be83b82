import { recall, remember } from "./memory.js";

/** Keeps where a scroll view is, under its restoration identifier, and goes back there. */
export class Restoration {
  /** Whether it is where it was, or has gone elsewhere since. */
  isOver = false;
  #view;
  #hasInset = false;

  /** @param {import("./ScrollView.js").ScrollView} view */
  constructor(view) {
    this.#view = view;
  }

  save = () => {
    const { restorationIdentifier: name, contentInset: { top, ...sides } } = this.#view;
    if (!name || !this.isOver) return;
    // Room for what refreshes is not the view's own.
    const inset = { top: top - this.#view._lentRoom, ...sides };
    remember(`ui ${name}`, JSON.stringify({ ...this.#view.encodeRestorableState(), inset }));
  };

  /** Goes to where it was when the page went away, once there is such a place. */
  restore() {
    const view = this.#view;
    if (this.isOver || !view.restorationIdentifier) return;
    const kept = recall(`ui ${view.restorationIdentifier}`);
    const { inset, ...state } = JSON.parse(kept) ?? {};
    if (inset && !this.#hasInset) {
      view.contentInset = { ...inset, top: inset.top + view._lentRoom };
    }
    this.#hasInset = true;
    this.isOver = !kept || view.decodeRestorableState(state);
  }
}
