"""Controls and scroll views: docs/UI.md, "Control", "ScrollView"."""

from harness import PHONE, BrowserTest, Touches, frames


class Controls(BrowserTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.page = cls.open("/pages/controls.html", **PHONE)
        cls.touches = Touches(cls.page)
        cls.page.evaluate("""() => {
          window.PlainControl = class extends Control {};
          customElements.define("plain-control", PlainControl);
        }""")

    def setUp(self):
        self.page.evaluate("""() => {
          window.control = new PlainControl();
          control.tabIndex = 0;
          control.style.cssText = "display: block; width: 200px; height: 100px; touch-action: none";
          document.body.replaceChildren(control);
          window.heard = [];
          const all = ["touchDown", "touchDragInside", "touchDragOutside", "touchUpInside",
            "touchUpOutside", "touchCancel", "primaryActionTriggered"];
          control.addTarget(null, (sender, event) => heard.push(`${event.type}`), all);
          for (const name of all) control.addEventListener(name, () => heard.push(name));
        }""")

    def heard(self):
        heard = self.page.evaluate("heard.splice(0)")
        return [one for one in heard if not one.startswith("pointer")]

    def test_a_touch_inside_and_one_that_leaves(self):
        self.touches.tap(50, 50)
        self.wait(self.page, "heard.includes('primaryActionTriggered')")
        self.assertEqual(self.heard(), ["touchDown", "touchUpInside", "primaryActionTriggered"])
        self.touches.down(50, 50)
        self.touches.move(0, 20, 1)
        self.wait(self.page, "heard.includes('touchDragInside')")
        self.assertTrue(self.page.evaluate("control.isTracking && control.isTouchInside"))
        self.assertEqual(self.page.evaluate("control.state & ControlState.highlighted"), 1)
        self.touches.move(0, 200, 1)
        self.wait(self.page, "heard.includes('touchDragOutside')")
        self.assertFalse(self.page.evaluate("control.isTouchInside || control.isHighlighted"))
        self.touches.up()
        self.wait(self.page, "heard.includes('touchUpOutside')")
        self.assertEqual(self.heard(),
                         ["touchDown", "touchDragInside", "touchDragOutside", "touchUpOutside"])

    def test_a_touch_that_is_taken_away(self):
        self.touches.down(50, 50)
        self.touches.cancel()
        self.wait(self.page, "heard.includes('touchCancel')")
        self.assertEqual(self.heard(), ["touchDown", "touchCancel"])
        self.assertFalse(self.page.evaluate("control.isTracking"))

    def test_a_disabled_one_tracks_and_sends_nothing(self):
        self.page.evaluate("control.isEnabled = false")
        self.touches.tap(50, 50)
        frames(self.page, 2)
        self.page.evaluate("control.focus()")
        self.page.keyboard.press("Enter")
        self.page.evaluate("control.sendActions('valueChanged')")
        self.assertEqual(self.heard(), [])
        self.assertEqual(self.page.evaluate("control.state"), 2 | 8)

    def test_keys_do_what_a_tap_does(self):
        self.page.evaluate("control.focus()")
        for key in ("Enter", " "):
            self.page.keyboard.press(key)
            self.assertEqual([one for one in self.heard() if one != "keydown"],
                             ["touchDown", "touchUpInside", "primaryActionTriggered"])

    def test_targets_and_actions(self):
        said = self.page.evaluate("""() => {
          const said = [];
          const target = { one(...all) { said.push(["one", all.length, this === target]); } };
          const plain = document.createElement("plain-control");
          document.body.append(plain);
          document.body.pressed = (sender) => said.push(["chain", sender === plain]);
          plain.addTarget(target, "one", ["valueChanged", "touchDown"]);
          plain.addTarget(target, "one", "valueChanged");
          plain.addTarget(null, "pressed", "valueChanged");
          plain.sendActions("valueChanged");
          said.push(plain.actions(target, "touchDown"), [...plain.allControlEvents].length,
            plain.allTargets.has(target) && plain.allTargets.has(null));
          plain.removeTarget(target, "one", "valueChanged");
          plain.sendActions(["valueChanged", "touchDown"]);
          plain.removeTarget(target);
          said.push(plain.actions(target, "touchDown").length);
          delete document.body.pressed;
          return said;
        }""")
        self.assertEqual(said, [["one", 2, True], ["chain", True], ["one"], 2, True,
                                ["chain", True], ["one", 2, True], 0])

    def test_targets_of_null_and_what_is_no_action(self):
        self.assertEqual(self.page.evaluate("""() => {
          const said = [];
          const target = { go: () => said.push("go") };
          control.tell = "a text";
          document.body.tell = () => said.push("tell");
          control.addTarget(target, "go", ["valueChanged", "touchDown"]);
          control.addTarget(null, "tell", "valueChanged");
          control.sendActions("valueChanged");
          control.removeTarget(null, "go", "touchDown");
          said.push(control.actions(target, "touchDown").length);
          control.removeTarget(null);
          said.push(control.allTargets.size, control.allControlEvents.size);
          delete document.body.tell;
          return said;
        }"""), ["go", "tell", 0, 0, 0])

    def test_what_an_action_disables_sends_nothing_more(self):
        self.page.evaluate("""() => {
          control.addTarget(null, () => { control.isEnabled = false; }, "touchDown");
          control.sendActions(["touchDown", "touchUpInside"], new Event("pointerdown"));
        }""")
        self.assertEqual(self.heard(), ["touchDown"])

    def test_one_that_goes_under_a_finger_lets_go(self):
        self.page.evaluate("""() => {
          control.removeTarget(null);
          control.addTarget(null, () => control.remove(), "touchDown");
        }""")
        self.touches.tap(50, 50)
        self.wait(self.page, "heard.length === 2")
        self.assertEqual(sorted(self.heard()), ["touchCancel", "touchDown"])
        self.page.evaluate("""() => {
          control.removeTarget(null);
          document.body.append(control);
        }""")
        self.touches.tap(50, 50)
        self.wait(self.page, "heard.at(-1) === 'primaryActionTriggered'")
        self.assertEqual(self.heard(), ["touchDown", "touchUpInside", "primaryActionTriggered"])

    def test_accessibility(self):
        self.page.evaluate("""() => {
          Object.assign(control, { accessibilityTraits: "slider", accessibilityLabel: "Volume",
            accessibilityHint: "Swipe to change", accessibilityValue: "half" });
        }""")
        slider = self.page.get_by_role("slider", name="Volume")
        self.assertEqual(slider.get_attribute("aria-valuetext"), "half")
        self.assertEqual(slider.get_attribute("aria-description"), "Swipe to change")
        self.assertEqual(self.page.evaluate("control.accessibilityFrame.width"), 200)

    def test_one_that_says_nothing_of_itself_is_a_button_that_keys_reach(self):
        self.page.evaluate("""() => {
          const [plain, own] = [new PlainControl(), new PlainControl()];
          plain.accessibilityLabel = "Plain";
          Object.assign(own, { accessibilityTraits: "checkbox", accessibilityLabel: "Own",
            tabIndex: -1, isSelected: true });
          document.body.replaceChildren(plain, own);
        }""")
        self.page.keyboard.press("Tab")
        plain = self.page.get_by_role("button", name="Plain")
        self.assertTrue(plain.evaluate("(one) => one === document.activeElement"))
        self.assertIsNone(plain.get_attribute("aria-pressed"))
        own = self.page.get_by_role("checkbox", name="Own", checked=True)
        self.assertEqual(own.evaluate("(one) => one.tabIndex"), -1)
        plain.evaluate("(one) => { one.isSelected = true; }")
        self.page.get_by_role("button", name="Plain", pressed=True).wait_for(state="attached")
        plain.evaluate("(one) => { one.isSelected = false; }")
        self.page.get_by_role("button", name="Plain", pressed=False).wait_for(state="attached")


class ScrollViews(BrowserTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.page = cls.open("/pages/controls.html", **PHONE)
        cls.touches = Touches(cls.page)

    def make(self, kind="ScrollView"):
        self.page.evaluate("""(kind) => {
          window.view = new window[kind]();
          view.className = "whole";
          view.contentView.append(...Array.from({ length: 40 }, (_, index) => {
            const line = document.createElement("p");
            line.textContent = `Line ${index}`;
            return line;
          }));
          document.body.replaceChildren(view);
        }""", kind)
        self.still(self.page, ".ui-scroll")

    def test_offset_and_inset(self):
        self.make()
        self.assertEqual(self.page.evaluate("""() => {
          const places = [];
          const note = () => places.push(view.contentOffset.y,
            view.contentView.getBoundingClientRect().top);
          note();
          view.contentInset = { top: 50 };
          note();
          view.contentOffset = { y: -50 };
          note();
          view.setContentOffset({ y: 300 });
          note();
          view.contentInset = { top: 10, bottom: 20 };
          note();
          view.setContentOffset({ y: 1e6 });
          places.push(view.contentOffset.y - (view.contentSize.height + 20 - view.clientHeight));
          view.scrollRectToVisible({ y: 5, height: 10 });
          note();
          return places;
        }"""), [0, 0, 0, 0, -50, 50, 300, -300, 300, -300, 0, -5, 5])

    def test_it_goes_on_when_it_is_let_go_and_says_so(self):
        self.make()
        self.page.evaluate("""() => {
          window.heard = [];
          view.delegate = {
            willBeginDragging: () => heard.push("begin"),
            didEndDragging: (_, goesOn) => heard.push(`end ${goesOn}`),
            didEndDecelerating: () => heard.push("rest"),
          };
        }""")
        self.touches.drag(200, 600, 0, -300, 4)
        self.wait(self.page, "heard.length > 1")
        self.assertGreater(self.still(self.page, ".ui-scroll"), 200)
        heard = self.page.evaluate("heard")
        # Whether it goes on depends on how fast the finger was on this machine.
        self.assertIn(heard, (["begin", "end true", "rest"], ["begin", "end false"]))

    def test_it_bounces_at_both_ends_and_not_where_it_may_not(self):
        self.make()
        for end, way in ((0, 150), (1e6, -150)):
            self.page.evaluate("(y) => view.setContentOffset({ y })", end)
            rest = self.still(self.page, ".ui-scroll")
            self.touches.down(200, 400)
            self.touches.move(0, way)
            self.wait(self.page, "(rest) => Math.abs(view.contentOffset.y - rest) > 30", rest)
            self.touches.up()
            self.assertAlmostEqual(self.still(self.page, ".ui-scroll"), rest, delta=1)
        self.page.evaluate("view.bounces = false; view.setContentOffset({ y: 0 })")
        self.still(self.page, ".ui-scroll")
        self.touches.down(200, 400)
        self.touches.move(0, 150)
        self.assertEqual(self.page.evaluate("view.contentOffset.y"), 0)
        self.touches.up()

    def test_it_bounces_at_its_sides_too(self):
        self.make()
        self.touches.drag(200, 400, 150, 0)
        self.assertEqual(self.page.evaluate("view.contentOffset.x"), 0)
        self.page.evaluate("view.alwaysBounceHorizontal = true")
        self.bounce_sideways(0, 150)
        self.bounce_sideways(0, -150)
        self.page.evaluate("view.contentView.style.width = '800px'")
        for direction in ("ltr", "rtl"):
            self.page.evaluate("(direction) => { view.dir = direction; }", direction)
            self.page.evaluate("view.alwaysBounceHorizontal = false")
            self.bounce_sideways(0, 150)
            self.bounce_sideways(1e6, -150)

    def bounce_sideways(self, end, way):
        self.page.evaluate("(x) => view.setContentOffset({ x })", end)
        self.still(self.page, ".ui-scroll")
        rest = self.page.evaluate("view.contentOffset.x")
        self.touches.down(200, 400)
        self.touches.move(way, 0)
        sign = 1 if way > 0 else -1
        self.wait(self.page, "([rest, sign]) => (rest - view.contentOffset.x) * sign > 30",
                  [rest, sign])
        self.assertEqual(self.page.evaluate("view.contentOffset.y"), 0)
        self.touches.up()
        self.wait(self.page, "(rest) => Math.abs(view.contentOffset.x - rest) < 1", rest)

    def test_the_pan_gesture_tells_of_the_finger(self):
        self.make()
        self.page.evaluate("""() => {
          window.pan = view.panGestureRecognizer;
          window.states = [];
          const note = () => { if (states.at(-1) !== pan.state) states.push(pan.state); };
          view.delegate = { willBeginDragging: note, didScroll: note, didEndDragging: note };
        }""")
        self.assertEqual(self.page.evaluate("pan.translation()"), {"x": 0, "y": 0})
        self.touches.down(200, 600)
        self.touches.move(0, -300, 20)
        self.wait(self.page, "pan.state === 'changed' && pan.translation().y < -200")
        self.assertLess(self.page.evaluate("pan.velocity().y"), 0)
        self.assertEqual(self.page.evaluate("pan.translation().x"), 0)
        self.touches.up()
        self.wait(self.page, "pan.state === 'ended'")
        self.assertEqual(self.page.evaluate("states"), ["began", "changed", "ended"])
        self.touches.tap(200, 600)
        self.wait(self.page, "pan.state === 'failed'")

    def test_nothing_follows_fingers_where_the_pan_gesture_is_off(self):
        self.make()
        self.page.evaluate("view.panGestureRecognizer.isEnabled = false")
        frames(self.page, 2)
        self.touches.drag(200, 600, 0, -300)
        self.touches.drag(200, 200, 0, 300)
        self.assertEqual(self.still(self.page, ".ui-scroll"), 0)
        self.page.evaluate("view.panGestureRecognizer.isEnabled = true")
        frames(self.page, 2)
        self.touches.drag(200, 600, 0, -300)
        self.wait(self.page, "view.contentOffset.y > 100")

    def test_room_at_the_ends_of_its_bars(self):
        self.make()
        self.assertEqual(self.page.evaluate("""() => {
          view.verticalScrollIndicatorInsets = { top: 40 };
          view.horizontalScrollIndicatorInsets = { left: 10, right: 20 };
          const style = getComputedStyle(view);
          return [view.verticalScrollIndicatorInsets.top, view.horizontalScrollIndicatorInsets.left,
            ...["top", "bottom", "left", "right"].map((side) =>
              style.getPropertyValue(`--bar-${side}`))];
        }"""), [40, 10, "40px", "0px", "10px", "20px"])

    def test_two_fingers_on_two_lines_end_when_both_are_gone(self):
        self.make()
        both = self.page.evaluate("""[5, 12].map((number) => {
          const { x, y, height } = view.querySelectorAll("p")[number].getBoundingClientRect();
          return [x + 9, y + height / 2];
        })""")
        for last in (0, 1):
            self.touches.fingers("touchStart", both[0])
            self.touches.fingers("touchStart", *both)
            self.wait(self.page, "view.isTracking")
            self.touches.lift(1 - last, both[1 - last])
            self.assertTrue(self.page.evaluate("view.isTracking"))
            self.touches.lift(last, both[last])
            self.wait(self.page, "!view.isTracking")

    def test_a_view_of_ones_own(self):
        self.make("RefreshingScrollView")
        self.page.evaluate("""() => {
          view.header.textContent = "News";
          window.told = [];
          view.request = () => new Promise((resolve) => { window.answer = resolve; });
          view.delegate = { needsRefresh: (data) => told.push(data) };
        }""")
        header = "view.header.getBoundingClientRect().top"
        self.touches.down(200, 200)
        self.touches.move(0, 60)
        self.wait(self.page, "view.contentOffset.y < 0")
        self.assertAlmostEqual(self.page.evaluate(header), 0, delta=1)
        self.touches.up()
        self.assertEqual(self.still(self.page, ".ui-scroll"), 0)
        self.assertFalse(self.page.evaluate("view.isRefreshing"))
        self.touches.drag(200, 200, 0, 300)
        self.wait(self.page, "view.isRefreshing")
        self.assertEqual(self.still(self.page, ".ui-scroll"), -50)
        self.assertTrue(self.page.evaluate("view.indicator.isAnimating"))
        self.assertAlmostEqual(self.page.evaluate(header), 0, delta=1)
        self.page.evaluate("answer('3 new')")
        self.wait(self.page, "told[0] === '3 new'")
        self.assertEqual(self.still(self.page, ".ui-scroll"), 0)
        self.assertFalse(self.page.evaluate("view.indicator.isAnimating"))
