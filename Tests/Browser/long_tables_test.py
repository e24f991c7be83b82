"""What a long table does for a change or a scroll, in counts that no machine's speed changes."""

from harness import PHONE, BrowserTest


class LongTables(BrowserTest):
    def test_scrolling_makes_as_many_elements_in_a_long_table_as_in_a_short_one(self):
        page = self.open("/pages/controls.html", **PHONE)
        counts = []
        for count in (1_000, 100_000, 1_000_000):
            counts.append(page.evaluate("""async (count) => {
              const table = makeTable([count]);
              const frame = () => new Promise(requestAnimationFrame);
              await frame();
              let most = 0;
              for (let step = 0; step < 120; step += 1) {
                table.scrollTop += 90;
                await frame();
                most = Math.max(most, document.querySelectorAll("table-view-cell").length);
              }
              return { cells: most, nodes: table.querySelectorAll("*").length };
            }""", count))
            self.assertLess(counts[-1]["cells"], 60, count)
            self.assertLess(counts[-1]["nodes"], 350, count)
        self.assertEqual(counts[0]["cells"], counts[2]["cells"])

    def test_scrolling_draws_the_index_of_many_sections_once(self):
        page = self.open("/pages/controls.html", **PHONE)
        drawn = page.evaluate("""async () => {
          const table = makeTable(Array(10_000).fill(3));
          table.dataSource.sectionIndexTitles = () =>
            Array.from({ length: 10_000 }, (_, number) => `T${number}`);
          table.reloadData();
          const frame = () => new Promise(requestAnimationFrame);
          for (let step = 0; step < 5; step += 1) await frame();
          const observer = new MutationObserver(() => {});
          observer.observe(table.querySelector("index-bar"), { childList: true });
          for (let step = 0; step < 40; step += 1) {
            table.scrollTop += 90;
            await frame();
          }
          return observer.takeRecords().length;
        }""")
        self.assertEqual(drawn, 0)

    def test_changes_touch_as_many_elements_in_a_long_table_as_in_a_short_one(self):
        page = self.open("/pages/controls.html", **PHONE)
        counts = page.evaluate("""() => [1_000, 100_000].map((count) => {
          const table = new TableView();
          table.className = "whole";
          table.rowHeight = 50;
          document.body.replaceChildren(table);
          let filled = 0;
          const source = new DiffableDataSource(table, (view, path, item) => {
            filled += 1;
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
          const observer = new MutationObserver(() => {});
          observer.observe(table, { subtree: true, childList: true });
          filled = 0;
          for (let step = 1; step <= 50; step += 1) change(step);
          const moved = observer.takeRecords()
            .reduce((sum, { addedNodes }) => sum + addedNodes.length, 0);
          observer.disconnect();
          return { filled, moved, rows: table.numberOfRows(0) - count };
        })""")
        self.assertEqual(counts[0], counts[1])
        self.assertEqual(counts[0]["rows"], 0)
        self.assertGreater(counts[0]["filled"], 50)
        self.assertLess(counts[0]["filled"], 50 * 60)

    def test_a_large_feed_is_shown_by_the_rows_in_sight_alone(self):
        page = self.open("/pages/controls.html", **PHONE)
        counts = page.evaluate("""async () => {
          const [{ Feed }, { Service }, { FeedView }] = await Promise.all(
            ["/freshet/Feed.js", "/freshet/Service.js", "/reader/FeedView.js"]
              .map((module) => import(module)));
          const items = Array.from({ length: 100_000 }, (_, number) =>
            ({ id: `item-${number}`, title: `Title ${number}`, summary: "Some words about it" }));
          const whole = { kind: "snapshot", feed: "large", token: "aaaaaaaa.1",
            count: items.length, order: "00000000", sections: [{ id: "main", items }] };
          const feed = new Feed(new Service("", { cache: null }), "large");
          const first = [{ id: "main", items: items.slice(0, 60) }];
          await feed.applyDocument({ ...whole, count: 60, total: items.length, sections: first });
          const view = new FeedView(feed, document.createElement("button"), () => {});
          view.table.classList.add("whole");
          document.body.replaceChildren(view.table);
          feed.addEventListener("change", ({ detail }) => view.show(detail));
          await new Promise(requestAnimationFrame);
          const observer = new MutationObserver(() => {});
          observer.observe(view.table, { subtree: true, childList: true });
          await feed.applyDocument(whole, JSON.stringify(whole));
          await new Promise(requestAnimationFrame);
          const added = observer.takeRecords()
            .reduce((sum, { addedNodes }) => sum + addedNodes.length, 0);
          observer.disconnect();
          return { rows: view.table.numberOfRows(0), added,
            cells: view.table.querySelectorAll("feed-cell").length };
        }""")
        self.assertEqual(counts["rows"], 100_000)
        self.assertGreater(counts["cells"], 0)
        self.assertLess(counts["cells"], 100)
        self.assertLess(counts["added"], 1_000)
