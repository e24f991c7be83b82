import { Control, ControlState } from "../../ui.js";

/** A heart that is chosen by a tap, Enter or the space bar. */
class HeartControl extends Control {
  static tag = "heart-control";

  connectedCallback() {
    super.connectedCallback();
    this.isSelected = false;
    this.accessibilityLabel = "Favourite";
    this.textContent = "♡";
    this.addTarget(null, () => this.toggle(), "primaryActionTriggered");
  }

  toggle() {
    this.isSelected = !this.isSelected;
    this.textContent = this.state & ControlState.selected ? "♥" : "♡";
    this.sendActions("valueChanged");
  }
}

export function run(place) {
  const heart = new HeartControl();
  const said = document.createElement("output");
  heart.addTarget(null, ({ isSelected }) => {
    said.textContent = isSelected ? "Kept" : "Not kept";
  }, "valueChanged");
  place.append(heart, said);
}
