import { rowView } from "./rowView.js";

/** How long changed rows stay marked, in milliseconds; the style sheet fades them in this time. */
const markTime = 4000;

/** One feed: its title, and its sections of rows. */
export class FeedView {
  #place;
  /** The rows in sight: what each shows, by the item's id. */
  #rows = new Map();

  /** @param {HTMLElement} place where the feed goes */
  constructor(place) {
    this.#place = place;
  }

  /** Shows nothing. */
  clear() {
    this.#rows.clear();
    this.#place.replaceChildren();
  }

  /**
   * Shows a sentence in place of a feed.
   * @param {string} words
   */
  notice(words) {
    this.clear();
    this.#place.append(element("p", "notice", words));
  }

  /**
   * Shows a feed, and marks what came of its refresh.
   * @param {import("../freshet.js").Feed} feed
   * @param {import("../freshet.js").Refreshment} refreshment
   */
  show(feed, refreshment) {
    const old = this.#rows;
    this.#rows = new Map();
    const sections = feed.snapshot.sections.map((section) => this.#section(section, old));
    this.#keepingPlace(() => this.#place.replaceChildren(heading(feed), ...sections));
    this.#mark(refreshment.inserted, "new");
    this.#mark(refreshment.moved, "moved");
    this.#mark(refreshment.updated, "changed");
  }

  #section({ id, title, items }, old) {
    const section = element("section");
    section.append(element("h3", "", text(title ?? id)));
    const list = element("ol");
    for (const item of items) {
      // Snapshots share the items that did not change: the same object is the same row.
      const was = old.get(item.id);
      const row = was?.item === item ? was.row : rowView(item);
      this.#rows.set(item.id, { item, row });
      list.append(row);
    }
    section.append(items.length > 0 ? list : element("p", "empty", "Nothing here"));
    return section;
  }

  /** Keeps the row at the top of the window where it is while rows come and go above it. */
  #keepingPlace(change) {
    const top = [...this.#rows].map(([id, { row }]) => ({ id, y: row.getBoundingClientRect().top }))
      .find(({ y }) => y >= 0);
    change();
    const row = top && scrollY > 0 ? this.#rows.get(top.id)?.row : undefined;
    if (row) scrollBy(0, row.getBoundingClientRect().top - top.y);
  }

  #mark(ids, name) {
    const rows = [...ids].map((id) => this.#rows.get(id)?.row).filter(Boolean);
    for (const row of rows) row.classList.add(name);
    setTimeout(() => { for (const row of rows) row.classList.remove(name); }, markTime);
  }
}

function heading({ id, snapshot, token }) {
  const head = element("div", "head");
  const number = snapshot.count;
  const words = `${number.toLocaleString()} ${number === 1 ? "item" : "items"}, version ${token}, `
    + `read at ${new Date().toLocaleTimeString()}`;
  head.append(element("h1", "", text(snapshot.members.title ?? id)));
  head.append(element("p", "", words));
  return head;
}

function text(value) {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function element(name, style = "", words = "") {
  const made = document.createElement(name);
  if (style) made.className = style;
  if (words) {
    made.textContent = words;
    made.dir = "auto";
  }
  return made;
}
