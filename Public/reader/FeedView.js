import { RefreshResult } from "../freshet/RefreshResult.js";
import { RefreshControl } from "../ui/RefreshControl.js";
import { TableView } from "../ui/TableView.js";
import { Announcements } from "./Announcements.js";
import { href } from "./FeedCell.js";
import { FeedSource } from "./FeedSource.js";
import { direction } from "./firstRows.js";

/** How far from its top a list counts as being there, in pixels. */
const nearTop = 8;

/** One feed in sight: a table, and word of what came above the rows that are in sight. */
export class FeedView {
  #feed;
  #source;
  #button;
  #announcements = new Announcements();
  /** The ids of items that came above what is in sight. */
  #unseen = new Set();

  /**
   * @param {import("../freshet.js").Feed} feed
   * @param {HTMLElement} button that says how many items came above, and leads there
   * @param {() => void} pulled called when the list is pulled down
   * @param {TableView} [table] with the feed's first rows
   */
  constructor(feed, button, pulled, table = new TableView()) {
    this.#feed = feed;
    this.#button = button;
    this.table = table;
    table.restorationIdentifier = `feed ${feed.id}`;
    table.ariaLabel = feed.id;
    table.allowsSelection = false;
    table.sectionHeaderHeight = 2 * parseFloat(getComputedStyle(document.documentElement).fontSize);
    table.delegate = this;
    this.control = new RefreshControl();
    this.control.addTarget(null, pulled, "valueChanged");
    table.refreshControl = this.control;
    this.#source = new FeedSource(table, feed);
    this.show(RefreshResult.first());
    this.#takeOver(table);
    this.#say();
  }

  /** Takes first rows away, and follows a finger that is on them from where it came. */
  #takeOver(table) {
    const rows = table.querySelectorAll(".first");
    const leave = () => rows.forEach((section) => section.remove());
    if (!table.touch) return leave();
    const { target, touches, targetTouches, changedTouches } = table.touch;
    for (const { style } of rows) style.visibility = "hidden";
    for (const name of ["touchend", "touchcancel"]) target.addEventListener(name, leave);
    try {
      target.dispatchEvent(new TouchEvent("touchstart", {
        bubbles: true, touches: [...touches], targetTouches: [...targetTouches],
        changedTouches: [...changedTouches],
      }));
    } catch {
      // A browser that makes no such events scrolls by this finger, and pulls by the next.
    }
  }

  /** Shows what the feed has now. */
  show(result) {
    const { snapshot, state } = this.#feed;
    if (state === "live") this.#announcements.add(result);
    if (snapshot) {
      this.table.dir = direction(snapshot);
      this.table.ariaLabel = String(snapshot.members.title ?? this.#feed.id);
    }
    const top = this.#isAtTop ? null : this.table.indexPathsForVisibleRows[0];
    const first = top && this.#source.itemIdentifier(top);
    this.#source.show(result);
    for (const id of result.removed) this.#unseen.delete(id);
    if (first && !result.isFirst) this.#count(result.inserted, first);
  }

  /** The feed is out of sight now. */
  close() {
    this.#announcements.clear();
    this.#button.hidden = true;
  }

  /** Notes which items came above what is in sight before there was a view of it. */
  missed(inserted) {
    const [top] = this.#isAtTop ? [] : this.table.indexPathsForVisibleRows;
    if (top) this.#count(inserted, this.#source.itemIdentifier(top));
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
