import { TableViewCell } from "../ui/TableViewCell.js";
import { formatRelative, language, t } from "../words.js";

/** As much of a text as a row can show. */
const longest = 2000;

/** A row that shows an item. All of it is text: nothing in an item becomes markup. */
export class FeedCell extends TableViewCell {
  static tag = "feed-cell";

  /** @param {object} item @param {boolean} [isRead] @param {boolean} [isCounted] whether that is shown */
  show(item, isRead = false, isCounted = true) {
    const address = href(item.url);
    const head = part(address ? "a" : "span", "title", titleOf(item));
    if (address) {
      Object.assign(head, { href: address, rel: "noopener noreferrer", target: "_blank" });
      // The table is one stop of the Tab key; Enter on the row opens the link.
      head.tabIndex = -1;
    }
    const hasValue = firstNonEmpty(item.value);
    const meta = part("p", "meta");
    meta.append(part("span", "by"), ...tagsOf(item).map((tag) => button("tag", tag)));
    // As the feed is written.
    meta.dir = meta.firstChild.dir = "";
    meta.firstChild.append(part("span", "author", authorOf(item)), time(hasValue ? null : dateOf(item)));
    this.contentView.replaceChildren(head, ...hasValue ? [part("span", "value", item.value)] : [],
      part("p", "summary", item.summary, contentOf(item)), meta);
    const source = pictureOf(item);
    if (source) {
      const picture = part("img", "picture");
      picture.onerror = () => picture.remove();
      Object.assign(picture, { loading: "lazy", alt: "", src: source });
      this.contentView.append(picture);
    }
    const isUnreadShown = isCounted && isNews(item);
    this.toggleAttribute("data-news", isUnreadShown);
    // For a mouse: others swipe, or have keys and the item's own button.
    const dot = Object.assign(button("dot", ""), { ariaHidden: "true", dir: "" });
    if (isUnreadShown) this.contentView.append(dot);
    this.contentView.append(Object.assign(part("span", "states"), { role: "img" }));
    this.isRead = isRead;
    this.dataset.kind = words(item.kind ?? "");
  }

  set isRead(isRead) { this.#state("data-read", isRead); }
  set isStarred(isStarred) { this.#state("data-star", isStarred); }
  /** Whether the item is read beside the list, or over it. */
  set isOpen(isOpen) {
    this.#state("data-open", isOpen);
    this.ariaCurrent = isOpen ? "true" : null;
  }

  /** Shows a state, of which a screen reader hears what the eye sees. */
  #state(name, isOn) {
    this.toggleAttribute(name, isOn);
    const isUnread = this.hasAttribute("data-news") && !this.hasAttribute("data-read");
    const states = [isUnread && t("markUnread"), this.hasAttribute("data-star") && t("starred")].filter(Boolean);
    const place = this.contentView.querySelector(".states");
    place.ariaLabel = states.join(", ");
    place.hidden = states.length === 0;
  }
}

function part(name, style, ...contents) {
  const made = document.createElement(name);
  made.className = style;
  made.dir = "auto";
  made.textContent = words(firstNonEmpty(...contents) ?? "").slice(0, longest);
  return made;
}

/** A button that the Tab key passes by. */
function button(style, text) {
  return Object.assign(part("button", style, text), { type: "button", tabIndex: -1 });
}

/** A point in time, as how long ago it was; empty for what is none. */
function time(date) {
  const made = document.createElement("time");
  if (!date) return made;
  made.dateTime = date.toISOString();
  made.title = date.toLocaleString(language);
  made.textContent = formatRelative(date);
  return made;
}

// What members of an item mean, which docs/ITEMS.md lists. Those of JSON Feed 1.1 that have other names
// there are known by these, too. A member that rows are to show needs a function here and a part in
// `FeedCell.show`, one that is to be found a place in `textOf`, and one with a place of its own on the
// item's page a name in `placed` of ItemPane.js, which lists all others by itself. Rows are shown before
// the texts of `words/` are here, so `t` is not for what they show: units and times are `Intl`'s.

/** The heading of an item. */
export function titleOf({ title, headline, name, id }) { return firstNonEmpty(title, headline, name, id); }

/** What an item says as text, where it has no markup. */
export function contentOf({ content, content_text: text }) { return firstNonEmpty(content, text); }

/** When an item was published, or else when it changed; null where it does not say so. */
export function dateOf(item) {
  const text = firstNonEmpty(item.published, item.date_published, item.updated, item.date_modified);
  // A time without a zone is UTC, and not this device's.
  const isZoneless = typeof text === "string" && /\d[T ]\d\d:[\d:.]+$/.test(text);
  const date = new Date(typeof text === "object" ? NaN : isZoneless ? `${text}Z` : text);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Whether an item is something to read: what has a value, or was never published, is looked up. */
export function isNews({ published, date_published: date, value }) {
  return Boolean(firstNonEmpty(published, date)) && !firstNonEmpty(value);
}

/** Who wrote an item; undefined where it does not say so in words. */
export function authorOf({ author, authors }) {
  const names = Array.isArray(authors) ? authors.map((one) => one?.name).filter(isText) : [];
  return [author?.name, author, names.slice(0, 12).join(", ")].find(isText);
}

/** The words that an item is filed under. */
export function tagsOf({ tags }) {
  return Array.isArray(tags) ? tags.filter(isText).slice(0, 12).map((tag) => tag.slice(0, 60)) : [];
}

/** The address of a page or of a person; null for anything else, such as a script. */
export function href(address) {
  if (typeof address !== "string" || !URL.canParse(address)) return null;
  return ["http:", "https:", "mailto:"].includes(new URL(address).protocol) ? address : null;
}

/** The address of an item's picture on this very server: any other would hear who reads. */
export function pictureOf({ image, banner_image: banner }) {
  const address = firstNonEmpty(image, banner);
  if (typeof address !== "string" || !URL.canParse(address, document.baseURI)) return null;
  const { href, origin, pathname } = new URL(address, document.baseURI);
  return origin === location.origin && /\.(svg|png|jpe?g|webp|avif)$/.test(pathname) ? href : null;
}

/** The first of some values that says anything. */
export function firstNonEmpty(...values) {
  return values.find((value) => value !== null && value !== undefined && words(value).trim());
}

/** A value as text; none is empty. */
export function words(value) {
  return typeof value === "string" ? value : JSON.stringify(value) ?? "";
}

function isText(value) { return typeof value === "string" && value.trim() !== ""; }

/** All words of an item that can be looked for. */
export function textOf(item) {
  const { title, headline, name, summary, value } = item;
  return [title, headline, name, summary, contentOf(item), value, authorOf(item), ...tagsOf(item)]
    .filter((part) => part !== undefined && part !== null)
    .map(words)
    .join("\n").toLowerCase();
}
