import { DiffableDataSourceSnapshot } from "./DiffableDataSourceSnapshot.js";
import { IndexPath } from "./IndexPath.js";

/**
 * A table's data source that is told what there is and finds out what changed. It may be given, or
 * have by a subclass, what a data source may have besides, such as `titleForHeader`.
 */
export class DiffableDataSource {
  #table;
  #cell;
  #snapshot = new DiffableDataSourceSnapshot();

  /**
   * @param {import("./TableView.js").TableView} tableView
   * @param {(table: object, indexPath: IndexPath, item: string) => HTMLElement} cellProvider
   */
  constructor(tableView, cellProvider) {
    this.#table = tableView;
    this.#cell = cellProvider;
    tableView.dataSource = this;
  }

  /** A copy of what the table shows. */
  snapshot() { return this.#snapshot.copy(); }

  /**
   * Shows a snapshot: what comes, goes, moves and is reloaded does so with motion.
   * @param {DiffableDataSourceSnapshot} snapshot
   */
  apply(snapshot, animatingDifferences = true) {
    this.#snapshot = snapshot.copy();
    this.#table.reloadData();
  }

  numberOfSections() { return this.#snapshot.numberOfSections; }
  numberOfRows(section) { return this.#snapshot._sections[section].items.length; }
  cell(indexPath, table) { return this.#cell(table, indexPath, this.itemIdentifier(indexPath)); }
  get sectionIdentifiers() { return this.#snapshot.sectionIdentifiers; }

  itemIdentifier({ section, row }) { return this.#snapshot._sections[section]?.items[row] ?? null; }
  sectionIdentifier(index) { return this.#snapshot._sections[index]?.id ?? null; }
  indexPath(item) {
    const section = this.#snapshot.indexOfSection(this.#snapshot.sectionIdentifier(item));
    if (section < 0) return null;
    return new IndexPath(this.#snapshot._sections[section].items.indexOf(item), section);
  }
}
