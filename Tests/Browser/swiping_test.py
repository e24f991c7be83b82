"""Actions beside rows: docs/UI.md, "TableView"."""

from harness import PHONE, BrowserTest, Touches, frames

# How far a row is from where it belongs.
OFFSET = """() => table.visibleCells.map(({ contentView }) =>
  parseFloat(contentView.style.translate) || 0).find(Boolean) ?? 0"""


class Swiping(BrowserTest):
    def setUp(self):
        super().setUp()
        self.page = self.open("/pages/controls.html", **PHONE)
        self.page.evaluate("""() => {
          window.table = makeTable([20], { rowHeight: 60 });
          window.done = [];
          window.makeTableLong = () => {
            const { delegate } = table;
            window.table = makeTable([200], { rowHeight: 60 });
            table.delegate = delegate;
          };
          const action = (title, { row }) => ({ title, handler: () => done.push(`${title} ${row}`) });
          table.delegate = {
            trailingSwipeActionsConfiguration: (path) => ({ actions: [action("Delete", path), action("Flag", path)] }),
            leadingSwipeActionsConfiguration: (path) => (path.row === 1 ? null : {
              actions: [action("Read", path)], performsFirstActionWithFullSwipe: false }),
            performPrimaryAction: ({ row }) => done.push(`tapped ${row}`),
          };
        }""")
        self.still(self.page, "table-view")
        self.touches = Touches(self.page)

    def test_a_short_one_leaves_the_actions_to_be_tapped(self):
        self.touches.drag(300, 90, -120, 0)
        self.page.get_by_role("button", name="Flag").wait_for()
        self.equals(self.page, OFFSET, -176)
        self.page.get_by_role("button", name="Flag").click()
        self.wait(self.page, "done.length === 1")
        self.assertEqual(self.page.evaluate("done"), ["Flag 1"])
        self.page.locator(".ui-swipe").first.wait_for(state="detached")

    def test_a_long_one_does_the_first_unless_it_may_not(self):
        self.touches.drag(370, 90, -340, 0)
        self.wait(self.page, "done.length === 1")
        self.assertEqual(self.page.evaluate("done"), ["Delete 1"])
        self.touches.drag(20, 30, 340, 0)
        self.page.get_by_role("button", name="Read").wait_for()
        self.assertEqual(self.page.evaluate("done"), ["Delete 1"])

    def test_a_tiny_one_and_one_without_actions_leave_nothing(self):
        self.touches.drag(300, 90, -30, 0)
        self.touches.drag(20, 90, 300, 0)
        self.wait(self.page, "!table.isTracking")
        self.equals(self.page, OFFSET, 0)
        self.page.locator(".ui-swipe").first.wait_for(state="detached")
        self.assertEqual(self.page.evaluate("done"), [])

    def test_a_row_that_goes_out_of_sight_takes_them_along(self):
        self.page.evaluate("makeTableLong()")
        self.still(self.page, "table-view")
        self.touches.drag(300, 90, -120, 0)
        self.page.get_by_role("button", name="Flag").wait_for()
        self.page.evaluate("table.setContentOffset({ y: 6000 })")
        frames(self.page)
        self.page.evaluate("table.setContentOffset({ y: 3000 })")
        frames(self.page)
        self.equals(self.page, OFFSET, 0)
        self.page.locator(".ui-swipe").first.wait_for(state="detached")

    def test_what_else_one_does_covers_them(self):
        for other in ("touch", "change"):
            with self.subTest(other):
                self.touches.drag(300, 90, -120, 0)
                self.page.get_by_role("button", name="Flag").wait_for()
                if other == "touch":
                    self.touches.tap(200, 400)
                else:
                    self.page.evaluate("table.reloadData()")
                self.wait(self.page, "!document.querySelector('.ui-swipe')")
                self.equals(self.page, OFFSET, 0)

    def test_a_finger_still_scrolls(self):
        self.touches.drag(200, 600, 0, -300)
        self.wait(self.page, "table.contentOffset.y > 100")
