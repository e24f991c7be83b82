import { TableViewCell } from "../ui/TableViewCell.js";
import { formatRelative, language } from "../words.js";
import {
  authorOf, contentOf, dateOf, firstNonEmpty, href, isNews, pictureOf, tagsOf, titleOf, words,
} from "./members.js";

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
    this.isRead = isRead;
    this.dataset.kind = words(item.kind ?? "");
  }

  set isRead(isRead) { this.toggleAttribute("data-read", isRead); }
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
