import { IndexBar } from "./IndexBar.js";
import { IndexPath } from "./IndexPath.js";
import { reflect } from "./reflect.js";
import { RowMotion } from "./RowMotion.js";
import { RowScrollView } from "./RowScrollView.js";
import { RowSelection } from "./RowSelection.js";
import { StaticDataSource } from "./StaticDataSource.js";
import { TableLayout } from "./TableLayout.js";
import { TableUpdates } from "./TableUpdates.js";
import { UpdateSequence } from "./UpdateSequence.js";

/**
 * A column of rows in sections: `<table-view>`. Only the cells in sight are there, and are used
 * again for others. What it, its data source and its delegate have: docs/UI.md.
 */
export class TableView extends RowScrollView {
  static tag = "table-view";
  /** @type {?object} */
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
    this.#bar.addTarget(null, () => this.#jump(), "valueChanged");
  }

  connectedCallback() {
    this.#isConnecting = true;
    super.connectedCallback();
    this.#isConnecting = false;
    // What names the table names what the rows are in.
    for (const name of ["aria-label", "aria-labelledby", "aria-describedby"]) {
      if (!this.hasAttribute(name)) continue;
      this._grid.setAttribute(name, this.getAttribute(name));
      this.removeAttribute(name);
    }
    const given = this.#source ? null : StaticDataSource.read(this.contentView);
    if (given) this.#source = given;
    if (this.#source && !this.#wasConnected) this.reloadData();
    this.#wasConnected = true;
  }

  /** @param {string} [name] @param {?string} [old] @param {?string} [now] */
  attributeChangedCallback(name, old, now) {
    if (old === now) return;
    const same = (path) => path;
    if (name.endsWith("height") && this.#source) this._reloadData(same);
    else if (name.endsWith("selection")) this.#selection.follow(same);
    else this.#updateIndex();
  }

  /** @type {any} */ get dataSource() { return this.#source; }
  set dataSource(source) {
    this.#checkDynamic("takes no data source");
    this.#source = source;
    this.reloadData();
  }

  /** Gives the table its rows once. @param {{title?: string, cells: HTMLElement[]}[]} all */
  setStaticSections(all) {
    this.#checkDynamic("is given them once");
    this.#source = new StaticDataSource(all);
    this.reloadData();
  }

  get isStatic() { return this.#source instanceof StaticDataSource; }
  get numberOfSections() { return this._layout.sections.length; }
  /** 0 where there is no such section. */
  numberOfRows(section) { return this._layout.sections[section]?.rows.count ?? 0; }

  /** Has a class make the cells of a kind. @param {typeof HTMLElement} type */
  register(type, identifier) { this._rows.register(type, identifier); }
  /** A cell to fill, used before if possible; an unknown kind gets a default cell. */
  dequeueReusableCell(identifier, _indexPath) { return this._rows.dequeue(identifier); }

  /** Asks the data source for everything anew. */
  reloadData() { this._reloadData(() => null); }

  /** The same, where it is known what became of rows: what is seen stays. */
  _reloadData(place) {
    this._swipe?.close();
    const held = this._position > 0 ? this.indexPathsForVisibleRows.find(place) : null;
    const below = held && this._layout.rowTop(held) - this._position;
    this._change(() => {
      this._rows.clear();
      this._layout = new TableLayout(this.rowHeight || this.estimatedRowHeight);
      this._layout.sections = this.#counts().map((count, number) => this.#section(count, number));
      this._prefetching.reset();
      this.#selection.follow(place);
      this.#showIndex();
      this._contentChanged();
      if (held) this._hold(place(held), below);
      this._restore();
    });
  }

  /**
   * Makes the changes that are called for within, at once. `completion`: the motion is over.
   * @param {?(() => void)} updates @param {?(() => void)} [completion] @param {boolean} [animated]
   * @throws {RangeError} when they do not fit what the data source says; it is then read anew
   */
  performBatchUpdates(updates, completion = null, animated = true) {
    if (!this.#updates) return this._performBatches([updates], completion, animated);
    updates?.();
    if (completion) this.#completions.push(completion);
  }

  /** Batches, each of what the one before leads to, as one; each is filled by its function. */
  _performBatches(all, completion, animated) {
    this.#checkDynamic("does not change");
    this._swipe?.close();
    const completions = this.#completions = [];
    const batch = new UpdateSequence(this._layout.sections.map(({ rows }) => rows.count));
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
      ? new RowMotion(this, this._rows) : null;
    this._change(() => {
      this._update(batch, motion);
      this._prefetching.reset();
      this.#selection.follow((path) => batch.path(path));
      this.#updateIndex();
      this._restore();
    });
    Promise.resolve(motion?.run(batch, this._rows))
      .then(() => { for (const completed of completions) completed?.(); });
  }

  /** @param {IndexPath[]} paths before the batch; `animation` may be none */
  deleteRows(paths, animation = "automatic") { this.#recordRows("deleted", paths, animation); }
  /** @param {IndexPath[]} paths after the batch */
  insertRows(paths, animation = "automatic") { this.#recordRows("inserted", paths, animation); }
  /** @param {IndexPath[]} paths before the batch */
  reloadRows(paths, animation = "automatic") { this.#recordRows("reloaded", paths, animation); }
  moveRow(path, to) { this.#record("rows", "moved", [[path, to].map(IndexPath.from)]); }
  /** @param {number[]} sections */
  deleteSections(sections, animation = "") { this.#record("sections", "deleted", sections, animation); }
  insertSections(sections, animation = "") { this.#record("sections", "inserted", sections, animation); }
  reloadSections(sections, animation = "") { this.#record("sections", "reloaded", sections, animation); }
  moveSection(section, to) { this.#record("sections", "moved", [[section, to]]); }

  /** Has the cells of rows filled anew, without motion. */
  reconfigureRows(paths) { this._reconfigure(paths.map(IndexPath.from)); }

  get visibleCells() {
    const { y } = this.contentOffset;
    return this._rows.cells.filter(({ _path }) => this._isVisible(_path, y));
  }

  /** @returns {IndexPath[]} */
  get indexPathsForVisibleRows() { return this.visibleCells.map(({ _path }) => _path); }
  indexPath(cell) { return cell._path ?? null; }
  /** The cell of a row that is in sight or nearly so, or null. */
  cellForRow(path) { return this._rows.cell(path); }

  /** Where the keyboard is. */
  get _active() { return this.#selection.active; }
  _activate(path) { this.#selection.activate(path); }
  get indexPathForSelectedRow() { return this.#selection.paths[0] ?? null; }
  get indexPathsForSelectedRows() { return [...this.#selection.paths]; }
  /** Selects a row from code, null for none: the delegate is not told. */
  selectRow(path, animated = false, position = null) {
    this.#selection.select(path && this._check(path));
    if (position && position !== "none") this.scrollToRow(path, position, animated);
  }

  deselectRow(path, _animated = false) { this.#selection.deselect(path); }

  encodeRestorableState() {
    const { y } = this.contentOffset;
    const path = this._layout.isEmpty ? null : this._layout.path(y);
    if (!path) return {};
    return {
      item: this.#source.itemIdentifier?.(path), section: path.section, row: path.row,
      below: y - this._layout.rowTop(path), isAtTop: this._position <= 0,
    };
  }

  decodeRestorableState({ item, section, row, below, isAtTop }) {
    // What is read anew below forgets the heights by which a place was found.
    if (this.#isConnecting || this._layout.isEmpty || !this.clientHeight) return false;
    const path = item != null && this.#source.indexPath?.(item) || new IndexPath(row, section);
    if (isAtTop || !this._layout.has(path)) return true;
    this._hold(path, -below - this.adjustedContentInset.top);
    return true;
  }

  _title(section) { return this.#source?.titleForHeader?.(section, this) ?? null; }
  _headerHeight(section) { return this._title(section) === null ? 0 : this.sectionHeaderHeight; }

  _makeCell(path) {
    const cell = this.#source.cell(path, this);
    if (!cell) throw new TypeError(`The data source has no cell for ${path}.`);
    cell.style.height = this.rowHeight ? `${this.rowHeight}px` : "";
    this.#selection.mark(cell, path);
    return cell;
  }

  _keyDown(event) {
    super._keyDown(event);
    if (this.#selection.key(event)) event.preventDefault();
  }

  /** No row shows any more that it is touched. */
  _endHighlight() { this.#selection.highlight(null); }
  _willBeginDragging() {
    this._endHighlight();
    this._swipe?.close();
    super._willBeginDragging();
  }

  _resized() {
    super._resized();
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

  #section(count, number) { return this._layout.section(count, this._headerHeight(number)); }
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
    if (this.classList.contains("ui-indexed") !== isIndexed) this._widthChanged();
  }

  #jump() {
    const { value, titles } = this.#bar;
    const source = this.#source;
    const section = source.sectionForSectionIndexTitle?.(titles[value], value, this) ?? value;
    const last = this.numberOfSections - 1;
    if (last < 0) return;
    this.setContentOffset(
      { y: this._layout.top(Math.min(section, last)) - this.adjustedContentInset.top });
  }
}

reflect(TableView, {
  rowHeight: 0, estimatedRowHeight: 60, sectionHeaderHeight: 32, allowsSelection: true,
  allowsMultipleSelection: false, keepsPositionAtTop: false,
});