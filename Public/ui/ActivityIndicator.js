import { reflect } from "./reflect.js";

/**
 * A wheel that turns while something is under way: `<activity-indicator>`.
 * @property {boolean} hidesWhenStopped whether it is out of sight while it does not turn
 * @property {string} indicatorStyle medium or large (`style` is every element's own)
 * @property {boolean} isAnimating
 */
export class ActivityIndicator extends HTMLElement {
  connectedCallback() {
    this.role ??= "progressbar";
    this.ariaLabel ??= "In progress";
  }

  startAnimating() { this.isAnimating = true; }
  stopAnimating() { this.isAnimating = false; }
}

reflect(ActivityIndicator, {
  hidesWhenStopped: true, indicatorStyle: "medium", isAnimating: false,
});
customElements.define("activity-indicator", ActivityIndicator);
