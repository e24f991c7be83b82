import { reflect } from "./page.js";
import { IndexBar } from "./Control.js";
import { RowSelection, RowSwipe } from "./RowSelection.js";
import { IndexPath, TableLayout, TableUpdates, UpdateSequence } from "./TableLayout.js";
import { RowMotion, TableRows } from "./TableRows.js";
import { TallScrollView } from "./ScrollView.js";

/** The parts of a table's room that are above a row which it is scrolled to. */
const parts = { top: 0, middle: 0.5, bottom: 1 };
/** How far to look for a row that stays, in rows. */
const farthest = 1000;

/**
 * A column of rows in sections: `<table-view>`. Only the cells in sight are there, and are used
 * again for others. What it, its data source and its delegate have: docs/UI.md.
 */
export class TableView extends TallScrollView {
  static tag = "table-view";
  /** Rows do not zoom. */
  static observedAttributes = [
    "data-index-display-mode", "data-row-height", "data-estimated-row-height",
    "data-section-header-height", "data-allows-selection", "data-allows-multiple-selection",
  ];
  /** What has the rows, and nothing else, for screen readers. */
  grid = document.createElement("div");
  layout = new TableLayout(60);
  rows = new TableRows(this);
  prefetching = new Prefetching(this);
  /** The actions beside rows, where a delegate has some. */
  swipe = null;
  #isChanging = false;
  /** The frame in which heights are learned anew. */
  #learning = 0;
  /** The row that stays in its place for the eye while heights are learned. */
  #held = null;
  prefetchDataSource = null;
  #selection = new RowSelection(this);
  #bar = new IndexBar();
  #source = null;
  #isConnecting = false;
  #wasConnected = false;
  #updates = null;
  /** Those of the batches within the one that is being filled. */
  #completions = [];

  constructor() {
    super();
    this.grid.className = "ui-grid";
    this.grid.role = "grid";
    this.contentView.append(this.grid);
    this.#bar.addTarget(null, () => this.#jump(), "valueChanged");
  }

