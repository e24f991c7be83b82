"""A reload where there is no service worker, as on plain http: docs/WEB.md, "Weight"."""

import pathlib
import shutil
import subprocess
import tempfile

from feeds import Publisher, rows
from harness import DESKTOP, PUBLIC, ROOT, BrowserTest, Freshet
from reader_page import SHOWN, STATE

# What was asked of the server, and not of what the browser keeps.
ASKED = """() => performance.getEntriesByType("resource").filter(({ transferSize }) => transferSize > 0)
  .map(({ name }) => new URL(name).pathname)"""


class Reloading(BrowserTest):
    def setUp(self):
        super().setUp()
        self.public = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())) / "Public"
        shutil.copytree(PUBLIC, self.public)
        self.list()
        self.server = self.enterContext(Freshet(public=self.public))
        Publisher(self.server).put("news", rows(5))

    def list(self):
        subprocess.run(["node", ROOT / "scripts/release-files.mjs", "--write", self.public], check=True)

    def read(self):
        # No request is intercepted: the browser would keep nothing.
        page = self.open(f"{self.server.url}/#news", self.context(**DESKTOP))
        self.rests(page)
        return page

    def rests(self, page):
        self.wait(page, SHOWN, "Row 0")
        self.wait(page, STATE, "live")
        self.wait(page, "document.getElementById('status').textContent !== ''")

    def test_asks_for_the_page_and_the_data_alone(self):
        page = self.read()
        files = page.evaluate(ASKED)
        self.assertTrue(any(path.endswith("/reader/Reader.js") for path in files), files)
        # The server looks at its files once a second: the first answers may be of a folder that it took for new.
        page.reload()
        self.rests(page)
        page.reload()
        self.rests(page)
        asked = page.evaluate(ASKED)
        self.assertGreater(len(asked), 0)
        self.assertEqual([path for path in asked if not path.startswith(("/feeds", "/events", "/pull"))], [])

    def test_takes_the_files_of_a_new_release(self):
        page = self.read()
        reader = self.public / "reader" / "Reader.js"
        for mark in ("one", "two"):
            reader.write_text(f"{(PUBLIC / 'reader/Reader.js').read_text()}\nwindow.mark = '{mark}';\n")
            self.list()
            # The server may have the page before for a moment.
            while page.evaluate("window.mark ?? null") != mark:
                page.reload()
                self.rests(page)
