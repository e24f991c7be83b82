import { ScrollView } from "../../ui.js";

export function run(place) {
  const view = new ScrollView();
  view.ariaLabel = "Picture";
  view.maximumZoomScale = 6;
  const picture = document.createElement("img");
  picture.src = new URL("../../icon.svg", import.meta.url);
  picture.alt = "Three waves";
  view.append(picture);
  view.delegate = { viewForZooming: () => picture };
  const button = document.createElement("button");
  button.textContent = "Twice as large";
  button.onclick = () => view.setZoomScale(view.zoomScale > 3 ? 1 : view.zoomScale * 2, true);
  place.append(button, view);
}
