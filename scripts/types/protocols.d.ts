// What views ask of those that an app gives them: docs/UI.md.

import type { IndexPath } from "./TableLayout.js";
import type { ScrollView } from "./ScrollView.js";
import type { TableView } from "./TableView.js";
import type { TableViewCell } from "./TableViewCell.js";

export interface ScrollViewDelegate {
  didScroll?(view: ScrollView): void;
  willBeginDragging?(view: ScrollView): void;
  didEndDragging?(view: ScrollView, willDecelerate: boolean): void;
  didEndDecelerating?(view: ScrollView): void;
  didScrollToTop?(view: ScrollView): void;
  didChangeAdjustedContentInset?(view: ScrollView): void;
  viewForZooming?(view: ScrollView): HTMLElement | null;
  willBeginZooming?(view: ScrollView, element: HTMLElement): void;
  didZoom?(view: ScrollView): void;
  didEndZooming?(view: ScrollView, element: HTMLElement, scale: number): void;
  /** Of a `RefreshingScrollView`: what its request came to. */
  needsRefresh?(data: any, view: ScrollView): void;
  didFail?(error: unknown, view: ScrollView): void;
}

export interface TableViewDelegate extends ScrollViewDelegate {
  willDisplay?(cell: TableViewCell, indexPath: IndexPath): void;
  didSelectRow?(indexPath: IndexPath): void;
  didDeselectRow?(indexPath: IndexPath): void;
  performPrimaryAction?(indexPath: IndexPath): void;
  leadingSwipeActionsConfiguration?(indexPath: IndexPath, table: TableView): SwipeActionsConfiguration | null;
  trailingSwipeActionsConfiguration?(indexPath: IndexPath, table: TableView): SwipeActionsConfiguration | null;
}

export interface SwipeActionsConfiguration {
  actions: SwipeAction[];
  performsFirstActionWithFullSwipe?: boolean;
}

export interface SwipeAction {
  title: string;
  style?: "normal" | "destructive";
  handler?(action: SwipeAction): void;
}

export interface TableViewDataSource {
  numberOfSections?(table: TableView): number;
  numberOfRows(section: number, table: TableView): number;
  cell(indexPath: IndexPath, table: TableView): HTMLElement;
  titleForHeader?(section: number, table: TableView): string | null | undefined;
  sectionIndexTitles?(table: TableView): string[];
  sectionForSectionIndexTitle?(title: string, index: number, table: TableView): number;
  /** By what a row is known again when its place is restored. */
  itemIdentifier?(indexPath: IndexPath): string | null;
  indexPath?(item: string): IndexPath | null;
  rowsDidShow?(table: TableView): void;
}

export interface TableViewDataSourcePrefetching {
  prefetchRows(indexPaths: IndexPath[], table: TableView): void;
  cancelPrefetchingForRows?(indexPaths: IndexPath[], table: TableView): void;
}
