import { t } from "../words.js";
import { href } from "./members.js";

/** Elements that may be in an item, each with the attributes that it may have. */
const allowed = Object.fromEntries(`p br hr div span b blockquote cite code dd del dfn dl dt em
  figcaption figure h2 h3 h4 h5 h6 i ins kbd li mark ol pre q s samp small strong sub sup table
  caption thead tbody tfoot tr td th time u ul var wbr ruby rt rp details summary bdi bdo abbr`
  .split(/\s+/).map((name) => [name, []]));
Object.assign(allowed, {
  ol: ["start", "reversed"], li: ["value"], td: ["colspan", "rowspan"], th: ["colspan", "rowspan"],
  time: ["datetime"], details: ["open"],
});
const everywhere = ["dir", "lang", "title"];
/** What goes with all that is in it. */
const dropped = new Set(`script style template noscript noembed noframes iframe frame frameset
  object embed applet svg math head title textarea select option button input form audio video
  source track canvas map area portal xmp plaintext listing slot dialog meta link base`
  .split(/\s+/));
/** How long a text may be, how many nodes come of it, and how deep they may lie. */
const [longest, most, deepest] = [1_000_000, 20_000, 100];

/**
 * A publisher's markup as far as it is known to be harmless: what is allowed is made anew, and
 * nothing else is. Pictures become links, since fetching them would tell who reads.
 * @param {string} markup @param {?string} base what addresses in it are relative to
 * @param {Document} page that the result is made in
 * @returns {DocumentFragment}
 */
export function sanitized(markup, base, page) {
  const given = new DOMParser().parseFromString(neutralize(markup.slice(0, longest)), "text/html");
  const made = page.createDocumentFragment();
  let left = most;
  const copy = (from, to, depth) => {
    for (const node of from.childNodes) {
      if ((left -= 1) < 0) return;
      if (node.nodeType === Node.TEXT_NODE) to.append(node.data);
      if (node.nodeType !== Node.ELEMENT_NODE || dropped.has(node.localName)) continue;
      const next = element(node, base, page);
      if (next && next !== to) to.append(next);
      if (depth < deepest) copy(node, next ?? to, depth + 1);
    }
  };
  copy(given.body, made, 0);
  return made;
}

/**
 * Markup in which what the page's policy forbids has another name, so that the browser need not
 * complain of it. None of that is needed for safety, and it is not enough for it.
 */
function neutralize(markup) {
  // An old element that holds text as a style sheet does, and is dropped as that is.
  return markup.replace(/<(\/?)style(?=[\s/>])/gi, "<$1noembed")
    .replace(/<base(?=[\s/>])/gi, "<x-base").replace(/<[a-z][^<>]*/gi, (tag) =>
      tag.replace(/([\s"'/])(on[a-z]+|style)(?=\s*=)/gi, "$1data-$2"));
}

/** What stands for an element; null when only what is in it stays. */
function element(given, base, page) {
  const { localName: name } = given;
  if (given.namespaceURI !== "http://www.w3.org/1999/xhtml") return null;
  if (name === "a") return link(given.getAttribute("href"), base, page);
  if (name === "img") return picture(given, base, page);
  // The page's own title is its first heading.
  const known = name === "h1" ? "h2" : name;
  if (!Object.hasOwn(allowed, known)) return null;
  const made = page.createElement(known);
  for (const attribute of [...allowed[known], ...everywhere]) {
    const value = given.getAttribute(attribute);
    if (value !== null && value.length < 200) made.setAttribute(attribute, value);
  }
  return made;
}

function link(address, base, page) {
  const made = page.createElement("a");
  const full = href(resolved(address, base));
  if (full) Object.assign(made, { href: full, target: "_blank", rel: "noopener noreferrer" });
  return made;
}

function picture(given, base, page) {
  const full = href(resolved(given.getAttribute("src"), base));
  if (!full?.startsWith("http")) return null;
  const made = link(full, null, page);
  made.className = "picture";
  made.textContent = given.getAttribute("alt")?.trim().slice(0, 300) || t("picture");
  return made;
}

function resolved(address, base) {
  if (address === null) return null;
  if (URL.canParse(address)) return address;
  return base && URL.canParse(address, base) ? new URL(address, base).href : null;
}
