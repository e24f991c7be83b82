import { t } from "../words.js";

/** Puts texts in place of those that are written in a page. @param {ParentNode} part */
export function translate(part) {
  for (const place of part.querySelectorAll("[data-t]")) place.textContent = t(place.dataset.t);
  for (const [mark, attribute] of [["label", "aria-label"], ["hint", "placeholder"]]) {
    for (const place of part.querySelectorAll(`[data-${mark}]`)) {
      place.setAttribute(attribute, t(place.dataset[mark]));
    }
  }
}
