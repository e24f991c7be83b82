import { TableViewCell } from "../ui/TableViewCell.js";
import { language } from "../words.js";
import { ago } from "./times.js";

/** As much of a text as a row can show, whose lines are cut off. */
const longest = 2000;

/** A row that shows an item. All of it is text: nothing in an item becomes markup. */
export class FeedCell extends TableViewCell {
  static tag = "feed-cell";

  show(item, isRead = false) {
    const { id, kind } = item;
    const address = href(item.url);
    const head = part(address ? "a" : "span", "title", item.title, item.headline, item.name, id);
    if (address) {
      Object.assign(head, { href: address, rel: "noopener noreferrer", target: "_blank" });
      // The table is one stop of the Tab key; Enter on the row opens the link.
      head.tabIndex = -1;
    }
    this.contentView.replaceChildren(head,
      said(item.value) ? part("span", "value", item.value) : time(item.published ?? item.updated),
      part("p", "summary", item.summary, item.content), part("p", "author", authorOf(item)));
    const tags = tagsOf(item).map((tag) => {
      const chip = part("button", "tag", tag);
      return Object.assign(chip, { type: "button", tabIndex: -1 });
    });
    if (tags.length > 0) this.contentView.append(part("p", "tags"));
    this.contentView.lastChild.append(...tags);
    const source = pictureOf(item);
    if (source) {
      const picture = part("img", "picture");
      picture.onerror = () => picture.remove();
      Object.assign(picture, { loading: "lazy", alt: "", src: source });
      this.contentView.append(picture);
    }
    this.isRead = isRead;
    this.dataset.kind = words(kind ?? "");
  }

  set isRead(isRead) { this.toggleAttribute("data-read", isRead); }

  /** Says anew how long ago it was. */
  tick() {
    const shown = this.querySelector("time");
    if (shown?.dateTime) shown.textContent = ago(new Date(shown.dateTime));
  }
}

/** The address of a page or of a person; null for anything else, such as a script. */
export function href(address) {
  if (typeof address !== "string" || !URL.canParse(address)) return null;
  return ["http:", "https:", "mailto:"].includes(new URL(address).protocol) ? address : null;
}

/** The address of an item's picture on this very server: any other would hear who reads. */
export function pictureOf({ image }) {
  if (typeof image !== "string" || !URL.canParse(image, document.baseURI)) return null;
  const { href, origin, pathname } = new URL(image, document.baseURI);
  return origin === location.origin && /\.(svg|png|jpe?g|webp|avif)$/.test(pathname) ? href : null;
}

/** The first of some values that says anything. */
export function said(...values) {
  return values.find((value) => value !== null && value !== undefined && words(value).trim());
}

function part(name, style, ...contents) {
  const made = document.createElement(name);
  made.className = style;
  made.dir = "auto";
  made.textContent = words(said(...contents) ?? "").slice(0, longest);
  return made;
}

function words(value) {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Who wrote an item; undefined where it does not say so in words. */
export function authorOf({ author }) {
  return [author?.name, author].find((name) => typeof name === "string" && name.trim());
}

/** The words that an item is filed under. */
export function tagsOf({ tags }) {
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string" && tag.trim())
    .slice(0, 12).map((tag) => tag.slice(0, 60)) : [];
}

/** A point in time, as how long ago it was; empty for what is none. */
function time(text) {
  const date = new Date(typeof text === "object" ? NaN : text);
  const made = part("time", "value");
  if (Number.isNaN(date.getTime())) return made;
  made.dateTime = date.toISOString();
  made.title = date.toLocaleString(language);
  made.textContent = ago(date);
  return made;
}
