"""The reader with the real server, for tests of it."""

from feeds import Publisher
from harness import BrowserTest, Freshet

CELLS = "[...document.querySelectorAll('feed-cell')].map((cell) => cell.textContent)"
TABLE = "document.querySelector('table-view')"
# The first rows are there before what makes a table of them.
SHOWN = f"""(words) => {TABLE}?.visibleCells?.some(
  (cell) => cell.querySelector('.title').textContent === words)"""
STATUS = "(words) => document.getElementById('status').textContent.includes(words)"
STATE = "(state) => document.getElementById('status').dataset.state === state"


class ReaderTest(BrowserTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server = cls.enterClassContext(Freshet())
        cls.publisher = Publisher(cls.server)

    @classmethod
    def context(cls, live=False, **options):
        """A context of its own, in which feeds are followed only where a test is about that."""
        context = super().context(**options)
        if not live:
            context.add_init_script("if (origin !== 'null') localStorage['freshet live'] ??= 'off'")
        return context

    def read(self, feed="news", context=None, **options):
        """The reader with a feed in sight."""
        page = self.open(f"{self.server.url}/#{feed}", context, **options)
        return page

    def shows(self, page, title):
        """Waits for a row, and for what opens it."""
        self.wait(page, SHOWN, title)
        self.wait(page, "document.querySelector('#item .item-bar') !== null")

    def top(self, page):
        """The first row that is wholly in sight, and how far from the top it is."""
        return page.evaluate(f"""() => {{
          const top = {TABLE}.getBoundingClientRect().top;
          const cells = {TABLE}.visibleCells.map((cell) =>
            [cell.querySelector(".title").textContent, cell.getBoundingClientRect().top - top]);
          return cells.find(([, y]) => y > 0);
        }}""")
