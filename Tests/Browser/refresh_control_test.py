"""Pulling a list down: docs/UI.md, "RefreshControl"."""

from harness import PHONE, BrowserTest, Touches, frames

OFFSET = "document.querySelector('table-view').contentOffset.y"


class PullToRefresh(BrowserTest):
    def setUp(self):
        super().setUp()
        self.page = self.open("/pages/controls.html", **PHONE)
        self.page.evaluate("control = withRefresh(table = makeTable([40]))")
        self.touches = Touches(self.page)

    def sent(self):
        return self.page.evaluate("sent")

    def test_half_way_and_let_go_sends_nothing(self):
        self.touches.down(200, 200)
        self.touches.move(0, 60)
        self.assertLess(self.page.evaluate(OFFSET), -10)
        self.touches.up()
        self.assertEqual(self.still(self.page, "table-view"), 0)
        self.assertEqual(self.sent(), 0)
        self.assertFalse(self.page.evaluate("control.isRefreshing"))

    def test_past_the_critical_distance_sends_once_and_keeps_room(self):
        self.touches.down(200, 200)
        self.touches.move(0, 300, 20)
        self.touches.move(0, 40)
        self.assertEqual(self.sent(), 1)
        self.touches.up()
        self.assertEqual(self.still(self.page, "table-view"), -60)
        self.assertEqual(self.page.evaluate("table.contentInset.top"), 60)
        self.assertEqual(self.sent(), 1)


if __name__ == "__main__":
    import unittest
    unittest.main()
