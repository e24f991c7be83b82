"""How fast a long table scrolls: printed, since it is this machine's; only counts are tested."""

from harness import PHONE, BrowserTest


class Speed(BrowserTest):
    def test_a_long_table_scrolls(self):
        page = self.open("/pages/controls.html", **PHONE)
        for count in (1_000, 100_000, 1_000_000):
            with self.subTest(count):
                figures = page.evaluate("""async (count) => {
                  const long = [];
                  const observer = new PerformanceObserver((list) =>
                    long.push(...list.getEntries().map(({ duration }) => duration)));
                  observer.observe({ entryTypes: ["longtask"] });
                  const table = makeTable([count]);
                  const frame = () => new Promise(requestAnimationFrame);
                  await frame();
                  const times = [];
                  let last = performance.now();
                  for (let step = 0; step < 120; step += 1) {
                    table.scrollTop += 90;
                    times.push(await frame() - last);
                    last += times.at(-1);
                  }
                  observer.disconnect();
                  times.sort((one, other) => one - other);
                  return { median: times[60], slowest: times.at(-3), long: long.length,
                    cells: document.querySelectorAll("table-view-cell").length,
                    nodes: table.querySelectorAll("*").length };
                }""", count)
                print(f"{count:>9} rows: {figures['cells']} cells, {figures['nodes']} elements; "
                      f"a frame in {figures['median']:.1f} ms (98 of 100 in "
                      f"{figures['slowest']:.1f}), {figures['long']} tasks over 50 ms")
                self.assertLess(figures["cells"], 60)
                self.assertLess(figures["nodes"], 350)

    def test_changes_cost_the_same_in_a_long_table(self):
        page = self.open("/pages/controls.html", **PHONE)
        costs = page.evaluate("""() => [1_000, 100_000].map((count) => {
          const table = new TableView();
          table.className = "whole";
          table.rowHeight = 50;
          document.body.replaceChildren(table);
          const source = new DiffableDataSource(table, (view, path, item) => {
            const cell = view.dequeueReusableCell("plain");
            cell.textLabel.textContent = item;
            return cell;
          });
          const snapshot = new DiffableDataSourceSnapshot();
          snapshot.appendSections(["all"]);
          snapshot.appendItems(Array.from({ length: count }, (_, index) => `i${index}`));
          source.apply(snapshot, false);
          const change = (step) => source.applyChanges({ items: {
            remove: [`i${count - 1 - step}`],
            insert: [{ section: "all", index: 2, item: { id: `new${step}` } }],
            move: [{ section: "all", index: 5, id: `i${100 + step}` }],
            update: [{ id: "i7", set: {} }],
          } }, false);
          change(0);
          const start = performance.now();
          for (let step = 1; step <= 50; step += 1) change(step);
          return (performance.now() - start) / 50;
        })""")
        print("four changes of 1,000 rows and of 100,000: "
              + ", ".join(f"{cost:.2f} ms" for cost in costs))

    def test_a_large_feed_is_shown_in_less_time_than_it_takes_to_parse_it_thrice(self):
        """The shortest of some tries each: what else the machine does makes them longer only."""
        page = self.open("/pages/controls.html", **PHONE)
        parsed, shown = page.evaluate("""async () => {
          const [{ Feed }, { Service }, { FeedView }] = await Promise.all(
            ["/freshet/Feed.js", "/freshet/Service.js", "/reader/FeedView.js"]
              .map((module) => import(module)));
          const items = Array.from({ length: 100_000 }, (_, number) =>
            ({ id: `item-${number}`, title: `Title ${number}`, summary: "Some words about it" }));
          const text = JSON.stringify({ kind: "snapshot", feed: "large", token: "aaaaaaaa.1",
            count: items.length, order: "00000000", sections: [{ id: "main", items }] });
          const took = async (work) => {
            const start = performance.now();
            const result = await work();
            return [performance.now() - start, result];
          };
          const times = [];
          for (let round = 0; round < 5; round += 1) {
            const [parsed, whole] = await took(() => JSON.parse(text));
            const feed = new Feed(new Service("", { cache: null }), "large");
            const first = [{ id: "main", items: items.slice(0, 60) }];
            await feed.take({ ...whole, count: 60, total: items.length, sections: first });
            const view = new FeedView(feed, document.createElement("button"), () => {});
            view.table.classList.add("whole");
            document.body.replaceChildren(view.table);
            feed.addEventListener("change", ({ detail }) => view.show(detail));
            await new Promise(requestAnimationFrame);
            const [shown] = await took(() => feed.take(whole, text));
            if (view.table.numberOfRows(0) !== items.length) throw new Error("not all are there");
            times.push([parsed, shown]);
          }
          return [0, 1].map((which) => Math.min(...times.map((one) => one[which])));
        }""")
        print(f"100,000 items: parsed in {parsed:.0f} ms, shown in {shown:.0f} ms")
        self.assertLess(shown, 3 * parsed)
