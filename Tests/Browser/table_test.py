"""Tables: docs/UI.md, "TableView"."""

from harness import DESKTOP, PHONE, BrowserTest, Touches


class Cells(BrowserTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.page = cls.open("/pages/controls.html", **PHONE)
        cls.touches = Touches(cls.page)

    def shown(self):
        return self.page.evaluate("""() => {
          const { top } = table.getBoundingClientRect();
          return table.visibleCells.map((cell) => [cell.textLabel.textContent,
            cell.getBoundingClientRect().top - top]);
        }""")

    def jump(self, section, row, position="top"):
        self.page.evaluate(
            "([s, r, at]) => table.scrollToRow(new IndexPath(r, s), at)", [section, row, position])

    def test_some_dozens_of_cells_for_100_000_rows(self):
        self.page.evaluate("table = makeTable([100_000]); 0")
        for row in (0, 500, 99_999, 50_000, 3):
            self.jump(0, row)
            self.assertIn(f"Row 0.{row}", [text for text, _ in self.shown()])
            self.assertLess(self.page.locator("table-view-cell").count(), 60)
            self.assertLess(self.page.locator("table-view *").count(), 300)

    def test_a_million_rows_are_all_reached(self):
        for height in (0, 60):
            self.page.evaluate("""(rowHeight) => {
              window.table = makeTable([400_000, 600_000], { rowHeight });
            }""", height)
            for section, row in ((0, 0), (0, 399_999), (1, 0), (1, 300_000), (1, 599_999)):
                with self.subTest(height=height, section=section, row=row):
                    self.jump(section, row)
                    self.assertIn(f"Row {section}.{row}", [text for text, _ in self.shown()])
            self.assertLess(self.page.evaluate("table.scrollHeight"), 9_000_000)
            last_text, last_top = self.shown()[-1]
            self.assertEqual(last_text, "Row 1.599999")
            self.assertLess(last_top, 760)

    def test_fingers_scroll_the_middle_of_a_million_rows_evenly(self):
        self.page.evaluate("() => { table = makeTable([1_000_000], { rowHeight: 50 }); }")
        self.jump(0, 500_000)
        self.touches.drag(200, 600, 0, -320)
        self.wait(self.page, "!table.isTracking && table.indexPathsForVisibleRows[0].row > 500_000")
        self.still(self.page, "table-view")
        path = self.page.evaluate("table.indexPathsForVisibleRows[0].row")
        self.assertLess(path, 500_200)
        tops = [top for _, top in self.shown()]
        self.assertEqual({round(after - top) for top, after in zip(tops, tops[1:])}, {50})

    def test_the_bar_of_a_million_rows_reaches_their_ends(self):
        self.page.evaluate("() => { table = makeTable([1_000_000], { rowHeight: 50 }); }")
        for part, low, high in ((0.5, 490_000, 510_000), (1, 999_980, 999_990), (0, 0, 0)):
            self.page.evaluate("""(part) => {
              table.scrollTop = part * (table.scrollHeight - table.clientHeight);
            }""", part)
            self.wait(self.page, """([low, high]) => {
              const { row } = table.indexPathsForVisibleRows[0] ?? {};
              return row >= low && row <= high;
            }""", [low, high])
            self.still(self.page, "table-view")

    def test_cells_are_used_again_by_kind(self):
        made = self.page.evaluate("""() => {
          let made = 0;
          class CountedCell extends TableViewCell {
            constructor() { super(); made += 1; }
            prepareForReuse() { super.prepareForReuse(); this.wasUsed = true; }
          }
          customElements.define("counted-cell", CountedCell);
          window.table = makeTable([5000]);
          table.register(CountedCell, "third");
          table.reloadData();
          for (let y = 0; y < 20_000; y += 200) table.setContentOffset({ y });
          const cells = [...table.querySelectorAll("counted-cell")];
          return { made, kinds: cells.every((cell) => cell.reuseIdentifier === "third"),
            used: cells.some((cell) => cell.wasUsed) };
        }""")
        self.assertLess(made["made"], 40)
        self.assertTrue(made["kinds"] and made["used"])

    def test_as_many_kinds_as_rows_leave_no_more_cells_behind(self):
        left = self.page.evaluate("""async () => {
          window.table = makeTable([3000], { rowHeight: 50 });
          const cells = [];
          table.dataSource.cell = ({ row }, view) => {
            const cell = view.dequeueReusableCell(`kind ${row}`);
            if (!cells.includes(cell)) cells.push(cell);
            return cell;
          };
          for (let y = 0; y < 20_000; y += 400) table.setContentOffset({ y });
          const made = cells.length;
          for (let y = 20_000; y >= 0; y -= 400) table.setContentOffset({ y });
          return [made, cells.length, table.querySelectorAll("table-view-cell").length];
        }""")
        # Of those that were made on the way down hardly one was kept until the way up.
        self.assertGreater(left[1], left[0] * 1.6)
        self.assertLess(left[2], 60)

    def test_headers_stick(self):
        self.page.evaluate("table = makeTable([30, 30]); 0")
        self.jump(1, 10)
        header = self.page.locator(".ui-header", has_text="Section 1")
        self.assertEqual(header.bounding_box()["y"], 0)

    def test_rows_come_above_and_nothing_moves(self):
        self.page.evaluate("""() => {
          window.counts = [100];
          window.table = makeTable(counts);
        }""")
        self.jump(0, 50)
        before = self.shown()
        self.page.evaluate("""() => {
          table.performBatchUpdates(() => {
            counts[0] += 12;
            table.insertRows(Array.from({ length: 12 }, (_, row) => new IndexPath(row)));
          });
        }""")
        self.assertEqual(self.shown(), before)
        self.still(self.page, "table-view")
        self.assertEqual(self.shown(), before)

    GAPS = """() => table.visibleCells.map((cell) => cell.getBoundingClientRect())
      .map(({ top }, index, all) => index && Math.round(top - all[index - 1].bottom))
      .filter((gap) => gap !== 0)"""

    def test_rows_follow_each_other_when_they_get_wider_and_narrower(self):
        self.page.evaluate("""() => {
          window.table = makeTable([200]);
          const { cell } = table.dataSource;
          table.dataSource.cell = (path, view) => {
            const made = cell(path, view);
            made.detailTextLabel.textContent = "word ".repeat(path.row % 7 * 9);
            return made;
          };
          table.reloadData();
        }""")
        for row in (0, 100):
            self.jump(0, row)
            for width in ("250px", "390px", "160px"):
                with self.subTest(row=row, width=width):
                    self.page.evaluate("(width) => { table.style.width = width; }", width)
                    self.still(self.page, "table-view")
                    self.assertEqual(self.page.evaluate(self.GAPS), [])
                    self.assertEqual(self.shown()[0][0], f"Row 0.{row}")
            self.page.evaluate("() => { table.style.width = ''; }")

    def test_rows_follow_each_other_when_an_index_takes_some_of_their_width(self):
        self.page.evaluate("""() => {
          const counts = [3];
          window.table = makeTable(counts);
          const { cell } = table.dataSource;
          table.dataSource.cell = (path, view) => {
            const made = cell(path, view);
            made.detailTextLabel.textContent = "word ".repeat(100);
            return made;
          };
          table.reloadData();
          table.dataSource.sectionIndexTitles = () => ["A", "B"];
          counts.push(3);
          table.insertSections([1]);
        }""")
        self.still(self.page, "table-view")
        self.assertEqual(self.page.locator("index-bar").count(), 1)
        self.assertEqual([gap for gap in self.page.evaluate(self.GAPS) if gap != 32], [])

    def test_rows_come_in_with_motion_at_the_top(self):
        offset, moving = self.page.evaluate("""() => {
          window.counts = [100];
          window.table = makeTable(counts);
          counts[0] += 1;
          table.insertRows([new IndexPath(0)]);
          return [table.contentOffset.y, table.getAnimations({ subtree: true }).length];
        }""")
        self.assertEqual(offset, 0)
        self.assertGreater(moving, 3)
        self.still(self.page, "table-view")
        self.assertEqual(self.shown()[0][1], 0)

    def test_prefetching_names_rows_ahead_once_and_cancels_them(self):
        told = self.page.evaluate("""async () => {
          window.table = makeTable([10_000], { rowHeight: 50 });
          const [named, cancelled] = [[], []];
          table.prefetchDataSource = {
            prefetchRows: (paths) => named.push(...paths.map(({ row }) => row)),
            cancelPrefetchingForRows: (paths) => cancelled.push(...paths.map(({ row }) => row)),
          };
          for (const y of [0, 100, 200, 100_000]) table.setContentOffset({ y });
          return { named, cancelled };
        }""")
        self.assertEqual(len(told["named"]), len(set(told["named"])))
        self.assertIn(80, told["named"])
        self.assertIn(80, told["cancelled"])
        self.assertIn(2080, told["named"])


class BatchUpdates(BrowserTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.page = cls.open("/pages/controls.html", **DESKTOP)

    def failure(self, change, counts="[3, 4]"):
        """What a batch that does not fit says."""
        return self.page.evaluate("""([counts, change]) => {
          window.counts = JSON.parse(counts);
          window.table = makeTable(window.counts);
          try {
            table.performBatchUpdates(() => window.run(change));
            return null;
          } catch (error) {
            const rows = counts => counts.map((_, section) => table.numberOfRows(section));
            return [error.name, error.message,
              String(rows(window.counts)) === String(window.counts)];
          }
        }""", [counts, change])

    def test_what_does_not_fit_says_what_and_where(self):
        self.page.evaluate("""() => {
          const path = (row, section = 0) => new IndexPath(row, section);
          const changes = {
            less: () => { counts[1] = 9; table.insertRows([path(0, 1)]); },
            more: () => { counts.push(1); },
            twice: () => table.deleteRows([path(1), path(1)]),
            beyond: () => table.deleteRows([path(3)]),
            nowhere: () => table.insertRows([path(0, 2)]),
            both: () => {
              counts[0] = 2;
              table.deleteRows([path(0)]);
              table.reloadRows([path(0)]);
            },
          };
          window.run = (name) => changes[name]();
        }""")
        for change, words in {
            "less": "section 1 has 9 rows after it, and had 4, of which 0 were deleted or moved "
                    "away, and 1 were inserted or moved in",
            "more": "there are 3 sections after it, and there were 2, of which 0 went, and 0 came",
            "twice": "in section 0 row 1 is named twice",
            "beyond": "in section 0 row 3 is named, and there are 3 before it",
            "nowhere": "section 2 is named, and there are 2 after it",
            "both": "in section 0 row 0 is named twice",
        }.items():
            with self.subTest(change):
                self.assertEqual(self.failure(change), [
                    "RangeError", f"A batch of updates does not fit: {words}.", True])

    def test_a_static_table_cannot_change(self):
        errors = self.page.evaluate("""() => {
          const policy = trustedTypes.createPolicy("test", { createHTML: (text) => text });
          document.body.innerHTML = policy.createHTML("<table-view class=whole aria-label=Settings>"
            + "<section title=Sound><table-view-cell>Ring</table-view-cell>"
            + "<table-view-cell>Vibrate</table-view-cell></section>"
            + "<section title=Light><table-view-cell>Dim</table-view-cell></section></table-view>");
          window.table = document.querySelector("table-view");
          const said = (change) => { try { change(); } catch (error) { return error.message; } };
          return [said(() => { table.dataSource = {}; }),
            said(() => table.insertRows([new IndexPath(0)])),
            said(() => table.setStaticSections([]))];
        }""")
        self.assertEqual(errors, [
            "A static table takes no data source: its sections and rows were given once.",
            "A static table does not change: its sections and rows were given once.",
            "A static table is given them once: its sections and rows were given once."])
        self.assertEqual(self.page.locator("table-view").inner_text().split(),
                         ["Sound", "Ring", "Vibrate", "Light", "Dim"])


class UnseenAbove(BrowserTest):
    """What a data source counts of items that come above the rows in sight."""

    MAKE = """({ offset, keeps }) => {
      const table = window.table = new TableView();
      table.className = "whole";
      table.rowHeight = 40;
      table.keepsPositionAtTop = keeps;
      window.said = [];
      window.source = new DiffableDataSource(table, (view, path, item) => {
        const cell = view.dequeueReusableCell("plain");
        cell.textLabel.textContent = item;
        return cell;
      });
      source.unseenAboveChanged = () => said.push(source.unseenAbove.size);
      document.body.replaceChildren(table);
      window.ids = (name, count) => Array.from({ length: count }, (_, index) => `${name}${index}`);
      window.apply = (items, ...more) =>
        source.apply(DiffableDataSourceSnapshot.of([["all", items]]), false, null, ...more);
      apply(ids("row", 200));
      table.contentOffset = { y: offset };
    }"""

    def make(self, offset=2000, keeps=False):
        self.page = self.open("/pages/controls.html", **PHONE)
        self.page.evaluate(self.MAKE, {"offset": offset, "keeps": keeps})

    def unseen(self):
        return self.page.evaluate("[...source.unseenAbove]")

    def test_is_what_came_by_a_snapshot_or_by_changes(self):
        for name, come in {
            "a snapshot": "apply([...ids('new', 3), ...ids('row', 200), ...ids('end', 2)])",
            "changes": """source.applyChanges({ items: { insert: [
              ...ids("new", 3).map((id, index) => ({ section: "all", index, item: { id } })),
              ...ids("end", 2).map((id, index) => ({ section: "all", index: 203 + index, item: { id } })),
            ] } }, false)""",
            "a great many": "apply([...ids('new', 3), ...ids('row', 200), ...ids('end', 2000)])",
        }.items():
            with self.subTest(name):
                self.make()
                before = self.page.evaluate("table.indexPathsForVisibleRows[0].row")
                self.page.evaluate(come)
                self.assertEqual(self.unseen(), ["new0", "new1", "new2"])
                self.assertEqual(self.page.evaluate("said"), [3])
                self.assertEqual(self.page.evaluate("table.indexPathsForVisibleRows[0].row"), before + 3)

    def test_is_also_what_came_above_a_row_in_sight_that_went(self):
        self.make()
        self.page.evaluate("""() => {
          const first = source.itemIdentifier(table.indexPathsForVisibleRows[0]);
          apply([...ids("new", 2), ...ids("row", 200).filter((id) => id !== first), "end"]);
        }""")
        self.assertEqual(self.unseen(), ["new0", "new1"])

    def test_is_less_what_went_and_what_was_seen(self):
        self.make()
        self.page.evaluate("apply([...ids('new', 30), ...ids('row', 200)])")
        self.page.evaluate("apply([...ids('new', 25), ...ids('row', 200)])")
        self.assertEqual(len(self.unseen()), 25)
        self.page.evaluate("""source.applyChanges({ items: { remove: ["new3"],
          update: [{ id: "new4", set: {} }] } }, false)""")
        self.assertEqual(len(self.unseen()), 24)
        self.page.evaluate("table.contentOffset = { y: 600 }")
        self.wait(self.page, "source.unseenAbove.size === 15")
        self.page.evaluate("table.contentOffset = { y: 2000 }")
        self.still(self.page, "table-view")
        self.assertEqual(len(self.unseen()), 15)
        self.page.evaluate("table.contentOffset = { y: 0 }")
        self.wait(self.page, "source.unseenAbove.size === 0")
        self.assertEqual(self.page.evaluate("said.at(-1)"), 0)

    def test_is_nothing_at_the_top_unless_that_keeps_its_place(self):
        for keeps, count in ((False, 0), (True, 3)):
            with self.subTest(keeps=keeps):
                self.make(0, keeps)
                self.page.evaluate("apply([...ids('new', 3), ...ids('row', 200)])")
                self.assertEqual(len(self.unseen()), count)

    def test_is_nothing_that_a_filter_had_hidden(self):
        self.make()
        self.page.evaluate("""() => {
          apply(ids("row", 200).filter((id) => id > "row15"), false);
          apply(ids("row", 200), false);
        }""")
        self.assertEqual(self.unseen(), [])

    def test_takes_in_what_came_before_the_table_was_there(self):
        self.make()
        self.page.evaluate("source.noteUnseen(['row3', 'row4', 'row199', 'nothing'])")
        self.assertEqual(self.unseen(), ["row3", "row4"])

    def test_is_the_same_set_until_it_is_another(self):
        self.make()
        self.page.evaluate("apply(['new', ...ids('row', 200)])")
        self.page.evaluate("window.set = source.unseenAbove")
        self.page.evaluate("apply(['new', ...ids('row', 199)])")
        self.assertTrue(self.page.evaluate("set === source.unseenAbove"))
        self.assertEqual(self.page.evaluate("said"), [1])


class Restoration(BrowserTest):
    def test_the_same_row_at_the_same_place(self):
        page = self.open("/pages/controls.html", **PHONE)
        make = """(from) => {
          window.table = new TableView();
          table.className = "whole";
          table.restorationIdentifier = "rows";
          const source = new DiffableDataSource(table, (view, path, item) => {
            const cell = view.dequeueReusableCell("plain");
            cell.textLabel.textContent = item;
            cell.detailTextLabel.textContent = "x".repeat(item % 7 * 25);
            return cell;
          });
          document.body.replaceChildren(table);
          const snapshot = new DiffableDataSourceSnapshot();
          snapshot.appendSections(["all"]);
          snapshot.appendItems(Array.from({ length: 1000 - from }, (_, index) => index + from));
          source.apply(snapshot);
          return table.cellForRow(source.indexPath(700))?.getBoundingClientRect().top ?? null;
        }"""
        page.evaluate(make, 37)
        page.evaluate("table.scrollToRow(new IndexPath(663), 'top')")
        page.evaluate("table.setContentOffset({ y: table.contentOffset.y + 13 })")
        top = page.evaluate("table.cellForRow(new IndexPath(663)).getBoundingClientRect().top")
        page.reload()
        page.evaluate("window.ready")
        self.assertAlmostEqual(page.evaluate(make, 0), top, delta=1)
        # The table that was there leaves the page for another.
        self.still(page, "table-view")
        self.assertAlmostEqual(page.evaluate(make, 10), top, delta=1)
        page.evaluate("table.remove()")
        page.evaluate("document.body.append(table)")
        now = page.evaluate("table.cellForRow(new IndexPath(690))?.getBoundingClientRect().top")
        self.assertAlmostEqual(now, top, delta=1)
