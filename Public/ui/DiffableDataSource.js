import { difference } from "./difference.js";
import { DiffableDataSourceSnapshot } from "./DiffableDataSourceSnapshot.js";
import { IndexPath } from "./IndexPath.js";

/** From how many items on that come, go or move a table is read anew, which then is quicker. */
const many = 1000;

/** A table's data source that is told what there is, and has the table change to it. */
export class DiffableDataSource {
  #table;
  #provider;
  #snapshot = new DiffableDataSourceSnapshot();

  /** @param {(table, indexPath: IndexPath, item: string) => HTMLElement} cellProvider */
  constructor(tableView, cellProvider) {
    this.#table = tableView;
    this.#provider = cellProvider;
    tableView.dataSource = this;
  }

  /** A copy of what the table shows. */
  snapshot() { return this.#snapshot.copy(); }

  /**
   * Shows a snapshot: what differs comes, goes and moves. `completion`: the motion is over.
   * @param {import("./DiffableDataSourceSnapshot.js").DiffableDataSourceSnapshot} snapshot
   * @param {boolean} [animatingDifferences] @param {?(() => void)} [completion]
   */
  apply(snapshot, animatingDifferences = true, completion = null) {
    const [before, next] = [this.#snapshot, snapshot._plain()];
    if (Math.abs(next.numberOfItems - before.numberOfItems) > many) {
      return this.#reload(before, () => { this.#snapshot = next; }, completion);
    }
    this.#table._performBatches([(updates) => {
      const { reloadedItemIdentifiers: reloaded, reconfiguredItemIdentifiers: all } = snapshot;
      const reconfigured = [...all].filter((id) => !reloaded.has(id));
      const path = before._paths(reloaded.size + reconfigured.length);
      for (const id of snapshot.reloadedSectionIdentifiers) {
        const index = before.indexOfSection(id);
        if (index >= 0 && next.indexOfSection(id) >= 0) updates.sections.reloaded.push(index);
      }
      const stays = (id) =>
        before.sectionIdentifier(id) !== null && next.sectionIdentifier(id) !== null;
      for (const id of reloaded) if (stays(id)) updates.rows.reloaded.push(path(id));
      for (const id of reconfigured) if (stays(id)) updates.rows.reconfigured.push(path(id));
      difference(before._sections, next._sections, updates);
      this.#snapshot = next;
    }], completion, animatingDifferences);
  }

  /** Shows a snapshot without finding out what differs. */
  applySnapshotUsingReloadData(snapshot, completion = null) {
    this.#snapshot = snapshot._plain();
    this.#table.reloadData();
    this.#table.performBatchUpdates(null, completion);
  }

  /**
   * Makes the changes of the protocol (4), in about the same time however long the table is.
   * @param {object | object[]} changes several, each of what the one before leads to, are one batch
   * @param {boolean} [animatingDifferences] @param {?(() => void)} [completion]
   * @throws {RangeError} when they name what is not there
   */
  applyChanges(changes, animatingDifferences = true, completion = null) {
    const all = [changes].flat();
    if (all.reduce((sum, one) => sum + arrangedCount(one), 0) > many) {
      return this.#reload(this.#snapshot._plain(), () => all.forEach((one) =>
        this.#snapshot._change(one.sections ?? {}, one.items ?? {})), completion);
    }
    this.#table._performBatches(all.map((one) => (updates) => this.#record(one, updates)),
      completion, animatingDifferences);
  }

  /** Makes changes, and writes down what that does to the rows of the table. */
  #record({ sections = {}, items = {} }, { rows, sections: parts }) {
    const snapshot = this.#snapshot;
    const [moves, sectionMoves] = [items.move ?? [], sections.move ?? []];
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
  }

  numberOfSections() { return this.#snapshot.numberOfSections; }
  numberOfRows(section) { return this.#snapshot._sections[section].items.length; }
  cell(path, table) { return this.#provider(table, path, this.itemIdentifier(path)); }

  get sectionIdentifiers() { return this.#snapshot.sectionIdentifiers; }
  itemIdentifier(path) { return idAt(this.#snapshot, path); }
  sectionIdentifier(index) { return this.#snapshot._sections[index]?.id ?? null; }
  index(sectionIdentifier) { return this.#snapshot.indexOfSection(sectionIdentifier); }
  indexPath(item) {
    return this.#snapshot.sectionIdentifier(item) === null ? null : this.#snapshot._paths(1)(item);
  }

  /** Makes a change, and shows what there is then without motion; what is seen stays. */
  #reload(before, change, completion) {
    try {
      change();
    } finally {
      this.#table._reloadData((path) => this.indexPath(idAt(before, path)));
    }
    this.#table.performBatchUpdates(null, completion);
  }
}

/** How many items come, go or move by changes. */
function arrangedCount({ items: { insert = [], remove = [], move = [] } = {} }) {
  return insert.length + remove.length + move.length;
}

function idAt(snapshot, { section, row }) {
  return snapshot._sections[section]?.items[row] ?? null;
}
