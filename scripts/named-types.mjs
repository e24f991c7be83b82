// The types that scripts of the web client do not say themselves, so that no reader of its pages has them on
// the way: in its sources a name always means the same, and its type is said once, here. Where a name means
// something else, its file or its function says so. scripts/declared-types.mjs writes them into copies of the
// scripts, of which TypeScript makes the declarations, and checks that code and types agree.
//
// A name is one of a parameter, or of a part of one that is taken apart, everywhere; in an entry of a function
// one of its variables, too. `arg` is the whole of a parameter that is taken apart, or the one of a setter,
// `args` of several; `returns` what comes back; `template` what stands for types. A `?` before a type: it may be
// left out. An entry that is a text is the type of a field, or of a variable of the file. `Class.member` is one
// of a class, where two of a file have it; `Class has` are properties that it sets and that are declared
// elsewhere.

/** Any object that has these is the place of a row. */
const path = "{ row: number; section: number }";
const indexPath = 'import("./TableLayout.js").IndexPath';
const batch = 'import("./TableLayout.js").UpdateSequence';
const cell = 'import("./TableViewCell.js").TableViewCell';
/** A cell that is in the table. */
const shown = `${cell} & { indexPath: ${indexPath} }`;
const scrollView = 'import("./ScrollView.js").ScrollView';
const tableView = 'import("./TableView.js").TableView';
const protocol = (name) => `import("./protocols.js").${name} | null`;
const point = "{ x: number; y: number }";
const frame = "{ scale: number; x: number; y: number }";
const fingers = "{ x: number; y: number; spread: number }";
const inset = "{ top: number; left: number; bottom: number; right: number }";
const sides = "{ top?: number; left?: number; bottom?: number; right?: number }";
const axis = '"x" | "y"';
/** Of the DOM's events it is known that they are of elements. */
const touches = "{ composedPath(): any[] } & TouchEvent & { target: any; currentTarget: any }";
const pressed = "PointerEvent & { target: any }";
const numbers = ["section", "row", "index", "count", "number", "limit", "height", "width", "top", "distance",
  "direction", "scale", "duration", "extent", "pulled", "offset", "start", "size", "from", "to", "x", "y",
  "value", "header", "length", "position", "clientY", "way", "time", "estimate", "by"];
const strings = ["id", "identifier", "kind", "sectionIdentifier", "itemID", "item", "key", "name", "text",
  "animation", "what", "when", "words", "color", "language", "script", "string", "letter"];
const truths = ["animated", "willDecelerate", "canZoom", "altKey", "ctrlKey", "metaKey", "isEnabled",
  "isSelected", "isAnimated", "isOver", "isDone", "isByStrokes"];

/** Of all views. */
const views = {
  ...Object.fromEntries(numbers.map((name) => [name, "number"])),
  ...Object.fromEntries(strings.map((name) => [name, "string"])),
  ...Object.fromEntries(truths.map((name) => [name, "boolean"])),
  path, paths: `(${path})[]`, sections: "number[]", ids: "string[]", counts: "number[]", list: "number[]",
  batch, cell, axis, point, place: point, event: "PointerEvent", _event: "PointerEvent | null",
  element: "HTMLElement", view: scrollView, table: tableView, make: "() => void",
  completion: "(() => void) | null | undefined",
};

/** Of the protocol. */
const feeds = {
  id: "string", text: "string", token: "string", since: "string", query: "string", count: "number",
  order: "string", total: "number", error: 'import("./Service.js").FreshetError',
  feed: 'import("./Feed.js").Feed<any>',
  service: 'import("./Service.js").Service',
  changes: 'import("../freshet.js").Changes<any>', old: "Snapshot<any>", now: "Snapshot<any>",
  snapshot: 'import("./Snapshot.js").Snapshot',
};

const action = "string | ((sender: Control, event: Event | null) => void)";
const target = `{ receiver: () => any; action: ${action}; event: string }`;
const boundary = "{ start: string; section: number | null }";
const run = "{ count: number; sum: number; heights: number[] | null }";
const row = "{ header: number; rows: RowHeights }";
const section = "{ id: string; items: string[] }";
const recorded = '"deleted" | "inserted" | "reloaded" | "moved"';
const rowChanges = `{ deleted: IndexPath[]; inserted: IndexPath[]; reloaded: IndexPath[];
  reconfigured: IndexPath[]; moved: [IndexPath, IndexPath][] }`;
