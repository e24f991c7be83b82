"""Members of a scroll view where UIKit's documentation says more than their names: docs/UI.md."""

from harness import DESKTOP, PHONE, BrowserTest, Touches, frames

MAKE = """(kind) => {
  window.view = new window[kind ?? "ScrollView"]();
  view.className = "whole";
  view.contentView.append(...Array.from({ length: 40 }, (_, index) => {
    const line = document.createElement("p");
    line.textContent = `Line ${index}`;
    return line;
  }));
  document.body.replaceChildren(view);
}"""


class Insets(BrowserTest):
    def setUp(self):
        super().setUp()
        self.page = self.open("/pages/controls.html", **PHONE)

    def test_one_that_changes_is_told(self):
        self.page.evaluate(MAKE)
        self.assertEqual(self.page.evaluate("""() => {
          const told = [];
          view.delegate = { didChangeAdjustedContentInset: ({ adjustedContentInset }) =>
            told.push(adjustedContentInset.top) };
          view.adjustedContentInsetDidChange = () => told.push("itself");
          view.contentInset = { top: 50 };
          view.contentInset = { top: 50 };
          view.contentInset = { top: 0 };
          return told;
        }"""), ["itself", 50, "itself", 0])

    def test_it_is_there_before_the_view_is(self):
        self.assertEqual(self.page.evaluate("""() => {
          const view = new ScrollView();
          view.contentInset = { top: 50 };
          return [view.adjustedContentInset.top, view.contentOffset.y];
        }"""), [50, -50])

    def test_a_place_that_is_none_is_forgotten(self):
        self.page.evaluate(f"""() => {{
          ({MAKE})();
          sessionStorage["ui lines"] = "{{broken";
          view.restorationIdentifier = "lines";
          view.remove();
          document.body.append(view);
        }}""")
        self.assertEqual(self.page.evaluate("view.contentOffset.y"), 0)

    def test_it_comes_back_with_the_place(self):
        make = f"""() => {{
          ({MAKE})();
          view.restorationIdentifier = "lines";
          view.remove();
          document.body.append(view);
        }}"""
        self.page.evaluate(make)
        self.page.evaluate("view.contentInset = { top: 50, bottom: 30 }")
        self.page.evaluate("view.setContentOffset({ y: 300 })")
        self.still(self.page, ".ui-scroll")
        for way in ("reload", "without its inset"):
            with self.subTest(way):
                if way == "reload":
                    self.page.reload()
                    self.page.evaluate("window.ready")
                self.page.evaluate(make)
                self.assertEqual(self.page.evaluate("""() => [view.contentOffset.y,
                  view.contentInset.top, view.contentInset.bottom]"""), [300, 50, 30])

    def test_room_for_a_refresh_does_not_come_back(self):
        make = f"""() => {{
          ({MAKE})();
          view.restorationIdentifier = "refreshed";
          view.refreshControl = new RefreshControl();
          view.remove();
          document.body.append(view);
        }}"""
        self.page.evaluate(make)
        self.page.evaluate("view.contentInset = { top: 10 }")
        self.page.evaluate("view.setContentOffset({ y: 200 })")
        self.page.evaluate("view.refreshControl.beginRefreshing()")
        self.assertEqual(self.page.evaluate("view.contentInset.top"), 70)
        self.page.evaluate("view.setContentOffset({ y: 240 })")
        self.still(self.page, ".ui-scroll")
        self.page.evaluate(make)
        self.assertEqual(self.page.evaluate("[view.contentInset.top, view.contentOffset.y]"),
                         [10, 240])


