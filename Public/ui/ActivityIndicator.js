import { reflect } from "./reflect.js";

/** A wheel that turns while something is under way: `<activity-indicator>`. */
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
