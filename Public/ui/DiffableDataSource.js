import { difference, IndexPath } from "./TableLayout.js";

/** The most items that come, go or move by motion; for more the table is read anew, which is quicker. */
const MAX_BATCH = 1000;

/**
 * A table's data source that is told what there is, and has the table change to it.
 * @template {string} [T=string] identifiers of items
 * @declares titleForHeader?(section: number): string | null | undefined;
 */
export class DiffableDataSource {
  #table;
  #provider;
  #snapshot = new DiffableDataSourceSnapshot();
  #unseenAbove = new Set();
  /** Called when `unseenAbove` is another. */
  unseenAboveChanged = null;

  constructor(tableView, cellProvider) {
    this.#table = tableView;
    this.#provider = cellProvider;
    tableView.dataSource = this;
  }

  /** A copy of what the table shows. */
  snapshot() { return this.#snapshot.copy(); }

  /**
   * The items that came above what was in sight, are still there, and were not in sight since: none at the table's
   * top. Another set when they are others.
   */
  get unseenAbove() { return this.#unseenAbove; }

  /** Counts items to `unseenAbove` that came before the table had rows, if they are above what is in sight. */
  noteUnseen(identifiers) { this.#count(this.#rowsInSight(), [...identifiers]); }

  /** For the table: other rows are in sight. */
  rowsDidShow() { this.#count([], []); }

  /** The items in sight, if the table keeps them there when others come above. */
  #rowsInSight() {
    const { position, keepsPositionAtTop, indexPathsForVisibleRows: paths } = this.#table;
    return position > 0 || keepsPositionAtTop ? paths.map((path) => this.itemIdentifier(path)) : [];
  }

  /** Counts those of new items that are above the first row that was in sight and stayed; no more what is seen or gone. */
  #count(rows, fresh) {
    const before = this.#unseenAbove;
    if (fresh.length === 0 && before.size === 0) return;
    const stays = (id) => this.#snapshot.sectionIdentifier(id) !== null;
    const unseen = new Set([...before].filter(stays));
    const first = fresh.length > 0 ? rows.find(stays) : undefined;
    if (first !== undefined) {
      const path = this.#snapshot.pathFinder(fresh.length);
      for (const id of fresh.filter(stays)) if (path(id).compare(path(first)) < 0) unseen.add(id);
    }
    const { position, keepsPositionAtTop, indexPathsForVisibleRows: paths } = this.#table;
    if (position <= 0 && !keepsPositionAtTop) unseen.clear();
    for (const path of paths) unseen.delete(idAt(this.#snapshot, path));
    if (unseen.size === before.size && [...unseen].every((id) => before.has(id))) return;
    this.#unseenAbove = unseen;
    this.unseenAboveChanged?.();
  }

  /**
   * Shows a snapshot: what differs comes, goes and moves. `completion`: the motion is over.
   * `isNews`: what comes counts to `unseenAbove`, unlike what a filter had hidden.
   */
  apply(snapshot, animatingDifferences = true, completion = null, isNews = true) {
    const [before, rows] = [this.#snapshot, isNews ? this.#rowsInSight() : []];
    this.#apply(snapshot, animatingDifferences, completion);
    const isNew = (id) => before.sectionIdentifier(id) === null;
    this.#count(rows, rows.length > 0 ? this.#snapshot.itemIdentifiers.filter(isNew) : []);
  }

  #apply(snapshot, animatingDifferences, completion) {
    const [before, next] = [this.#snapshot, snapshot.plainCopy()];
    if (Math.abs(next.numberOfItems - before.numberOfItems) > MAX_BATCH) {
      return this.#reload(before, () => { this.#snapshot = next; }, completion);
    }
    this.#table.performBatches([(updates) => {
      const { reloadedItemIdentifiers: reloaded, reconfiguredItemIdentifiers: all } = snapshot;
      const reconfigured = [...all].filter((id) => !reloaded.has(id));
      const path = before.pathFinder(reloaded.size + reconfigured.length);
      for (const id of snapshot.reloadedSectionIdentifiers) {
        const index = before.indexOfSection(id);
        if (index >= 0 && next.indexOfSection(id) >= 0) updates.sections.reloaded.push(index);
      }
      const stays = (id) =>
        before.sectionIdentifier(id) !== null && next.sectionIdentifier(id) !== null;
      for (const id of reloaded) if (stays(id)) updates.rows.reloaded.push(path(id));
      for (const id of reconfigured) if (stays(id)) updates.rows.reconfigured.push(path(id));
      difference(before.sections, next.sections, updates);
      this.#snapshot = next;
    }], completion, animatingDifferences);
  }

  /** Shows a snapshot without finding out what differs. */
  applySnapshotUsingReloadData(snapshot, completion = null) {
    this.#snapshot = snapshot.plainCopy();
    this.#table.reloadData();
    this.#table.performBatchUpdates(null, completion);
    this.#count([], []);
  }

  /**
   * Makes the changes of the protocol (4), in about the same time however long the table is. Several, each of what
   * the one before leads to, are one batch.
   * @throws {RangeError} when they name what is not there
   */
  applyChanges(changes, animatingDifferences = true, completion = null) {
    const all = [changes].flat();
    const rows = this.#rowsInSight();
    const came = rows.length > 0 ? all.flatMap(({ items }) => items?.insert ?? []) : [];
    const fresh = came.map(({ item }) => item.id).filter((id) => this.#snapshot.sectionIdentifier(id) === null);
    this.#applyChanges(all, animatingDifferences, completion);
    this.#count(rows, fresh);
  }

  #applyChanges(all, animatingDifferences, completion) {
    if (all.reduce((sum, one) => sum + arrangedCount(one), 0) > MAX_BATCH) {
      return this.#reload(this.#snapshot.plainCopy(), () => all.forEach((one) =>
        this.#snapshot.applyChanges(one.sections ?? {}, one.items ?? {})), completion);
    }
    this.#table.performBatches(all.map((one) => (updates) => this.#record(one, updates)),
      completion, animatingDifferences);
  }

  /** Makes changes, and writes down what that does to the rows of the table. */
  #record({ sections = {}, items = {} }, { rows, sections: parts }) {
    const snapshot = this.#snapshot;
    const [moves, sectionMoves] = [items.move ?? [], sections.move ?? []];
    const path = snapshot.pathFinder((items.remove?.length ?? 0) + moves.length);
    const number = (id) => snapshot.sectionNumber(id);
    rows.deleted = (items.remove ?? []).map(path);
    rows.reloaded = (items.update ?? []).map(({ id }) => path(id));
    parts.deleted = (sections.remove ?? []).map(number);
    const from = moves.map(({ id }) => path(id));
    const sectionsFrom = sectionMoves.map(({ id }) => number(id));
    snapshot.applyChanges(sections, items);
    parts.inserted = (sections.insert ?? []).map(({ index }) => index);
    parts.moved = sectionsFrom.map((old, at) => [old, sectionMoves[at].index]);
    const place = ({ section, index }) => new IndexPath(index, number(section));
    const fresh = new Set(parts.inserted);
    rows.inserted = (items.insert ?? []).map(place).filter(({ section }) => !fresh.has(section));
    rows.moved = from.map((old, at) => [old, place(moves[at])]);
  }

