"""What moves, and what lights up, when rows change: docs/UI.md, "TableView"."""

from feeds import rows
from harness import DESKTOP, PHONE, BrowserTest
from reader_page import STATE, ReaderTest

# Of each row in sight: its words, and the first translation and colour of what moves it.
MOTION = """() => table.visibleCells.map((cell) => {
  const frames = cell.getAnimations().map((one) => one.effect.getKeyframes()[0]);
  const way = frames.map(({ translate }) => translate).find(Boolean) ?? null;
  return [cell.textLabel.textContent, way && Math.round(parseFloat(way.split(" ")[1]))];
})"""


class Motion(BrowserTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.page = cls.open("/pages/controls.html", **PHONE)

    def change(self, script):
        """Changes a table of 100 rows of 50 pixels, and says what moves then."""
        self.page.evaluate("""() => {
          window.path = (row) => new IndexPath(row);
          window.rows = Array.from({ length: 100 }, (_, row) => `Row ${row}`);
          window.table = makeTable([100], { rowHeight: 50 });
          Object.assign(table.dataSource, {
            numberOfRows: () => rows.length,
            cell({ row }, view) {
              const cell = view.dequeueReusableCell("plain");
              cell.textLabel.textContent = rows[row];
              return cell;
            },
          });
          table.reloadData();
        }""")
        # At once: of motion between two calls more or less would be left.
        return dict(self.page.evaluate(f"() => {{ {script}; return ({MOTION})(); }}"))

    def test_a_row_that_comes_at_the_top_does_not_slide_and_the_others_make_room(self):
        moved = self.change("""rows.unshift("new"); table.insertRows([path(0)]);""")
        self.assertIsNone(moved.pop("new"))
        self.assertEqual(set(moved.values()), {-50})

    def test_rows_that_come_for_a_whole_screen_do_not_slide(self):
        moved = self.change("""
          const fresh = Array.from({ length: 14 }, (_, row) => `new ${row}`);
          rows.unshift(...fresh);
          table.insertRows(fresh.map((_, row) => path(row)));""")
        self.assertGreater(len(moved), 10)
        fresh = {row: way for row, way in moved.items() if row.startswith("new")}
        self.assertEqual(set(fresh.values()), {None})

    def test_rows_that_come_from_below_the_screen_slide_up_by_what_went(self):
        moved = self.change("""
          rows.splice(0, 3);
          table.deleteRows([0, 1, 2].map(path));""")
        self.assertEqual(set(moved.values()), {150})

    def test_a_row_that_moves_passes_over_those_that_make_room(self):
        self.change("""
          rows.splice(5, 0, ...rows.splice(1, 1));
          table.moveRow(path(1), path(5));
          window.orders = Object.fromEntries(table.visibleCells.map((cell) =>
            [cell.textLabel.textContent, getComputedStyle(cell).zIndex]));""")
        orders = self.page.evaluate("orders")
        self.assertEqual(orders.pop("Row 1"), "1")
        self.assertEqual(set(orders.values()), {"auto"})

    def test_a_row_that_goes_lies_below_the_others_and_is_soon_out(self):
        # What slides into its place is drawn after it.
        self.change("""
          rows.splice(1, 1);
          table.deleteRows([path(1)]);
          const [leaving] = document.getElementsByClassName("ui-leaving");
          window.isBelow = table.visibleCells.every((cell) =>
            leaving.compareDocumentPosition(cell) & Node.DOCUMENT_POSITION_FOLLOWING);
          window.time = leaving.getAnimations()[0].effect.getTiming().duration;""")
        self.assertEqual(self.page.evaluate("[isBelow, time]"), [True, 120])

    def test_a_row_that_is_filled_anew_slides_from_where_it_was(self):
        moved = self.change("""
          rows.unshift("new");
          rows[3] = "changed";
          table.performBatchUpdates(() => {
            table.insertRows([path(0)]);
            table.reloadRows([path(2)]);
          });""")
        self.assertEqual(moved["changed"], -50)

    def test_a_row_that_moves_slides_from_where_it_was(self):
        moved = self.change("""
          rows.unshift(...rows.splice(4, 1));
          table.moveRow(path(4), path(0));""")
        self.assertEqual(moved.pop("Row 4"), 200)
        self.assertEqual({moved.pop(f"Row {row}") for row in range(4)}, {-50})
        self.assertEqual(set(moved.values()), {None})

    def test_motion_of_the_cells_own_goes_on(self):
        self.change("""
          table.cellForRow(path(1)).animate({ opacity: [0.5, 1] }, 60_000).id = "own";
          rows.unshift("new");
          table.insertRows([path(0)]);""")
        own = "table.cellForRow(path(2)).getAnimations().some(({ id }) => id === 'own')"
        self.assertTrue(self.page.evaluate(own))


class Light(ReaderTest):
    LIT = """() => Object.fromEntries(document.querySelector("table-view").visibleCells
      .map((cell) => [cell.querySelector(".title").textContent, cell.getAnimations()
        .flatMap((one) => one.effect.getKeyframes().map(({ backgroundColor }) => backgroundColor))
        .find(Boolean)]).filter(([, colour]) => colour))"""

    def test_new_moved_and_changed_rows_light_up(self):
        self.publisher.put("news", rows(6))
        page = self.read(**DESKTOP)
        self.shows(page, "Row 0")
        self.wait(page, STATE, "idle")
        # As long as it is lit here, so that a slow machine sees it too.
        page.evaluate("""() => {
          const { animate } = Element.prototype;
          Element.prototype.animate = function (frames, timing) {
            const lit = Array.isArray(frames) && frames[0].backgroundColor;
            return animate.call(this, frames, lit ? { ...timing, duration: 1e6 } : timing);
          };
        }""")
        items = rows(6)
        items[2]["value"] = "7"
        items = rows(1, "new") + items[5:] + items[:5]
        self.publisher.put("news", items)
        page.keyboard.press("r")
        self.shows(page, "New 0")
        self.assertEqual(page.evaluate(self.LIT), {
            "New 0": "var(--new)", "Row 5": "var(--moved)", "Row 2": "var(--changed)"})
        # Where the system chooses the colours they have lines around them, each its own.
        page.emulate_media(forced_colors="active")
        lines = """() => Object.fromEntries(document.querySelector("table-view").visibleCells
          .map((cell) => [cell.querySelector(".title").textContent,
            getComputedStyle(cell).outlineStyle]).filter(([, line]) => line !== "none"))"""
        self.assertEqual(page.evaluate(lines),
                         {"New 0": "solid", "Row 5": "dashed", "Row 2": "dotted"})
        page.evaluate("document.getAnimations().forEach((one) => one.finish())")
        self.wait(page, f"Object.keys(({lines})()).length === 0")
