import { prefersReducedMotion } from "./motion.js";

const timing = { duration: 320, easing: "cubic-bezier(.2, .8, .2, 1)" };

/** Shows by motion what became of the rows in sight: made before they change, and run after. */
export class RowMotion {
  #view;
  #places = new Map();
  #frame;

  /** @param {HTMLElement} view @param {HTMLElement[]} elements rows and headers in sight */
  constructor(view, elements) {
    this.#view = view;
    this.#frame = view.getBoundingClientRect();
    for (const element of elements) this.#places.set(element, element.getBoundingClientRect());
  }

  /** Fades an element where it was, and takes it away. @param {() => void} [then] */
  leave(element, then) {
    const top = this.#places.get(element).top - this.#view.contentView.getBoundingClientRect().top;
    this.#view.contentView.append(element);
    element.inert = true;
    element.style.top = `${top}px`;
    element.classList.add("ui-leaving");
    const fade = element.animate({ opacity: [1, 0] }, { ...timing, duration: 200 });
    return fade.finished.catch(() => {}).then(() => {
      element.remove();
      element.inert = false;
      element.classList.remove("ui-leaving");
      then?.();
    });
  }

  /** Runs the motion of the elements that are there now, to its end. */
  run(elements) {
    const isStill = prefersReducedMotion();
    for (const element of elements) {
      for (const animation of element.getAnimations()) animation.cancel();
    }
    const now = elements.map((element) => element.getBoundingClientRect().top);
    const running = elements.map((element, index) => {
      const was = this.#places.get(element)?.top;
      if (was === undefined) return element.animate({ opacity: [0, 1] }, timing);
      const { height } = this.#frame;
      const way = Math.max(-height, Math.min(was - now[index], height));
      if (isStill || Math.abs(way) < 0.5) return null;
      return element.animate({ translate: [`0 ${way}px`, "0 0"] }, timing);
    });
    return Promise.allSettled(running.map((animation) => animation?.finished));
  }
}