const sectionChanges = "{ deleted: number[]; inserted: number[]; reloaded: number[]; moved: [number, number][] }";
const changes = 'import("../freshet.js").Changes<{ id: string }>';
const rows = 'import("../freshet.js").Changes<any>';
const followed = 'Pick<import("./Feed.js").Feed<any>, "id" | "sections" | "snapshot" | "token">';
const kept = `{ item?: string | null; section?: number; row?: number; below?: number; isAtTop?: boolean }`;

/** By file, and there by function, field or variable. */
const own = {
  "ui/page.js": {
    define: { type: "typeof UIElement & { tag?: string }", name: "any" },
    reflect: { type: "typeof UIElement", initial: "Record<string, string | number | boolean>",
      read: "(text: string) => unknown" },
    Base: "typeof HTMLElement", el: { attributes: "Record<string, string>",
      content: "(string | Node | (string | Node)[])", returns: "HTMLElement" },
    around: { node: "Element", returns: "Element" },
    region: "HTMLElement | null", load: { where: "() => Storage" }, save: { where: "() => Storage" },
  },
  "ui/Control.js": {
    selections: 'Record<string, "ariaPressed" | "ariaChecked" | "ariaSelected">',
    "#targets": `(${target})[]`, "#pointer": "number | null", "#keeps": "boolean | null",
    isEnabled: { returns: "boolean" }, allTargets: { returns: "Set<object | null>" },
    allControlEvents: { returns: "Set<string>" },
    addTarget: { target: "object | null", action, events: "string | string[]" },
    removeTarget: { target: "object | null", action: `${action} | null`, events: "string | string[] | null" },
    actions: { target: "object | null", event: "string" },
    sendAction: { action, target: "object | null", event: "Event | null", receiver: "any" },
    sendActions: { events: "string | string[]", event: "Event | null" },
    "#send": { arg: target, event: "Event | null" },
    handleKey: { event: "KeyboardEvent" },
    "#touchBegan": { arg: "TouchEvent" }, "#touchMoved": { event: "TouchEvent" },
    "#isToKeep": { rested: "number", view: `${scrollView} | null` },
    "#saySelected": { name: '"ariaPressed" | "ariaChecked" | "ariaSelected"' },
    "#down": { view: `${scrollView} | null | undefined` },
    nearest: { element: "any", selector: "string", returns: "any", one: "any" },
    beginTracking: { _event: "PointerEvent" }, continueTracking: { _event: "PointerEvent" },
    "#lose": { event: "PointerEvent | null" },
    accessibility: 'Record<string, "ariaLabel" | "role" | "ariaDescription" | "ariaValueText">',
    "#titles": "string[]", titles: { arg: "string[]" }, "#drawn": "unknown[]",
    "IndexBar.handleKey": { event: "KeyboardEvent", values: "Record<string, number>" },
    "#choose": { event: "Event | null" },
  },
  "ui/ScrollView.js": {
    "#delegate": protocol("ScrollViewDelegate"),
    delegate: { arg: protocol("ScrollViewDelegate"), returns: protocol("ScrollViewDelegate") },
    "#zooming": 'import("./Zooming.js").Zooming | null', "#zoomable": "Promise<void> | null",
    "#refreshControl": 'import("./RefreshControl.js").RefreshControl | null',
    refreshControl: { arg: 'import("./RefreshControl.js").RefreshControl | null' },
    contentOffset: { arg: "{ x?: number; y?: number }", returns: point },
    setContentOffset: { arg: "{ x?: number; y?: number }" },
    contentInset: { arg: sides, returns: inset }, adjustedContentInset: { style: "any" },
    verticalScrollIndicatorInsets: { arg: sides, returns: inset },
    horizontalScrollIndicatorInsets: { arg: sides, returns: inset },
    touchesShouldBegin: { _event: "Event", _control: "Element" },
    touchesShouldCancel: { element: "Element | null", returns: "boolean" },
    zoom: { rect: "{ x: number; y: number; width: number; height: number }" },
    scrollRectToVisible: { arg: "{ x?: number; y?: number; width?: number; height?: number }" },
    encodeRestorableState: { returns: "any" }, focusTarget: { returns: "HTMLElement" },
    temporaryInset: { returns: "number" }, decodeRestorableState: { arg: "any" }, maximumOffset: { axis },
    isAtEnd: { axis },
    insets: { bar: '"vertical" | "horizontal"', returns: inset },
    scrollToPosition: { top: "number | undefined", position: "number | undefined", left: "?number" },
    "#begins": { what: '"willBeginDragging" | "willBeginZooming"', element: "?any" },
    zoomWillBegin: { element: "HTMLElement | null" }, restore: { kept: "any" },
    handleKey: { event: "KeyboardEvent" }, "#zoom": { act: "() => void" },
    "#adjusted": "Record<string, number>", "#checkInset": { inset: "Record<string, number>" },
    setInsets: { bar: '"vertical" | "horizontal"', sides, insets: "Record<string, number>" },
    scrollTarget: `${indexPath} | null`, "#onward": "(() => void) | null",
    position: { returns: "number" }, "ScrollView has": { scrollTop: "number" },
    "TallScrollView has": { scrollTop: "number" },
    scrollToward: { path: indexPath, go: `(path: ${indexPath}, animated: boolean) => void` },
  },
  "ui/PanGestureRecognizer.js": {
    axis, direction: `${axis} | null`, "#view": scrollView, "#start": `${point} | null`,
    "#last": `${point} & { finger?: number; time?: number } | null`, "#way": `${point} | null`,
    "#event": "TouchEvent | null", "#halted": `{ offset: ${point}; scroll: () => void } | null`,
    "#followed": { event: touches }, "#pulled": { event: touches }, "#lifted": { event: touches },
    "#down": { event: touches }, "#follow": { event: touches }, "#pull": { event: touches },
    "#lift": { arg: touches }, "#decide": { event: touches, way: "any[]" }, "#isFar": { page: "Element" },
    "#distance": { element: "Element", other: "Element" },
    "#canPull": { event: touches },
    "#hold": { finger: `${point} | null` }, halt: { scroll: "() => void" },
    isControlled: { event: touches }, canScroll: { element: "Element" }, "#place": { arg: touches },
    decelerate: { returns: "() => void", show: "(left: number) => void", start: "number | undefined" },
  },
  "ui/Zooming.js": {
    "#view": scrollView, "#element": "any",
    "#size": "{ width: number; height: number } | null",
    between: { from: frame, to: frame, part: "number" }, mixed: { name: '"scale" | "x" | "y"' },
    constructor: { zooming: "Zooming" }, "#listening": "AbortController | null",
    "#grip": `{ point: ${point}; apart: number; unit: number } | null`, "#last": "any",
    "#actions": { returns: "Record<string, (event: any) => void>" },
    touched: { event: "TouchEvent" }, touchmove: { event: "TouchEvent" }, wheel: { event: "WheelEvent" },
    keydown: { event: "KeyboardEvent" }, told: { act: `(fingers: ${fingers}) => void`, event: "any" },
    "#touched": { arg: "TouchEvent" }, "#moved": { event: "TouchEvent" }, "#turned": { event: "WheelEvent" },
    "#pressed": { event: "KeyboardEvent", scales: "Record<string, number>" },
    "#fingers": { touches: "Iterable<Touch & { target: any }>" }, "#hold": { fingers },
    "#follow": { fingers }, "#end": { state: "string" },
    "#bent": { bend: "(pulled: number, extent: number) => number" },
  },
  "ui/RefreshControl.js": {
    occupiedHeight: { returns: "number" },
    "#host": `${scrollView} | null`, "#view": { returns: `${scrollView} | null` },
    attributedTitle: { arg: "string | null", returns: "string | null" },
  },
  "ui/RefreshingScrollView.js": { request: "(() => Promise<unknown>) | null" },
  "ui/RowSelection.js": {
    paths: `(${indexPath})[]`, active: `${indexPath} | null`,
    "#touched": `${cell} | null`,
    follow: { place: `(path: ${indexPath}) => ${indexPath} | null` },
    mark: { path: `${indexPath} | null` }, select: { path: `${indexPath} | null` },
    "#select": { path: `${indexPath} | null` }, "#has": { path: `(${path}) | null` },
    activate: { path: `${indexPath} | null` },
    key: { target: "EventTarget | null", steps: "Record<string, number>" },
    "#clicked": { event: "MouseEvent & { target: any }" }, "#down": { arg: pressed },
    highlight: { cell: `${cell} | null` }, isOperated: { element: "any" },
    cellOf: { element: "Element", returns: `${cell} | null`, row: `${cell} | null` },
    "#touch": `{ cell: ${shown}; x: number; way: number } | null`, "#cell": `${cell} | null`,
    "#strip": "HTMLElement | null", "#actions": 'import("./protocols.js").SwipeAction[]',
    "RowSwipe.#down": { arg: touches, cell: `${shown} | null` }, "#moved": { arg: "TouchEvent" },
    "#begin": { cell: shown,
    name: '"leadingSwipeActionsConfiguration" | "trailingSwipeActionsConfiguration"' },
    "#button": { action: 'import("./protocols.js").SwipeAction' },
    "#perform": { action: 'import("./protocols.js").SwipeAction' },
    "#slide": { arg: `${cell} | null` },
  },
  "ui/TableLayout.js": {
    from: { path: "{ row: number; section?: number }", returns: "IndexPath" },
    "TableLayout.sections": `(${row})[]`, remove: { returns: "number" },
    "Sums.constructor": { values: "number[]" },
    "TableUpdates.path": { path: "IndexPath", returns: "IndexPath | null" },
    "UpdateSequence.constructor": { counts: "number[]" },
    arrivedRows: { returns: "IndexPath[]" }, reloadedRows: { returns: "IndexPath[]" },
    reconfiguredRows: { returns: "IndexPath[]" }, arrivedSections: { returns: "number[]" },
    fail: { returns: "never" },
    isEqual: { other: `(${path}) | null` }, compare: { other: `(${path}) | null` },
    "#known": "{ heights: Sums; lines: Sums } | null", heightOf: { rows: "RowHeights" },
    path: { returns: "IndexPath | null" }, set: { made: `(${run})[]` },
    "#runs": `(${run})[]`, "#grow": { run, sum: "number" },
    rows: rowChanges, "TableUpdates.sections": sectionChanges, "#goneSections": "number[]",
    "#comeSections": "number[]", "#goneRows": "Map<number, number[]>", "#comeRows": "Map<number, number[]>",
    "#moves": "Map<string, IndexPath>", finish: { before: "number[]", after: "number[]" },
    "#checkRows": { after: "number[]" },
    apply: { layout: "TableLayout", make: `(section: number) => ${row}`, heights: "Map<string, number>",
      come: "[number, any][]", fresh: "Set<any>" },
    placed: { gone: "number[]", come: "number[]" },
    grouped: { paths: "IndexPath[]", groups: "Map<number, number[]>" },
    "#batches": "TableUpdates[]", "UpdateSequence.add": { batch: "TableUpdates", counts: "number[]" },
    "UpdateSequence.section": { returns: "number | null" },
    "UpdateSequence.path": { path: "IndexPath | null", returns: "IndexPath | null" },
    "UpdateSequence.isMoved": { path: "IndexPath | null", returns: "boolean" },
    "#places": { kind: '"reloaded" | "reconfigured"', returns: "IndexPath[]" },
    "#all": { way: '"path" | "section"', of: "(batch: TableUpdates) => any[]" },
    "#after": { place: "any", way: '"path" | "section"' },
    difference: { before: `(${section})[]`, after: `(${section})[]`,
      rows: 'TableUpdates["rows"]', sections: 'TableUpdates["sections"]' },
    moveAcross: { returns: "Set<string>", before: `(${section})[]`, moved: "[IndexPath, IndexPath][]",
      all: "{ from: number | undefined; section: number; items: string[]; ends: { start: number; ends: number } }[]",
      kept: "Map<number | undefined, { start: number; ends: number }>", old: "Map<string, IndexPath>",
      crossing: "Set<string>" },
    same: { before: "string[]", after: "string[]" },
    "compare()": { before: "string[]", after: "string[]", deleted: "any[]", inserted: "any[]", moved: "any[]",
      ends: "number", crossing: "Set<string>", place: "(index: number, isOld: boolean) => any",
      places: "Map<string, number>", common: "[number, number][]" },
    longestAscending: { tails: "number[]", previous: "number[]", kept: "Set<number>" },
  },
  "ui/TableRows.js": {
    cells: `(${shown})[]`, sections: "Map<number, HTMLElement>", told: `(${cell})[]`,
    "#kept": `${cell} | null`,
    remake: { path: indexPath, returns: `${shown} | null` }, "#kinds": `Map<string, new () => ${cell}>`,
    "#spare": `Map<string, (${cell})[]>`,
    register: { type: `new () => ${cell}` }, dequeue: { returns: cell },
    isOther: { cell: "any" }, headerOf: { section: "Element | undefined", returns: "Element | null" },
    "RowMotion.constructor": { view: scrollView, headers: "Element[]", cells: `(${cell})[]` },
    follow: { motion: "RowMotion | null", sections: "[any, HTMLElement][]", stay: `(${shown})[]` },
    "#refill": { was: shown, path: indexPath, returns: shown },
    "#make": { path: indexPath, cell: "any", returns: shown }, "#keepFocus": { cell: `${cell} | undefined` },
    show: { returns: `(${shown})[]`, paths: `(${indexPath})[]`, fresh: `(${shown})[]` },
    titleSection: { returns: "void" }, hasFocus: { cell: "Element" }, key: { arg: path },
    inserted: { paths: `(${indexPath})[]`, path: indexPath },
    headers: { returns: "Element[]" }, "#headers": "Map<Element, number>",
    "RowMotion.leave": { element: cell, then: "() => void" },
    run: { headers: "Element[]", cells: `(${cell})[]`,
      ways: `[Element & { indexPath?: ${indexPath} | null }, number][]` },
    "#ways": { cells: `(${cell})[]`, places: "Map<string, number>", returns: `[${cell}, number][]` },
    "#slide": { element: "Element" }, top: { element: "Element" },
  },
  "ui/TableView.js": {
    swipe: "RowSwipe | null", setStaticSections: { all: "{ title?: string | null; cells: HTMLElement[] }[]" },
    "StaticDataSource.constructor": { sections: "{ title?: string | null; cells: HTMLElement[] }[]" },
    attributeChangedCallback: { name: "?string", old: "?string | null", now: "?string | null" },
    indexPathsForVisibleRows: { returns: "IndexPath[]" },
    "#held": "IndexPath | null", "#source": protocol("TableViewDataSource"),
    "#updates": "TableUpdates | null",
    "#completions": "((() => void) | null | undefined)[]", same: { path: "IndexPath" },
    dataSource: { arg: protocol("TableViewDataSource"), returns: protocol("TableViewDataSource") },
    prefetchDataSource: protocol("TableViewDataSourcePrefetching"),
    delegate: { arg: protocol("TableViewDelegate"), returns: protocol("TableViewDelegate") },
    register: { type: `new () => ${cell}` }, dequeueReusableCell: { _indexPath: `?${path}`, returns: "any" },
    reloadKeeping: { place: "(path: IndexPath) => IndexPath | null" },
    performBatchUpdates: { updates: "(() => void) | null" },
    performBatches: { all: "(((updates: TableUpdates) => void) | null)[]", animated: "?boolean",
      completions: "((() => void) | null | undefined)[]" },
    moveRow: { to: path },
    indexPath: { cell: "HTMLElement & { indexPath?: IndexPath | null }", returns: "IndexPath | null" },
    activateRow: { path: "IndexPath" }, indexPathForSelectedRow: { returns: "IndexPath | null" },
    selectRow: { path: `(${path}) | null`, position: "string | null" },
    encodeRestorableState: { returns: kept }, decodeRestorableState: { arg: "any", path: "IndexPath" },
    sectionTitle: { returns: "string | null" }, makeCell: { path: "IndexPath", returns: cell },
    handleKey: { event: "KeyboardEvent" }, "#recordRows": { how: recorded },
    "#record": { what: '"rows" | "sections"', how: recorded, list: "any[]" },
    focus: { options: "?FocusOptions" }, "#eye": { returns: "IndexPath | null" },
    stays: { path: "IndexPath" },
    applyBatch: { motion: "RowMotion | null" },
    holdRow: { path: "IndexPath | null", below: "number | null | undefined", change: "() => void" },
    refillRows: { paths: "IndexPath[]" }, "#remake": { paths: "IndexPath[]" },
    "#measure": { cells: `(${shown})[]`, eye: "any" },
    "#place": { header: "HTMLElement | null", starts: "Map<number, number>" },
    go: { to: "IndexPath" }, parts: "Record<string, number>",
    cells: { parent: "Element", returns: "HTMLElement[]" },
    handleContentChange: { position: "number" },
    "#pathsInSight": { returns: "IndexPath[]" },
    set: { name: '"top" | "height"', value: "string" },
    "#table": tableView, "#named": "Map<string, IndexPath>",
    shown: { paths: "IndexPath[]", wanted: "Map<string, IndexPath>" },
  },
  "ui/TableViewCell.js": { indexPath: `${indexPath} | null` },
  "ui/DiffableDataSource.js": {
    "#unseenAbove": "Set<T>", unseenAbove: { returns: "ReadonlySet<T>" },
    unseenAboveChanged: "(() => void) | null",
    "DiffableDataSource.constructor": { tableView,
      cellProvider: `(table: ${tableView}, indexPath: IndexPath, item: T) => HTMLElement` },
    apply: { snapshot: "DiffableDataSourceSnapshot" }, "#sections": `(${section})[]`,
    fail: { returns: "never" },
    "#count": { rows: "any[]", fresh: "any[]" }, noteUnseen: { identifiers: "Iterable<T>" },
    "#apply": { snapshot: "DiffableDataSourceSnapshot", animatingDifferences: "boolean" },
    applySnapshotUsingReloadData: { snapshot: "DiffableDataSourceSnapshot" },
    "DiffableDataSource.applyChanges": { changes: `${changes} | (${changes})[]` },
    "#applyChanges": { all: `(${changes})[]`, animatingDifferences: "boolean" },
    "#record": { args: [changes, 'import("./TableLayout.js").TableUpdates'] }, place: { section: "string" },
    number: { id: "string" }, cell: { path: "IndexPath", table: tableView },
    itemIdentifier: { returns: "T | null" },
    sectionIdentifier: { returns: "string | null" }, indexPath: { returns: "IndexPath | null" },
    "#reload": { before: "DiffableDataSourceSnapshot", change: "() => void" },
    arrangedCount: { arg: changes },
    idAt: { snapshot: "DiffableDataSourceSnapshot", arg: path, returns: "any" },
    "#owners": `Map<string, ${section}> | null`,
    reloadedItemIdentifiers: "Set<string>", reconfiguredItemIdentifiers: "Set<string>",
    reloadedSectionIdentifiers: "Set<string>", of: { sections: "Iterable<[string, string[]]>" },
    copy: { made: "any", returns: "DiffableDataSourceSnapshot" },
    insertSections: { before: "?string", after: "?string" },
    moveSection: { before: "?string", after: "?string" },
    insertItems: { before: "?string", after: "?string", beside: "any", section: "any" },
    moveItem: { place: "{ before?: string; after?: string }", beside: "any" },
    "#section": { id: "string | undefined" },
    pathFinder: { returns: "(id: string) => IndexPath", paths: "Map<string, IndexPath>" },
    applyChanges: { sections: 'import("../freshet.js").SectionChanges',
      items: 'import("../freshet.js").ItemChanges<{ id: string }>' },
    "#unmark": { ids: "Iterable<string>" }, "#take": { ids: "Iterable<string>" },
    "#know": { ids: "Iterable<string>" },
    "#add": { section }, "#beside": { before: "any", after: "any" },
    grouped: { template: "One, Name", list: "Iterable<One>", by: "(one: One) => Name",
      groups: "Map<Name, One[]>" },
    once: { isThere: "(id: string) => unknown" },
    byIndex: { one: "{ index: number }", other: "{ index: number }" },
    put: { items: "string[]", placed: "{ index: number; id: string }[]" },
  },
  "ui/IndexedCollation.js": {
    implied: "Record<string, string>", "#boundaries": `Map<string | null, (${boundary})[]>`,
    sectionTitles: "string[]", sortedArray: { keyed: "[string, T][]" },
    "#add": { script: "string | null", letters: "string[]", first: "number | null" },
    mark: { strokes: "number" }, "#put": { script: "string | null", list: `(${boundary})[]` },
    "#ordered": { list: `(${boundary})[]` },
    nameOf: { object: "any", by: "(object: any) => string" }, range: { from: "string", to: "string" },
  },
  "freshet/Cache.js": { write: { feed: "string" }, keys: { feed: "string" } },
  "freshet/Connection.js": {
    rowsAfter: { arg: followed, returns: `Promise<${rows} | null>` },
    events: { returns: "AsyncGenerator<string>" },
    "Connection.constructor": { times: 'Partial<import("../freshet.js").Times> | undefined' },
  },
  "freshet/Feed.js": { isPart: { arg: "any" }, nextFrame: { returns: "Promise<void>" } },
  "freshet/Service.js": {
    isList: { value: "unknown" }, type: { returns: "string | undefined" },
    key: { arg: "string | undefined" }, rowsAfter: { feed: followed, returns: `Promise<${rows} | null>` },
    expect: { error: "Error" },
    connection: { returns: 'import("./Connection.js").Connection | undefined' },
    connect: { returns: 'Promise<import("./Connection.js").Connection>' },
  },
  "freshet/Snapshot.js": { order: { returns: "string" }, read: { sections: "Section[]", total: "?number" } },
};

/** The names that hold everywhere, by folder. */
export const everywhere = { ui: views, freshet: feeds };

/** Returns the names that hold in a file, and its entries. */
export function typesOf(file) { return [everywhere[file.split("/")[0]] ?? {}, own[file] ?? {}]; }
