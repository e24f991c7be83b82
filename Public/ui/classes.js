// The classes of docs/UI.md alone: nothing is registered until one is made.

export { ActivityIndicator, RefreshControl } from "./RefreshControl.js";
export { announce } from "./page.js";
export { Control, ControlState } from "./Control.js";
export { DiffableDataSource, DiffableDataSourceSnapshot } from "./DiffableDataSource.js";
export { IndexBar } from "./Control.js";
export { IndexedCollation } from "./IndexedCollation.js";
export { IndexPath } from "./TableLayout.js";
export { RefreshingScrollView } from "./RefreshingScrollView.js";
export { ScrollView } from "./ScrollView.js";
export { TableView } from "./TableView.js";
export { TableViewCell } from "./TableViewCell.js";