class Offsets(BrowserTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.page = cls.open("/pages/controls.html", **DESKTOP)

    def setUp(self):
        super().setUp()
        self.page.evaluate(MAKE)
        self.page.evaluate("""() => {
          view.style.cssText = "width: 300px; height: 300px";
          view.contentView.style.width = "900px";
        }""")

    def test_with_motion_goes_both_ways_and_not_at_once(self):
        for offset in ({"x": 400}, {"x": 400, "y": 300}):
            with self.subTest(offset):
                at_once = self.page.evaluate("""(offset) => {
                  view.setContentOffset({ x: 0, y: 0 });
                  view.setContentOffset(offset, true);
                  return view.contentOffset.x;
                }""", offset)
                self.assertEqual(at_once, 0)
                self.wait(self.page, "({ x, y }) => view.contentOffset.x === x"
                          " && view.contentOffset.y === (y ?? 0)", offset)

    def test_a_rectangle_is_shown_whole(self):
        shown = """(rect) => {
          view.scrollRectToVisible(rect);
          return [view.contentOffset.x, view.contentOffset.y];
        }"""
        for direction in ("ltr", "rtl"):
            with self.subTest(direction):
                self.page.evaluate("(dir) => { view.dir = dir; }", direction)
                self.page.evaluate("view.setContentOffset({ x: 0, y: 0 })")
                room = self.page.evaluate("[view.clientWidth, view.clientHeight]")
                rect = {"x": 500, "y": 400, "width": 100, "height": 50}
                self.assertEqual(self.page.evaluate(shown, rect), [600 - room[0], 450 - room[1]])
                rect["x"] = 10
                self.assertEqual(self.page.evaluate(shown, rect), [10, 450 - room[1]])
                self.assertEqual(self.page.evaluate(shown, rect), [10, 450 - room[1]])

    def test_the_bars_have_each_their_own_room(self):
        self.assertEqual(self.page.evaluate("""() => {
          view.verticalScrollIndicatorInsets = { top: 40, left: 3 };
          view.horizontalScrollIndicatorInsets = { left: 10 };
          const [vertical, horizontal] =
            [view.verticalScrollIndicatorInsets, view.horizontalScrollIndicatorInsets];
          return [vertical.top, vertical.left, horizontal.top, horizontal.left];
        }"""), [40, 3, 0, 10])

    def test_what_a_browser_decides_can_be_said_all_the_same(self):
        self.assertEqual(self.page.evaluate("""() => {
          const had = [view.isDirectionalLockEnabled, view.decelerationRate,
            view.automaticallyAdjustsScrollIndicatorInsets,
            view.directionalPressGestureRecognizer.isEnabled];
          view.isDirectionalLockEnabled = true;
          view.decelerationRate = 0.99;
          view.automaticallyAdjustsScrollIndicatorInsets = false;
          view.flashScrollIndicators();
          return [...had, view.isDirectionalLockEnabled, view.decelerationRate,
            view.automaticallyAdjustsScrollIndicatorInsets];
        }"""), [False, 0.998, True, True, True, 0.99, False])

    def test_arrow_keys_scroll_unless_they_are_not_to(self):
        self.page.evaluate("view.focus()")
        self.page.keyboard.press("ArrowDown")
        self.wait(self.page, "view.contentOffset.y > 0")
        self.still(self.page, ".ui-scroll")
        self.page.evaluate("""() => {
          view.directionalPressGestureRecognizer.isEnabled = false;
          view.setContentOffset({ y: 0 });
          window.prevented = [];
          addEventListener("keydown", (event) => prevented.push(event.defaultPrevented));
        }""")
        self.page.keyboard.press("ArrowDown")
        self.assertEqual(self.page.evaluate("prevented"), [True])


class Pages(BrowserTest):
    def make(self, width, height, way):
        """Eight pages, of which the third is in sight."""
        self.page.evaluate("""([width, height, way]) => {
          window.view = new ScrollView();
          view.isPagingEnabled = true;
          Object.assign(view.style, { width: `${width}px`, height: `${height}px`, marginLeft: `${390 - width}px` });
          view.contentView.style.display = way === "x" ? "flex" : "block";
          if (way === "x") view.contentView.style.width = `${8 * width}px`;
          view.contentView.append(...Array.from({ length: 8 }, (_, number) => {
            const made = document.createElement("div");
            made.textContent = `Page ${number}`;
            made.style.cssText = `flex: none; width: ${width}px; height: ${height}px`;
            return made;
          }));
          document.body.replaceChildren(view);
          view.setContentOffset({ x: way === "x" ? 2 * width : 0, y: way === "x" ? 0 : 2 * height });
        }""", [width, height, way])
        frames(self.page, 6)

    def number(self):
        """The page in sight, when the view has come to rest."""
        where = """() => new Promise((done) => {
          let [last, same] = ["", 0];
          const step = () => {
            const { x, y } = view.contentOffset;
            same = `${x} ${y}` === last && !view.isDecelerating ? same + 1 : 0;
            last = `${x} ${y}`;
            if (same === 12) done(Math.max(x / view.clientWidth, y / view.clientHeight));
            else requestAnimationFrame(step);
          };
          step();
        })"""
        return self.page.evaluate(where)

    def setUp(self):
        super().setUp()
        self.page = self.open("/pages/controls.html", **PHONE)
        self.touches = Touches(self.page)

    def test_are_turned_one_at_a_time_however_fast_a_finger_goes_over_one(self):
        for way, aim in ((-1, 3), (1, 1)):
            with self.subTest(way=way):
                self.make(390, 700, "y")
                self.touches.drag(100, 350 - 342 * way, 0, 684 * way, 2)
                self.assertAlmostEqual(self.number(), aim, delta=0.01)
                # And the next one from there.
                self.touches.drag(100, 350 - 342 * way, 0, 684 * way, 2)
                self.assertAlmostEqual(self.number(), aim + (1 if way < 0 else -1), delta=0.01)

    def test_that_a_finger_drags_past_are_behind_it(self):
        self.make(150, 300, "x")
        self.touches.down(380, 100)
        self.touches.move(-270, 0, 30)
        frames(self.page, 20)
        self.touches.move(-10, 0, 10)
        frames(self.page, 20)
        self.touches.up()
        self.assertAlmostEqual(self.number(), 4, delta=0.01)

    def test_from_right_to_left_are_turned_one_at_a_time(self):
        for width in (390, 300):
            for way, aim in ((1, 3), (-1, 1)):
                with self.subTest(width=width, way=way):
                    # The content is as wide as the view, and its pages go on to the left of that.
                    self.page.evaluate("""(width) => {
                      window.view = new ScrollView();
                      view.dir = "rtl";
                      view.isPagingEnabled = true;
                      Object.assign(view.style, { width: "390px", height: "300px" });
                      view.contentView.style.display = "flex";
                      view.contentView.append(...Array.from({ length: 8 }, () => {
                        const made = document.createElement("div");
                        made.style.cssText = `flex: none; width: ${width}px; height: 300px`;
                        return made;
                      }));
                      document.body.replaceChildren(view);
                      view.scrollLeft = -2 * width;
                    }""", width)
                    frames(self.page, 6)
                    self.touches.down(195 - 130 * way, 100)
                    self.touches.move(260 * way, 0, 8)
                    self.assertEqual(self.page.evaluate("""[...view.contentView.children]
                      .map((page) => page.hasAttribute("data-far"))"""),
                      [number not in (2, aim) for number in range(8)])
                    self.touches.up()
                    self.number()
                    self.assertAlmostEqual(self.page.evaluate("-view.scrollLeft"), aim * width, delta=1)

    def test_are_all_there_for_code_and_keys_after_a_touch(self):
        self.make(390, 700, "y")
        for touch in (lambda: self.touches.tap(100, 100), lambda: self.touches.drag(100, 600, 0, -500, 4)):
            self.page.evaluate("view.setContentOffset({ y: 1400 })")
            frames(self.page, 6)
            touch()
            self.number()
            self.page.evaluate("view.setContentOffset({ y: 4900 }, true)")
            self.assertAlmostEqual(self.number(), 7, delta=0.01)


class OfOnesOwn(BrowserTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.page = cls.open("/pages/controls.html", **PHONE)

    def setUp(self):
        super().setUp()
        self.page.evaluate(MAKE, "RefreshingScrollView")
        self.page.evaluate("""() => {
          view.header.textContent = "News";
          view.request = () => new Promise((resolve) => { window.answer = resolve; });
        }""")
        self.still(self.page, ".ui-scroll")

    def test_code_reveals_it(self):
        self.page.evaluate("() => { view.refresh(); }")
        self.assertEqual(self.still(self.page, ".ui-scroll"), -50)
        self.page.evaluate("answer()")
        self.wait(self.page, "!view.isRefreshing")
        self.assertEqual(self.still(self.page, ".ui-scroll"), 0)

    def test_it_is_drawn(self):
        header, first = self.page.evaluate("""() => [view.header, view.querySelector("p")]
          .map((one) => one.getBoundingClientRect().toJSON())""")
        self.assertEqual([header["left"], header["width"]], [0, 390])
        self.assertGreaterEqual(header["height"], 44)
        # The wheel that does not turn takes no room of the content.
        self.assertLess(first["top"] - header["bottom"], 20)
        self.page.evaluate("() => { view.refresh(); }")
        self.still(self.page, ".ui-scroll")
        header, wheel, first = self.page.evaluate("""() =>
          [view.header, view.indicator, view.querySelector("p")]
            .map((one) => one.getBoundingClientRect().toJSON())""")
        self.assertGreaterEqual(wheel["top"], header["bottom"])
        self.assertLessEqual(wheel["bottom"], first["top"])
        self.assertAlmostEqual(wheel["left"] + wheel["width"] / 2, 195, delta=1)

    def test_a_request_that_throws_is_one_that_failed(self):
        self.page.evaluate("""() => {
          window.told = [];
          view.request = () => { throw new Error("no"); };
          view.delegate = { didFail: ({ message }) => told.push(message) };
          view.refresh();
        }""")
        self.wait(self.page, "told[0] === 'no' && !view.isRefreshing")


class ControlsWithin(BrowserTest):
    ALL = """["touchDown", "touchDragInside", "touchDragOutside", "touchUpInside",
      "touchUpOutside", "touchCancel", "primaryActionTriggered"]"""

    def setUp(self):
        super().setUp()
        self.page = self.open("/pages/controls.html", **PHONE)
        self.touches = Touches(self.page)
        self.page.evaluate(f"""() => {{
          customElements.define("plain-control", class extends Control {{}});
          window.control = document.createElement("plain-control");
          control.style.cssText = "display: block; width: 200px; height: 60px";
          window.heard = [];
          for (const name of {self.ALL}) {{
            control.addEventListener(name, () => {{ if (heard.at(-1) !== name) heard.push(name); }});
          }}
        }}""")

    def in_a_view(self):
        self.page.evaluate(MAKE)
        self.page.evaluate("""() => {
          view.contentView.prepend(control);
          withRefresh(view);
        }""")
        self.still(self.page, ".ui-scroll")
        frames(self.page, 2)

    def test_a_drag_is_followed_to_its_end(self):
        self.page.evaluate("document.body.replaceChildren(control)")
        frames(self.page, 2)
        self.touches.drag(50, 30, 0, 300)
        self.wait(self.page, "heard.some((name) => /touch(Up|Cancel)/.test(name))")
        self.assertEqual(self.page.evaluate("heard.filter((name) => name !== 'touchDragInside')"),
                         ["touchDown", "touchDragOutside", "touchUpOutside"])

    def test_a_pull_that_takes_the_touch_cancels_it(self):
        self.in_a_view()
        self.page.evaluate("view.touchesShouldCancel = () => true")
        self.touches.down(50, 30)
        self.touches.move(0, 300)
        self.wait(self.page, "sent === 1")
        self.touches.up()
        self.still(self.page, ".ui-scroll")
        self.assertEqual(self.page.evaluate("heard.filter((name) => !name.includes('Drag'))"),
                         ["touchDown", "touchCancel"])

    def test_a_touch_that_it_keeps_pulls_nothing(self):
        self.in_a_view()
        self.page.evaluate("view.delaysContentTouches = false")
        self.touches.drag(50, 30, 0, 300)
        self.wait(self.page, "heard.includes('touchUpOutside')")
        self.assertEqual(self.still(self.page, ".ui-scroll"), 0)
        self.assertEqual(self.page.evaluate("sent"), 0)

    def in_a_component(self, is_slotted):
        """Has the control, or the view around it, in a shadow root."""
        self.page.evaluate(MAKE)
        self.page.evaluate("""(isSlotted) => {
          const component = document.createElement("div");
          const root = component.attachShadow({ mode: "open" });
          if (isSlotted) {
            const style = document.querySelector("link[href='/ui.css']").cloneNode();
            root.append(style, view);
            view.style.height = "700px";
            view.contentView.prepend(document.createElement("slot"));
            component.append(control);
            document.body.replaceChildren(component);
          } else {
            root.append(control);
            view.contentView.prepend(component);
          }
        }""", is_slotted)
        self.wait(self.page, "view.contentSize.height > 1000 && view.clientHeight < 1000")
        frames(self.page, 2)

    def test_a_drag_on_one_in_a_component_scrolls_the_view_around_it(self):
        for is_slotted in (False, True):
            with self.subTest(is_slotted=is_slotted):
                self.page.evaluate("heard.length = 0")
                self.in_a_component(is_slotted)
                self.touches.drag(50, 30, 0, -300)
                self.wait(self.page, "view.contentOffset.y > 100")
                self.wait(self.page, "heard.includes('touchCancel')")
                self.page.evaluate("""() => {
                  heard.length = 0;
                  view.setContentOffset({ y: 0 });
                  view.touchesShouldBegin = (event, which) => { heard.push(which === control); return false; };
                }""")
                self.wait(self.page, "!view.isDecelerating && view.contentOffset.y === 0")
                frames(self.page, 4)
                self.touches.tap(50, 30)
                self.wait(self.page, "heard.length > 0")
                self.assertEqual(self.page.evaluate("heard"), [True])

    def test_a_pull_is_not_taken_from_a_field_in_a_component(self):
        self.page.evaluate(MAKE)
        self.page.evaluate("""() => {
          withRefresh(view);
          window.component = document.createElement("div");
          const field = document.createElement("textarea");
          field.style.cssText = "width: 300px; height: 60px";
          component.attachShadow({ mode: "open" }).append(field);
          view.contentView.prepend(component);
        }""")
        frames(self.page, 2)
        self.touches.drag(50, 30, 0, 300)
        self.wait(self.page, "!view.isTracking")
        self.assertEqual(self.page.evaluate("sent"), 0)
        self.page.evaluate("""() => {
          view.touchesShouldCancel = (element) => element.localName === "textarea";
        }""")
        self.touches.drag(50, 30, 0, 300)
        self.wait(self.page, "sent === 1")

    def test_one_action_that_throws_stops_no_other(self):
        self.page.evaluate("""() => {
          document.body.replaceChildren(control);
          window.said = [];
          addEventListener("error", (event) => {
            said.push(event.message);
            event.preventDefault();
          });
          control.addTarget(null, () => { throw new Error("first"); }, "valueChanged");
          control.addTarget(null, () => said.push("second"), "valueChanged");
          control.addEventListener("valueChanged", () => said.push("event"));
          control.sendActions("valueChanged");
        }""")
        self.assertEqual(self.page.evaluate("said"), ["Uncaught Error: first", "second", "event"])
        self.errors.clear()
