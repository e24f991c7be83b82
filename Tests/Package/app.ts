// A page in strict TypeScript that uses what docs/WEB.md and docs/UI.md describe. It is compiled,
// not run: what it says of types must be so.

import { Cache, Feed, FreshetError, RefreshResult, Service, Snapshot, crc32 } from "freshet-web";
import { Service as ByName } from "freshet-web/freshet/Service.js";
import {
  ActivityIndicator, Control, ControlState, DiffableDataSource, DiffableDataSourceSnapshot, IndexBar,
  IndexedCollation, IndexPath, RefreshControl, RefreshingScrollView, ScrollView, TableView,
  TableViewCell, announce, type ScrollViewDelegate,
} from "freshet-web/ui.js";
import { TableView as Alone } from "freshet-web/ui/TableView.js";
import "freshet-web/define.js";

const service: ByName = new Service("https://example.org", {
  key: "a key", cache: new Cache("mine"), fetch, times: { answer: 1000, most: 5000 },
});
service.key = undefined;
const ending = new AbortController();
const lists: Promise<string[]> = service.feeds({ signal: ending.signal })
  .then((feeds) => feeds.map(({ id, title, count }) => `${title ?? id} ${count.toFixed()}`));
const answer: Promise<Response> = service.request("/feeds/garden", {
  method: "PUT", headers: { "Content-Type": "application/json" }, body: "{}", signal: ending.signal,
});

const feed = new Feed(service, "news", { first: 60, as: "changes" });
const view = new Feed(service, "news", { limit: 10, sections: ["top"] });
const pause: Promise<number> = service.pull([feed, view], { wait: 30 });

async function read(): Promise<string> {
  try {
    const result: RefreshResult = await feed.refresh({ signal: ending.signal });
    const ids: Set<string> = result.inserted;
    return result.isFirst || ids.size === 0 ? result.words : [...result.updated].join();
  } catch (error) {
    if (!(error instanceof FreshetError)) throw error;
    const status: number | undefined = error.status;
    return `${status ?? "nothing answered"} ${error.message} ${error.type ?? ""}`;
  }
}
feed.live({ signal: ending.signal });
feed.stop();
const state: "idle" | "refreshing" | "live" | "offline" | "failed" = feed.state;
const missingSince: Date | null = feed.missingSince;
const refreshed: Date | null = feed.refreshed;
const token: string | null = feed.token;
const snapshot: Snapshot | null = feed.snapshot;
const title: unknown = snapshot?.item("a")?.["title"];
const total: number | undefined = snapshot?.total;
const sum: number = crc32([new TextEncoder().encode("a")] as unknown as string);

const table = new TableView();
table.rowHeight = 44;
table.allowsMultipleSelection = true;
table.register(class extends TableViewCell {}, "row");
const cell: TableViewCell = table.dequeueReusableCell("row");
cell.textLabel.textContent = "Title";
cell.accessory = "checkmark";
table.dataSource = {
  numberOfRows: () => 3, cell: () => cell, titleForHeader: (section: number) => `${section}`,
};
table.delegate = {
  didSelectRow: (path) => { table.deselectRow(path, true); },
  didScroll: (view) => { view.contentInset = { top: view.contentOffset.y }; },
  trailingSwipeActionsConfiguration: ({ row }) => (row === 0 ? null : { actions: [{ title: "Star" }] }),
};
// @ts-expect-error A delegate is told of a place, not of a number.
table.delegate = { didSelectRow: (row: number) => console.log(row) };
// @ts-expect-error A data source has cells.
table.dataSource = { numberOfRows: () => 3 };
table.selectRow({ section: 0, row: 1 }, true, "top");
const chosen: IndexPath | null = table.indexPathForSelectedRow;
table.performBatchUpdates(() => { table.insertRows([new IndexPath(0)]); });
table.scrollToRow(new IndexPath(2), "middle", true);
const paths: IndexPath[] = table.indexPathsForVisibleRows;
const cells: HTMLElement[] = table.visibleCells;

const source = new DiffableDataSource(table, (_, path, item) => {
  const row = table.dequeueReusableCell("row", path);
  row.textLabel.textContent = item;
  return row;
});
const next = new DiffableDataSourceSnapshot();
next.appendSections(["fruit"]);
next.appendItems(["apple", "pear"], "fruit");
next.reconfigureItems(["pear"]);
source.apply(next, false, () => announce("there"));
source.applyChanges([{ items: { remove: ["pear"] } }]);
const place: IndexPath | null = source.indexPath("pear");
const id: string | null = source.itemIdentifier(new IndexPath(0));

const delegate: ScrollViewDelegate = { viewForZooming: (view) => view.contentView };
const scroll: ScrollView = new Alone();
scroll.setContentOffset({ y: 10 }, true);
scroll.contentInset = { top: 1 };
scroll.zoom({ x: 0, y: 0, width: 1, height: 1 });
scroll.delegate = delegate;
scroll.bounces = false;
scroll.minimumZoomScale = 1;
scroll.restorationIdentifier = "here";
scroll.scrollRectToVisible({ x: 0, y: 0, width: 1, height: 1 }, true);
const pulled = new RefreshControl();
pulled.addTarget(null, (control) => (control as RefreshControl).endRefreshing("2 new"), "valueChanged");
pulled.actions(null, "valueChanged");
pulled.removeTarget(null, null, "valueChanged");
pulled.attributedTitle = "Updated";
pulled.tintColor = "red";
scroll.refreshControl = pulled;
scroll.refreshControl = null;

interface Price { id: string; value: number }
const prices = new Feed<Price>(service, "prices");
const price: number | undefined = prices.snapshot?.item("a")?.value;
prices.addEventListener("change", ({ detail }) => {
  if (detail.changes) source.applyChanges(detail.changes);
  const values: number[] | undefined = detail.changes?.items?.insert?.map(({ item }) => item.value);
  console.log(values, price);
});
prices.addEventListener("state", (event: Event) => console.log(event.type), { once: true });
// @ts-expect-error There is no such event.
prices.addEventListener("chnge", () => {});
// @ts-expect-error There is no such event.
prices.removeEventListener("chnge", () => {});
// @ts-expect-error Such an item has no such member.
prices.snapshot?.item("a")?.titel;
// @ts-expect-error An item has an id.
new Feed<{ value: number }>(service, "prices");
const kinds = new DiffableDataSource<"fruit" | "nut">(table, (owner, path, item) => {
  const kind: "fruit" | "nut" = item;
  return Object.assign(owner.dequeueReusableCell("row", path), { title: kind });
});
kinds.titleForHeader = (index) => (index === 0 ? "All" : null);
// @ts-expect-error A title is text.
kinds.titleForHeader = () => 1;

class Toggle extends Control {
  override endTracking(event: PointerEvent | null) {
    super.endTracking(event);
    this.isSelected = !this.isSelected;
    this.sendActions("valueChanged");
  }
}
const toggle = new Toggle();
toggle.isEnabled = (toggle.state & ControlState.disabled) === 0;

const own = new RefreshingScrollView();
own.request = async () => 1;
const wheel = new ActivityIndicator();
wheel.hidesWhenStopped = false;
wheel.startAnimating();
const bar = new IndexBar();
bar.titles = ["A", "B"];
const collation = new IndexedCollation("sv");
const sorted: { name: string }[] = collation.sortedArray([{ name: "Å" }], ({ name }) => name);
const section: number = collation.section("Å") + IndexedCollation.current.sectionTitles.length;

export {
  answer, bar, cells, chosen, id, lists, missingSince, own, paths, pause, place, read, refreshed, section, sorted, state,
  sum, title, token, total,
};
