import { DiffableDataSource } from "../ui/DiffableDataSource.js";
import { DiffableDataSourceSnapshot } from "../ui/DiffableDataSourceSnapshot.js";
import { FeedCell } from "./FeedCell.js";
import { headerTitle } from "./firstRows.js";

const colours = { inserted: "--new", moved: "--moved", updated: "--changed" };

/** A table's data source of a feed. */
export class FeedSource extends DiffableDataSource {
  #marks = new Map();
  #kinds = new Set();
  #table;

  /** @param {import("../freshet.js").Feed} feed */
  constructor(table, feed) {
    super(table, (_, path, id) => this.#cellFor(table, path, id));
    this.feed = feed;
    this.#table = table;
  }

  /** Shows what the feed has now, and what a change did to it. */
  show(result) {
    const since = Date.now();
    this.#marks.clear();
    for (const [kind, colour] of result.isFirst ? [] : Object.entries(colours)) {
      for (const id of result[kind]) this.#marks.set(id, { colour, since });
    }
    this.#apply(result);
    // Cells that moved were not filled anew.
    for (const cell of this.#table.visibleCells) {
      const mark = this.#marks.get(this.itemIdentifier(this.#table.indexPath(cell)));
      if (mark) cell.light(mark);
    }
  }

  #apply({ changes, isFirst, updated }) {
    if (changes) return this.applyChanges(changes);
    const snapshot = DiffableDataSourceSnapshot.of(
      this.sections.map(({ id, items }) => [id, items.map((item) => item.id)]));
    snapshot.reconfigureItems([...updated]);
    return this.apply(snapshot, !isFirst);
  }

  /** What is there; asked for while this is being made, and so not private. */
  get sections() {
    return this.feed?.snapshot?.sections ?? [];
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
    return this.sections.findIndex(({ index }) => index === title);
  }

  #cellFor(table, path, id) {
    const item = this.item(path) ?? { id };
    const kind = typeof item.kind === "string" ? item.kind : "";
    if (!this.#kinds.has(kind)) table.register(FeedCell, kind);
    this.#kinds.add(kind);
    const cell = table.dequeueReusableCell(kind, path);
    cell.show(item, this.#marks.get(id));
    return cell;
  }
}
