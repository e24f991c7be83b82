"""Zooming by fingers: docs/UI.md, "Zooming"."""

from harness import frames
from zooming_page import MAKE, POINT, VIEW, Zooming


class ZoomingByFingers(Zooming):
    def test_the_point_between_them_stays_where_it_is(self):
        self.make()
        place = (250, 300)
        point = self.page.evaluate(POINT, place)
        self.pinch(place, 40, 80, lift=False)
        self.wait(self.page, "view.zoomScale > 1.3 && view.isZooming")
        self.assert_point(place, point)
        self.assertEqual(self.say("view.pinchGestureRecognizer.state"), "changed")
        self.assertGreater(self.say("view.pinchGestureRecognizer.scale"), 1.3)
        self.lift()
        self.assert_point(place, point)
        self.assertEqual(self.say("view.pinchGestureRecognizer.state"), "ended")
        scale = self.say("view.zoomScale")
        self.assertEqual(self.say("heard"), ["begin sheet", "zoom", f"end sheet {scale}"])
        self.assertFalse(self.say("bounced"))
        self.assertEqual(self.say("visualViewport.scale"), 1)
        self.assert_ends(390 * scale, 1000 * scale)

    def test_it_follows_fingers_that_go_somewhere_else(self):
        self.make()
        self.page.evaluate("view.setZoomScale(2)")
        point = self.page.evaluate(POINT, (200, 300))
        self.touches.fingers("touchStart", (150, 300), (250, 300))
        for step in range(1, 11):
            self.touches.fingers("touchMove", (150 - 5 * step, 300 + 5 * step),
                                 (250 - 5 * step, 300 + 5 * step))
        self.assert_point((150, 350), point)
        self.lift()

    def test_past_its_limits_it_gives_less_and_comes_back(self):
        self.make(minimumZoomScale=0.5)
        self.pinch((200, 400), 20, 200, lift=False)
        self.wait(self.page, "view.zoomScale > 4.1")
        self.assertLess(self.say("view.zoomScale"), 8)
        self.assertGreater(self.say("view.pinchGestureRecognizer.scale"),
                           self.say("view.zoomScale"))
        self.lift()
        self.assertEqual(self.say("view.zoomScale"), 4)
        self.assertTrue(self.say("bounced"))
        self.pinch((200, 400), 180, 10)
        self.assertEqual(self.say("view.zoomScale"), 0.5)
        self.assert_ends(195, 500)

    def test_where_it_does_not_bounce_it_ends_there(self):
        self.make(bouncesZoom=False)
        self.pinch((200, 400), 20, 200, lift=False)
        self.wait(self.page, "view.zoomScale === 4")
        self.lift()
        self.assertEqual(self.say("view.zoomScale"), 4)
        self.pinch((200, 400), 180, 10, lift=False)
        self.wait(self.page, "view.zoomScale === 1")
        self.assertEqual(self.say("sheet.getBoundingClientRect().left"), 0)
        self.lift()

    def test_back_at_its_own_size_nothing_is_left_of_it(self):
        self.make()
        self.pinch((200, 400), 40, 120)
        self.assertGreater(self.say("view.zoomScale"), 1.5)
        self.pinch((200, 400), 150, 30)
        self.assertEqual(self.say("view.zoomScale"), 1)
        self.assertEqual(self.say("sheet.className + view.contentView.style.cssText"), "")
        self.assert_ends(390, 1000)

    def test_a_second_finger_during_a_scroll(self):
        self.make()
        self.page.evaluate("view.setZoomScale(2)")
        self.touches.down(200, 500)
        self.touches.move(0, -100)
        self.wait(self.page, "view.isDragging")
        point = self.page.evaluate(POINT, (220, 400))
        # How far it is moved by somebody else than the view.
        self.page.evaluate("""() => {
          window.ways = [];
          let top = null;
          const place = () => sheet.getBoundingClientRect().top;
          const note = () => { if (top !== null) ways.push(Math.abs(place() - top)); };
          view.addEventListener("touchmove", note, { capture: true, passive: true });
          view.addEventListener("touchmove", () => { top = place(); }, { passive: true });
        }""")
        self.touches.fingers("touchStart", (200, 400), (240, 400))
        for step in range(1, 11):
            y = 400 - 8 * step
            self.touches.fingers("touchMove", (200 - 3 * step, y), (240 + 3 * step, y))
        self.wait(self.page, "view.zoomScale > 2.5")
        self.assertLess(max(self.say("ways")[-3:]), 1)
        now = self.page.evaluate(POINT, (220, 320))
        # The browser had scrolled by the second finger before anyone could tell it not to.
        for one, other in zip(now, point):
            self.assertAlmostEqual(one, other, delta=0.02)
        self.lift()
        self.assertEqual(self.say("view.style.overflow"), "")

    def test_one_finger_scrolls_what_is_larger(self):
        self.make()
        self.page.evaluate("view.setZoomScale(3); view.setContentOffset({ x: 300, y: 800 })")
        frames(self.page, 2)
        self.touches.drag(200, 400, 0, -150)
        self.still(self.page, VIEW)
        self.assertGreater(self.say("view.contentOffset.y"), 850)
        self.touches.drag(200, 400, 150, 0)
        self.wait(self.page, "view.contentOffset.x < 250")
        self.assertEqual(self.say("view.zoomScale"), 3)

    def test_from_the_right(self):
        self.page.evaluate("document.dir = 'rtl'")
        self.addCleanup(lambda: self.page.evaluate("document.dir = ''"))
        self.make(minimumZoomScale=0.5)
        point = self.page.evaluate(POINT, (120, 300))
        self.pinch((120, 300), 40, 100)
        self.assertGreater(self.say("view.zoomScale"), 1.5)
        self.assert_point((120, 300), point)
        scale = self.say("view.zoomScale")
        self.assert_ends(390 * scale, 1000 * scale)
        self.page.evaluate("view.setZoomScale(0.5)")
        self.assertEqual(self.say("sheet.getBoundingClientRect().right"), 390)

    def test_the_rest_of_the_page_is_the_browsers(self):
        for options, code in (({"maximumZoomScale": 1}, ""), ({}, "view.delegate = {}"),
                              ({}, "view.pinchGestureRecognizer.isEnabled = false")):
            with self.subTest(options=options, code=code):
                self.page.evaluate(MAKE, options)
                if options:
                    frames(self.page, 5)
                    self.assertIsNone(self.say("view.pinchGestureRecognizer"))
                else:
                    self.wait(self.page, "view.pinchGestureRecognizer !== null")
                self.page.evaluate(code)
                self.assertEqual(self.say("getComputedStyle(view).touchAction"), "auto")
                frames(self.page, 3)
                self.pinch((200, 400), 40, 120, lift=False)
                self.wait(self.page, "visualViewport.scale > 1.2")
                self.touches.up()
                self.assertEqual(self.say("view.zoomScale"), 1)
                while self.say("visualViewport.scale") > 1:
                    self.pinch((200, 400), 150, 20, lift=False)
                    self.touches.up()
        self.page.evaluate("makeTable([50], { minimumZoomScale: 0.5, maximumZoomScale: 4 })")
        self.page.evaluate("window.view = document.querySelector('table-view')")
        self.page.evaluate("view.setZoomScale(2)")
        frames(self.page, 5)
        self.assertIsNone(self.say("view.pinchGestureRecognizer"))
        self.assertEqual(self.say("view.zoomScale"), 1)