  numberOfSections() { return this.#snapshot.numberOfSections; }
  numberOfRows(section) { return this.#snapshot.sections[section].items.length; }
  cell(path, table) { return this.#provider(table, path, idAt(this.#snapshot, path)); }

  get sectionIdentifiers() { return this.#snapshot.sectionIdentifiers; }
  itemIdentifier(path) { return idAt(this.#snapshot, path); }
  sectionIdentifier(index) { return this.#snapshot.sections[index]?.id ?? null; }
  index(sectionIdentifier) { return this.#snapshot.indexOfSection(sectionIdentifier); }
  indexPath(item) {
    return this.#snapshot.sectionIdentifier(item) === null ? null : this.#snapshot.pathFinder(1)(item);
  }

  /** Makes a change, and shows what there is then without motion; what is seen stays. */
  #reload(before, change, completion) {
    try {
      change();
    } finally {
      this.#table.reloadKeeping((path) => this.indexPath(idAt(before, path)));
    }
    this.#table.performBatchUpdates(null, completion);
  }
}

/** Counts the items that come, go or move by changes. */
function arrangedCount({ items: { insert = [], remove = [], move = [] } = {} }) {
  return insert.length + remove.length + move.length;
}

function idAt(snapshot, { section, row }) {
  return snapshot.sections[section]?.items[row] ?? null;
}

/** From how many items on all are looked through once, and not for each. */
const MIN_INDEXED = 64;

/** What a table is to show: sections of items, each known by an identifier that is used once. */
export class DiffableDataSourceSnapshot {
  #sections = [];
  /** The section of each item; made when it is first asked for. */
  #owners = null;
  /** Those whose cells are to be made anew, and those to be filled anew. */
  reloadedItemIdentifiers = new Set();
  reconfiguredItemIdentifiers = new Set();
  reloadedSectionIdentifiers = new Set();

  /** A snapshot of what is there: identifiers of sections, each with those of its items. */
  static of(sections) {
    const made = new DiffableDataSourceSnapshot();
    made.#sections = Array.from(sections, ([id, items]) => ({ id, items: [...items] }));
    return made;
  }

  /** A copy of it: changing one does not change the other. */
  copy() {
    const made = this.plainCopy();
    for (const [name, identifiers] of Object.entries(this)) made[name] = new Set(identifiers);
    return made;
  }

  /** A copy with nothing to be reloaded. */
  plainCopy() {
    return DiffableDataSourceSnapshot.of(this.#sections.map(({ id, items }) => [id, items]));
  }

  get numberOfSections() { return this.#sections.length; }
  get numberOfItems() { return this.#sections.reduce((sum, { items }) => sum + items.length, 0); }
  get sectionIdentifiers() { return this.#sections.map(({ id }) => id); }
  get itemIdentifiers() { return this.#sections.flatMap(({ items }) => items); }
  numberOfItemsInSection(id) { return this.#section(id).items.length; }
  itemIdentifiersInSection(id) { return [...this.#section(id).items]; }
  indexOfSection(id) { return this.#sections.findIndex((section) => section.id === id); }
  /** Its number among all items; -1 when it is not there. */
  indexOfItem(id) { return this.itemIdentifiers.indexOf(id); }
  sectionIdentifier(itemID) { return this.#owner(itemID)?.id ?? null; }

  appendSections(ids) { this.#put(ids, this.#sections.length); }
  insertSections(ids, { before, after }) { this.#put(ids, this.#beside(before, after)); }
  deleteSections(ids) {
    const gone = new Set(ids.map((id) => this.#section(id)));
    for (const { id, items } of gone) {
      for (const item of items) this.#owners?.delete(item);
      this.#unmark(items);
      this.reloadedSectionIdentifiers.delete(id);
    }
    this.#sections = this.#sections.filter((section) => !gone.has(section));
  }

  moveSection(id, { before, after }) {
    const section = this.#section(id);
    const beside = this.#section(before ?? after);
    if (section === beside) return;
    this.#sections.splice(this.#sections.indexOf(section), 1);
    this.#sections.splice(this.#beside(before, after), 0, section);
  }

  reloadSections(ids) {
    for (const id of ids) this.#section(id);
    for (const id of ids) this.reloadedSectionIdentifiers.add(id);
  }

  /** Adds items at the end of a section, the last unless one is named. */
  appendItems(ids, toSection = this.#sections.at(-1)?.id) {
    const section = this.#section(toSection);
    this.#add(ids, section, section.items.length);
  }

  insertItems(ids, { before, after }) {
    const beside = before ?? after;
    this.#know([beside]);
    const section = this.#owner(beside);
    this.#add(ids, section, section.items.indexOf(beside) + (before === undefined ? 1 : 0));
  }

  deleteItems(ids) {
    this.#take(new Set(this.#know(ids)));
    this.#unmark(ids);
  }

  deleteAllItems() {
    this.#sections = [];
    this.#owners = null;
    this.reloadedItemIdentifiers.clear();
    this.reconfiguredItemIdentifiers.clear();
    this.reloadedSectionIdentifiers.clear();
  }

  moveItem(id, place) {
    const beside = place.before ?? place.after;
    this.#know([id, beside]);
    if (id === beside) return;
    this.#take([id]);
    this.insertItems([id], place);
  }

  reloadItems(ids) {
    for (const id of this.#know(ids)) this.reloadedItemIdentifiers.add(id);
  }

  reconfigureItems(ids) {
    for (const id of this.#know(ids)) this.reconfiguredItemIdentifiers.add(id);
  }

  /** The sections themselves, not to be changed. */
  get sections() { return this.#sections; }

  /** Where items are, for so many of them. */
  pathFinder(count) {
    if (count < MIN_INDEXED) {
      return (id) => {
        const section = this.#owner(id) ?? fail(`no item ${id}`);
        return new IndexPath(section.items.indexOf(id), this.#sections.indexOf(section));
      };
    }
    const paths = new Map();
    this.#sections.forEach(({ items }, section) =>
      items.forEach((id, row) => paths.set(id, new IndexPath(row, section))));
    return (id) => paths.get(id) ?? fail(`no item ${id}`);
  }

  sectionNumber(id) {
    const number = this.indexOfSection(id);
    return number < 0 ? fail(`no section ${id}`) : number;
  }

  /** Makes the changes of the protocol: all, or none if they do not fit. */
  applyChanges(sections, items) {
    const { remove = [], insert = [], move = [] } = items;
    const isOut = new Set([...remove, ...move.map(({ id }) => id)]);
    const placed = [...insert.map((one) => ({ ...one, id: one.item.id })), ...move];
    const come = (sections.insert ?? [])
      .map(({ index, section }) => ({ index, held: { id: section.id, items: [] } }));
    const moved = (sections.move ?? [])
      .map(({ index, id }) => ({ index, held: this.#section(id) }));
    this.#know(isOut);
    once(placed.map(({ id }) => id), "item", (id) => this.#owner(id) && !isOut.has(id));
    const isThere = new Set([...this.sectionIdentifiers, ...come.map(({ held }) => held.id)]);
    for (const id of sections.remove ?? []) isThere.delete(id) || fail(`no section ${id}`);
    for (const { section } of placed) isThere.has(section) || fail(`no section ${section}`);
    this.#take(isOut);
    this.deleteSections(sections.remove ?? []);
    this.#sections = this.#sections.filter((one) => !moved.some(({ held }) => held === one));
    for (const { index, held } of [...come, ...moved].sort(byIndex)) {
      this.#sections.splice(index, 0, held);
    }
    for (const [id, list] of grouped(placed, ({ section }) => section)) {
      const section = this.#section(id);
      for (const one of list) this.#owners.set(one.id, section);
      put(section.items, list.sort(byIndex));
    }
  }

  /** Items that go are not to be reloaded any more. */
  #unmark(ids) {
    for (const id of ids) {
      this.reloadedItemIdentifiers.delete(id);
      this.reconfiguredItemIdentifiers.delete(id);
    }
  }

  /** Takes items out, of one list or many. */
  #take(ids) {
    for (const [section, list] of grouped(ids, (id) => this.#owner(id))) {
      if (list.length < MIN_INDEXED) {
        for (const id of list) section.items.splice(section.items.indexOf(id), 1);
      } else {
        const gone = new Set(list);
        section.items = section.items.filter((id) => !gone.has(id));
      }
      for (const id of list) this.#owners.delete(id);
    }
  }

  #section(id) {
    return this.#sections.find((section) => section.id === id) ?? fail(`no section ${id}`);
  }

  #owner(item) {
    if (!this.#owners) {
      this.#owners = new Map();
      for (const section of this.#sections) {
        for (const id of section.items) this.#owners.set(id, section);
      }
    }
    return this.#owners.get(item);
  }

  /** Sees whether items are there. */
  #know(ids) {
    for (const id of ids) if (!this.#owner(id)) fail(`no item ${id}`);
    return ids;
  }

  #put(ids, index) {
    once(ids, "section", (id) => this.indexOfSection(id) >= 0);
    this.#sections.splice(index, 0, ...ids.map((id) => ({ id, items: [] })));
  }

  #add(ids, section, index) {
    once(ids, "item", (id) => this.#owner(id));
    for (const id of ids) this.#owners.set(id, section);
    const { items } = section;
    // Too many would not fit as arguments of `splice`.
    section.items = [...items.slice(0, index), ...ids, ...items.slice(index)];
  }

  #beside(before, after) {
    const index = this.sectionNumber(before ?? after);
    return before === undefined ? index + 1 : index;
  }
}

/** Things by what they have in common, in order. */
function grouped(list, by) {
  const groups = new Map();
  for (const one of list) {
    const name = by(one);
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(one);
  }
  return groups;
}

/** Sees whether what is to come comes once, and is not there. */
function once(ids, what, isThere) {
  const seen = new Set();
  for (const id of ids) {
    if (isThere(id) || seen.has(id)) fail(`the ${what} ${id} twice`);
    seen.add(id);
  }
}

function byIndex(one, other) { return one.index - other.index; }

/** Puts items at their places in the final list, by ascending place. */
function put(items, placed) {
  if (placed.length < MIN_INDEXED) {
    for (const { index, id } of placed) items.splice(index, 0, id);
    return;
  }
  const kept = items.splice(0);
  let next = 0;
  for (const { index, id } of placed) {
    while (items.length < index && next < kept.length) items.push(kept[next++]);
    items.push(id);
  }
  while (next < kept.length) items.push(kept[next++]);
}

function fail(what) {
  throw new RangeError(`A snapshot cannot have ${what}.`);
}
