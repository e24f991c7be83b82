/** How long bars are shown that flash, in milliseconds. */
const time = 800;
const shown = { vertical: ["top", "bottom"], horizontal: ["left", "right"] };

/** The bars of a scroll view, where the browser lets a page say something of them. */
export class ScrollIndicators {
  #view;
  #insets = {
    vertical: { top: 0, left: 0, bottom: 0, right: 0 },
    horizontal: { top: 0, left: 0, bottom: 0, right: 0 },
  };

  /** @param {HTMLElement} view */
  constructor(view) {
    this.#view = view;
  }

  /** The room at a bar's ends. @param {"vertical" | "horizontal"} bar */
  insets(bar) { return { ...this.#insets[bar] }; }

  setInsets(bar, sides) {
    const insets = Object.assign(this.#insets[bar], sides);
    const { style, dataset } = this.#view;
    for (const side of shown[bar]) style.setProperty(`--bar-${side}`, `${insets[side]}px`);
    dataset.bar = "";
  }

  /** Shows the view's own bars more clearly for a moment. */
  flash() {
    const { dataset } = this.#view;
    dataset.flashes = "";
    setTimeout(() => { delete dataset.flashes; }, time);
  }
}

/** The offset nearest to one at which a part of the content lies between two lines of the view. */
export function nearestOffset(offset, start, size, from, to) {
  const first = start - from;
  return first < offset ? first : Math.max(offset, Math.min(start + size - to, first));
}
