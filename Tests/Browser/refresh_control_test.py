"""Pulling a list down: docs/UI.md, "RefreshControl"."""

from harness import DESKTOP, PHONE, BrowserTest, Touches, frames

TABLE = "table-view"
SAID = "(words) => document.querySelector('[role=status]')?.textContent === words"


class PullToRefresh(BrowserTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.page = cls.open("/pages/controls.html", **PHONE)
        cls.touches = Touches(cls.page)

    def setUp(self):
        self.page.evaluate("""() => {
          window.control = withRefresh(window.table = makeTable([40]));
          // The table of the test before may move yet.
          const heard = window.heard = [];
          table.delegate = {
            didScroll: (view) => heard.push(view.contentOffset.y),
            willBeginDragging: () => heard.push("begin"),
            didEndDragging: (view, goesOn) => heard.push(`end ${goesOn}`),
            didEndDecelerating: () => heard.push("rest"),
          };
        }""")
        # What listens to fingers is known to the browser once it has drawn the table.
        frames(self.page, 2)

    def sent(self):
        return self.page.evaluate("sent")

    def offset(self):
        return self.page.evaluate("table.contentOffset.y")

    def wait_sent(self, count):
        self.wait(self.page, "(count) => sent === count", count)

    def pull(self):
        self.touches.drag(200, 200, 0, 300)
        self.wait(self.page, "control.isRefreshing && !table.isTracking")
        self.assertEqual(self.still(self.page, TABLE), -60)

    def top_of_first_row(self):
        return self.page.evaluate("table.cellForRow(new IndexPath(0)).getBoundingClientRect().top")

    def test_half_way_and_let_go_sends_nothing(self):
        self.touches.down(200, 200)
        self.touches.move(0, 60)
        self.wait(self.page, "table.contentOffset.y < -10")
        self.assertTrue(self.page.evaluate("table.isTracking && table.isDragging"))
        self.touches.up()
        self.assertEqual(self.still(self.page, TABLE), 0)
        self.assertEqual(self.sent(), 0)
        self.assertFalse(self.page.evaluate("control.isRefreshing"))
        heard = [one for one in self.page.evaluate("heard") if isinstance(one, str)]
        self.assertEqual(heard, ["begin", "end true", "rest"])

    def test_the_content_follows_the_finger_by_less_and_less(self):
        self.touches.down(200, 200)
        offsets = [0]
        for _ in range(6):
            self.touches.move(0, 20)
            offsets.append(-self.still(self.page, TABLE))
        # The first way is shorter by what a finger may tremble before it counts as moving.
        steps = [after - before for before, after in zip(offsets[1:], offsets[2:])]
        self.assertEqual(steps, sorted(steps, reverse=True))
        self.assertLess(steps[0], 20)
        self.assertGreater(steps[-1], 2)
        self.touches.up()

    def test_code_that_scrolls_ends_the_way_back(self):
        self.touches.drag(200, 200, 0, 80)
        offset = self.page.evaluate("""() => {
          const { distance } = table.panGestureRecognizer;
          table.setContentOffset({ y: 300 });
          return [distance > 1, table.contentOffset.y];
        }""")
        self.assertEqual(offset, [True, 300])
        self.assertEqual(self.still(self.page, TABLE), 300)

    def test_past_the_critical_distance_sends_once_and_keeps_room(self):
        self.touches.down(200, 200)
        self.touches.move(0, 300)
        self.wait_sent(1)
        self.touches.move(0, -200, 10)
        self.touches.move(0, 240, 10)
        self.touches.up()
        self.assertEqual(self.still(self.page, TABLE), -60)
        self.assertEqual(self.page.evaluate("table.contentInset.top"), 60)
        self.assertEqual(self.top_of_first_row(), 60)
        self.assertEqual(self.sent(), 1)

    def test_starting_does_not_jump(self):
        self.touches.down(200, 200)
        self.touches.move(0, 20)
        last = self.top_of_first_row()
        for _ in range(40):
            self.touches.move(0, 8, 1)
            top = self.top_of_first_row()
            # The room that it takes is 60.
            self.assertLess(abs(top - last), 40)
            last = top
        self.wait_sent(1)
        self.touches.up()

    def test_a_second_pull_while_it_refreshes_sends_nothing(self):
        self.pull()
        self.pull()
        self.assertEqual(self.sent(), 1)
        self.assertEqual(self.page.evaluate("table.contentInset.top"), 60)

    def test_ends_without_a_jump(self):
        self.pull()
        tops = self.page.evaluate("""async () => {
          const top = () => table.cellForRow(new IndexPath(0)).getBoundingClientRect().top;
          control.endRefreshing();
          const tops = [top()];
          while (tops.at(-1) > 0) {
            await new Promise(requestAnimationFrame);
            tops.push(top());
          }
          return tops;
        }""")
        self.assertEqual(self.page.evaluate("table.contentInset.top"), 0)
        self.assertEqual(tops[0], 60)
        self.assertEqual(tops, sorted(tops, reverse=True))
        self.assertEqual(self.still(self.page, TABLE), 0)

    def test_ends_without_a_jump_where_the_reader_has_scrolled_on(self):
        self.pull()
        for offset in (500, 20, -25):
            with self.subTest(offset=offset):
                self.page.evaluate("control.beginRefreshing()")
                self.page.evaluate("(y) => table.setContentOffset({ y })", offset)
                before, after = self.page.evaluate("""() => {
                  const tops = () =>
                    table.visibleCells.map((cell) => cell.getBoundingClientRect().top);
                  const before = tops();
                  control.endRefreshing();
                  return [before, tops()];
                }""")
                self.assertEqual(before, after)
                self.assertEqual(self.still(self.page, TABLE), max(offset, 0))

    def test_ends_under_the_finger(self):
        self.touches.down(200, 200)
        self.touches.move(0, 300)
        self.wait_sent(1)
        before, after = self.page.evaluate("""() => {
          const top = () => table.cellForRow(new IndexPath(0)).getBoundingClientRect().top;
          return [top(), (control.endRefreshing(), top())];
        }""")
        self.assertAlmostEqual(before, after, delta=0.5)
        self.touches.move(0, 40)
        self.touches.up()
        self.wait(self.page, "table.contentInset.top === 0")
        self.assertEqual(self.still(self.page, TABLE), 0)
        self.assertEqual(self.sent(), 1)
        self.pull()
        self.assertEqual(self.sent(), 2)

    def test_an_answer_while_the_finger_is_down_is_seen_when_it_lets_go(self):
        self.page.evaluate("""() => {
          window.ended = null;
          const wheel = control.querySelector("activity-indicator");
          control.addTarget(null, () => {
            window.began = performance.now();
            control.endRefreshing("1 new");
          }, "valueChanged");
          new MutationObserver(() => { if (!wheel.isAnimating) ended ??= performance.now(); })
            .observe(wheel, { attributes: true });
        }""")
        self.touches.down(200, 200)
        self.touches.move(0, 300)
        self.wait_sent(1)
        self.wait(self.page, SAID, "1 new")
        self.assertIsNone(self.page.evaluate("ended"))
        self.assertEqual(self.page.evaluate("table.contentInset.top"), 60)
        self.touches.up()
        self.wait(self.page, "table.contentInset.top === 0 && ended !== null")
        # It is there for half a second, however soon the finger goes.
        self.assertGreaterEqual(self.page.evaluate("ended - began"), 499)
        self.assertEqual(self.still(self.page, TABLE), 0)
        self.touches.drag(200, 200, 0, 300)
        self.wait_sent(2)

    def test_code_begins_it_without_an_event_and_ends_it_twice(self):
        self.page.evaluate("control.endRefreshing()")
        self.page.evaluate("control.beginRefreshing()")
        self.assertEqual(self.still(self.page, TABLE), -60)
        self.page.evaluate("control.beginRefreshing()")
        self.assertEqual(self.page.evaluate("table.contentInset.top"), 60)
        self.page.evaluate("control.endRefreshing(); control.endRefreshing()")
        self.assertEqual(self.page.evaluate("table.contentInset.top"), 0)
        self.assertEqual(self.sent(), 0)

    def test_its_room_goes_with_it(self):
        self.assertEqual(self.page.evaluate("""() => {
          const tops = [];
          const look = () => tops.push(table.contentInset.top);
          control.beginRefreshing();
          look();
          document.body.append(table);
          look();
          table.refreshControl = new RefreshControl();
          look();
          control.endRefreshing();
          look();
          const other = new TableView();
          other.refreshControl = new RefreshControl();
          other.refreshControl.beginRefreshing();
          document.body.replaceChildren(other);
          tops.push(other.contentInset.top);
          other.refreshControl.endRefreshing();
          tops.push(other.contentInset.top);
          return tops;
        }"""), [60, 60, 0, 0, 60, 0])

    def test_a_view_that_it_left_has_it_no_more(self):
        self.assertEqual(self.page.evaluate("""() => {
          const [found, other] = [[], new TableView()];
          const look = () => found.push(table.contentInset.top, other.contentInset.top);
          document.body.append(other);
          control.beginRefreshing();
          other.refreshControl = control;
          look();
          table.refreshControl = null;
          found.push(other.refreshControl === control);
          // From a view that is not in the page, too.
          other.remove();
          table.refreshControl = control;
          found.push(other.refreshControl);
          look();
          return found;
        }"""), [0, 60, True, None, 60, 0])

    def test_a_disabled_control_sends_nothing(self):
        self.page.evaluate("control.isEnabled = false")
        self.touches.drag(200, 200, 0, 300)
        self.wait(self.page, "!table.isTracking")
        self.assertEqual(self.still(self.page, TABLE), 0)
        self.assertEqual(self.sent(), 0)

    def test_a_pull_goes_on_from_a_scroll(self):
        self.page.evaluate("table.setContentOffset({ y: 60 })")
        self.still(self.page, TABLE)
        self.touches.down(200, 200)
        self.touches.move(0, 460, 20)
        # Of a touch that scrolls the page hears now and then only.
        for _ in range(200):
            if self.sent():
                break
            self.touches.move(0, 0.5, 1)
        self.assertEqual(self.sent(), 1)
        self.touches.up()

    def test_a_touch_that_is_taken_away_sends_nothing(self):
        self.touches.down(200, 200)
        self.touches.move(0, 60)
        self.wait(self.page, "table.isDragging")
        self.touches.cancel()
        self.wait(self.page, "!table.isTracking")
        self.assertEqual(self.still(self.page, TABLE), 0)
        self.assertEqual(self.sent(), 0)

    def test_a_pull_ends_where_fingers_are_not_to_scroll_any_more(self):
        for off, on in (("isScrollEnabled = false", "isScrollEnabled = true"),
                        ("panGestureRecognizer.isEnabled = false",
                         "panGestureRecognizer.isEnabled = true")):
            with self.subTest(off):
                self.touches.down(200, 200)
                self.touches.move(0, 60)
                self.wait(self.page, "table.contentOffset.y < -10")
                self.page.evaluate(f"table.{off}")
                self.assertEqual(self.page.evaluate("""[table.isTracking, table.isDragging,
                  table.panGestureRecognizer.state]"""), [False, False, "cancelled"])
                self.assertEqual(self.still(self.page, TABLE), 0)
                # The finger is still down: nothing that it does is heard, even if others may scroll.
                self.page.evaluate(f"table.{on}")
                self.touches.move(0, 300)
                self.touches.move(0, -400)
                self.touches.up()
                frames(self.page, 4)
                self.assertEqual(self.still(self.page, TABLE), 0)
                heard = self.page.evaluate("heard.splice(0).filter((one) => isNaN(one))")
                self.assertEqual(heard, ["begin", "end true", "rest"])
                self.assertEqual(self.sent(), 0)
        self.pull()
        self.assertEqual(self.sent(), 1)

    def test_a_scroll_ends_where_fingers_are_not_to_scroll_any_more(self):
        self.touches.down(200, 600)
        self.touches.move(0, -100)
        self.wait(self.page, "table.isDragging && table.contentOffset.y > 50")
        self.page.evaluate("table.isScrollEnabled = false")
        offset = self.still(self.page, TABLE)
        self.page.evaluate("table.isScrollEnabled = true")
        self.touches.move(0, -200)
        self.touches.up()
        frames(self.page, 4)
        self.assertEqual(self.still(self.page, TABLE), offset)
        heard = self.page.evaluate("heard.splice(0).filter((one) => isNaN(one))")
        self.assertEqual(heard, ["begin", "end false"])
        self.touches.drag(200, 600, 0, -100)
        self.wait(self.page, "(offset) => table.contentOffset.y > offset + 50", offset)
        self.still(self.page, TABLE)

    def test_a_finger_after_one_that_was_cancelled_is_followed(self):
        self.touches.fingers("touchStart", (100, 200))
        self.touches.fingers("touchMove", (100, 240))
        self.touches.fingers("touchMove", (100, 280))
        self.wait(self.page, "table.contentOffset.y < -10")
        self.page.evaluate("table.isScrollEnabled = false")
        self.assertEqual(self.still(self.page, TABLE), 0)
        self.page.evaluate("table.isScrollEnabled = true")
        self.touches.fingers("touchStart", (100, 280), (250, 200))
        for y in range(220, 600, 20):
            self.touches.fingers("touchMove", (100, 280), (250, y))
        self.wait_sent(1)
        self.touches.fingers("touchEnd")
        self.wait(self.page, "!table.isTracking")
        self.assertEqual(self.still(self.page, TABLE), -60)

    def test_a_finger_of_which_nothing_more_was_heard_is_not_down_for_ever(self):
        self.page.evaluate("""() => {
          const target = table.cellForRow(new IndexPath(1));
          const all = [new Touch({ identifier: 77, target, clientX: 200, clientY: 200 })];
          target.dispatchEvent(new TouchEvent("touchstart",
            { bubbles: true, touches: all, targetTouches: all, changedTouches: all }));
        }""")
        self.assertTrue(self.page.evaluate("table.isTracking"))
        self.pull()
        self.assertEqual(self.sent(), 1)

    def test_the_drag_of_a_finger_of_which_nothing_more_was_heard_ends_before_the_next_begins(self):
        # A browser may number the next finger as the one before, or otherwise.
        for identifier in (77, 0):
            with self.subTest(identifier):
                self.setUp()
                self.page.evaluate("""(identifier) => {
                  const target = table.cellForRow(new IndexPath(1));
                  const send = (name, clientY) => {
                    const all = [new Touch({ identifier, target, clientX: 200, clientY })];
                    target.dispatchEvent(new TouchEvent(name,
                      { bubbles: true, cancelable: true, touches: all, targetTouches: all, changedTouches: all }));
                  };
                  send("touchstart", 200);
                  for (const y of [220, 260]) send("touchmove", y);
                }""", identifier)
                self.assertTrue(self.page.evaluate("table.isDragging && table.contentOffset.y < 0"))
                self.touches.drag(200, 200, 0, 40)
                self.assertEqual(self.still(self.page, TABLE), 0)
                heard = self.page.evaluate("heard.filter((one) => isNaN(one))")
                self.assertEqual(heard, ["begin", "end true", "begin", "end true", "rest"])
                self.assertEqual(self.sent(), 0)

    def test_a_finger_that_was_cancelled_and_never_lifted_does_not_stop_the_next(self):
        self.page.evaluate("""() => {
          const target = table.cellForRow(new IndexPath(1));
          const send = (name, clientY) => {
            const all = [new Touch({ identifier: 77, target, clientX: 200, clientY })];
            target.dispatchEvent(new TouchEvent(name,
              { bubbles: true, cancelable: true, touches: all, targetTouches: all, changedTouches: all }));
          };
          send("touchstart", 200);
          for (const y of [220, 260]) send("touchmove", y);
          table.isScrollEnabled = false;
          table.isScrollEnabled = true;
        }""")
        self.assertEqual(self.page.evaluate("table.panGestureRecognizer.state"), "cancelled")
        self.assertEqual(self.still(self.page, TABLE), 0)
        self.touches.drag(200, 600, 0, -200)
        self.wait(self.page, "table.contentOffset.y > 50")
        self.still(self.page, TABLE)

    def test_a_finger_that_was_cancelled_is_held_though_one_was_lifted_just_before(self):
        for isCancelledFirst in (False, True):
            with self.subTest(isCancelledFirst):
                self.setUp()
                held = self.page.evaluate("""async (isCancelledFirst) => {
                  const target = table.cellForRow(new IndexPath(1));
                  const send = (name, clientY) => {
                    const all = [new Touch({ identifier: 77, target, clientX: 200, clientY })];
                    const left = name === "touchend" ? [] : all;
                    target.dispatchEvent(new TouchEvent(name,
                      { bubbles: true, cancelable: true, touches: left, targetTouches: left, changedTouches: all }));
                  };
                  const drag = (isCancelled) => {
                    for (const y of [200, 220, 260]) send(y === 200 ? "touchstart" : "touchmove", y);
                    table.isScrollEnabled = !isCancelled;
                    table.isScrollEnabled = true;
                  };
                  const isHeld = () => getComputedStyle(table).overflowY === "hidden";
                  const passed = () => new Promise((done) => setTimeout(done, 200));
                  drag(isCancelledFirst);
                  send("touchend", 260);
                  drag(true);
                  const found = [isHeld()];
                  await passed();
                  found.push(isHeld());
                  send("touchend", 260);
                  await passed();
                  return [...found, isHeld()];
                }""", isCancelledFirst)
                self.assertEqual(held, [True, True, False])

    def test_wheel_and_keys_scroll_after_a_finger_that_was_cancelled_and_never_lifted(self):
        cancel = """() => {
          const target = table.cellForRow(new IndexPath(1));
          for (const [name, clientY] of [["touchstart", 200], ["touchmove", 220], ["touchmove", 260]]) {
            const all = [new Touch({ identifier: 77, target, clientX: 200, clientY })];
            target.dispatchEvent(new TouchEvent(name,
              { bubbles: true, cancelable: true, touches: all, targetTouches: all, changedTouches: all }));
          }
          table.isScrollEnabled = false;
          table.isScrollEnabled = true;
        }"""
        self.page.mouse.move(200, 300)
        for name, scroll in (("wheel", lambda: self.page.mouse.wheel(0, 100)),
                             ("keys", lambda: self.page.keyboard.press("PageDown"))):
            with self.subTest(name):
                self.setUp()
                self.page.evaluate("table.focus()")
                self.page.evaluate(cancel)
                self.equals(self.page, "getComputedStyle(table).overflowY", "hidden")
                self.assertEqual(self.still(self.page, TABLE), 0)
                # The first of them finds the content held yet.
                scroll()
                self.wait(self.page, "getComputedStyle(table).overflowY !== 'hidden'")
                scroll()
                self.wait(self.page, "table.contentOffset.y > 0")

    def test_a_pull_selects_nothing_and_highlights_nothing(self):
        self.page.evaluate("() => { table.delegate.didSelectRow = () => heard.push('selected'); }")
        self.touches.down(200, 200)
        self.touches.move(0, 100)
        self.assertEqual(self.page.locator("[data-is-highlighted=true]").count(), 0)
        self.touches.up()
        self.still(self.page, TABLE)
        self.assertNotIn("selected", self.page.evaluate("heard"))

    def test_a_screen_reader_hears_it(self):
        self.pull()
        self.wait(self.page, SAID, "Refreshing")
        self.page.evaluate("control.endRefreshing('3 new, 1 changed')")
        self.wait(self.page, SAID, "3 new, 1 changed")


class WithLessMotion(BrowserTest):
    def test_it_settles_at_once(self):
        page = self.open("/pages/controls.html", **PHONE, reduced_motion="reduce")
        page.evaluate("control = withRefresh(table = makeTable([40]))")
        frames(page, 2)
        touches = Touches(page)
        touches.drag(200, 200, 0, 300)
        self.wait(page, "control.isRefreshing && !table.isTracking")
        self.assertEqual(page.evaluate("table.contentOffset.y"), -60)
        page.evaluate("control.endRefreshing()")
        self.assertEqual(page.evaluate("table.contentOffset.y"), 0)


class WithoutATouchScreen(BrowserTest):
    def test_it_takes_no_room(self):
        page = self.open("/pages/controls.html", **DESKTOP)
        page.evaluate("control = withRefresh(table = makeTable([40]))")
        page.evaluate("control.beginRefreshing()")
        self.assertTrue(page.evaluate("control.isRefreshing"))
        self.assertEqual(page.evaluate("table.contentInset.top"), 0)
        self.wait(page, SAID, "Refreshing")


class OneTouch(BrowserTest):
    """Belongs to one of what is below a finger, which is decided by its first way."""

    def setUp(self):
        super().setUp()
        self.page = self.open("/pages/controls.html", **PHONE)
        # A view at its top, with a list and a carousel of their own in it.
        self.page.evaluate("""() => {
          window.outer = new ScrollView();
          outer.className = "whole";
          const tall = document.createElement("div");
          tall.style.height = "3000px";
          window.inner = document.createElement("div");
          Object.assign(inner.style, { overflow: "auto", height: "300px", overscrollBehavior: "auto" });
          inner.append(Object.assign(document.createElement("div"), { className: "long" }));
          inner.firstChild.style.height = "2000px";
          window.carousel = document.createElement("div");
          Object.assign(carousel.style, { overflowX: "auto", overflowY: "hidden", height: "150px" });
          carousel.append(document.createElement("div"));
          Object.assign(carousel.firstChild.style, { width: "3000px", height: "100px" });
          outer.append(inner, carousel, tall);
          document.body.replaceChildren(outer);
          window.control = withRefresh(outer);
        }""")
        frames(self.page, 2)
        self.touches = Touches(self.page)

    def outcome(self):
        self.wait(self.page, "!outer.isTracking")
        self.still(self.page, "scroll-view")
        return self.page.evaluate("[sent, control.isRefreshing]")

    def test_scrolls_a_scroller_within_back_and_pulls_nothing_when_that_is_at_its_top(self):
        self.page.evaluate("inner.scrollTop = 150")
        self.touches.drag(150, 40, 0, 500, 20)
        self.assertEqual(self.outcome(), [0, False])
        self.assertEqual(self.page.evaluate("inner.scrollTop"), 0)
        # The next one finds it at its top, and pulls.
        self.touches.drag(150, 40, 0, 400)
        self.assertEqual(self.outcome(), [1, True])

    def test_scrolls_a_scroller_in_a_component_and_pulls_nothing(self):
        self.page.evaluate("""() => {
          const component = document.createElement("div");
          inner.replaceWith(component);
          component.attachShadow({ mode: "open" }).append(inner);
          inner.scrollTop = 150;
        }""")
        self.touches.drag(150, 40, 0, 500, 20)
        self.assertEqual(self.outcome(), [0, False])
        self.assertEqual(self.page.evaluate("inner.scrollTop"), 0)

    def test_ends_also_when_what_it_was_on_in_a_component_is_gone(self):
        self.page.evaluate("""() => {
          const component = document.createElement("div");
          inner.replaceWith(component);
          inner.style.overflow = "hidden";
          component.attachShadow({ mode: "open" }).append(inner);
        }""")
        self.touches.down(150, 40)
        self.touches.move(0, 100)
        self.page.evaluate("inner.firstChild.remove()")
        self.touches.move(0, 300)
        self.touches.up()
        self.assertEqual(self.outcome(), [0, False])
        self.assertEqual(self.page.evaluate("outer.contentOffset.y"), 0)

    def test_that_turns_a_carousel_and_goes_on_downwards_pulls_nothing(self):
        for way in (-150, 150):
            with self.subTest(way=way):
                self.page.evaluate("carousel.scrollLeft = 500")
                self.touches.down(200, 380)
                self.touches.move(way, 0)
                self.touches.move(0, 350)
                self.touches.up()
                self.assertEqual(self.outcome(), [0, False])

    def test_that_goes_down_on_a_carousel_pulls(self):
        self.touches.drag(200, 320, 0, 400)
        self.assertEqual(self.outcome(), [1, True])

    def test_of_a_view_within_a_view_pulls_one_of_them(self):
        self.page.evaluate("""() => {
          window.within = new ScrollView();
          within.style.height = "300px";
          within.append(Object.assign(document.createElement("div"), { textContent: "x" }));
          within.contentSize = { width: 300, height: 900 };
          inner.replaceWith(within);
          window.sentOuter = 0;
          window.sentWithin = 0;
          control.addTarget(null, () => { sentOuter += 1; }, "valueChanged");
          within.refreshControl = new RefreshControl();
          within.refreshControl.addTarget(null, () => { sentWithin += 1; }, "valueChanged");
        }""")
        frames(self.page, 2)
        self.touches.drag(150, 40, 0, 500, 20)
        self.wait(self.page, "!outer.isTracking && !within.isTracking")
        self.assertEqual(self.page.evaluate("[sentOuter, sentWithin]"), [0, 1])

    def test_that_swipes_a_row_and_goes_on_downwards_refreshes_nothing(self):
        self.page.evaluate("""() => {
          window.outer = makeTable([30], { rowHeight: 60 });
          outer.delegate = { trailingSwipeActionsConfiguration: () => ({ actions: [{ title: "Flag" }] }) };
          window.control = withRefresh(outer);
        }""")
        frames(self.page, 2)
        self.touches.down(330, 90)
        self.touches.move(-120, 0)
        self.touches.move(0, 400, 20)
        self.touches.up()
        self.wait(self.page, "!outer.isTracking")
        self.page.get_by_role("button", name="Flag").wait_for()
        self.assertEqual(self.page.evaluate("[sent, outer.contentOffset.y]"), [0, 0])

    def test_starts_a_refresh_once_however_often_it_is_pulled(self):
        self.touches.down(200, 320)
        self.touches.move(0, 200)
        self.wait(self.page, "sent === 1")
        self.page.evaluate("control.endRefreshing()")
        self.touches.move(0, -220, 20)
        self.touches.move(0, 420, 20)
        self.wait(self.page, "outer.panGestureRecognizer.distance > 75")
        self.touches.up()
        self.assertEqual(self.outcome(), [1, False])
        self.touches.drag(200, 500, 0, 250)
        self.assertEqual(self.outcome(), [2, True])
