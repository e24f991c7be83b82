// The types of parameters, and of what is returned, that scripts of the web client name without a tag:
// in its sources a name always means the same, so that its type is said once, here, and not on the way
// to every reader of the pages. Where a name means something else, its method says so.

/** Any object that has these is the place of a row. */
const path = "{ row: number; section: number }";
const batch = 'import("./TableLayout.js").UpdateSequence';
const cell = 'import("./TableViewCell.js").TableViewCell';
const point = "{ x: number; y: number }";
const numbers = ["section", "sections", "row", "index", "count", "number", "limit", "height", "width", "left",
  "top", "below", "distance", "direction", "scale", "duration", "extent", "pulled", "offset", "start", "size",
  "from", "to", "x", "y", "value", "header", "length", "position", "clientY"];
const strings = ["id", "identifier", "kind", "sectionIdentifier", "itemID", "item", "before", "after", "key",
  "toSection", "name", "text", "token", "order", "since", "axis", "bar", "query"];
const truths = ["animated", "willDecelerate", "isAtTop", "canZoom", "altKey", "ctrlKey", "metaKey"];

/** Parameters of all views, and members of those that are taken apart; `?` before a type: it may be left out. */
const views = {
  ...Object.fromEntries(numbers.map((name) => [name, "number"])),
  ...Object.fromEntries(strings.map((name) => [name, "string"])),
  ...Object.fromEntries(truths.map((name) => [name, "boolean"])),
  path, paths: `(${path})[]`, other: `(${path}) | null`, ids: "string[]", identifiers: "Iterable<string>",
  counts: "number[]", list: "number[]", batch, cell, event: "Event", _event: "PointerEvent | null",
  element: "HTMLElement", options: "FocusOptions", point, sections: "number[]",
};

/** Those of the protocol. */
const protocol = {
  id: "string", text: "string", token: "string", since: "string", query: "string", count: "number",
  order: "string", total: "number", error: "Error", feed: 'import("./Feed.js").Feed<any>',
  service: 'import("./Service.js").Service', times: 'import("../freshet.js").Times',
  changes: 'import("../freshet.js").Changes<any>', old: "Snapshot<any>", now: "Snapshot<any>",
  snapshot: 'import("./Snapshot.js").Snapshot', key: "string | undefined",
};

