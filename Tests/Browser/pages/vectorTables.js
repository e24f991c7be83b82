import { DiffableDataSource, TableViewCell } from "/ui.js";
import { sectionsOf } from "/tests/uiVectors.js";
import { nameOf, pathOf, snapshotOf } from "./vectorPaths.js";

/** The rows of a case's table, as any of the sources of data there are. */
export class TableSource {
  /** How many cells were made, and rows asked for; the rows that were named ahead. */
  made = 0;
  asked = 0;
  prefetched = [];
  cancelled = [];
  /** What went wrong while nobody looked. */
  wrong = [];
  #cells = new Set();
  /** How often cells were prepared for reuse. */
  #uses = new Map();
  #last = new Map();

  constructor(table, { source = "plain", index, indexSections }, sections, log) {
    Object.assign(this, { table, sections, log });
    table.prefetchDataSource = {
      prefetchRows: (paths) => this.#named("prefetched", paths),
      cancelPrefetchingForRows: (paths) => this.#named("cancelled", paths),
    };
    const more = {
      titleForHeader: (section) => this.sections[section].title ?? null,
      ...index && { sectionIndexTitles: () => (index === "titles"
        ? this.sections.map(({ title }) => title) : index) },
      ...indexSections && { sectionForSectionIndexTitle: (_, number) => indexSections[number] },
    };
    if (source === "static") {
      table.setStaticSections(sections.map(({ title, rows }) =>
        ({ title, cells: rows.map((name) => this.#fill(new TableViewCell(), name)) })));
    } else if (source === "diffable") {
      this.diffable = new DiffableDataSource(table, (_, path, item) => this.#cell(item));
      Object.assign(this.diffable, more);
      this.diffable.applySnapshotUsingReloadData(snapshotOf(sections));
    } else {
      table.dataSource = {
        ...more,
        numberOfSections: () => this.sections.length,
        numberOfRows: (section) => this.sections[section].rows.length,
        cell: ({ section, row }) => this.#cell(this.sections[section].rows[row]),
      };
    }
  }

  #cell(name) {
    this.asked += 1;
    const cell = this.table.dequeueReusableCell("row");
    if (!this.#cells.has(cell)) {
      this.made += 1;
      const prepare = cell.prepareForReuse;
      cell.prepareForReuse = () => {
        this.#uses.set(cell, (this.#uses.get(cell) ?? 0) + 1);
        prepare.call(cell);
      };
    }
    this.#cells.add(cell);
    return this.#fill(cell, name);
  }

  #fill(cell, name) {
    cell.textLabel.textContent = name;
    return cell;
  }

  #named(what, paths) {
    const names = paths.map(nameOf);
    if (new Set(names).size < names.length) this.wrong.push(`${what} a row twice: ${names}`);
    this[what].push(...names);
  }

  /** Has other rows from now on, of which the table knows nothing yet. */
  change(sections) { this.sections = sectionsOf(sections); }

  batch({ batch, to, animated = false }) {
    this.table.performBatchUpdates(() => {
      this.change(to);
      this.#update(batch);
    }, () => this.log.add("completed"), animated);
  }

  #update(batch) {
    const { table } = this;
    const rows = (name) => (paths) => table[name](paths.map(pathOf));
    const sections = (name) => (numbers) => table[name](numbers);
    const make = {
      deleteRows: rows("deleteRows"), insertRows: rows("insertRows"),
      reloadRows: rows("reloadRows"),
      moveRows: (pairs) => pairs.forEach((pair) => table.moveRow(...pair.map(pathOf))),
      deleteSections: sections("deleteSections"), insertSections: sections("insertSections"),
      reloadSections: sections("reloadSections"),
      moveSections: (pairs) => pairs.forEach((pair) => table.moveSection(...pair)),
      within: (inner) => table.performBatchUpdates(() => this.#update(inner),
        () => this.log.add("completed within")),
    };
    for (const [name, list] of Object.entries(batch)) make[name](list);
  }

  apply({ apply, reload = [], reconfigure = [], reloadSections = [], animated = false }) {
    this.change(apply);
    const snapshot = snapshotOf(apply);
    snapshot.reloadItems(reload);
    snapshot.reconfigureItems(reconfigure);
    snapshot.reloadSections(reloadSections);
    this.diffable.apply(snapshot, animated, () => this.log.add("completed"));
  }

  /** What cells there are in sight, by what they show, and how often each was used again. */
  get #shown() {
    return new Map(this.table.visibleCells.map((cell) =>
      [cell.textLabel.textContent, { cell, uses: this.#uses.get(cell) ?? 0 }]));
  }

  /** The rows in sight that have the cells that they had, as they were. */
  get kept() {
    return [...this.#shown].filter(([name, { cell, uses }]) => {
      const last = this.#last.get(name);
      return last?.cell === cell && last.uses === uses;
    }).map(([name]) => name);
  }

  /** What was expected counts as told. */
  told(expect) {
    if ("prefetched" in expect) this.prefetched = [];
    if ("cancelled" in expect) this.cancelled = [];
    if ("asked" in expect) this.asked = 0;
    if ("kept" in expect) this.#last = this.#shown;
  }
}
