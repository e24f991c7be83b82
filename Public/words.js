import { load } from "./ui/memory.js";

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
    if (language !== "en") (await import("./words/translate.js")).translate(document);
  }).catch(() => {}).finally(() => document.documentElement.removeAttribute("data-waits"));
}

/** A text with values, by number that for `count`; empty until the texts are here. */
export function t(name, values = {}) {
  const found = table[name] ?? "";
  plurals ??= new Intl.PluralRules(language);
  const text = typeof found === "string" ? found
    : values.count === 0 && found.zero || (found[plurals.select(values.count)] ?? found.other);
  return text.replace(/\{(\w+)\}/g, (_, key) => inWords(values[key]));
}

/** A number as it is written in this language, or a text as it is. */
export function inWords(value) {
  return typeof value === "number" ? value.toLocaleString(language) : String(value);
}
