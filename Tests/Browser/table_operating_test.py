"""Operating a table: by keyboard, pointer and touch, and with a screen reader."""

from harness import PHONE, BrowserTest, Touches, frames


class Operating(BrowserTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.page = cls.open("/pages/controls.html", **PHONE)
        cls.touches = Touches(cls.page)

    def setUp(self):
        self.page.evaluate("""() => {
          window.table = makeTable([5, 200]);
          window.chosen = [];
          table.delegate = {
            didSelectRow: ({ section, row }) => chosen.push(`${section}.${row}`),
            didDeselectRow: ({ section, row }) => chosen.push(`not ${section}.${row}`),
            didScrollToTop: () => chosen.push("top"),
          };
        }""")

    def active(self):
        return self.page.evaluate("""() => {
          const cell = document.getElementById(
            document.activeElement.getAttribute("aria-activedescendant"));
          const { top, bottom } = cell.getBoundingClientRect();
          if (top < 0 || bottom > innerHeight) throw new Error("out of sight");
          return cell.textLabel.textContent;
        }""")

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def test_by_keyboard_alone(self):
        self.press("Tab")
        self.assertEqual(self.active(), "Row 0.0")
        self.press("ArrowDown", "ArrowDown", "Enter")
        self.assertEqual(self.page.evaluate("chosen"), ["0.2"])
        self.press("ArrowDown", "ArrowDown", "ArrowDown", " ")
        self.assertEqual(self.active(), "Row 1.0")
        self.assertEqual(self.page.evaluate("chosen"), ["0.2", "not 0.2", "1.0"])
        self.press("End")
        self.assertEqual(self.active(), "Row 1.199")
        self.press("PageUp", "ArrowUp")
        self.active()
        self.press("Home")
        self.assertEqual(self.active(), "Row 0.0")
        self.wait(self.page, "table.contentOffset.y === 0")
        for _ in range(4):
            self.press("PageDown")
            self.active()

    def test_the_row_of_the_keyboard_is_named_through_changes(self):
        named = """() => {
          const cell = document.getElementById(table.grid.getAttribute("aria-activedescendant"));
          return [cell?.textLabel.textContent ?? null, document.querySelectorAll("[data-active]").length];
        }"""
        self.page.evaluate("""() => {
          const source = window.source = new DiffableDataSource(table, (table, path, id) => {
            const cell = table.dequeueReusableCell("one", path);
            cell.textLabel.textContent = id;
            return cell;
          });
          window.apply = (ids, changed = []) => {
            const snapshot = DiffableDataSourceSnapshot.of([["all", ids]]);
            snapshot.reloadItems(changed);
            source.apply(snapshot);
          };
          window.ids = Array.from({ length: 60 }, (_, row) => `item ${row}`);
          apply(ids);
          table.activateRow({ section: 0, row: 3 });
        }""")
        self.assertEqual(self.page.evaluate(named), ["item 3", 1])
        # It goes far away, and another that is filled anew comes to where it was.
        self.page.evaluate("""() => {
          const [it] = ids.splice(3, 1);
          apply([...ids, it], [ids[3]]);
        }""")
        self.assertEqual(self.page.evaluate(named), [None, 0])
        self.page.evaluate("apply(ids); table.activateRow({ section: 0, row: 2 })")
        # A row that fades is none of the keyboard's, which may be elsewhere when it is out.
        self.page.evaluate("""() => {
          ids.splice(2, 1);
          apply(ids);
          table.activateRow({ section: 0, row: 1 });
        }""")
        self.assertEqual(self.page.evaluate(named), ["item 1", 1])
        self.still(self.page, "table-view")
        self.assertEqual(self.page.evaluate(named), ["item 1", 1])
        # A row that is touched is it, too, where none is selected.
        self.page.evaluate("table.allowsSelection = false; table.cellForRow({ section: 0, row: 4 }).click()")
        self.assertEqual(self.page.evaluate(named), ["item 6", 1])

    def test_by_keyboard_where_only_headers_are_in_sight(self):
        for key in ("ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End", "Enter"):
            self.page.evaluate("""() => {
              window.errors = [];
              window.onerror = (message) => { errors.push(message); };
              window.table = makeTable([...new Array(60).fill(0), 3]);
              table.focus();
            }""")
            self.press(key)
            self.assertEqual(self.page.evaluate("errors"), [], key)
            # Home goes to the very top, with what is above the first row.
            if key not in ("Home", "Enter"):
                self.wait(self.page, "table.indexPathsForVisibleRows.length > 0")
                self.assertIn("Row 60.", self.active())

    def test_focus_in_a_row_stays_in_the_table(self):
        changes = {
            "all is read anew": "table.reloadData()",
            "the row is made anew": "table.reloadRows([{ row: 1, section: 0 }])",
            "the row is filled anew": "table.reconfigureRows([{ row: 1, section: 0 }])",
            "its section is made anew": "table.reloadSections([0])",
        }
        for name, change in changes.items():
            with self.subTest(name):
                self.page.evaluate("""() => {
                  const { dataSource } = window.table = makeTable([5, 200]);
                  const fill = dataSource.cell;
                  dataSource.cell = (path, view) => {
                    const cell = fill.call(dataSource, path, view);
                    const button = document.createElement("button");
                    button.textContent = "In the row";
                    cell.contentView.replaceChildren(button);
                    return cell;
                  };
                  table.reloadData();
                  table.cellForRow({ row: 1, section: 0, isEqual: (other) =>
                    other.row === 1 && other.section === 0 }).querySelector("button").focus();
                }""")
                self.assertEqual(self.page.evaluate("document.activeElement.textContent"), "In the row")
                self.page.evaluate(change)
                self.assertTrue(self.page.evaluate("table.contains(document.activeElement)"))

    def test_a_tap_selects_and_a_scroll_does_not(self):
        self.touches.tap(100, 60)
        self.wait(self.page, "chosen.length === 1")
        self.touches.drag(100, 600, 0, -200)
        self.wait(self.page, "!table.isTracking && table.contentOffset.y > 0")
        self.still(self.page, "table-view")
        self.touches.tap(100, 300)
        self.wait(self.page, "chosen.length === 3")
        self.assertEqual(self.page.evaluate("chosen[1]"), f"not {self.page.evaluate('chosen[0]')}")

    def grow(self, count):
        """Puts rows above all others; where the rows in sight were before, and are."""
        return self.page.evaluate(f"""(count) => {{
          const before = ({self.TOPS})();
          table.performBatchUpdates(() => {{
            counts[0] += count;
            table.insertRows(Array.from({{ length: count }}, (_, row) => new IndexPath(row)));
          }});
          return [before, ({self.TOPS})()];
        }}""", count)

    TOPS = """() => Object.fromEntries(table.visibleCells.map((cell) =>
      [cell.textLabel.textContent, Math.round(cell.getBoundingClientRect().top)]))"""

    def tops(self):
        return self.page.evaluate(self.TOPS)

    def test_rows_that_come_above_do_not_disturb_a_finger(self):
        self.page.evaluate("""() => {
          window.counts = [300];
          window.table = makeTable(counts);
          table.scrollToRow(new IndexPath(150), "top");
        }""")
        self.touches.down(200, 600)
        self.touches.move(0, -120)
        for count in (12, 40):
            self.still(self.page, "table-view")
            before, grown = self.grow(count)
            self.assertEqual(grown, before)
            self.touches.move(0, -60)
            self.still(self.page, "table-view")
            after = self.tops()
            ways = {after[text] - top for text, top in before.items() if text in after}
            # All rows go the finger's way, give or take the few points by which the browser
            # foresees it; a row too many or too few would be 44.
            self.assertEqual(len(ways), 1)
            self.assertAlmostEqual(ways.pop(), -60, delta=15)
        self.touches.up()
        self.wait(self.page, "!table.isTracking")
        self.still(self.page, "table-view")

    def test_a_finger_whose_row_is_taken_away_can_still_let_go(self):
        self.touches.down(200, 300)
        self.touches.move(0, 100)
        self.page.evaluate("table.reloadData()")
        self.touches.move(0, 20)
        self.touches.up()
        self.wait(self.page, "!table.isTracking")
        self.assertEqual(self.still(self.page, "table-view"), 0)
        self.assertFalse(self.page.evaluate("table.isTracking || table.isDragging"))

    def test_with_less_motion_rows_fade_and_do_not_move(self):
        page = self.open("/pages/controls.html", **PHONE, reduced_motion="reduce")
        moving = page.evaluate("""() => {
          const counts = [50];
          window.table = makeTable(counts);
          counts[0] += 1;
          table.insertRows([new IndexPath(0)]);
          return table.getAnimations({ subtree: true })
            .map((one) => Object.keys(one.effect.getKeyframes()[0]).includes("translate"));
        }""")
        self.assertEqual(moving, [False])

    def test_the_selection_follows_its_row(self):
        row = self.page.evaluate("""() => {
          const counts = [5];
          window.table = makeTable(counts);
          table.selectRow(new IndexPath(3));
          counts[0] = 6;
          table.insertRows([new IndexPath(0)]);
          return table.indexPathForSelectedRow.row;
        }""")
        self.assertEqual(row, 4)

    def test_a_screen_reader_is_told_of_rows_and_headers(self):
        tree = self.accessible(self.page, "table-view")
        for line in ('- grid "Rows":', '- rowgroup "Section 0":', '- rowheader "Section 0"',
                     '- gridcell "Row 0.0 with a line below it"', '- gridcell "Row 0.1"'):
            self.assertIn(line, tree)
        numbers = self.page.evaluate("""() => [table.querySelector("[role=grid]").ariaRowCount,
          table.cellForRow(new IndexPath(0, 0)).ariaRowIndex,
          table.cellForRow(new IndexPath(0, 1)).ariaRowIndex]""")
        self.assertEqual(numbers, ["207", "2", "8"])

    def test_focus_within_a_row_is_not_lost_by_scrolling(self):
        self.page.evaluate("""() => {
          const link = document.createElement("a");
          link.href = "/";
          link.textContent = "more";
          table.cellForRow(new IndexPath(1, 0)).contentView.append(link);
          link.focus();
          table.scrollToRow(new IndexPath(150, 1), "top");
        }""")
        self.assertEqual(self.page.evaluate("document.activeElement.textContent"), "more")

    def test_right_to_left(self):
        sides = self.page.evaluate("""() => {
          document.documentElement.dir = "rtl";
          window.table = makeTable([50, 50]);
          const label = table.cellForRow(new IndexPath(0, 0)).textLabel.getBoundingClientRect();
          const header = table.querySelector(".ui-header span").getBoundingClientRect();
          document.documentElement.dir = "ltr";
          return [innerWidth - label.right, innerWidth - header.right];
        }""")
        self.assertEqual(sides, [16, 16])


class Index(BrowserTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.page = cls.open("/pages/controls.html", **PHONE)
        cls.touches = Touches(cls.page)

    def setUp(self):
        self.page.evaluate("""() => {
          window.table = makeTable(Array(26).fill(20));
          const titles = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
          table.dataSource.sectionIndexTitles = () => titles;
          table.dataSource.titleForHeader = (section) => titles[section];
          table.reloadData();
        }""")
        frames(self.page, 2)
        self.box = self.page.locator("index-bar").bounding_box()

    def wait_top_section(self, section):
        self.wait(self.page, "(one) => table.indexPathsForVisibleRows[0].section === one", section)

    def test_a_finger_slides_over_it(self):
        x = self.box["x"] + self.box["width"] / 2
        first = self.page.locator("index-bar span").first.bounding_box()["y"]
        self.touches.down(x, first + 3)
        self.wait_top_section(0)
        self.touches.move(0, 14 * 12)
        self.wait_top_section(12)
        self.touches.move(0, 600)
        self.wait(self.page, "table.indexPathsForVisibleRows.at(-1).section === 25")
        self.touches.up()
        self.wait(self.page, "!table.querySelector('index-bar').isTracking")
        self.assertEqual(self.page.evaluate("table.contentInset.top"), 0)
        self.assertEqual(self.box, self.page.locator("index-bar").bounding_box())

    def test_it_takes_no_room(self):
        header = self.page.locator(".ui-header").first
        self.assertEqual(header.bounding_box()["y"], 0)
        self.assertEqual(self.box["height"], 760)
        self.page.evaluate("table.contentInset = { top: 40 }; table.setContentOffset({ y: -40 })")
        self.assertEqual(header.bounding_box()["y"], 40)
        lower = {**self.box, "y": 40, "height": 720}
        self.assertEqual(self.page.locator("index-bar").bounding_box(), lower)
        self.page.evaluate("table.setContentOffset({ y: 5000 })")
        self.assertEqual(self.page.locator("index-bar").bounding_box(), lower)

    def test_keys_move_it(self):
        bar = self.page.get_by_role("slider", name="Sections")
        bar.focus()
        for key, section in (("ArrowDown", 0), ("ArrowDown", 1), ("PageDown", 6), ("End", 25),
                             ("ArrowUp", 24), ("Home", 0)):
            self.page.keyboard.press(key)
            self.assertEqual(bar.get_attribute("aria-valuetext"), chr(65 + section))
            if section < 24:
                self.wait_top_section(section)

    def test_it_is_hidden_where_that_is_wanted(self):
        self.page.evaluate("table.indexDisplayMode = 'alwaysHidden'; table.reloadData()")
        self.assertEqual(self.page.locator("index-bar").count(), 0)

    def test_what_has_no_room_is_left_out(self):
        self.page.evaluate("() => { table.style.height = '200px'; }")
        self.wait(self.page, "table.querySelectorAll('index-bar span').length < 15")
