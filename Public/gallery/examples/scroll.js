import { ScrollView } from "../../ui.js";

export function run(place) {
  const view = new ScrollView();
  view.ariaLabel = "Pages";
  view.isPagingEnabled = true;
  const pages = document.createElement("div");
  pages.className = "pages";
  for (const name of ["One", "Two", "Three", "Four"]) {
    const page = document.createElement("p");
    page.textContent = name;
    pages.append(page);
  }
  view.append(pages);
  const button = document.createElement("button");
  button.textContent = "Next page";
  button.onclick = () => {
    const { x } = view.contentOffset;
    const isLast = x + 2 * view.clientWidth > view.contentSize.width + 1;
    view.setContentOffset({ x: isLast ? 0 : x + view.clientWidth, y: 0 }, true);
  };
  place.append(button, view);
}