/** By file and method, or property: parameters by their names, and as `returns` what comes back. */
const own = {
  "ui/TableLayout.js": {
    difference: { before: "{ id: string; items: string[] }[]", after: "{ id: string; items: string[] }[]",
      rows: 'TableUpdates["rows"]', sections: 'TableUpdates["sections"]' },
    longestAscending: { returns: "Set<number>" },
    height: { returns: "number" }, lineCount: { returns: "number" }, top: { returns: "number" },
    bottom: { returns: "number" }, rowTop: { returns: "number" }, firstLine: { returns: "number" },
    line: { section: "number", returns: "number" }, moved: { by: "number" },
    section: { section: "number", returns: "number | null" }, resized: { section: "number" },
    finish: { before: "number[]", after: "number[]" }, path: { returns: "IndexPath | null" },
    isMoved: { returns: "boolean" },
    apply: { layout: "TableLayout", make: '(section: number) => TableLayout["sections"][number]' },
  },
  "ui/TableView.js": {
    numberOfRows: { section: "number" },
    dequeueReusableCell: { _indexPath: path },
    reloadKeeping: { place: `(path: IndexPath) => (${path}) | null | undefined` },
    performBatches: { all: "((() => void) | null)[]", completion: "(() => void) | null | undefined",
      animated: "boolean | undefined" },
    moveRow: { to: path }, indexPath: { cell: "HTMLElement", returns: "IndexPath | null" },
    moveSection: { section: "number" }, selectRow: { path: `(${path}) | null` },
    sectionTitle: { section: "number", returns: "string | null" },
    headerHeight: { section: "number", returns: "number" },
    encodeRestorableState: { item: "string | undefined" }, decodeRestorableState: { item: "?string", section: "?number",
      row: "?number", below: "?number", isAtTop: "?boolean" },
    makeCell: { returns: cell }, scrollTarget: { returns: "IndexPath | null" }, makeChange: { make: "() => void" },
    applyBatch: { motion: 'import("./TableRows.js").RowMotion | null' },
    holdRow: { path: "IndexPath | null", below: "number | null" },
    read: { element: "HTMLElement" }, titleForHeader: { section: "number" },
  },
  "ui/DiffableDataSource.js": {
    applyChanges: { sections: 'import("../freshet.js").SectionChanges',
      items: 'import("../freshet.js").ItemChanges' },
    applySnapshotUsingReloadData: { snapshot: "DiffableDataSourceSnapshot" },
    numberOfRows: { section: "number" }, cell: { table: 'import("./TableView.js").TableView' },
    itemIdentifier: { returns: "string" }, indexPath: { item: "string" },
    of: { sections: "Iterable<[string, string[]]>" },
    sectionIdentifier: { returns: "string | null" },
    reloadedItemIdentifiers: { returns: "Set<string>" }, reconfiguredItemIdentifiers: { returns: "Set<string>" },
    reloadedSectionIdentifiers: { returns: "Set<string>" },
    insertSections: { before: "?string", after: "?string" },
    moveSection: { before: "?string", after: "?string" },
    insertItems: { before: "?string", after: "?string" },
    moveItem: { place: "{ before?: string; after?: string }" },
  },
  "ui/ScrollView.js": {
    position: { arg: "number", returns: "number" }, touchesShouldBegin: { _event: "Event", _control: "Element" },
    touchesShouldCancel: { element: "Element | null", returns: "boolean" },
    zoomScale: { arg: "number", returns: "number" }, isZooming: { returns: "boolean" },
    isZoomBouncing: { returns: "boolean" },
    scrollTarget: { returns: 'import("./TableLayout.js").IndexPath | null' },
    pinchGestureRecognizer: { returns: 'import("./Zooming.js").PinchGestureRecognizer | null' },
    scrollTop: { returns: "number" },
    scrollToPosition: { top: "number | undefined", left: "number | undefined" },
    handleKey: { event: "KeyboardEvent" },
    setInsets: { sides: "{ top?: number; left?: number; bottom?: number; right?: number }" },
    contentLength: { arg: "number" }, scrollToward: { go: `(path: ${path}, animated: boolean) => void` },
    toElement: { returns: "number" }, toContent: { returns: "number" },
  },
  "ui/Zooming.js": {
    point: { place: point }, follow: { place: point }, settle: { place: point }, move: { place: point },
    constructor: { zooming: "Zooming" },
  },
  "ui/TableRows.js": {
    register: { type: "typeof HTMLElement" }, dequeue: { returns: "TableViewCell" },
    follow: { motion: "RowMotion | null" }, remake: { returns: "TableViewCell | null | undefined" },
    titleSection: { returns: "void" }, leave: { element: "TableViewCell", returns: "Promise<void>" },
    run: { headers: "Iterable<HTMLElement>", cells: "TableViewCell[]", returns: "Promise<unknown>" },
  },
  "ui/Control.js": {
    ariaDisabled: { returns: "string | null" },
    beginTracking: { _event: "PointerEvent" }, continueTracking: { _event: "PointerEvent" },
    sendActions: { events: "string | string[]" }, handleKey: { event: "KeyboardEvent" },
    titles: { arg: "string[]", returns: "string[]" },
  },
  "ui/RowSelection.js": {
    key: { target: "EventTarget | null" },
    follow: { place: `(path: import("./TableLayout.js").IndexPath) => import("./TableLayout.js").IndexPath | null` },
    mark: { path: 'import("./TableLayout.js").IndexPath' }, highlight: { cell: `${cell} | null` },
  },
  "ui/PanGestureRecognizer.js": {
    decelerate: { show: "(left: number) => void" }, halt: { scroll: "() => void" },
  },
  "ui/page.js": {
    define: { type: "typeof UIElement" },
    reflect: { type: "typeof UIElement", initial: "Record<string, string | number | boolean>" },
  },
  "ui/IndexedCollation.js": {
    sectionForSectionIndexTitle: { returns: "number" }, section: { returns: "number" },
  },
  "freshet/Cache.js": { write: { feed: "string" } },
  "freshet/Connection.js": { rowsAfter: { sections: "string[]" } },
  "freshet/Feed.js": { nextFrame: { returns: "Promise<void>" } },
  "freshet/Service.js": {
    isList: { value: "unknown" }, type: { returns: "string | undefined" },
    key: { arg: "string | undefined" },
    connection: { returns: 'import("./Connection.js").Connection | undefined' },
    connect: { returns: 'Promise<import("./Connection.js").Connection>' },
  },
  "freshet/Snapshot.js": { order: { returns: "string" }, read: { sections: "Section[]", total: "?number" } },
};

/** The end of a declaration that does not say what comes back, or is held. */
const untyped = /: (?:any|null|any\[\]|Set<any>|Promise<any>|Promise<PromiseSettledResult<any>\[\]>);$/;
/** The beginning of one, with its name. */
const named =
  /^(?:export function |    (?:\/\*\*.*\*\/ )?(?:(?:static|readonly|get|set) )*)(\w+)\??[(:<]|\*\/ (?:get|set) (\w+)\(/;

/** Returns declarations in which what had no type has that of its name. */
export function typed(declarations, file) {
  const all = file.startsWith("ui/") ? views : protocol;
  let [here, isOpen] = [{}, false];
  return declarations.split("\n").map((line) => {
    if (/^\s*(\*|\/\*\*)/.test(line) && !line.includes("*/ ")) return line;
    const [, member, accessor] = named.exec(line) ?? [];
    const name = member ?? accessor;
    const isNamed = name !== undefined && !isOpen;
    if (isNamed) here = own[file]?.[name] ?? {};
    // What is taken apart takes lines of its own.
    isOpen = isOpen ? !/^ {0,4}\}/.test(line) || /\{$/.test(line) : isNamed && /\(.*\{$/.test(line);
    const isEnd = isNamed || /^ {0,4}\}/.test(line);
    const known = isEnd && here.returns ? line.replace(untyped, `: ${here.returns};`) : line;
    return known.replace(/\b(\w+)(\??): any\b(?:\[\])?/g, (whole, one, mark) => {
      const type = here[one] ?? all[one];
      if (type === undefined) return whole;
      return type.startsWith("?") ? `${one}?: ${type.slice(1)}` : `${one}${mark}: ${type}`;
    });
  }).join("\n");
}
