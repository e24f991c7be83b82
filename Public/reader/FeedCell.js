import { TableViewCell } from "../ui/TableViewCell.js";
import { formatRelative, language } from "../words.js";
import {
  authorOf, contentOf, dateOf, href, pictureOf, firstNonEmpty, tagsOf, titleOf, words,
} from "./members.js";

/** As much of a text as a row can show, whose lines are cut off. */
const longest = 2000;

/** A row that shows an item. All of it is text: nothing in an item becomes markup. */
export class FeedCell extends TableViewCell {
  static tag = "feed-cell";

  show(item, isRead = false) {
    const address = href(item.url);
    const head = part(address ? "a" : "span", "title", titleOf(item));
    if (address) {
      Object.assign(head, { href: address, rel: "noopener noreferrer", target: "_blank" });
      // The table is one stop of the Tab key; Enter on the row opens the link.
      head.tabIndex = -1;
    }
    this.contentView.replaceChildren(head,
      firstNonEmpty(item.value) ? part("span", "value", item.value) : time(dateOf(item)),
      part("p", "summary", item.summary, contentOf(item)), part("p", "author", authorOf(item)));
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
    this.dataset.kind = words(item.kind ?? "");
  }

  set isRead(isRead) { this.toggleAttribute("data-read", isRead); }

  /** Says anew how long formatRelative it was. */
  tick() {
    const shown = this.querySelector("time");
    if (shown?.dateTime) shown.textContent = formatRelative(new Date(shown.dateTime));
  }
}

function part(name, style, ...contents) {
  const made = document.createElement(name);
  made.className = style;
  made.dir = "auto";
  made.textContent = words(firstNonEmpty(...contents) ?? "").slice(0, longest);
  return made;
}

/** A point in time, as how long formatRelative it was; empty for what is none. */
function time(date) {
  const made = part("time", "value");
  if (!date) return made;
  made.dateTime = date.toISOString();
  made.title = date.toLocaleString(language);
  made.textContent = formatRelative(date);
  return made;
}
