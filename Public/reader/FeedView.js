import { nextFrame } from "../freshet/Feed.js";
import { RefreshResult } from "../freshet/Snapshot.js";
import { announce, define } from "../ui/page.js";
import { DiffableDataSource, DiffableDataSourceSnapshot } from "../ui/DiffableDataSource.js";
import { RefreshControl } from "../ui/RefreshControl.js";
import { IndexPath } from "../ui/TableLayout.js";
import { TableView } from "../ui/TableView.js";
import { formatRelative, t } from "../words.js";
import { FeedCell } from "./FeedCell.js";
import { resultWords } from "./notices.js";
import { direction, headerTitle } from "./prerender.js";
import { marksOf } from "./marks.js";

// First rows are in one that was made before.
define(TableView);

/** From how many rows before the end of the list more are loaded, and how many at most. */
const [ROWS_AHEAD, MAX_ROWS] = [120, 1000];

/** How long to wait after rows could not be loaded, in milliseconds. */
const [pause, longestPause] = [2000, 60_000];
/** The longest that a server can ask to wait then. */
const longestRest = 3_600_000;

/** One feed in sight: a table, and word of what came above the rows that are in sight. */
export class FeedView {
  #feed;
  #source;
  #button;
  #liveRegion = new LiveRegion();
  #opened;
  /** The ids of items that have been on screen. */
  #seen = new Set();
  /** The id of the chosen row, and the items before the first change after it was chosen. */
  #choice = null;
  /** The id of a chosen item that was removed, and the items before that. */
  #gone = null;
  #reading = null;
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
    button.onclick = () => this.goToTop();
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
    this.#source.unseenAboveChanged = () => this.#render();
    this.#source.chosen = (section) => {
      this.#chosen = section;
      this.#loadMore();
    };
    this.#show(RefreshResult.first());
    this.#takeOver(table);
    this.#render();
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
        this.#show(mergeResults(this.#coming.splice(0)));
        then();
        await nextFrame();
      }
    } finally {
      this.#isPaced = false;
    }
  }

  #show(result) {
    const { snapshot, state } = this.#feed;
    if (state === "live") this.#liveRegion.add(result);
    if (snapshot) {
      this.table.dir = direction(snapshot);
      this.table.ariaLabel = String(snapshot.members.title ?? this.#feed.id);
    }
    this.#noteChoice(result);
    this.#source.show(result);
    const bar = this.table.querySelector(".ui-index-bar");
    if (bar) bar.ariaLabel = t("sections");
    this.#loadMore();
  }

  /** Has rows loaded for as long as the end of what is here is near, or a chosen section has none. */
  async #loadMore(failures = 0) {
    const feed = this.#feed;
    if (this.#isLoading || !feed.hasMore || this.#isClosed) return;
    this.#isLoading = true;
    try {
      for (let count = ROWS_AHEAD; feed.hasMore && !this.#isClosed; count = Math.min(2 * count, MAX_ROWS)) {
        // Where rows are is known once they are laid out.
        await nextFrame();
        const isFar = this.#lacksChosen;
        if (!isFar && !this.#isNearEnd) break;
        await feed.loadMore(isFar ? MAX_ROWS : count);
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
    const isBeyond = !last && this.table.position > 0 && this.table.offsetHeight > 0;
    return isBeyond || this.#source.hasFewerAfter(last, ROWS_AHEAD);
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
    this.#liveRegion.clear();
    this.#button.hidden = true;
  }

  /** Notes which items came above what is in sight before there was a view of it. */
  missed(inserted) { this.#source.noteUnseen(inserted); }

  /** Notes what a change is about to hide: which rows were seen, and where the chosen one was. */
  #noteChoice({ removed, isFirst }) {
    if (isFirst) return;
    this.#noteSeen();
    const id = this.chosen;
    if (id === null || this.#gone?.id === id) return;
    if (this.#choice?.id !== id) this.#choice = { id, items: this.items };
    if (removed.has(id)) this.#gone = { id, items: this.items };
  }

  #noteSeen() {
    if (!this.#source) return;
    const isCovered = this.#reading !== null && !matchMedia("(min-width: 68rem)").matches;
    if (document.hidden || isCovered) return;
    for (const path of this.table.indexPathsForVisibleRows) this.#seen.add(this.#source.itemIdentifier(path));
  }

  /** The id of the item that is read beside the list, or over it; null for none. */
  set reading(id) {
    if (this.#reading === null) this.#noteSeen();
    this.#reading = this.#source.opened = id;
    for (const cell of this.table.rows.cells) {
      cell.isOpen = this.#source.itemIdentifier(cell.indexPath) === id;
    }
  }

  /** The id of the item that is read, or else of the row that the keyboard is at or was at. */
  get chosen() { return this.#reading ?? this.current?.id ?? this.#gone?.id ?? null; }

  /** Whether an item was removed while it was chosen. */
  isGone(id) { return this.#gone?.id === id && !this.#source.indexPath(id); }

  /**
   * Returns the items down to a row that have been on screen, or were above it when it was chosen.
   * @param {?string} id null for all that have been on screen
   */
  passed(id) {
    this.#noteSeen();
    const { items } = this;
    const here = this.isGone(id) ? this.beside(id, -1)?.id : id;
    if (id !== null && here === undefined) return [];
    const end = here === null ? items.length : indexOf(items, here) + 1;
    const before = this.#choice?.id === id ? this.#choice.items : items;
    const above = new Set(before.slice(0, indexOf(before, here) + 1).map((item) => item.id));
    return items.slice(0, end).filter((item) => this.#seen.has(item.id) || above.has(item.id));
  }

  /** Returns the item after one (or with -1 before), also of one that is gone; without one the first. */
  beside(id, by) {
    const { items } = this;
    const index = indexOf(items, id);
    if (index >= 0) return items[index + by];
    if (this.#gone?.id !== id) return items[0];
    const here = new Map(items.map((item) => [item.id, item]));
    const was = this.#gone.items;
    let place = indexOf(was, id) + by;
    while (was[place] && !here.has(was[place].id)) place += by;
    return here.get(was[place]?.id);
  }

  /** As the table's delegate. */
  didScroll() {
    this.#noteSeen();
    this.#loadMore();
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

  /** The item of a cell; undefined where it shows none any more. */
  itemOf(cell) {
    const path = this.table.indexPath(cell);
    return path ? this.#source.item(path) : undefined;
  }

  /** What is shown, and the items of it, in order. */
  get sections() { return this.#source.sections; }
  get items() { return this.sections.flatMap(({ items }) => items); }

  /** The item that the keyboard is at. */
  get current() { return this.table.activeIndexPath && this.#source.item(this.table.activeIndexPath); }

  /** Brings the keyboard, and what is seen, to an item. */
  goTo(id) {
    const path = this.#source.indexPath(id);
    if (path) this.table.activateRow(path);
  }

  filter(chooses) {
    this.#noteSeen();
    this.#source.filter(chooses);
    this.#loadMore();
  }

  /** Has rows show which items have a star. @param {(id: string) => boolean} isStarred */
  set isStarred(isStarred) {
    this.#source.isStarred = isStarred;
    for (const cell of this.table.rows.cells) {
      cell.isStarred = isStarred(this.#source.itemIdentifier(cell.indexPath));
    }
  }

  /** Says anew which rows were read, and how long ago all was. */
  tick(marks) {
    for (const cell of this.table.visibleCells) {
      cell.isRead = marks.has(this.#source.itemIdentifier(this.table.indexPath(cell)));
      const time = cell.querySelector("time");
      if (time?.dateTime) time.textContent = formatRelative(new Date(time.dateTime));
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

  #render() {
    const { size } = this.#source.unseenAbove;
    this.#button.hidden = size === 0;
    this.#button.textContent = t("inserted", { count: size });
  }
}

function indexOf(items, id) { return items.findIndex((item) => item.id === id); }

const colours = { inserted: "--new", moved: "--moved", updated: "--changed" };

/** How long nothing must have changed for the next change to be a motion, in milliseconds. */
const calm = 150;

/** A table's data source of a feed. */
export class FeedSource extends DiffableDataSource {
  #marks = new Map();
  #kinds = new Set();
  #table;
  #marksRead;
  /** The sections that the table is at: the feed may be ahead of them. */
  #all = [];
  /** Which items are shown, if not all, and the sections of those. */
  #filter = null;
  #filtered = null;
  /** The id of the item that is read beside the rows. */
  opened = null;
  /** Whether an item has a star. */
  isStarred = (_id) => false;
  /** When something was shown last. */
  #shown = -Infinity;

  /** @param {import("../freshet.js").Feed} feed */
  constructor(table, feed) {
    super(table, (_, path, id) => this.#cellFor(table, path, id));
    this.feed = feed;
    this.#marksRead = marksOf(feed.id);
    this.#table = table;
  }

  /** Shows what the feed has now, and what a change did to it. */
  show(result) {
    const since = Date.now();
    this.#all = this.feed.snapshot?.sections ?? [];
    this.#marks.clear();
    for (const [kind, colour] of result.isFirst ? [] : Object.entries(colours)) {
      for (const id of result[kind]) this.#marks.set(id, { colour, since });
    }
    this.#apply(result);
    // Cells that moved were not filled anew.
    for (const cell of this.#table.visibleCells) {
      const mark = this.#marks.get(this.itemIdentifier(this.#table.indexPath(cell)));
      if (mark) highlight(cell, mark);
    }
  }

  /** Shows just the items that a function chooses, or with null all. */
  filter(chooses) {
    this.#filter = chooses;
    this.#filtered = null;
    this.#apply({ updated: [] }, false);
  }

  #apply({ changes, isFirst, isMore, updated }, isNews = true) {
    // Of changes that come faster than they can be seen none moves.
    const now = performance.now();
    const isCalm = now - this.#shown > calm;
    this.#shown = now;
    if (changes && !this.#filter) return this.applyChanges(changes, isCalm && !isMore);
    const snapshot = DiffableDataSourceSnapshot.of(
      this.sections.map(({ id, items }) => [id, items.map((item) => item.id)]));
    // A filter may leave some of them out.
    const isHere = (id) => snapshot.sectionIdentifier(id) !== null;
    snapshot.reconfigureItems([...updated].filter(isHere));
    return this.apply(snapshot, !isFirst && isCalm, null, isNews);
  }

  /** What is there; asked for while this is being made, and so not private. */
  get sections() {
    // While this is being made there is nothing yet.
    const all = #all in this ? this.#all : [];
    if (!(#filter in this && this.#filter)) return all;
    if (this.#filtered?.all !== all) {
      const sections = all.map((section) =>
        ({ ...section, items: section.items.filter(this.#filter) }));
      this.#filtered = { all, sections: sections.filter(({ items }) => items.length > 0) };
    }
    return this.#filtered.sections;
  }

  /** The item of a row. */
  item({ section, row }) {
    return this.sections[section]?.items[row];
  }

  titleForHeader(section) { return headerTitle(this, section); }

  sectionIndexTitles() {
    return this.sections.map(({ index }) => index).filter((index) => index?.trim());
  }

  sectionForSectionIndexTitle(title) {
    const section = this.sections.findIndex(({ index }) => index === title);
    this.chosen?.(section);
    return section;
  }

  /** Whether fewer than so many rows follow a row; with null, than there are. */
  hasFewerAfter(path, count) {
    let rest = path ? count + path.row + 1 : count;
    for (let section = path?.section ?? 0; section < this.sections.length; section += 1) {
      rest -= this.sections[section].items.length;
      if (rest <= 0) return false;
    }
    return true;
  }

  #cellFor(table, path, id) {
    const item = this.item(path) ?? { id };
    const kind = typeof item.kind === "string" ? item.kind : "";
    if (!this.#kinds.has(kind)) table.register(FeedCell, kind);
    this.#kinds.add(kind);
    const cell = table.dequeueReusableCell(kind, path);
    cell.show(item, this.#marksRead.has(id), !this.feed.snapshot?.members.collate);
    cell.isOpen = id === this.opened;
    cell.isStarred = this.isStarred(id);
    clearHighlight(cell);
    const mark = this.#marks.get(id);
    if (mark) highlight(cell, mark);
    return cell;
  }
}

/** How long a row stays lit that a change touched, in milliseconds. */
const time = 2600;
/** What each cell that is lit is lit for, and its animation. */
const lights = new WeakMap();

/**
 * Lights a row up for what a change did, if that was just now; it goes out by itself.
 * @param {HTMLElement} cell @param {{colour: string, since: number}} mark what it did, and when
 */
export function highlight(cell, mark) {
  const age = Date.now() - mark.since;
  if (mark === lights.get(cell)?.mark || age >= time) return;
  clearHighlight(cell);
  const keyframes = [0, 0.35].map((offset) =>
    ({ backgroundColor: `var(${mark.colour})`, offset }));
  const animation = cell.animate(keyframes, { duration: time, easing: "ease-in" });
  animation.currentTime = age;
  animation.onfinish = () => clearHighlight(cell);
  lights.set(cell, { mark, animation });
  // Where the system chooses the colours a line is around it.
  cell.dataset.lit = mark.colour.slice(2);
}

/** A cell that is to show something else is not lit. */
export function clearHighlight(cell) {
  lights.get(cell)?.animation.cancel();
  lights.delete(cell);
  delete cell.dataset.lit;
}

/** The least time between two announcements, and how long the first waits, in milliseconds. */
const [MIN_PAUSE_MS, DEBOUNCE_MS] = [8000, 1000];

/** Tells a screen reader what comes by itself: summed up, and now and then only. */
export class LiveRegion {
  #sum = null;
  #last = -MIN_PAUSE_MS;
  #timer = 0;

  /** @param {RefreshResult} result what came */
  add(result) {
    if (result.isEmpty || result.isFirst) return;
    if (!this.#sum) {
      const wait = Math.max(DEBOUNCE_MS, this.#last + MIN_PAUSE_MS - performance.now());
      this.#timer = setTimeout(() => this.#notify(), wait);
    }
    this.#sum = mergeResults([this.#sum ?? new RefreshResult(), result]);
  }

  /** Says nothing of what came so far: the feed is another. */
  clear() {
    clearTimeout(this.#timer);
    this.#sum = null;
  }

  #notify() {
    this.#last = performance.now();
    if (!this.#sum.isEmpty) announce(resultWords(this.#sum));
    this.#sum = null;
  }
}

/**
 * What came of refreshes, one after the other, as of one: what came and went is in neither list.
 * @param {RefreshResult[]} results with at least one; `changes` are then a list of each one's
 * @returns {RefreshResult}
 */
export function mergeResults(results) {
  if (results.length === 1) return results[0];
  const [inserted, removed, moved, updated] = [new Set(), new Set(), new Set(), new Set()];
  for (const result of results) {
    for (const id of result.removed) {
      for (const set of [moved, updated]) set.delete(id);
      if (!inserted.delete(id)) removed.add(id);
    }
    for (const id of result.inserted) {
      // What went and comes again may be another.
      if (removed.delete(id)) updated.add(id);
      else inserted.add(id);
    }
    for (const id of result.moved) if (!inserted.has(id)) moved.add(id);
    for (const id of result.updated) if (!inserted.has(id)) updated.add(id);
  }
  const changes = results.flatMap((result) => result.changes ?? []);
  return Object.assign(new RefreshResult(), {
    inserted, removed, moved, updated,
    changes: results.every((result) => result.changes) ? changes : null,
    isFirst: results.some(({ isFirst }) => isFirst),
    isRearranged: results.some(({ isRearranged }) => isRearranged),
  });
}
