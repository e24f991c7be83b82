import { RefreshControl } from "../ui/RefreshControl.js";
import { TableView } from "../ui/TableView.js";
import { href } from "./FeedCell.js";
import { FeedSource } from "./FeedSource.js";

/** How far from its top a list counts as being there, in pixels. */
const nearTop = 8;

/** One feed in sight: a table, and word of what came above the rows that are in sight. */
export class FeedView {
  #feed;
  #source;
  #button;
  /** The ids of items that came above what is in sight. */
  #unseen = new Set();

  /**
   * @param {import("../freshet.js").Feed} feed
   * @param {HTMLElement} button that says how many items came above, and leads there
   * @param {() => void} pulled called when the list is pulled down
   */
  constructor(feed, button, pulled) {
    this.#feed = feed;
    this.#button = button;
    const table = this.table = new TableView();
    table.restorationIdentifier = `feed ${feed.id}`;
    table.ariaLabel = feed.id;
    table.allowsSelection = true;
    table.delegate = this;
    this.control = new RefreshControl();
    this.control.addTarget(null, pulled, "valueChanged");
    table.refreshControl = this.control;
    this.#source = new FeedSource(table, feed);
    this.#say();
  }

  /**
   * Shows what the feed has now.
   * @param {import("../freshet.js").Refreshment} refreshment
   */
  show(refreshment) {
    const { snapshot } = this.#feed;
    if (snapshot) {
      this.table.dir = direction(snapshot);
      this.table.ariaLabel = String(snapshot.members.title ?? this.#feed.id);
    }
    const top = this.#isAtTop ? null : this.table.indexPathsForVisibleRows[0];
    const first = top && this.#source.itemIdentifier(top);
    this.#source.show(refreshment);
    for (const id of refreshment.removed) this.#unseen.delete(id);
    if (first && !refreshment.isFirst) this.#count(refreshment.inserted, first);
  }

  /** Notes which items came above one. */
  #count(inserted, first) {
    if (inserted.size === 0) return;
    for (const { items } of this.#feed.snapshot?.sections ?? []) {
      for (const { id } of items) {
        if (id === first) return this.#say();
        if (inserted.has(id)) this.#unseen.add(id);
      }
    }
  }

  get #isAtTop() {
    return this.table.contentOffset.y <= nearTop;
  }

  /** As the table's delegate. */
  didScroll() {
    if (this.#unseen.size === 0) return;
    if (this.#isAtTop) this.#unseen.clear();
    for (const path of this.table.indexPathsForVisibleRows) {
      this.#unseen.delete(this.#source.itemIdentifier(path));
    }
    this.#say();
  }

  performPrimaryAction(path) {
    const address = href(this.#source.item(path)?.url);
    if (address) open(address, "_blank", "noopener,noreferrer");
  }

  /** Goes to what came. */
  goToTop() {
    this.table.setContentOffset({ y: 0 }, true);
    this.table.focus({ preventScroll: true });
  }

  #say() {
    const { size } = this.#unseen;
    this.#button.hidden = size === 0;
    this.#button.textContent = `${size.toLocaleString()} new`;
  }
}

/** How a feed is written: as it says itself, or as its first letters are. */
function direction({ members, sections }) {
  if (["ltr", "rtl"].includes(members.dir)) return members.dir;
  const [item = {}] = sections.flatMap(({ items }) => items.slice(0, 1));
  const text = [item.title, item.headline, item.name, members.title].join(" ");
  const [letter = ""] = text.match(/\p{L}/u) ?? [];
  return /[\u0590-\u08ff\ufb1d-\ufefc]/.test(letter) ? "rtl" : "ltr";
}
