// The classes of docs/UI.md alone: nothing is registered until one is made.

export { ActivityIndicator } from "./ui/ActivityIndicator.js";
export { announce } from "./ui/announce.js";
export { Control, ControlState } from "./ui/Control.js";
export { DiffableDataSource } from "./ui/DiffableDataSource.js";
export { DiffableDataSourceSnapshot } from "./ui/DiffableDataSourceSnapshot.js";
export { IndexBar } from "./ui/IndexBar.js";
export { IndexedCollation } from "./ui/IndexedCollation.js";
export { IndexPath } from "./ui/IndexPath.js";
export { RefreshControl } from "./ui/RefreshControl.js";
export { RefreshingScrollView } from "./ui/RefreshingScrollView.js";
export { ScrollView } from "./ui/ScrollView.js";
export { TableView } from "./ui/TableView.js";
export { TableViewCell } from "./ui/TableViewCell.js";
