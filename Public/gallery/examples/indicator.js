import { ActivityIndicator, announce } from "../../ui.js";

export function run(place) {
  const wheel = new ActivityIndicator();
  wheel.indicatorStyle = "large";
  wheel.hidesWhenStopped = false;
  const button = document.createElement("button");
  button.textContent = "Start";
  button.onclick = () => {
    if (wheel.isAnimating) wheel.stopAnimating();
    else wheel.startAnimating();
    button.textContent = wheel.isAnimating ? "Stop" : "Start";
    announce(wheel.isAnimating ? "It turns" : "It stands");
  };
  place.append(wheel, button);
}
