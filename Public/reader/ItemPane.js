import { announce, el, prefersReducedMotion } from "../ui/page.js";
import { longestAscending } from "../ui/TableLayout.js";
import { language, t } from "../words.js";
import {
  authorOf, contentOf, dateOf, firstNonEmpty, href, pictureOf, tagsOf, titleOf, words,
} from "./FeedCell.js";
import { directionOf } from "./prerender.js";

/**
 * What a frame may do that shows an item: nothing but to open links in tabs of their own. No script
 * runs in it; it is of this origin, so that it gets its style sheet and hands on keys.
 */
const sandbox = "allow-same-origin allow-popups allow-popups-to-escape-sandbox";

/** What is trusted without a look, where a browser asks for that: item pages are made of texts and what is known. */
const rules = { createHTML: (text) => text, createScriptURL: (address) => address };
/** The policy of this page (Trusted Types). */
export const trusted = globalThis.trustedTypes?.createPolicy("freshet", rules) ?? rules;

/** One item, in a pane beside the list or over it. */
export class ItemPane {
  #place;
  #frame = null;
  #buttons = {};
  #item = null;
  #pressed;
  /** Says that the item was removed. */
  #note = el("p", { class: "gone", hidden: "" }, t("itemGone"));

  /**
   * @param {HTMLElement} place
   * @param {{close, step: (by: number) => void, mark, star, pressed: (event: KeyboardEvent) => void}}
   * actions
   */
  constructor(place, { close, step, mark, star, pressed }) {
    this.#place = place;
    this.#pressed = pressed;
    const bar = el("div", { class: "item-bar", role: "toolbar", "aria-label": t("item") });
    const add = (name, sign, label, act) => {
      const made = el(act ? "button" : "a", { class: `sign ${name}`, title: label, "aria-label": label,
        ...act ? { type: "button" } : { target: "_blank", rel: "noopener noreferrer" } }, sign);
      if (act) made.addEventListener("click", act);
      this.#buttons[name] = made;
      bar.append(made);
    };
    add("close", "✕", t("close"), close);
    add("previous", "↑", t("previous"), () => step(-1));
    add("next", "↓", t("next"), () => step(1));
    add("mark", "○", t("markUnread"), mark);
    add("star", "☆", t("star"), star);
    add("share", t("share"), t("share"), () => this.#share());
    add("copy", t("copyLink"), t("copyLink"), () => this.#copy());
    add("original", "", t("openOriginal"));
    this.#buttons.original.append(el("span", {}, t("original")), "↗");
    place.replaceChildren(bar, this.#note);
    place.tabIndex = -1;
    // The keyboard may go to a frame whose pictures are not there yet.
    addEventListener("blur", () => this.#listen());
  }

  get isOpen() { return !this.#place.hidden; }
  get item() { return this.#item; }
  get hasFocus() { return this.#place.contains(document.activeElement); }
  get itemID() { return this.#item?.id ?? null; }

  /** Whether the item was removed while it is read: its text stays. */
  get isGone() { return !this.#note.hidden; }
  set isGone(isGone) { this.#note.hidden = !isGone; }

  /** Whether the item counts as read. */
  set isRead(isRead) {
    const { mark } = this.#buttons;
    mark.textContent = isRead ? "○" : "●";
    mark.ariaLabel = mark.title = t(isRead ? "markUnread" : "markRead");
  }

  /** Whether the item has a star. */
  set isStarred(isStarred) {
    const { star } = this.#buttons;
    star.textContent = isStarred ? "★" : "☆";
    star.ariaLabel = star.title = t(isStarred ? "unstar" : "star");
  }

  /** Says whether there is an item before, and one after. */
  showAround(before, after) {
    this.#buttons.previous.disabled = !before;
    this.#buttons.next.disabled = !after;
    // A button that is off loses the focus.
    if (this.hasFocus && document.activeElement.matches(":disabled")) this.#place.focus({ preventScroll: true });
  }

  /** Returns a copy of the item's page, which is harmless. @returns {Node[]} */
  copy() {
    const { body } = this.#frame?.contentDocument ?? {};
    return [...body?.childNodes ?? []].map((node) => document.importNode(node, true));
  }

  /** Scrolls the item by a page, 1 down or -1 up. */
  page(by) {
    const view = this.#frame?.contentDocument?.scrollingElement;
    const behavior = prefersReducedMotion() ? "instant" : "smooth";
    view?.scrollBy({ top: by * Math.max(view.clientHeight - 48, 40), behavior });
  }

  /**
   * Shows an item; one that it shows already is changed in its place.
   * @param {{direction, settings}} around
   */
  show(item, around) {
    const wasOpen = this.isOpen;
    this.#place.hidden = false;
    this.isGone = false;
    const { share, copy, original } = this.#buttons;
    const address = href(item.url);
    share.hidden = !navigator.share;
    original.hidden = !address;
    if (address) original.href = address;
    copy.textContent = t("copyLink");
    if (JSON.stringify(item) === JSON.stringify(this.#item) && wasOpen) return;
    const isSame = wasOpen && item.id === this.#item?.id;
    this.#item = item;
    this.#place.ariaLabel = title(item);
    const markup = article(item, around);
    // What is read becomes another version of itself, where it stands.
    if (!isSame || !this.#frame || !changeArticle(this.#frame, markup)) this.#fill(markup);
    this.#frame.title = title(item);
  }

  hide() {
    this.#place.hidden = true;
    this.isGone = false;
    this.#item = null;
    this.#frame?.remove();
    this.#frame = null;
  }

  /** Has the keyboard's focus in it. */
  focus() {
    if (!this.hasFocus) this.#place.focus({ preventScroll: true });
  }

  /** A frame for each item: one that shows another would be an entry of the history. */
  #fill(markup) {
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", sandbox);
    // Of films.
    frame.allow = "fullscreen";
    frame.title = title(this.#item);
    frame.srcdoc = trusted.createHTML(markup);
    frame.addEventListener("load", () => {
      frame.dataset.isLoaded = "";
      this.#listen();
    });
    this.#frame?.remove();
    this.#place.append(frame);
    this.#frame = frame;
  }

  /** Hears the keys that are pressed in the frame; again for a document that it heard already does nothing. */
  #listen() { this.#frame?.contentDocument?.addEventListener("keydown", this.#pressed); }

  get #address() { return href(this.#item.url) ?? location.href; }

  #share() {
    // Whoever changes their mind has shared nothing.
    navigator.share({ title: title(this.#item), url: this.#address }).catch(() => {});
  }

  async #copy() {
    const { copy } = this.#buttons;
    try {
      await navigator.clipboard.writeText(this.#address);
      copy.textContent = t("copied");
    } catch {
      copy.textContent = t("notAllowed");
    }
    announce(copy.textContent);
  }
}

function title(item) { return words(titleOf(item)).slice(0, 300); }

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
  const { title: first, headline, name, summary } = item;
  page.documentElement.dir = directionOf(first, headline, name, summary, contentOf(item)) ?? direction;
  Object.assign(page.documentElement.dataset, settings);
  const meta = (members) => Object.assign(page.createElement("meta"), members);
  page.head.replaceChildren(
    meta({ httpEquiv: "Content-Security-Policy",
      content: "default-src 'none'; base-uri 'none'; form-action 'none'; "
        + ["style", "img", "media"].map((kind) => `${kind}-src ${origin}`).join("; ") }),
    meta({ name: "referrer", content: "no-referrer" }),
    meta({ name: "color-scheme", content: "light dark" }),
    ...["style.css", "reader/item.css"].map((file) => Object.assign(page.createElement("link"),
      { rel: "stylesheet", href: new URL(`../${file}`, import.meta.url).href })));
  const make = (name, style, ...content) => {
    const made = page.createElement(name);
    if (style) made.className = style;
    // It goes by texts alone, and takes no notice of elements that have one of their own.
    if (!content.every((one) => one.nodeType === Node.ELEMENT_NODE)) made.dir = "auto";
    made.append(...content);
    return made;
  };
  const address = href(item.url);
  const title = make("h1", "", words(titleOf(item)));
  // Each in its own direction, in that of the page.
  const by = make("p", "by");
  for (const text of [authorOf(item), date(item), address && new URL(address).host].filter(Boolean)) {
    by.append(...by.firstChild ? [" · "] : [], make("bdi", "", text));
  }
  page.body.append(make("header", "", title, by,
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
    && firstNonEmpty(value));
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
  const text = firstNonEmpty(contentOf(item), item.summary);
  return text === undefined ? [] : words(text).slice(0, 1_000_000).split(/\n\s*\n/)
    .map((paragraph) => make("p", "text", paragraph));
}

function date(item) {
  return dateOf(item)?.toLocaleString(language, { dateStyle: "long", timeStyle: "short" });
}

/** How many are shown. */
const mostFiles = 20;
const types = /^(audio|video)\//;
const files = /\.(mp3|m4a|aac|ogg|oga|opus|wav|flac|mp4|m4v|webm|ogv)$/i;

/**
 * The files that go with an item: sound and film that are on this very server with what plays
 * them, and all others as links, since fetching those would tell who reads.
 * @param {object} item @param {Document} page that they are made in
 * @returns {?HTMLElement} null where there are none
 */
export function attachments({ attachments: given }, page) {
  const all = (Array.isArray(given) ? given : []).slice(0, mostFiles)
    .map((one) => file(one ?? {}, page)).filter(Boolean);
  if (all.length === 0) return null;
  const made = page.createElement("section");
  made.ariaLabel = t("files");
  made.className = "files";
  made.append(...all);
  return made;
}

function file(one, page) {
  const { url, mime_type: type, title, size_in_bytes: size, duration_in_seconds: time } = one;
  if (typeof url !== "string" || !URL.canParse(url, document.baseURI)) return null;
  const { href, origin, pathname, protocol } = new URL(url, document.baseURI);
  if (!["http:", "https:"].includes(protocol)) return null;
  const made = page.createElement("figure");
  const [, kind] = typeof type === "string" && origin === location.origin && files.test(pathname)
    ? types.exec(type) ?? [] : [];
  if (kind) {
    const player = page.createElement(kind);
    Object.assign(player, { controls: true, preload: "none", src: href });
    made.append(player);
  }
  const link = Object.assign(page.createElement("a"),
    { href, target: "_blank", rel: "noopener noreferrer", dir: "auto" });
  link.textContent = (typeof title === "string" && title.trim() || named(pathname) || href)
    .slice(0, 300);
  const caption = page.createElement("figcaption");
  const more = [isCount(time) && duration(time), isCount(size) && bytes(size),
    typeof type === "string" && type.slice(0, 60)].filter(Boolean);
  caption.append(link, ...more.map((words) => ` · ${words}`));
  made.append(caption);
  return made;
}

/** The last part of a path, as it is read. */
function named(path) {
  const last = path.split("/").at(-1);
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

function isCount(value) { return Number.isFinite(value) && value > 0; }

function bytes(size) {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
  const step = Math.min(Math.floor(Math.log10(size) / 3), units.length - 1);
  return (size / 1000 ** Math.max(step, 0)).toLocaleString(language,
    { style: "unit", unit: units[Math.max(step, 0)], maximumFractionDigits: step > 1 ? 1 : 0 });
}

/** Hours, minutes and seconds, as players show them. */
function duration(seconds) {
  const parts = [seconds / 3600, seconds / 60 % 60, seconds % 60].map(Math.floor);
  if (parts[0] === 0) parts.shift();
  const two = (part, index) => part.toLocaleString(language,
    { minimumIntegerDigits: index > 0 ? 2 : 1, useGrouping: false });
  return parts.map(two).join(":");
}

/**
 * Makes the page in a frame another version of itself, where it stands: what stays the same is not
 * touched, what is read stays where it is, and so does a selection.
 * @returns {boolean} whether the page was there for it
 */
export function changeArticle(frame, markup) {
  const shown = frame.contentDocument;
  if (!("isLoaded" in frame.dataset) || !shown?.body) return false;
  const next = parsed(markup);
  const { scrollingElement: view } = shown;
  const eye = view.scrollTop > 0
    ? [...shown.body.querySelectorAll("*")].filter((one) => one.children.length === 0
      && one.getBoundingClientRect().bottom > 0) : [];
  const tops = eye.map((one) => one.getBoundingClientRect().top);
  shown.documentElement.dir = next.documentElement.dir;
  change(shown.body, next.body);
  const index = eye.findIndex((one) => one.isConnected);
  if (index >= 0) view.scrollTop += eye[index].getBoundingClientRect().top - tops[index];
  return true;
}

function parsed(markup) { return new DOMParser().parseFromString(trusted.createHTML(markup), "text/html"); }

/** Gives a node of a page what another has, and touches no child that stays the same. */
function change(node, next) {
  if (node.nodeType === Node.TEXT_NODE) return changeText(node, next.data);
  for (const { name } of [...node.attributes]) {
    // A reader opens and closes details.
    if (!next.hasAttribute(name) && name !== "open") node.removeAttribute(name);
  }
  for (const { name, value } of next.attributes) {
    if (node.getAttribute(name) !== value && name !== "open") node.setAttribute(name, value);
  }
  const [old, fresh] = [[...node.childNodes], [...next.childNodes]];
  const pairs = paired(old, fresh);
  const kept = new Set(pairs.values());
  for (const one of old) if (!kept.has(one)) one.remove();
  let place = node.firstChild;
  for (const one of fresh) {
    const same = pairs.get(one);
    if (!same) {
      node.insertBefore(node.ownerDocument.importNode(one, true), place);
      continue;
    }
    if (!same.isEqualNode(one)) change(same, one);
    place = same.nextSibling;
  }
}

/** Pairs nodes in order: those that are there once with their like, and nodes of a kind between. */
function paired(old, fresh) {
  const texts = [old, fresh].map((nodes) => nodes.map((node) => node.outerHTML ?? node.data));
  const [was, is] = texts.map(uniqueIndices);
  const both = [...is].filter(([text]) => was.has(text)).map(([text, to]) => [was.get(text), to]);
  const ascending = longestAscending(both.map(([from]) => from));
  const anchors = both.filter((_, index) => ascending.has(index));
  const pairs = new Map();
  let [left, right] = [0, 0];
  for (const [from, to] of [...anchors, [old.length, fresh.length]]) {
    for (; right < to; right += 1) {
      let kin = left;
      while (kin < from && old[kin].nodeName !== fresh[right].nodeName) kin += 1;
      if (kin === from) continue;
      pairs.set(fresh[right], old[kin]);
      left = kin + 1;
    }
    if (from < old.length) pairs.set(fresh[to], old[from]);
    [left, right] = [from + 1, to + 1];
  }
  return pairs;
}

/** Returns where each text is that is there once, in order. */
function uniqueIndices(texts) {
  const indices = new Map();
  texts.forEach((text, index) => indices.set(text, indices.has(text) ? -1 : index));
  return new Map([...indices].filter(([, index]) => index >= 0));
}

/** Changes the middle of a text that is another, so that a selection around it stays. */
function changeText(node, text) {
  const { data } = node;
  let [start, end] = [0, 0];
  const most = Math.min(data.length, text.length);
  while (start < most && data[start] === text[start]) start += 1;
  while (end < most - start && data.at(-1 - end) === text.at(-1 - end)) end += 1;
  node.replaceData(start, data.length - start - end, text.slice(start, text.length - end));
}

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
const [longest, mostElements, deepest] = [1_000_000, 20_000, 100];

/**
 * A publisher's markup as far as it is known to be harmless: what is allowed is made anew, and
 * nothing else is. Pictures become links, since fetching them would tell who reads.
 * @param {string} markup @param {?string} base what addresses in it are relative to
 * @param {Document} page that the result is made in
 * @returns {DocumentFragment}
 */
export function sanitized(markup, base, page) {
  const given = parsed(neutralize(markup.slice(0, longest)));
  const made = page.createDocumentFragment();
  let left = mostElements;
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
