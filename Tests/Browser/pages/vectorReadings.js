import { ControlState } from "/ui.js";
import { expanded, listOf, sectionsOf } from "/tests/uiVectors.js";
import { nameOf, pathOf } from "./vectorPaths.js";

const frame = ({ x, y, width, height }) => [x, y, width, height];

/** Whether a list has entries in an order, perhaps among others. */
function inOrder(list, entries) {
  let from = 0;
  for (const entry of entries) {
    from = list.indexOf(entry, from) + 1;
    if (from === 0) return false;
  }
  return true;
}

/** What can be expected of a case. @param {object} stage @returns by name, a function of it */
export function readings(stage) {
  const { view, log, source, controls: { refreshControl }, targets } = stage;
  const top = view.getBoundingClientRect().top;
  const belowTop = (element) => element.getBoundingClientRect().top - top;
  const text = (cell) => cell.textLabel.textContent;
  const looking = (property) => view.visibleCells.filter((cell) => cell[property]).map(text);
  const headers = () => [...view.rows.sections].sort(([one], [other]) => one - other)
    .map(([number, section]) => [number, section.querySelector(":scope > .ui-header")])
    .filter(([, header]) => header && belowTop(header) < view.clientHeight
      && belowTop(header) + header.offsetHeight > 0);
  const plain = ["contentInset", "adjustedContentInset", "isTracking", "isDragging",
    "isDecelerating", "isTouchInside", "isEnabled", "isSelected", "isHighlighted"];
  const named = (list) => ({ has, lacks = [] }) => ({
    has: has?.filter((path) => list.includes(path)),
    lacks: lacks.filter((path) => !list.includes(path)),
  });
  return {
    ...Object.fromEntries(plain.map((name) => [name, () => view[name]])),
    log: () => log.fresh,
    logHas: (entries) => (inOrder(log.fresh, entries) ? entries : log.fresh),
    logLacks: (entries) => (entries.some((one) => log.all.includes(one)) ? log.all : entries),
    properties: (names) => Object.fromEntries(Object.keys(names).map((name) => [name, view[name]])),
    contentOffset: () => [view.contentOffset.x, view.contentOffset.y],
    contentSize: () => [view.contentSize.width, view.contentSize.height],
    isRefreshing: () => (refreshControl ?? view).isRefreshing,
    isAnimating: () => (view.indicator ?? refreshControl?.querySelector("activity-indicator")
      ?? view).isAnimating,
    isHidden: () => getComputedStyle(view).visibility === "hidden",
    attributedTitle: () => refreshControl.attributedTitle,
    header: () => belowTop(view.header),
    visible: () => {
      const paths = view.indexPathsForVisibleRows.map(nameOf);
      return paths.length > 0 ? [paths[0], paths.at(-1)] : [];
    },
    names: (names) => {
      const shown = view.visibleCells.map(text);
      return String(shown) === String(expanded(names)) ? names : shown;
    },
    tops: (tops) => Object.fromEntries(view.visibleCells.filter((cell) => text(cell) in tops)
      .map((cell) => [text(cell), belowTop(cell)])),
    heights: (names) => Object.fromEntries(view.visibleCells.filter((cell) => text(cell) in names)
      .map((cell) => [text(cell), cell.getBoundingClientRect().height])),
    counts: () => Array.from({ length: view.numberOfSections }, (_, one) => view.numberOfRows(one)),
    rects: (rects) => Object.fromEntries(Object.keys(rects)
      .map((path) => [path, frame(view.rectForRow(pathOf(path)))])),
    headers: () => headers().map(([number, header]) => [number, belowTop(header)]),
    headerTitles: () => headers().map(([, header]) => header.textContent),
    cells: (paths) => Object.fromEntries(Object.keys(paths).map((path) => {
      const cell = view.cellForRow(pathOf(path));
      return [path, cell && text(cell)];
    })),
    selected: () => view.indexPathsForSelectedRows.map(nameOf),
    looksSelected: () => looking("isSelected"),
    looksHighlighted: () => looking("isHighlighted"),
    indexTitles: () => view.querySelector("index-bar")?.titles ?? null,
    made: () => source.made,
    asked: () => source.asked,
    kept: () => source.kept,
    prefetched: (expected) => named(source.prefetched)(expected),
    cancelled: (expected) => named(source.cancelled)(expected),
    state: () => Object.keys(ControlState).filter((name) => view.state & ControlState[name]),
    actions: (actions) => Object.fromEntries(Object.keys(actions).map((key) => {
      const [target, event] = key.split(" ");
      return [key, view.actions(target === "null" ? null : targets[target], event)];
    })),
    targets: () => view.allTargets.size,
    events: () => [...view.allControlEvents].sort(),
    sections: (list) => {
      const shown = listOf(source.diffable.snapshot());
      const wanted = sectionsOf(list).map(({ id, rows }) => ({ id, rows }));
      return JSON.stringify(shown) === JSON.stringify(wanted) ? list : shown;
    },
    indexPaths: (items) => Object.fromEntries(Object.keys(items)
      .map((item) => [item, nameOf(source.diffable.indexPath(item))])),
    identifiers: (paths) => Object.fromEntries(Object.keys(paths)
      .map((path) => [path, source.diffable.itemIdentifier(pathOf(path))])),
    wrong: () => source?.wrong ?? [],
  };
}
