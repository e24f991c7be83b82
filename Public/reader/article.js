import { language } from "../words.js";
import { attachments } from "./attachments.js";
import {
  authorOf, contentOf, dateOf, href, pictureOf, said, tagsOf, titleOf, words,
} from "./members.js";
import { sanitized } from "./sanitize.js";

/** Members that the page of an item shows in a place of their own, or not at all. */
const placed = new Set([
  "id", "kind", "title", "headline", "name", "summary", "content", "content_text", "content_html",
  "url", "published", "date_published", "updated", "date_modified", "author", "authors", "tags",
]);

/**
 * The page of an item, to be shown in a frame without scripts: its title, its content, and what
 * else it has.
 * @returns {string} HTML
 */
export function article(item, { direction, settings }) {
  const page = document.implementation.createHTMLDocument("");
  const { origin } = location;
  page.documentElement.dir = direction;
  Object.assign(page.documentElement.dataset, settings);
  const meta = (members) => Object.assign(page.createElement("meta"), members);
  page.head.replaceChildren(
    meta({ httpEquiv: "Content-Security-Policy",
      content: "default-src 'none'; base-uri 'none'; form-action 'none'; "
        + ["style", "img", "media"].map((kind) => `${kind}-src ${origin}`).join("; ") }),
    meta({ name: "referrer", content: "no-referrer" }),
    meta({ name: "color-scheme", content: "light dark" }),
    ...["tokens.css", "reader/item.css"].map((file) => Object.assign(page.createElement("link"),
      { rel: "stylesheet", href: new URL(file, document.baseURI).href })));
  const make = (name, style, ...content) => {
    const made = page.createElement(name);
    if (style) made.className = style;
    made.dir = "auto";
    made.append(...content);
    return made;
  };
  const address = href(item.url);
  const title = make("h1", "", words(titleOf(item)));
  const by = [authorOf(item), date(item),
    address && new URL(address).host].filter(Boolean).join(" · ");
  page.body.append(make("header", "", title, make("p", "by", by),
    make("p", "tags", ...tagsOf(item).map((tag) => make("span", "", tag)))));
  const source = pictureOf(item);
  if (source) {
    const picture = Object.assign(page.createElement("img"), { src: source, alt: "" });
    picture.className = "lead";
    page.body.append(picture);
  }
  page.body.append(make("main", "", ...content(item, address, page, make)));
  const files = attachments(item, page);
  if (files) page.body.append(files);
  const rest = Object.entries(item).filter(([name, value]) => !placed.has(name)
    && !(source && ["image", "banner_image"].includes(name)) && !(name === "attachments" && files)
    && said(value));
  if (rest.length > 0) {
    page.body.append(make("dl", "", ...rest.flatMap(([name, value]) =>
      [make("dt", "", name), make("dd", "", words(value).slice(0, 5000))])));
  }
  return `<!doctype html>${page.documentElement.outerHTML}`;
}

/** What an item has to say: its markup, or else its text by paragraphs. */
function content(item, address, page, make) {
  const { content_html: markup } = item;
  if (typeof markup === "string" && markup.trim()) return [sanitized(markup, address, page)];
  const text = said(contentOf(item), item.summary);
  return text === undefined ? [] : words(text).slice(0, 1_000_000).split(/\n\s*\n/)
    .map((paragraph) => make("p", "text", paragraph));
}

function date(item) {
  return dateOf(item)?.toLocaleString(language, { dateStyle: "long", timeStyle: "short" });
}