  connectedCallback() {
    this.#isConnecting = true;
    super.connectedCallback();
    this.#isConnecting = false;
    // What names the table names what the rows are in.
    for (const name of ["aria-label", "aria-labelledby", "aria-describedby"]) {
      const value = this.getAttribute(name);
      if (value === null) continue;
      this.grid.setAttribute(name, value);
      this.removeAttribute(name);
    }
    const given = this.#source ? null : StaticDataSource.read(this.contentView);
    if (given) this.#source = given;
    if (this.#source && !this.#wasConnected) this.reloadData();
    this.#wasConnected = true;
  }

  attributeChangedCallback(name, old, now) {
    if (old === now) return;
    const same = (path) => path;
    if (name.endsWith("height") && this.#source) this.reloadKeeping(same);
    else if (name.endsWith("selection")) this.#selection.follow(same);
    else this.#updateIndex();
  }

  get dataSource() { return this.#source; }
  set dataSource(source) {
    this.#checkDynamic("takes no data source");
    for (const name of ["numberOfRows", "cell"]) {
      if (!source || typeof Reflect.get(source, name) === "function") continue;
      throw new TypeError(`A data source has no function \`${name}\`.`);
    }
    this.#source = source;
    this.reloadData();
  }

  /** Gives the table its rows once. */
  setStaticSections(all) {
    this.#checkDynamic("is given them once");
    this.#source = new StaticDataSource(all);
    this.reloadData();
  }

  get isStatic() { return this.#source instanceof StaticDataSource; }
  get numberOfSections() { return this.layout.sections.length; }
  /** 0 where there is no such section. */
  numberOfRows(section) { return this.layout.sections[section]?.rows.count ?? 0; }

  /** Has a class make the cells of a kind. */
  register(type, identifier) { this.rows.register(type, identifier); }
  /** A cell to fill, used before if possible; an unknown kind gets a default cell. */
  dequeueReusableCell(identifier, _indexPath) { return this.rows.dequeue(identifier); }

  /** Asks the data source for everything anew. */
  reloadData() { this.reloadKeeping(() => null); }

  /** The same, where it is known what became of rows: what is seen stays. */
  reloadKeeping(place) {
    this.swipe?.close();
    const held = this.position > 0 ? this.indexPathsForVisibleRows.find(place) : null;
    const below = held && this.layout.rowTop(held) - this.position;
    this.makeChange(() => {
      this.rows.clear();
      this.layout = new TableLayout(this.rowHeight || this.estimatedRowHeight);
      this.layout.sections = this.#counts().map((count, number) => this.#section(count, number));
      this.prefetching.reset();
      this.#selection.follow(place);
      this.#showIndex();
      this.handleContentChange();
      if (held) this.holdRow(place(held), below);
      this.restoreState();
    });
  }

  /**
   * Makes the changes that are called for within, at once. `completion`: the motion is over.
   * @throws {RangeError} when they do not fit what the data source says; it is then read anew
   */
  performBatchUpdates(updates, completion = null, animated = true) {
    if (!this.#updates) return this.performBatches([updates], completion, animated);
    updates?.();
    if (completion) this.#completions.push(completion);
  }

  /** Batches, each of what the one before leads to, as one; each is filled by its function. */
  performBatches(all, completion, animated) {
    this.#checkDynamic("does not change");
    this.swipe?.close();
    const completions = this.#completions = [];
    const batch = new UpdateSequence(this.layout.sections.map(({ rows }) => rows.count));
    let isChanged = false;
    try {
      for (const updates of all) {
        const one = this.#updates = new TableUpdates();
        updates?.(one);
        this.#updates = null;
        isChanged = true;
        batch.add(one, this.#counts());
      }
    } catch (error) {
      this.#updates = null;
      if (isChanged) this.reloadData();
      throw error;
    }
    completions.push(completion);
    const motion = animated && this.checkVisibility()
      ? new RowMotion(this, this.rows) : null;
    this.makeChange(() => {
      this.applyBatch(batch, motion);
      this.prefetching.reset();
      this.#selection.follow((path) => batch.path(path));
      this.#updateIndex();
      this.restoreState();
    });
    Promise.resolve(motion?.run(batch, this.rows))
      .then(() => { for (const completed of completions) completed?.(); });
  }

  /** Deletes rows, by their places before the batch; `animation` may be none. */
  deleteRows(paths, animation = "automatic") { this.#recordRows("deleted", paths, animation); }
  /** Inserts rows, by their places after the batch. */
  insertRows(paths, animation = "automatic") { this.#recordRows("inserted", paths, animation); }
  /** Reloads rows, by their places before the batch. */
  reloadRows(paths, animation = "automatic") { this.#recordRows("reloaded", paths, animation); }
  moveRow(path, to) { this.#record("rows", "moved", [[path, to].map(IndexPath.from)]); }
  deleteSections(sections, animation = "") { this.#record("sections", "deleted", sections, animation); }
  insertSections(sections, animation = "") { this.#record("sections", "inserted", sections, animation); }
  reloadSections(sections, animation = "") { this.#record("sections", "reloaded", sections, animation); }
  moveSection(section, to) { this.#record("sections", "moved", [[section, to]]); }

  /** Has the cells of rows filled anew, without motion. */
  reconfigureRows(paths) { this.refillRows(paths.map(IndexPath.from)); }

  get visibleCells() {
    const { y } = this.contentOffset;
    return this.rows.cells.filter(({ indexPath }) => this.isRowVisible(indexPath, y));
  }

  get indexPathsForVisibleRows() { return this.visibleCells.map(({ indexPath }) => indexPath); }
  indexPath(cell) { return cell.indexPath ?? null; }
  /** The cell of a row that is in sight or nearly so, or null. */
  cellForRow(path) { return this.rows.cell(path); }

  /** Where the keyboard is. */
  get activeIndexPath() { return this.#selection.active; }
  activateRow(path) { this.#selection.activate(path); }
  get indexPathForSelectedRow() { return this.#selection.paths[0] ?? null; }
  get indexPathsForSelectedRows() { return [...this.#selection.paths]; }
  /** Selects a row from code, null for none: the delegate is not told. */
  selectRow(path, animated = false, position = null) {
    this.#selection.select(path && this.checkedPath(path));
    if (path && position && position !== "none") this.scrollToRow(path, position, animated);
  }

  deselectRow(path, _animated = false) { this.#selection.deselect(path); }

  encodeRestorableState() {
    const { y } = this.contentOffset;
    const path = this.layout.isEmpty ? null : this.layout.path(y);
    if (!path) return {};
    return {
      item: this.#source.itemIdentifier?.(path), section: path.section, row: path.row,
      below: y - this.layout.rowTop(path), isAtTop: this.position <= 0,
    };
  }

  decodeRestorableState({ item, section, row, below, isAtTop }) {
    // What is read anew below forgets the heights by which a place was found.
    if (this.#isConnecting || this.layout.isEmpty || !this.clientHeight) return false;
    const path = item != null && this.#source.indexPath?.(item) || new IndexPath(row, section);
    if (isAtTop || !this.layout.has(path)) return true;
    this.holdRow(path, -below - this.adjustedContentInset.top);
    return true;
  }

  sectionTitle(section) { return this.#source?.titleForHeader?.(section, this) ?? null; }
  headerHeight(section) { return this.sectionTitle(section) === null ? 0 : this.sectionHeaderHeight; }

  makeCell(path) {
    const cell = /** @type {import("./TableViewCell.js").TableViewCell} */ (this.#source.cell(path, this));
    if (!cell) throw new TypeError(`The data source has no cell for ${path}.`);
    cell.style.height = this.rowHeight ? `${this.rowHeight}px` : "";
    this.#selection.mark(cell, path);
    return cell;
  }

  handleKey(event) {
    super.handleKey(event);
    if (this.#selection.key(event)) event.preventDefault();
  }

  /** No row shows any more that it is touched. */
  endHighlight() { this.#selection.highlight(null); }
  dragWillBegin() {
    this.endHighlight();
    this.swipe?.close();
    super.dragWillBegin();
  }

  handleResize() {
    super.handleResize();
    this.handleWidthChange();
    this.#bar.style.setProperty("--frame", `${this.clientHeight}px`);
    this.#bar.draw(this.#bar.clientHeight - 16);
  }

  #counts() {
    const source = this.#source;
    const count = source ? source.numberOfSections?.(this) ?? 1 : 0;
    return Array.from({ length: count }, (_, section) => source.numberOfRows(section, this));
  }

  #recordRows(how, paths, animation) {
    this.#record("rows", how, paths.map(IndexPath.from), animation);
  }

  #section(count, number) { return this.layout.section(count, this.headerHeight(number)); }
  #record(what, how, list, animation = "automatic") {
    const add = () => this.#updates[what][how].push(...list);
    if (this.#updates) add();
    else this.performBatchUpdates(add, null, animation !== "none");
  }

  #checkDynamic(what) {
    if (!this.isStatic) return;
    throw new TypeError(`A static table ${what}: its sections and rows were given once.`);
  }

  #showIndex() {
    const titles = this.#source?.sectionIndexTitles?.(this) ?? [];
    const isShown = titles.length > 0 && this.indexDisplayMode === "automatic";
    this.classList.toggle("ui-indexed", isShown);
    if (!isShown) return this.#bar.remove();
    if (String(titles) !== String(this.#bar.titles)) this.#bar.titles = titles;
    if (this.#bar.parentNode !== this) this.prepend(this.#bar);
  }

  /** Shows the index or takes it away, and has the rows make room for it. */
  #updateIndex() {
    const isIndexed = this.classList.contains("ui-indexed");
    this.#showIndex();
    if (this.classList.contains("ui-indexed") !== isIndexed) this.handleWidthChange();
  }

  #jump() {
    const { value, titles } = this.#bar;
    const source = this.#source;
    const section = source.sectionForSectionIndexTitle?.(titles[value], value, this) ?? value;
    const last = this.numberOfSections - 1;
    if (last < 0) return;
    this.setContentOffset(
      { y: this.layout.top(Math.min(section, last)) - this.adjustedContentInset.top });
  }

  get delegate() { return super.delegate; }
  set delegate(delegate) {
    super.delegate = delegate;
    if (delegate?.leadingSwipeActionsConfiguration || delegate?.trailingSwipeActionsConfiguration) this.swipe ??= new RowSwipe(this);
  }

  focus(options) { this.grid.focus({ preventScroll: true, ...options }); }

  get ariaLabel() { return this.grid.ariaLabel; }
  set ariaLabel(label) { this.grid.ariaLabel = label; }

  get focusTarget() { return this.grid; }

  /** The part of the content whose cells are there. */
  get renderedRange() {
    const more = Math.min(this.clientHeight / 2, 400);
    const from = this.contentOffset.y;
    return { from: from - more, to: from + this.clientHeight + more };
  }

  /** The numbers of the sections in that part. */
  sectionsInSight() {
    const { from, to } = this.renderedRange;
    const layout = this.layout;
    const numbers = [];
    let number = layout.sectionIndex(from);
    while (number < layout.sections.length && layout.top(number) < to) numbers.push(number++);
    return numbers;
  }

  /** There are other rows: the content is as high as they are. */
  handleContentChange() {
    this.scrollTarget = null;
    this.#fit();
    const position = this.position;
    this.position = position;
  }

  /** Makes a change; whoever hears then which rows are shown may make another. */
  makeChange(make) {
    const isWithin = this.#isChanging;
    this.#isChanging = true;
    try {
      make();
    } finally {
      this.#isChanging = isWithin;
    }
    this.#tell();
  }

  #tell() {
    if (this.#isChanging) return;
    for (const cell of this.rows.told.splice(0)) {
      if (cell.indexPath) this.delegate?.willDisplay?.(cell, cell.indexPath);
    }
    this.prefetching.shown(this.rows.cells.map(({ indexPath }) => indexPath));
  }

  /** Makes the changes of a batch. What the reader sees stays where it is. */
  applyBatch(batch, motion) {
    const isAtTop = this.position <= 0 && !this.keepsPositionAtTop;
    const eye = isAtTop ? null : this.#eye(batch);
    const below = eye && this.layout.rowTop(eye) - this.position;
    batch.apply(this.layout);
    this.scrollTarget = this.scrollTarget && batch.path(this.scrollTarget);
    this.layout.sections.forEach((section, number) => {
      section.header = this.headerHeight(number);
    });
    this.layout.changed();
    this.rows.follow(batch, motion);
    this.#fit();
    this.holdRow(eye && batch.path(eye), below, () => {
      this.#remake(batch.reloadedRows);
      this.#remake(batch.reconfiguredRows, true);
    });
  }

  /** Makes a change after which a row is so far below the position, if it can be. */
  holdRow(path, below, change = () => {}) {
    const missing = () => (path ? this.layout.rowTop(path) - below - this.position : 0);
    this.#held = path;
    this.shiftBy(missing());
    change();
    // Heights are learned on the way, and with them where the content ends.
    for (let pass = 0; pass < 4 && Math.abs(missing()) > 1; pass += 1) this.shiftBy(missing());
    this.#held = null;
  }

  /** Has the cells of rows filled anew, where they have one; they stay the same. */
  refillRows(paths) {
    const eye = this.position > 0 ? this.layout.path(this.contentOffset.y) : null;
    this.holdRow(eye, eye && this.layout.rowTop(eye) - this.position, () => this.#remake(paths, true));
  }

  #remake(paths, keeps = false) {
    if (paths.length === 0 && keeps) return;
    this.#measure(paths.flatMap((path) => this.rows.remake(path, keeps) ?? []));
    this.layOut();
  }

  /** The first row in sight that stays where it is, or that stays, or the nearest that does. */
  #eye(batch) {
    const { y } = this.contentOffset;
    const stays = (path) => batch.path(path) !== null;
    const seen = this.rows.cells.map(({ indexPath }) => indexPath)
      .filter((path) => this.isRowVisible(path) && stays(path));
    if (seen.length > 0) return seen.find((path) => !batch.isMoved(path)) ?? seen[0];
    for (const step of [1, -1]) {
      let path = this.layout.path(y);
      for (let count = 0; path && count < farthest; count += 1) {
        if (stays(path)) return path;
        path = this.layout.moved(path, step);
      }
    }
    return null;
  }

  #fit() {
    this.contentLength = this.layout.height;
    this.grid.ariaRowCount = `${this.layout.lineCount}`;
  }

  offsetDidChange() {
    this.#source?.rowsDidShow?.(this);
    super.offsetDidChange();
  }

  /** Shows the cells that are in sight, each at its place. */
  layOut() {
    if (!this.checkVisibility()) return;
    for (let pass = 0; pass < 5; pass += 1) {
      const fresh = this.rows.show(this.#pathsInSight());
      this.#place();
      if (!this.#measure(fresh)) break;
    }
    this.#tell();
  }

  /** A row's rectangle in the content; an empty one where there is no such row. */
  rectForRow(path) {
    if (!this.layout.has(path)) return new DOMRect();
    return new DOMRect(0, this.layout.rowTop(path), this.clientWidth, this.heightForRow(path));
  }

  /** To the top, middle or bottom; by none no further than shows the row. */
  scrollToRow(path, position = "none", animated = false) {
    const aim = this.checkedPath(path);
    const { top, bottom } = this.adjustedContentInset;
    const { header } = this.layout.sections[aim.section];
    const part = parts[position];
    const go = (to, isAnimated) => {
      const { y, height } = this.rectForRow(to);
      const room = this.clientHeight - top - bottom - header - height;
      if (part !== undefined) {
        this.setContentOffset({ y: y - top - header - room * part }, isAnimated);
      } else {
        this.scrollRectToVisible({ y: y - header, height: height + header }, isAnimated);
      }
    };
    this.scrollToward(aim, go, animated);
  }

  /** @throws {RangeError} where there is no such row */
  checkedPath(path) {
    const place = IndexPath.from(path);
    if (!this.layout.has(place)) throw new RangeError(`There is no ${place}.`);
    return place;
  }

  heightForRow({ section, row }) { return this.layout.sections[section].rows.height(row); }

  /** Whether a row is in sight, if only in part. */
  isRowVisible(path, y = this.contentOffset.y) {
    const above = this.layout.rowTop(path) - y;
    return above < this.clientHeight && above + this.heightForRow(path) > 0;
  }

  #pathsInSight() {
    const { from, to } = this.renderedRange;
    const paths = [];
    let path = this.layout.path(from);
    while (path && this.layout.rowTop(path) < to) {
      paths.push(path);
      const next = this.layout.moved(path, 1);
      path = next.isEqual(path) ? null : next;
    }
    return paths;
  }

  /** Learns the heights of cells that are new: whether one was not as thought. */
  #measure(cells) {
    if (this.rowHeight || !this.checkVisibility()) return false;
    const heights = cells.map((cell) => cell.offsetHeight);
    const changed = cells.filter((cell, index) => heights[index] !== this.heightForRow(cell.indexPath));
    if (changed.length === 0) return false;
    const eye = this.#held ?? this.layout.path(this.contentOffset.y);
    const before = this.layout.rowTop(eye);
    cells.forEach(({ indexPath }, index) => {
      this.layout.sections[indexPath.section].rows.set(indexPath.row, heights[index]);
    });
    for (const section of new Set(cells.map(({ indexPath }) => indexPath.section))) {
      this.layout.resized(section);
    }
    this.#fit();
    if (this.position > 0) this.mapping.base += this.layout.rowTop(eye) - before;
    return true;
  }

  #place() {
    const { mapping: { base, height }, layout } = this;
    const starts = new Map();
    for (const [number, section] of this.rows.sections) {
      const top = Math.max(0, layout.top(number) - base);
      const bottom = Math.min(height, layout.bottom(number) - base);
      starts.set(number, top);
      set(section, "top", `${top}px`);
      set(section, "height", `${Math.max(0, bottom - top)}px`);
      const header = section.querySelector(":scope > .ui-header");
      if (!header) continue;
      set(header, "height", `${layout.sections[number].header}px`);
      header.ariaRowIndex = `${layout.firstLine(number)}`;
    }
    for (const cell of this.rows.cells) {
      const top = layout.rowTop(cell.indexPath) - base - starts.get(cell.indexPath.section);
      set(cell, "top", `${top}px`);
      cell.ariaRowIndex = `${layout.line(cell.indexPath)}`;
    }
  }

  /** What is in a row has another size, once all heard of it: for all of a frame at once. */
  handleRowResize() {
    if (this.rowHeight) return;
    cancelAnimationFrame(this.#learning);
    this.#learning = requestAnimationFrame(() => this.makeChange(() => this.handleWidthChange()));
  }

  /** Rows may have other heights now. */
  handleWidthChange() {
    this.#measure(this.rows.cells);
    this.layOut();
  }
}

/** Writes a style that is another than it was. */
function set(element, name, value) {
  if (element.style[name] !== value) element.style[name] = value;
}

reflect(TableView, {
  rowHeight: 0, estimatedRowHeight: 60, sectionHeaderHeight: 32, allowsSelection: true,
  allowsMultipleSelection: false, keepsPositionAtTop: false,
});

/** How many rows ahead are named. */
const ahead = 60;

/** Tells a table's prefetch data source which rows will soon be needed, and which no longer. */
export class Prefetching {
  #table;
  #named = new Map();
  #last = 0;
  #step = 1;

  constructor(table) { this.#table = table; }

  /** The rows are others now. */
  reset() { this.#named.clear(); }

  /** The table shows these rows now. */
  shown(paths) {
    const { prefetchDataSource: source, layout, position } = this.#table;
    if (position !== this.#last) this.#step = position < this.#last ? -1 : 1;
    this.#last = position;
    const step = this.#step;
    if (!source || paths.length === 0) return;
    const wanted = new Map();
    let path = paths[step > 0 ? paths.length - 1 : 0];
    for (let count = 0; count < ahead; count += 1) {
      const next = layout.moved(path, step);
      if (next.isEqual(path)) break;
      wanted.set(String(next), path = next);
    }
    const isShown = new Set(paths.map(String));
    const fresh = [...wanted].filter(([name]) => !this.#named.has(name));
    const gone = [...this.#named].filter(([name]) => !wanted.has(name) && !isShown.has(name));
    this.#named = wanted;
    if (fresh.length > 0) source.prefetchRows(fresh.map(([, one]) => one), this.#table);
    if (gone.length > 0) source.cancelPrefetchingForRows?.(gone.map(([, one]) => one), this.#table);
  }
}

/** The data source of a static table: sections and cells that were given once. */
export class StaticDataSource {
  #sections;

  constructor(sections) {
    this.#sections = sections;
  }

  /** The sections that markup has: `<section title>` with cells in them, or cells alone. */
  static read(element) {
    const cells = (parent) => Array.from(parent.querySelectorAll(":scope > table-view-cell"));
    const sections = [...element.querySelectorAll(":scope > section")]
      .map((section) => ({ title: section.getAttribute("title"), cells: cells(section) }));
    const all = cells(element).length > 0 ? [{ cells: cells(element) }, ...sections] : sections;
    for (const child of [...element.children]) {
      if (child.matches("section, table-view-cell")) child.remove();
    }
    return all.length > 0 ? new StaticDataSource(all) : null;
  }

  numberOfSections() { return this.#sections.length; }
  numberOfRows(section) { return this.#sections[section].cells.length; }
  titleForHeader(section) { return this.#sections[section].title ?? null; }
  cell({ section, row }) { return this.#sections[section].cells[row]; }
}
