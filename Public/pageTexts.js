import { language, pageDirection, toText } from "./words.js";

/**
 * The texts of the workbench, the gallery, the operator's page and that of the API. English ones are
 * where they are shown; those of other languages are looked up by them.
 * @type {Record<string, string>}
 */
let pageTexts = {};

/** Puts the reader's language into the page. @returns {Promise<void>} never fails */
export async function translatePage() {
  if (language === "en") return;
  pageTexts = await import(`./words/${language}.js`).then(({ pages }) => pages, () => ({}));
  if (Object.keys(pageTexts).length === 0) return;
  Object.assign(document.documentElement, { lang: language, dir: pageDirection });
  document.title = document.title.split(" – ").map((part) => say(part)).join(" – ");
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = texts.nextNode());) {
    const [, before, text, after] = /^(\s*)([^]*?)(\s*)$/.exec(node.data);
    if (text) node.data = before + say(text.replace(/\s+/g, " ")) + after;
  }
  for (const name of ["aria-label", "placeholder", "title"]) {
    for (const one of document.querySelectorAll(`[${name}]`)) {
      one.setAttribute(name, say(one.getAttribute(name)));
    }
  }
}

/** An English text with values, in the reader's language where it is known. */
export function say(text, values = {}) {
  return (pageTexts[text] ?? text).replace(/\{(\w+)\}/g, (_, name) => toText(values[name]));
}
