"""Zooming by wheel, keys and code: docs/UI.md, "Zooming"."""

from harness import DESKTOP, PHONE
from zooming_page import MAKE, POINT, VIEW, Zooming


class ZoomingByOtherMeans(Zooming):
    OPTIONS = {**DESKTOP, "viewport": {"width": 390, "height": 760}}

    def test_a_wheel_with_the_control_key(self):
        self.make()
        place = (250, 300)
        point = self.page.evaluate(POINT, place)
        self.page.mouse.move(*place)
        self.page.keyboard.down("Control")
        for _ in range(5):
            self.page.mouse.wheel(0, -20)
        self.wait(self.page, "heard.length === 3")
        self.page.keyboard.up("Control")
        self.assertAlmostEqual(self.say("view.zoomScale"), 2.718, delta=0.01)
        self.assert_point(place, point)
        self.assertEqual(self.say("heard")[:2], ["begin sheet", "zoom"])
        offset = self.say("view.contentOffset.y")
        self.page.mouse.wheel(0, 50)
        self.wait(self.page, "(offset) => view.contentOffset.y === offset + 50", offset)
        self.assertAlmostEqual(self.say("view.zoomScale"), 2.718, delta=0.01)

    def test_a_wheel_finds_its_own_size_again(self):
        self.make(minimumZoomScale=0.5)
        self.page.mouse.move(100, 100)
        self.page.keyboard.down("Control")
        for way in (-7, -7, -7, 7, 7, 7):
            self.page.mouse.wheel(0, way)
        self.wait(self.page, "heard.at(-1)?.startsWith('end')")
        self.page.keyboard.up("Control")
        self.assertEqual(self.say("[view.zoomScale, sheet.className]"), [1, ""])

    def test_keys(self):
        self.make(minimumZoomScale=0.5)
        self.page.evaluate("view.focus()")
        point = self.page.evaluate(POINT, (195, 380))
        for _ in range(3):
            self.page.keyboard.press("+")
        self.rest()
        self.assertAlmostEqual(self.say("view.zoomScale"), 1.25 ** 3, delta=0.001)
        self.assert_point((195, 380), point)
        self.page.keyboard.press("-")
        self.rest()
        self.assertAlmostEqual(self.say("view.zoomScale"), 1.25 ** 2, delta=0.001)
        self.page.keyboard.press("0")
        self.rest()
        self.assertEqual(self.say("view.zoomScale"), 1)
        self.page.evaluate("sheet.querySelector('button').focus()")
        self.page.keyboard.press("+")
        self.assertEqual(self.say("view.zoomScale"), 1)

    def test_the_pinch_that_safari_tells_of(self):
        self.make()
        point = self.page.evaluate(POINT, (250, 300))
        self.page.evaluate("""() => {
          for (const [name, scale] of [["start", 1], ["change", 1.5], ["change", 2], ["end", 2]]) {
            const event = new Event(`gesture${name}`, { cancelable: true });
            view.dispatchEvent(Object.assign(event, { scale, clientX: 250, clientY: 300 }));
          }
        }""")
        self.rest()
        self.assertEqual(self.say("view.zoomScale"), 2)
        self.assert_point((250, 300), point)
        self.assertEqual(self.say("heard"), ["begin sheet", "zoom", "end sheet 2"])

    def test_code_may_ask_before_the_code_of_it_is_here(self):
        self.page.evaluate(MAKE)
        self.page.evaluate("view.setZoomScale(3)")
        self.wait(self.page, "view.zoomScale === 3")
        self.assertEqual(self.say("heard"), ["zoom"])
        self.assert_ends(1170, 3000)

    def test_to_a_part_of_it(self):
        self.make()
        self.page.evaluate("view.zoom(new DOMRect(100, 500, 130, 130), true)")
        self.wait(self.page, "heard.at(-1).startsWith('end')")
        self.assertEqual(self.say("heard"), ["begin sheet", "zoom", "end sheet 3"])
        self.assertEqual(self.page.evaluate(POINT, (195, 380)), [165 / 390, 565 / 1000])
        self.page.evaluate("view.zoom({ x: 0, y: 0, width: 10, height: 10 })")
        self.assertEqual(self.say("view.zoomScale"), 4)
        self.assertEqual(self.say("view.contentOffset"), {"x": 0, "y": 0})

    def test_limits_hold_for_code(self):
        self.make(minimumZoomScale=0.5)
        self.assertEqual(self.say("(view.zoomScale = 9, view.zoomScale)"), 4)
        self.assertEqual(self.say("(view.zoomScale = 0.1, view.zoomScale)"), 0.5)
        self.assert_ends(195, 500)

    def test_insets_are_around_it(self):
        self.make()
        self.page.evaluate("""() => {
          view.contentInset = { top: 10, left: 20, bottom: 30, right: 40 };
          view.setZoomScale(2);
          view.setContentOffset({ x: 1e6, y: 1e6 });
        }""")
        # 330 are left of the width.
        self.assertEqual(self.say("view.contentSize"), {"width": 660, "height": 2000})
        self.assertEqual(self.say("view.contentOffset"),
                         {"x": 660 + 40 - 390, "y": 2000 + 30 - 760})
        self.page.evaluate("view.setContentOffset({ x: -1e6, y: -1e6 })")
        self.assertEqual(self.say("view.contentOffset"), {"x": -20, "y": -10})

    def test_another_size_of_the_window_or_of_the_content(self):
        self.make()
        self.page.evaluate("view.setZoomScale(2)")
        self.page.evaluate("view.style.width = '200px'")
        self.wait(self.page, "view.contentSize.width === 400")
        self.page.evaluate("sheet.style.height = '1500px'")
        self.wait(self.page, "view.contentSize.height === 3000")
        self.assertEqual(self.say("view.zoomScale"), 2)

    def test_a_picture_that_comes_later(self):
        self.page.evaluate(MAKE)
        self.page.evaluate("""() => {
          window.sheet = document.createElement("img");
          view.contentView.replaceChildren(sheet);
          view.delegate = { viewForZooming: () => sheet };
          view.setZoomScale(2);
        }""")
        self.wait(self.page, "view.zoomScale === 2")
        self.page.evaluate("sheet.style.width = '100%'; sheet.src = '/icon.svg'")
        self.wait(self.page, "sheet.getBoundingClientRect().width === 780")
        self.wait(self.page, "view.contentSize.height === 780")

    def test_it_comes_back_as_large_as_it_was_and_to_its_place(self):
        self.make(restorationIdentifier="map")
        self.page.evaluate("view.setZoomScale(2); view.setContentOffset({ x: 130, y: 700 })")
        self.wait(self.page, "sessionStorage.getItem('ui map')?.includes('700')")
        self.page.evaluate(MAKE, {"restorationIdentifier": "map"})
        self.wait(self.page, "view.zoomScale === 2 && view.contentOffset.y === 700")
        self.assertEqual(self.say("view.contentOffset.x"), 130)
        self.page.evaluate("sessionStorage.clear()")

    def test_accessibility(self):
        self.make()
        before = self.accessible(self.page, VIEW)
        self.page.evaluate("view.setZoomScale(2)")
        self.assertEqual(self.accessible(self.page, VIEW), before)
        self.assertIn('heading "Map"', before)
        self.page.evaluate("view.setContentOffset({ x: 0, y: 0 })")
        self.page.get_by_role("button", name="Here").click()


class ZoomingWithLessMotion(Zooming):
    OPTIONS = {**PHONE, "reduced_motion": "reduce"}

    def test_it_is_there_at_once(self):
        self.make()
        self.page.evaluate("view.setZoomScale(2, true)")
        self.assertEqual(self.say("sheet.getBoundingClientRect().width"), 780)
        self.assertEqual(self.say("heard"), ["begin sheet", "zoom", "end sheet 2"])
