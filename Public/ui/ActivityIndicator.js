import { reflect } from "./reflect.js";
import { UIElement } from "./element.js";

/** A wheel that turns while something is under way: `<activity-indicator>`. */
export class ActivityIndicator extends UIElement {
  static tag = "activity-indicator";
  connectedCallback() {
    this.classList.add("ui-activity-indicator");
    this.role ??= "progressbar";
    this.ariaLabel ??= "In progress";
  }

  startAnimating() { this.isAnimating = true; }
  stopAnimating() { this.isAnimating = false; }
}

reflect(ActivityIndicator, {
  hidesWhenStopped: true, indicatorStyle: "medium", isAnimating: false,
});