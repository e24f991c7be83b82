import { difference } from "./difference.js";
import { DiffableDataSourceSnapshot } from "./DiffableDataSourceSnapshot.js";
import { IndexPath } from "./IndexPath.js";

/**
 * A table's data source that is told what there is, and has the table change to it. What a data
 * source may have besides, such as `titleForHeader`, may be set on it.
 */
export class DiffableDataSource {
  #table;
  #provider;
  #snapshot = new DiffableDataSourceSnapshot();

  /**
   * @param {import("./TableView.js").TableView} tableView
   * @param {(table: object, indexPath: IndexPath, item: string) => HTMLElement} cellProvider
   */
  constructor(tableView, cellProvider) {
    this.#table = tableView;
    this.#provider = cellProvider;
    tableView.dataSource = this;
  }

  /** A copy of what the table shows. */
  snapshot() { return this.#snapshot.copy(); }

  /**
   * Shows a snapshot: what differs comes, goes and moves.
   * @param {DiffableDataSourceSnapshot} snapshot
   * @param {?() => void} completion when the motion is over
   */
  apply(snapshot, animatingDifferences = true, completion = null) {
    const [before, next] = [this.#snapshot, snapshot.copy()];
    this.#batch((updates) => {
      const changed = new Set(
        [...snapshot.reloadedItemIdentifiers, ...snapshot.reconfiguredItemIdentifiers]);
      const path = before._paths(changed.size);
      for (const id of snapshot.reloadedSectionIdentifiers) {
        const index = before.indexOfSection(id);
        if (index >= 0 && next.indexOfSection(id) >= 0) updates.sections.reloaded.push(index);
      }
      for (const id of changed) {
        if (before.sectionIdentifier(id) === null || next.sectionIdentifier(id) === null) continue;
        updates.rows.reloaded.push(path(id));
      }
      difference(before._sections, next._sections, updates);
      this.#snapshot = next;
    }, animatingDifferences, completion);
  }

  /** Shows a snapshot without finding out what differs. */
  applySnapshotUsingReloadData(snapshot) {
    this.#snapshot = snapshot.copy();
    this.#table.reloadData();
  }

  /**
   * Makes the changes of the protocol (docs/PROTOCOL.md, 4) that led to what there is now: in about
   * the same time however long the table is.
   * @param {{sections?: object, items?: object}} changes
   * @throws {RangeError} when they name what is not there; apply the whole snapshot then
   */
  applyChanges({ sections = {}, items = {} }, animatingDifferences = true, completion = null) {
    const snapshot = this.#snapshot;
    const [moves, sectionMoves] = [items.move ?? [], sections.move ?? []];
    this.#batch(({ rows, sections: parts }) => {
      const path = snapshot._paths((items.remove?.length ?? 0) + moves.length);
      const number = (id) => snapshot._number(id);
      rows.deleted = (items.remove ?? []).map(path);
      rows.reloaded = (items.update ?? []).map(({ id }) => path(id));
      parts.deleted = (sections.remove ?? []).map(number);
      const from = moves.map(({ id }) => path(id));
      const sectionsFrom = sectionMoves.map(({ id }) => number(id));
      snapshot._change(sections, items);
      parts.inserted = (sections.insert ?? []).map(({ index }) => index);
      parts.moved = sectionsFrom.map((old, at) => [old, sectionMoves[at].index]);
      const place = ({ section, index }) => new IndexPath(index, number(section));
      const fresh = new Set(parts.inserted);
      rows.inserted = (items.insert ?? []).map(place).filter(({ section }) => !fresh.has(section));
      rows.moved = from.map((old, at) => [old, place(moves[at])]);
    }, animatingDifferences, completion);
  }

  numberOfSections() { return this.#snapshot.numberOfSections; }
  numberOfRows(section) { return this.#snapshot._sections[section].items.length; }
  cell(path, table) { return this.#provider(table, path, this.itemIdentifier(path)); }

  get sectionIdentifiers() { return this.#snapshot.sectionIdentifiers; }
  itemIdentifier({ section, row }) { return this.#snapshot._sections[section]?.items[row] ?? null; }
  sectionIdentifier(index) { return this.#snapshot._sections[index]?.id ?? null; }
  index(sectionIdentifier) { return this.#snapshot.indexOfSection(sectionIdentifier); }
  indexPath(item) {
    return this.#snapshot.sectionIdentifier(item) === null ? null : this.#snapshot._paths(1)(item);
  }

  #batch(change, animated, completion) {
    this.#table._performBatch(change, completion, animated);
  }
}
