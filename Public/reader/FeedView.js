import { nextFrame } from "../freshet/Feed.js";
import { RefreshResult } from "../freshet/Snapshot.js";
import { RefreshControl } from "../ui/RefreshControl.js";
import { define } from "../ui/element.js";
import { IndexPath } from "../ui/TableLayout.js";
import { TableView } from "../ui/TableView.js";
import { t } from "../words.js";
import { Announcements } from "./Announcements.js";
import { FeedSource } from "./FeedSource.js";
import { direction } from "./firstRows.js";
import { merged } from "./merged.js";

// First rows are in one that was made before.
define(TableView);

/** How far from its top a list counts as being there, in pixels. */
const nearTop = 8;

/** From how many rows before the end of the list more are loaded, and how many at most. */
const [ahead, most] = [120, 1000];

/** How long to wait after rows could not be loaded, in milliseconds. */
const [pause, longestPause] = [2000, 60_000];
/** The longest that a server can ask to wait then. */
const longestRest = 3_600_000;

/** One feed in sight: a table, and word of what came above the rows that are in sight. */
export class FeedView {
  #feed;
  #source;
  #button;
  #announcements = new Announcements();
  /** The ids of items that came above what is in sight. */
  #unseen = new Set();
  #opened;
  /** What came since the last frame, while one is awaited. @type {RefreshResult[]} */
  #coming = [];
  #isPaced = false;
  #isClosed = false;
  #isLoading = false;
  /** The section that was chosen in the index, whose rows are to come. */
  #chosen = -1;

