"""What the tests of zooming share: docs/UI.md, "Zooming"."""

from harness import PHONE, BrowserTest, Touches, frames

VIEW = ".ui-scroll"
# What is 390 wide, the whole of the window, and higher than it.
MAKE = """(options = {}) => {
  window.view = new ScrollView();
  view.className = "whole";
  window.sheet = document.createElement("div");
  sheet.style.cssText =
    "display: flow-root; height: 1000px; background: linear-gradient(45deg, #b33, #36b)";
  for (const [name, words] of [["h2", "Map"], ["button", "Here"]]) {
    sheet.append(Object.assign(document.createElement(name), { textContent: words }));
  }
  view.contentView.append(sheet);
  window.heard = [];
  window.bounced = false;
  const short = (value) => (value === sheet ? "sheet" : value);
  view.delegate = {
    viewForZooming: () => sheet,
    willBeginZooming: (view, element) => heard.push(`begin ${short(element)}`),
    didZoom: () => {
      if (heard.at(-1) !== "zoom") heard.push("zoom");
      bounced ||= view.isZoomBouncing;
    },
    didEndZooming: (view, element, scale) => heard.push(`end ${short(element)} ${scale}`),
  };
  Object.assign(view, { maximumZoomScale: 4, ...options });
  document.body.replaceChildren(view);
}"""
# The point of the sheet at a place in the window, as parts of its size.
POINT = """([x, y]) => {
  const { left, top, width, height } = sheet.getBoundingClientRect();
  return [(x - left) / width, (y - top) / height];
}"""


class Zooming(BrowserTest):
    OPTIONS = PHONE

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.page = cls.open("/pages/controls.html", **cls.OPTIONS)
        cls.touches = Touches(cls.page)

    def make(self, **options):
        self.page.evaluate(MAKE, options)
        self.wait(self.page, "view.pinchGestureRecognizer !== null")
        frames(self.page, 2)

    def say(self, expression):
        return self.page.evaluate(expression)

    def pinch(self, middle, start, end, steps=8, lift=True):
        """Two fingers, one to the upper left and one to the lower right of their middle."""
        x, y = middle
        both = lambda way: [(x - way, y - way), (x + way, y + way)]
        self.touches.fingers("touchStart", both(start)[0])
        self.touches.fingers("touchStart", *both(start))
        for step in range(1, steps + 1):
            self.touches.fingers("touchMove", *both(start + (end - start) * step / steps))
        if lift:
            self.lift()

    def lift(self):
        self.touches.up()
        self.rest()

    def rest(self):
        self.wait(self.page, "!view.isTracking && heard.at(-1)?.startsWith('end')")
        self.assertFalse(self.say("view.isZooming || view.isZoomBouncing"))
        self.still(self.page, VIEW)

    def assert_point(self, place, point):
        now = self.page.evaluate(POINT, place)
        for one, other in zip(now, point):
            self.assertAlmostEqual(one, other, delta=0.01)

    def assert_ends(self, width, height):
        """The content has a size, and scrolling reaches its ends and goes no further."""
        got = self.page.evaluate("""async () => {
          const { width, height } = view.contentSize;
          const ends = [];
          for (const end of [1e6, -1e6]) {
            view.setContentOffset({ x: end, y: end });
            const { left, top, right, bottom } = sheet.getBoundingClientRect();
            const { x, y } = view.contentOffset;
            ends.push(end > 0 ? right : left, end > 0 ? bottom : top, x, y);
          }
          return [width, height, ...ends];
        }""")
        expected = [width, height, min(390, width), min(760, height),
                    max(0, width - 390), max(0, height - 760), 0, 0, 0, 0]
        for one, other in zip(got, expected):
            self.assertAlmostEqual(one, other, delta=1.5, msg=f"{got}, not {expected}")
