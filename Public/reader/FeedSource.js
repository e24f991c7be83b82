import { DiffableDataSource, DiffableDataSourceSnapshot } from "../ui/DiffableDataSource.js";
import { FeedCell } from "./FeedCell.js";
import { headerTitle } from "./firstRows.js";
import { light, putOut } from "./light.js";
import { marksOf } from "./ReadMarks.js";

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
      if (mark) light(cell, mark);
    }
  }

  /** Shows just the items that a function chooses, or with null all. */
  filter(chooses) {
    this.#filter = chooses;
    this.#filtered = null;
    this.#apply({ updated: [] });
  }

  #apply({ changes, isFirst, isMore, updated }) {
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
    return this.apply(snapshot, !isFirst && isCalm);
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
    cell.show(item, this.#marksRead.has(id));
    putOut(cell);
    const mark = this.#marks.get(id);
    if (mark) light(cell, mark);
    return cell;
  }
}
