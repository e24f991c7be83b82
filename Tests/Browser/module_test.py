"""The classes as a module: docs/UI.md and docs/WEB.md, "As a package"."""

import pathlib
import shutil
import tempfile

from harness import DESKTOP, PHONE, PUBLIC, BrowserTest, Freshet, Touches

PAGE = """<!doctype html><meta charset=utf-8><link rel=stylesheet href=one/ui.css>
<script type=module src=page.js></script><body></body>"""
SCRIPT = """
window.ready = (async () => {
  window.before = [...document.querySelectorAll("*")].length;
  const alone = await import("/one/ui/TableView.js");
  window.wasDefined = customElements.get("table-view") !== undefined;
  window.copies = [await import("/one/ui.js"), await import("/two/ui.js"), alone];
})();
"""


class TwoCopies(BrowserTest):
    def setUp(self):
        super().setUp()
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        for name in ("one", "two"):
            shutil.copytree(PUBLIC, folder / name)
        (folder / "index.html").write_text(PAGE)
        (folder / "page.js").write_text(SCRIPT)
        server = self.enterContext(Freshet(public=folder))
        self.page = self.open(f"{server.url}/")
        self.page.evaluate("window.ready")

    def test_that_one_alone_registers_nothing_before_it_is_used(self):
        self.assertFalse(self.page.evaluate("wasDefined"))
        self.assertEqual(self.page.evaluate("document.querySelectorAll('*').length"),
                         self.page.evaluate("before"))

    def test_both_work(self):
        shown = self.page.evaluate("""() => Promise.all(copies.slice(0, 2).map(
            async ({ TableView, RefreshControl, IndexPath }) => {
          const table = new TableView();
          table.style.height = "300px";
          table.dataSource = {
            numberOfSections: () => 2, numberOfRows: () => 500,
            titleForHeader: (section) => `Section ${section}`,
            sectionIndexTitles: () => ["A", "B"],
            cell({ row }) {
              const cell = table.dequeueReusableCell("row");
              cell.textLabel.textContent = `Row ${row}`;
              return cell;
            },
          };
          document.body.append(table);
          table.refreshControl = new RefreshControl();
          table.scrollToRow(new IndexPath(100, 1), "top", false);
          const [cell] = table.visibleCells;
          const bar = table.querySelector(".ui-index-bar");
          return [table.localName, table.visibleCells.length > 3, cell.getBoundingClientRect().height,
            getComputedStyle(bar).position, table.indexPathsForVisibleRows[0].section];
        }))""")
        first, second = shown
        self.assertEqual(first[0], "table-view")
        self.assertEqual(second[0], "table-view-2")
        self.assertEqual(first[1:], second[1:])
        self.assertTrue(first[1])
        self.assertEqual(first[4], 1)

    def test_a_control_of_one_in_a_row_of_the_other_takes_its_clicks_itself(self):
        self.page.evaluate("""() => {
          const [one, other] = copies;
          class OtherControl extends other.Control { static tag = "other-control"; }
          window.heard = [];
          const table = new one.TableView();
          table.style.height = "300px";
          table.delegate = { performPrimaryAction: ({ row }) => heard.push(row) };
          table.dataSource = {
            numberOfRows: () => 2,
            cell({ row }) {
              const cell = table.dequeueReusableCell("row");
              const control = new OtherControl();
              control.textContent = `Control ${row}`;
              control.addTarget(null, () => heard.push("control"), "primaryActionTriggered");
              cell.contentView.replaceChildren(control);
              return cell;
            },
          };
          document.body.append(table);
        }""")
        self.page.get_by_role("button", name="Control 1").click()
        self.wait(self.page, "heard.length > 0")
        self.assertEqual(self.page.evaluate("heard"), ["control"])


class TheGallery(BrowserTest):
    def look(self, **options):
        context = self.context(**options)
        failures = []
        context.on("response", lambda answer: failures.append(answer.url)
                   if answer.status >= 400 else None)
        page = self.open("/gallery.html", context)
        self.wait(page, "document.documentElement.dataset.ready !== undefined")
        self.assertEqual(failures, [])
        return page

    def test_has_every_class_running_with_its_code(self):
        page = self.look(**DESKTOP)
        names = page.evaluate("import('/ui.js').then((all) => Object.keys(all))")
        text = page.locator("main").text_content()
        for name in names:
            self.assertIn(name, text)
        self.assertEqual(page.locator("section").count(), page.locator("pre").count())
        empty = page.evaluate("""() => [...document.querySelectorAll("section")].filter((one) =>
          !one.querySelector(".stage").children.length || !one.querySelector("code").textContent)
          .map((one) => one.id)""")
        self.assertEqual(empty, [])
        self.assertGreater(page.locator("#table .ui-row").count(), 5)
        self.assertEqual(page.locator("#cells .ui-row").count(), 5)

    def test_does_what_its_examples_say(self):
        page = self.look(**DESKTOP)
        page.locator("heart-control").click()
        self.wait(page, "document.querySelector('#control output').textContent === 'Kept'")
        rows = "document.querySelectorAll('#refresh .ui-row').length"
        page.locator("#refresh").get_by_role("button", name="Refresh").click()
        self.wait(page, f"{rows} === 2")
        page.locator("#refreshing").get_by_role("button", name="Refresh").click()
        self.wait(page, "document.querySelector('#refreshing li').textContent === 'Note 21'")
        page.locator("#scroll").get_by_role("button", name="Next page").click()
        self.wait(page, """() => {
          const view = document.querySelector("#scroll .ui-scroll");
          return Math.abs(view.contentOffset.x - view.clientWidth) < 1;
        }""")
        page.locator("#zoom").get_by_role("button", name="Twice as large").click()
        self.wait(page, "document.querySelector('#zoom .ui-scroll').zoomScale === 2")
        button = page.locator("#indicator").get_by_role("button")
        button.click()
        self.wait(page, "document.querySelector('#indicator .ui-activity-indicator').isAnimating")

    def test_has_pages_that_a_finger_turns(self):
        page = self.look(**PHONE)
        page.locator("#scroll").scroll_into_view_if_needed()
        view = "#scroll .ui-scroll"
        box = page.locator(view).bounding_box()
        Touches(page).drag(box["x"] + box["width"] - 20, box["y"] + 80, 40 - box["width"], 0)
        self.wait(page, """(view) => {
          const { contentOffset: { x }, clientWidth, isTracking, isDecelerating } = document.querySelector(view);
          return !isTracking && !isDecelerating && Math.abs(x - clientWidth) < 1;
        }""", view)

    def test_fits_a_phone_and_a_window_that_is_magnified_four_times(self):
        for looks, width in ((PHONE, 390), ({"viewport": {"width": 320, "height": 256}}, 320)):
            with self.subTest(width=width):
                page = self.look(**looks)
                self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width)