  /**
   * @param {import("../freshet.js").Feed} feed
   * @param {HTMLElement} button that says how many items came above, and leads there
   * @param {() => void} pulled called when the list is pulled down
   * @param {TableView} [table] with the feed's first rows
   * @param {(item: object) => void} [opened] called for an item that is to be shown
   */
  constructor(feed, button, pulled, table = new TableView(), opened = () => {}) {
    this.#opened = opened;
    this.#feed = feed;
    this.#button = button;
    this.table = table;
    table.restorationIdentifier = `feed ${feed.id}`;
    table.ariaLabel = feed.id;
    table.allowsSelection = false;
    table.sectionHeaderHeight = 2 * parseFloat(getComputedStyle(document.documentElement).fontSize);
    table.delegate = this;
    table.addEventListener("click", (event) => this.#clicked(event));
    this.control = new RefreshControl();
    this.control.refreshingLabel = t("refreshing");
    this.control.addTarget(null, pulled, "valueChanged");
    table.refreshControl = this.control;
    this.#source = new FeedSource(table, feed);
    this.#source.chosen = (section) => {
      this.#chosen = section;
      this.#loadMore();
    };
    this.#show(RefreshResult.first());
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

  /**
   * Shows what the feed has now, and at the next frame all that came after it until then.
   * @param {RefreshResult} result @param {() => void} [then] called when it is shown
   */
  async show(result, then = () => {}) {
    this.#coming.push(result);
    if (this.#isPaced) return;
    this.#isPaced = true;
    try {
      while (this.#coming.length > 0) {
        this.#show(merged(this.#coming.splice(0)));
        then();
        await nextFrame();
      }
    } finally {
      this.#isPaced = false;
    }
  }

  #show(result) {
    const { snapshot, state } = this.#feed;
    if (state === "live") this.#announcements.add(result);
    if (snapshot) {
      this.table.dir = direction(snapshot);
      this.table.ariaLabel = String(snapshot.members.title ?? this.#feed.id);
    }
    const top = this.#isAtTop ? null : this.table.indexPathsForVisibleRows[0];
    const first = top && this.#source.itemIdentifier(top);
    this.#source.show(result);
    const bar = this.table.querySelector(".ui-index-bar");
    if (bar) bar.ariaLabel = t("sections");
    for (const id of result.removed) this.#unseen.delete(id);
    if (first && !result.isFirst) this.#count(result.inserted, first);
    this.#loadMore();
  }

  /** Has rows loaded for as long as the end of what is here is near, or a chosen section has none. */
  async #loadMore(failures = 0) {
    const feed = this.#feed;
    if (this.#isLoading || !feed.hasMore || this.#isClosed) return;
    this.#isLoading = true;
    try {
      for (let count = ahead; feed.hasMore && !this.#isClosed; count = Math.min(2 * count, most)) {
        // Where rows are is known once they are laid out.
        await nextFrame();
        const isFar = this.#lacksChosen;
        if (!isFar && !this.#isNearEnd) break;
        await feed.loadMore(isFar ? most : count);
        if (isFar && !this.#lacksChosen) this.#goToChosen();
      }
      this.#isLoading = false;
    } catch ({ retryAfter = 0 }) {
      // The feed is well, and is shown: this tries again by itself, more and more seldom.
      const wait = Math.max(Math.random() * Math.min(longestPause, pause * 2 ** failures),
        Math.min(retryAfter * 1000, longestRest));
      await new Promise((resolve) => setTimeout(resolve, wait));
      this.#isLoading = false;
      this.#loadMore(failures + 1);
    }
  }

  get #isNearEnd() {
    const last = this.table.indexPathsForVisibleRows.at(-1) ?? null;
    // Far down, headers of sections may be all that is in sight.
    const isBeyond = !last && !this.#isAtTop && this.table.offsetHeight > 0;
    return isBeyond || this.#source.hasFewerAfter(last, ahead);
  }

  get #lacksChosen() {
    const { count, items } = this.#source.sections[this.#chosen] ?? {};
    return count > 0 && items.length === 0;
  }

  async #goToChosen() {
    const section = this.#chosen;
    await nextFrame();
    if (section === this.#chosen) this.table.scrollToRow(new IndexPath(0, section), "top");
  }

  /** The feed is out of sight now. */
  close() {
    this.#coming = [];
    this.#isClosed = true;
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
    this.#loadMore();
    if (this.#unseen.size === 0) return;
    if (this.#isAtTop) this.#unseen.clear();
    for (const path of this.table.indexPathsForVisibleRows) {
      this.#unseen.delete(this.#source.itemIdentifier(path));
    }
    this.#say();
  }

  performPrimaryAction(path) {
    const item = this.#source.item(path);
    if (item) this.#opened(item);
  }

  /** A plain click on a title opens the item here, and any other its address, as links do. */
  #clicked(event) {
    const { target, button, altKey, ctrlKey, metaKey, shiftKey } = event;
    const cell = target.closest("a.title")?.closest("feed-cell");
    if (!cell || button !== 0 || altKey || ctrlKey || metaKey || shiftKey) return;
    event.preventDefault();
    this.performPrimaryAction(this.table.indexPath(cell));
  }

  /** The items that are shown, in order. */
  get items() { return this.#source.sections.flatMap(({ items }) => items); }

  /** The item that the keyboard is at. */
  get current() { return this.table.activeIndexPath && this.#source.item(this.table.activeIndexPath); }

  /** Brings the keyboard, and what is seen, to an item. */
  goTo(id) {
    const path = this.#source.indexPath(id);
    if (path) this.table.activateRow(path);
  }

  filter(chooses) {
    this.#source.filter(chooses);
    this.#loadMore();
  }

  /** Says anew which rows were read, and how long ago all was. */
  tick(marks) {
    for (const cell of this.table.visibleCells) {
      cell.isRead = marks.has(this.#source.itemIdentifier(this.table.indexPath(cell)));
      cell.tick();
    }
  }

  trailingSwipeActionsConfiguration(path) {
    const item = this.#source.item(path);
    return { actions: item && this.swipeActions ? this.swipeActions(item) : [] };
  }

  /** Goes to what came. */
  goToTop() {
    this.table.setContentOffset({ y: 0 }, true);
    this.table.focus({ preventScroll: true });
  }

  #say() {
    const { size } = this.#unseen;
    this.#button.hidden = size === 0;
    this.#button.textContent = t("inserted", { count: size });
  }
}
