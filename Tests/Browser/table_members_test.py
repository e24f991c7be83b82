"""What a table's members do where UIKit's documentation says more than their names."""

from harness import PHONE, BrowserTest, Touches, frames


class Members(BrowserTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.page = cls.open("/pages/controls.html", **PHONE)
        cls.page.evaluate("""() => {
          window.path = (row, section = 0) => new IndexPath(row, section);
          window.tall = (count) => {
            window.rows = Array.from({ length: count }, (_, row) => row);
            window.table = makeTable([count]);
            Object.assign(table.dataSource, {
              numberOfRows: () => rows.length,
              cell({ row }, view) {
                const cell = view.dequeueReusableCell("plain");
                cell.textLabel.textContent = rows[row];
                cell.detailTextLabel.textContent = "x".repeat(rows[row] % 5 * 40);
                return cell;
              },
            });
            table.reloadData();
          };
          window.shown = () => table.visibleCells.map((cell) =>
            [Number(cell.textLabel.textContent), Math.round(cell.getBoundingClientRect().top)]);
        }""")

    def test_batches_within_a_batch_are_part_of_it(self):
        self.page.evaluate("""() => {
          tall(5);
          window.heard = [];
          table.performBatchUpdates(() => {
            rows.shift();
            table.deleteRows([path(0)]);
            table.performBatchUpdates(() => {
              rows.push(9);
              table.insertRows([path(4)]);
            }, () => heard.push("inner"));
          }, () => heard.push("outer"));
          table.performBatchUpdates(null, () => heard.push("empty"));
        }""")
        self.wait(self.page, "heard.length === 3")
        self.assertEqual(self.page.evaluate("heard.sort()"), ["empty", "inner", "outer"])
        self.assertEqual(self.page.evaluate("shown().map(([row]) => row)"), [1, 2, 3, 4, 9])

    def test_rows_that_grow_and_shrink_by_themselves_have_their_room(self):
        self.page.evaluate("tall(60)")
        for where, offset in ((1, 0), (3, 1000)):
            with self.subTest(offset=offset):
                self.page.evaluate("(y) => table.setContentOffset({ y })", offset)
                self.still(self.page, "table-view")
                for height in (200, 60):
                    self.page.evaluate("""([where, height]) => {
                      self.cell = table.visibleCells[where];
                      self.before = table.visibleCells[where - 1].getBoundingClientRect().top;
                      cell.textLabel.style.cssText = `display: block; height: ${height}px`;
                    }""", [where, height])
                    self.wait(self.page, """() => {
                      const next = table.visibleCells[table.visibleCells.indexOf(cell) + 1];
                      const { bottom } = cell.getBoundingClientRect();
                      return Math.abs(next.getBoundingClientRect().top - bottom) < 1
                        && table.heightForRow(cell.indexPath) === cell.offsetHeight;
                    }""")
                    # What is seen above it stays.
                    self.assertEqual(self.page.evaluate("""(where) =>
                      table.visibleCells[where - 1].getBoundingClientRect().top - before""", where), 0)
                self.page.evaluate("cell.textLabel.style.cssText = ''")

    def test_a_data_source_that_lacks_a_function_is_refused_by_name(self):
        self.assertEqual(self.page.evaluate("""() => {
          tall(3);
          return [{ numberOfRows: () => 3 }, { cell: () => null }].map((source) => {
            try {
              table.dataSource = source;
            } catch ({ name, message }) {
              return `${name}: ${message} ${shown().length}`;
            }
          });
        }"""), ["TypeError: A data source has no function `cell`. 3",
                "TypeError: A data source has no function `numberOfRows`. 3"])

    def test_selecting_scrolls_only_where_it_is_told_to(self):
        self.assertEqual(self.page.evaluate("""() => {
          tall(100);
          table.selectRow(path(80), false, "none");
          const { y } = table.contentOffset;
          table.selectRow(path(80), false, "top");
          table.selectRow(null, false, "top");
          return [y, table.contentOffset.y > 0, table.indexPathForSelectedRow];
        }"""), [0, True, None])

    def test_what_is_set_later_holds_at_once(self):
        self.assertEqual(self.page.evaluate("""() => {
          tall(100);
          const said = [table.grid.ariaMultiSelectable];
          table.allowsMultipleSelection = true;
          said.push(table.grid.ariaMultiSelectable, table.visibleCells[0].ariaSelected);
          table.allowsSelection = false;
          said.push(table.visibleCells[0].ariaSelected);
          table.contentOffset = { y: 2000 };
          const [first] = table.indexPathsForVisibleRows;
          const below = table.rectForRow(first).y - table.contentOffset.y;
          table.rowHeight = 200;
          said.push(table.visibleCells[0].offsetHeight, table.contentSize.height,
            table.rectForRow(first).y - table.contentOffset.y - below);
          return said;
        }"""), [None, "true", "false", None, 200, 20_000, 0])

    def test_places_are_any_objects_with_a_row_and_a_section(self):
        self.assertEqual(self.page.evaluate("""() => {
          tall(30);
          const place = (row) => ({ row, section: 0 });
          table.selectRow(place(2));
          table.scrollToRow(place(20), "top", true);
          rows.unshift(rows.pop());
          table.moveRow(place(29), place(0));
          rows.splice(5, 1);
          rows.push(99);
          table.performBatchUpdates(() => {
            table.deleteRows([place(5)]);
            table.insertRows([place(29)]);
            table.reloadRows([place(1)]);
          });
          table.reconfigureRows([place(1)]);
          const said = [String(table.indexPathForSelectedRow), table.cellForRow(place(3)).isSelected];
          table.deselectRow(place(3));
          return [...said, table.indexPathsForSelectedRows.length];
        }"""), ["row 3 of section 0", True, 0])
        self.assertIn("no cell for row 0 of section 0", self.page.evaluate("""() => {
          try {
            makeTable([1], { }).dataSource = { numberOfRows: () => 1, cell: () => null };
            return "";
          } catch ({ message }) {
            document.body.replaceChildren();
            return message;
          }
        }"""))

    def test_what_is_not_there_is_nothing(self):
        self.assertEqual(self.page.evaluate("""() => {
          tall(3);
          return [table.numberOfRows(1), table.numberOfRows(-1), table.cellForRow(path(3)),
            table.indexPath(new TableViewCell())];
        }"""), [0, 0, None, None])

    def test_a_scroll_with_motion_ends_at_its_row(self):
        for come in (0, 1):
            self.page.evaluate("""(come) => {
              tall(300);
              table.scrollToRow(path(100), "top", true);
              const fresh = Array.from({ length: come }, () => -5);
              rows.unshift(...fresh);
              table.insertRows(fresh.map((_, row) => path(row)));
            }""", come)
            self.wait(self.page, "shown()[0][0] === 100 && shown()[0][1] === 0")

    def test_a_row_that_goes_ends_the_scroll_to_it(self):
        self.page.evaluate("""() => {
          tall(300);
          table.scrollToRow(path(100), "top", true);
          rows.splice(20, 280);
          table.deleteRows(Array.from({ length: 280 }, (_, row) => path(row + 20)));
        }""")
        self.still(self.page, "table-view")
        self.assertEqual(self.page.evaluate("shown().at(-1)[0]"), 19)

    HIDE = {
        "hidden": ("table.style.display = 'none'", "table.style.display = ''"),
        "low": ("table.style.height = '0'", "table.style.height = ''"),
        "narrow": ("table.style.width = '0'", "table.style.width = ''"),
        "out of the page": ("table.remove()", "document.body.append(table)"),
    }

    def test_it_comes_back_to_where_it_was(self):
        for name, (hide, show) in self.HIDE.items():
            with self.subTest(name):
                self.page.evaluate("() => { tall(300); table.scrollToRow(path(150), 'top'); }")
                before = self.page.evaluate("shown()")
                self.page.evaluate(f"() => {{ {hide}; }}")
                frames(self.page, 3)
                self.page.evaluate(f"() => {{ {show}; }}")
                self.wait(self.page, "(was) => JSON.stringify(shown()) === JSON.stringify(was)",
                          before)

    def test_it_changes_while_nobody_sees_it(self):
        for name, (hide, show) in self.HIDE.items():
            with self.subTest(name):
                self.page.evaluate("() => { tall(300); table.scrollToRow(path(150), 'top'); }")
                self.page.evaluate(f"() => {{ {hide}; }}")
                frames(self.page, 3)
                self.page.evaluate("""() => {
                  rows.unshift(1000, 1001);
                  rows.splice(155, 1);
                  table.performBatchUpdates(() => {
                    table.insertRows([path(0), path(1)]);
                    table.deleteRows([path(153)]);
                    table.reloadRows([path(150)]);
                  });
                }""")
                frames(self.page, 3)
                self.page.evaluate(f"() => {{ {show}; }}")
                self.wait(self.page, "shown()[0]?.[0] === 150 && shown()[0][1] === 0")
                self.still(self.page, "table-view")
                self.assertEqual(self.page.evaluate("shown().slice(0, 4).map(([row]) => row)"),
                                 [150, 151, 152, 154])

    def test_cells_of_ones_own_stay_while_they_are_in_sight(self):
        self.assertEqual(self.page.evaluate("""async () => {
          window.table = new TableView();
          table.className = "whole";
          document.body.replaceChildren(table);
          const cells = Array.from({ length: 100 }, () => {
            const cell = new TableViewCell();
            cell.contentView.append(document.createElement("input"));
            return cell;
          });
          table.setStaticSections([{ cells }]);
          table.scrollToRow(path(60), "top");
          table.scrollToRow(path(0), "top");
          const input = cells[3].querySelector("input");
          input.focus();
          table.setContentOffset({ y: 5 });
          return [document.activeElement === input, cells[3].isConnected];
        }"""), [True, True])

    def test_focus_in_a_row_is_kept_in_a_shadow_tree_too(self):
        self.assertEqual(self.page.evaluate("""async () => {
          const host = document.createElement("div");
          const root = host.attachShadow({ mode: "open" });
          const sheet = document.createElement("link");
          Object.assign(sheet, { rel: "stylesheet", href: "/ui.css" });
          const loaded = new Promise((resolve) => { sheet.onload = resolve; });
          root.append(sheet);
          document.body.replaceChildren(host);
          await loaded;
          window.table = new TableView();
          table.style.height = "700px";
          table.dataSource = {
            numberOfRows: () => 500,
            cell({ row }, view) {
              const cell = view.dequeueReusableCell("field");
              cell.input ??= cell.contentView.appendChild(document.createElement("input"));
              cell.input.value = row;
              return cell;
            },
          };
          root.append(table);
          table.cellForRow(path(2)).input.focus();
          table.setContentOffset({ y: 5000 });
          return root.activeElement?.value;
        }"""), "2")

    def test_a_control_in_a_row_does_not_select_it(self):
        self.assertEqual(self.page.evaluate("""() => {
          class RowControl extends Control {}
          customElements.define("row-control", RowControl);
          tall(5);
          const control = new RowControl();
          table.cellForRow(path(1)).contentView.append(control);
          control.click();
          return table.indexPathForSelectedRow;
        }"""), None)

    def test_a_row_that_its_action_takes_away_is_not_selected(self):
        self.assertEqual(self.page.evaluate("""() => {
          tall(5);
          const took = [];
          table.delegate = {
            performPrimaryAction(at) {
              took.push(...rows.splice(at.row, 1));
              table.deleteRows([at]);
            },
          };
          table.visibleCells[2].click();
          table.delegate.performPrimaryAction = () => {
            rows.unshift(7);
            table.insertRows([path(0)]);
          };
          table.visibleCells[2].click();
          return [took, table.indexPathsForSelectedRows.map(({ row }) => rows[row])];
        }"""), [[2], [3]])

    def test_who_hears_of_rows_may_change_them(self):
        for way in ("willDisplay", "prefetch"):
            with self.subTest(way):
                self.assertEqual(self.page.evaluate("""(way) => {
                  window.table = new TableView();
                  table.className = "whole";
                  document.body.replaceChildren(table);
                  const source = new DiffableDataSource(table, (view, _, id) => {
                    const cell = view.dequeueReusableCell("plain");
                    cell.textLabel.textContent = id;
                    return cell;
                  });
                  const more = () => {
                    const next = source.snapshot();
                    const count = next.numberOfItems;
                    if (count === 0) next.appendSections(["all"]);
                    next.appendItems(Array.from({ length: 20 }, (_, row) => `i${count + row}`));
                    source.apply(next);
                  };
                  const shown = ({ row }) => {
                    const count = source.snapshot().numberOfItems;
                    if (row === count - 1 && count < 200) more();
                  };
                  if (way === "willDisplay") table.delegate = { willDisplay: (_, at) => shown(at) };
                  else table.prefetchDataSource = { prefetchRows: (all) => all.forEach(shown) };
                  for (let page = 0; page < 4; page += 1) more();
                  for (let y = 0; y < 12_000; y += 200) table.setContentOffset({ y });
                  return [table.numberOfRows(0), table.visibleCells.length > 5,
                    table.visibleCells.every((cell) =>
                      cell.textLabel.textContent === source.itemIdentifier(table.indexPath(cell)))];
                }""", way), [200, True, True])

    def test_who_scrolled_up_and_rests_still_needs_the_rows_above(self):
        self.assertEqual(self.page.evaluate("""() => {
          window.table = makeTable([1000], { rowHeight: 50 });
          table.setContentOffset({ y: 10_000 });
          const cancelled = [];
          table.prefetchDataSource = {
            prefetchRows() {}, cancelPrefetchingForRows: (paths) => cancelled.push(...paths),
          };
          table.setContentOffset({ y: 9900 });
          cancelled.length = 0;
          table.setContentOffset({ y: 9900 });
          return cancelled.length;
        }"""), 0)

    def test_the_index_leads_to_a_title_again(self):
        self.page.evaluate("""() => {
          window.table = makeTable([20, 20, 20]);
          table.dataSource.sectionIndexTitles = () => ["A", "B", "C", "D"];
          table.reloadData();
        }""")
        touches = Touches(self.page)
        box = self.page.locator("index-bar span", has_text="B").bounding_box()
        for _ in range(2):
            self.page.evaluate("table.setContentOffset({ y: 0 })")
            touches.tap(box["x"] + 3, box["y"] + box["height"] / 2)
            self.wait(self.page, "table.indexPathsForVisibleRows[0].section > 0"
                      " || table.contentOffset.y > 500")
        # A title more than there are sections leads to the last.
        self.page.evaluate("document.querySelector('index-bar').focus()")
        self.page.keyboard.press("End")
        self.wait(self.page, "table.indexPathsForVisibleRows.at(-1).section === 2")
