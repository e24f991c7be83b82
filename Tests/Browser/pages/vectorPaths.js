import { DiffableDataSourceSnapshot, IndexPath } from "/ui.js";
import { sectionsOf } from "/tests/uiVectors.js";

/** The index path that a case writes as `"SECTION.ROW"`. */
export function pathOf(text) {
  const [section, row] = text.split(".").map(Number);
  return new IndexPath(row, section);
}

export function nameOf(path) { return path ? `${path.section}.${path.row}` : null; }

export function snapshotOf(list) {
  return DiffableDataSourceSnapshot.of(sectionsOf(list).map(({ id, rows }) => [id, rows]));
}
