import { load } from "./ui/page.js";

/** The languages that there is a table for, in `words/`; the first one's texts are in the pages. */
export const languages = ["en", "de", "ko", "ar"];

/** The one that was chosen, or else the reader's first that there is. */
export const language = [load("freshet language", () => localStorage),
  ...(globalThis.navigator?.languages ?? []).map((tag) => tag.split("-")[0]), "en"]
  .find((name) => languages.includes(name));

/** How the page is written. */
export const pageDirection = language === "ar" ? "rtl" : "ltr";

let table = {};
let loading;
let plurals;

/** Has the texts loaded, and put into the page. @returns {Promise<void>} never fails */
export function loadWords() {
  return loading ??= import(`./words/${language}.js`).then(async ({ default: texts }) => {
    table = texts;
    if (language !== "en") translate(document);
  }).catch(() => {}).finally(() => document.documentElement.removeAttribute("data-waits"));
}

/** A text with values, by number that for `count`; empty until the texts are here. */
export function t(name, values = {}) {
  const found = table[name] ?? "";
  plurals ??= new Intl.PluralRules(language);
  const text = typeof found === "string" ? found
    : values.count === 0 && found.zero || (found[plurals.select(values.count)] ?? found.other);
  return text.replace(/\{(\w+)\}/g, (_, key) => toText(values[key]));
}

/** A number as it is written in this language, or a text as it is. */
export function toText(value) {
  return typeof value === "number" ? value.toLocaleString(language) : String(value);
}

const format = new Intl.RelativeTimeFormat(language, { style: "short", numeric: "auto" });

/** Returns how long ago a time was, in words; of more than a week, and of what is to come, the day. */
export function formatRelative(date) {
  const minutes = Math.round((Date.now() - date) / 60_000);
  const isNear = minutes >= -1 && minutes < 10_080;
  if (!isNear) return date.toLocaleDateString(language, { dateStyle: "medium" });
  if (minutes < 1) return format.format(0, "second");
  if (minutes < 60) return format.format(-minutes, "minute");
  return minutes < 1440 ? format.format(-Math.round(minutes / 60), "hour")
    : format.format(-Math.round(minutes / 1440), "day");
}

/** Puts texts in place of those that are written in a page. @param {ParentNode} part */
function translate(part) {
  for (const place of part.querySelectorAll("[data-t]")) place.textContent = t(place.dataset.t);
  for (const [mark, attribute] of [["label", "aria-label"], ["hint", "placeholder"]]) {
    for (const place of part.querySelectorAll(`[data-${mark}]`)) {
      place.setAttribute(attribute, t(place.dataset[mark]));
    }
  }
}
