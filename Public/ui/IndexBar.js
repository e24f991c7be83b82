import { Control } from "./Control.js";

/** The titles of a table's sections, to jump by: `<index-bar>`. `value` is a title's number. */
export class IndexBar extends Control {
  static tag = "index-bar";
  #titles = [];
  #value = -1;
  /** What it was drawn for. */
  #drawn = [];

  connectedCallback() {
    this.classList.add("ui-index-bar");
    this.role = "slider";
    this.ariaOrientation = "vertical";
    this.ariaLabel ??= "Sections";
    this.tabIndex = 0;
  }

  get titles() { return this.#titles; }
  set titles(titles) {
    this.#titles = titles;
    this.ariaValueMin = "1";
    this.ariaValueMax = titles.length;
    // Where it has not led anywhere yet, it stands at the first one.
    if (this.#value < 0) Object.assign(this, { ariaValueNow: "1", ariaValueText: titles[0] ?? "" });
    this.draw(this.clientHeight);
  }

  get value() { return this.#value; }
  set value(value) {
    this.#value = value;
    this.ariaValueNow = value + 1;
    this.ariaValueText = this.dataset.letter = this.#titles[value] ?? "";
  }

  /** Shows as many of the titles as a height has room for. */
  draw(height) {
    const line = parseFloat(getComputedStyle(this).lineHeight) || 14;
    // Drawing it has the browser lay out all that is around it.
    const asked = [this.#titles, line, height];
    if (asked.every((value, index) => value === this.#drawn[index])) return;
    this.#drawn = asked;
    const step = Math.max(1, Math.ceil(this.#titles.length * line / Math.max(height, 1)));
    const shown = this.#titles.filter((_, index) => index % step === 0);
    this.replaceChildren(...shown.map((title) => {
      const label = document.createElement("span");
      label.textContent = title;
      return label;
    }));
  }

  /** A touch leads to its title also when that is where the last one led. */
  beginTracking(event) {
    this.#value = -1;
    return this.continueTracking(event);
  }

  continueTracking({ clientY }) {
    const top = this.firstChild?.getBoundingClientRect().top ?? 0;
    const bottom = this.lastChild?.getBoundingClientRect().bottom ?? 1;
    // The letter that is shown beside it follows the finger, which hides the one in the bar.
    const y = Math.max(top, Math.min(clientY, bottom)) - this.getBoundingClientRect().top;
    this.style.setProperty("--letter-y", `${y}px`);
    this.#choose(Math.floor((clientY - top) / (bottom - top) * this.#titles.length));
    return true;
  }

  handleKey(event) {
    const last = this.#titles.length - 1;
    const values = {
      ArrowUp: this.#value - 1, ArrowDown: this.#value + 1, ArrowLeft: this.#value - 1,
      ArrowRight: this.#value + 1, Home: 0, End: last, PageUp: this.#value - 5,
      PageDown: this.#value + 5,
    };
    if (!(event.key in values) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.#choose(values[event.key], event);
  }

  #choose(value, event = null) {
    const next = Math.max(0, Math.min(value, this.#titles.length - 1));
    if (next === this.#value) return;
    this.value = next;
    this.sendActions("valueChanged", event);
  }
}
