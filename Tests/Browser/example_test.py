"""The examples of docs/WEB.md and docs/UI.md, as they stand."""

import functools
import http.server
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading
import unittest

from feeds import Publisher, rows
from harness import PHONE, PUBLIC, ROOT, BrowserTest, Freshet


class Examples(BrowserTest):
    def setUp(self):
        super().setUp()
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        for name in ("freshet", "ui"):
            shutil.copy(PUBLIC / f"{name}.js", self.folder)
            shutil.copytree(PUBLIC / name, self.folder / name)
        shutil.copy(PUBLIC / "ui.css", self.folder)

    def paste(self, text):
        """Saves the files that a text shows."""
        for name, code in re.findall(r"`(\w+\.\w+)`\n\n```\w+\n(.*?)```", text, re.DOTALL):
            (self.folder / name).write_text(code)

    def serve(self, folder):
        """The URL of a server of a folder, which adds nothing."""
        class Handler(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(Handler, directory=folder))
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}"


class OfFeeds(Examples):
    """On another origin than the server's."""

    def setUp(self):
        super().setUp()
        self.server = self.enterContext(Freshet())
        self.publisher = Publisher(self.server)
        self.text = (ROOT / "docs" / "WEB.md").read_text().replace(
            "http://127.0.0.1:8080", self.server.url)

    def test_works_as_pasted(self):
        self.paste(self.text)
        self.publisher.put("machine", rows(2), title="Machine")
        page = self.open(f"{self.serve(self.folder)}/example.html")
        self.wait(page, "document.getElementById('title').textContent === 'Machine'")
        self.wait(page, "document.getElementById('state').textContent === 'live'")
        self.publisher.put("machine", rows(3), title="Machine")
        self.wait(page, "document.querySelectorAll('li').length === 3")
        bold = page.evaluate("document.querySelectorAll('li')[2].style.fontWeight")
        self.assertEqual(bold, "bold")
        self.publisher.put("machine", [{"id": "row-0", "title": "Changed"}], title="Machine")
        self.wait(page, "document.querySelector('li').textContent.startsWith('Changed')")
        with page.expect_response("**/feeds/machine?since=*") as answer:
            page.get_by_role("button", name="Refresh").click()
        self.assertEqual(answer.value.status, 304)

    def test_says_where_to_allow_its_origin_and_is_not_offline(self):
        config = self.folder / "none.yaml"
        config.write_text("allowed-origins: []\n")
        server = self.enterContext(Freshet("--config", str(config)))
        Publisher(server).put("machine", rows(2), title="Machine")
        self.paste((ROOT / "docs" / "WEB.md").read_text().replace("http://127.0.0.1:8080", server.url))
        site = self.serve(self.folder)
        page = self.context().new_page()
        said = []
        page.on("console", lambda message: said.append(message.text))
        page.goto(f"{site}/example.html")
        self.wait(page, "(words) => document.getElementById('state').textContent === words",
                  f"The server lets no page of {site} read.")
        page.evaluate("""async (url) => {
          const { Feed, Service } = await import("./freshet.js");
          window.feed = new Feed(new Service(`${url}/`, { key: "k", cache: null }), "machine");
          await feed.refresh().catch(() => {});
        }""", server.url)
        self.assertEqual(page.evaluate("[feed.state, feed.error.status]"), ["failed", 0])
        told = [line for line in said if line.startswith("Freshet:")]
        self.assertEqual(len(told), 1, told)
        self.assertIn(f'allowed-origins: ["{site}"]', told[0])
        server.stop()
        page.evaluate("feed.refresh().catch(() => {})")
        self.assertEqual(page.evaluate("[feed.state, feed.error.message]"),
                         ["offline", "The server cannot be reached."])

    def test_with_a_table_works_too(self):
        code = re.search(r"## With a table.*?```js\n(.*?)```", self.text, re.DOTALL)[1]
        (self.folder / "table.js").write_text(code)
        (self.folder / "table.html").write_text(
            '<!doctype html><link rel="stylesheet" href="ui.css">'
            '<body><script type="module" src="table.js"></script>')
        self.publisher.put("contacts", rows(5000), title="Contacts")
        page = self.open(f"{self.serve(self.folder)}/table.html")
        self.wait(page, "document.querySelector('table-view')?.numberOfSections === 1")
        self.wait(page, "document.querySelector('table-view').numberOfRows(0) === 5000")
        self.wait(page, "document.querySelector('table-view-cell').textContent === 'Row 0'")
        # The place one reads at stays, and comes back; what came above it is counted.
        page.evaluate("document.querySelector('table-view').contentOffset = { y: 30000 }")
        self.still(page, "table-view")
        top = "document.querySelector('table-view').visibleCells[1].textLabel.textContent"
        before = page.evaluate(top)
        page.reload()
        self.wait(page, f"(words) => document.querySelector('table-view')?.visibleCells?.[1] && {top} === words", before)
        self.publisher.put("contacts", rows(12, "new") + rows(5000), title="Contacts")
        page.evaluate("document.querySelector('table-view').refreshControl.sendActions('valueChanged')")
        page.get_by_role("button", name="12 new").wait_for()
        self.publisher.put("contacts", rows(10, "new") + rows(5000), title="Contacts")
        page.evaluate("document.querySelector('table-view').refreshControl.sendActions('valueChanged')")
        page.get_by_role("button", name="10 new").click()
        self.wait(page, "document.querySelector('button').hidden")

    def test_without_a_network_shows_what_was_there(self):
        self.publisher.put("machine", rows(2), title="Machine")
        self.paste(self.text)
        (self.folder / "example.html").rename(self.folder / "index.html")
        line = re.search(r"### Offline for your page.*?```js\n(.*?)```", self.text, re.DOTALL)[1]
        with (self.folder / "example.js").open("a") as script:
            script.write(line)
        shutil.copy(PUBLIC / "worker.js", self.folder)
        subprocess.run(["node", PUBLIC / "release-files.mjs", self.folder], check=True)
        page = self.open(f"{self.serve(self.folder)}/", self.context(service_workers="allow"))
        self.wait(page, "document.querySelectorAll('li').length === 2")
        self.wait(page, "navigator.serviceWorker.controller !== null")
        self.server.stop()
        page.context.set_offline(True)
        page.reload()
        self.wait(page, "document.querySelectorAll('li').length === 2")
        self.wait(page, "document.getElementById('state').textContent === 'The server cannot be reached.'")


class OfViews(Examples):
    def test_a_picture_that_zooms(self):
        self.paste((ROOT / "docs" / "UI.md").read_text())
        shutil.copy(PUBLIC / "icon.svg", self.folder / "picture.svg")
        page = self.open(f"{self.serve(self.folder)}/zoom.html", **PHONE)
        self.wait(page, "document.querySelector('scroll-view').pinchGestureRecognizer")
        self.wait(page, "document.querySelector('img').offsetHeight === 390")
        double = "document.querySelector('img').dispatchEvent(new MouseEvent('dblclick', at))"
        page.evaluate(f"(at) => {double}", {"clientX": 195, "clientY": 195})
        self.wait(page, "document.querySelector('img').getBoundingClientRect().width > 1500")
        middle = page.evaluate("""() => {
          const { left, width } = document.querySelector("img").getBoundingClientRect();
          return (195 - left) / width;
        }""")
        self.assertAlmostEqual(middle, 0.5, delta=0.01)
        page.evaluate(f"(at) => {double}", {"clientX": 195, "clientY": 195})
        self.wait(page, "document.querySelector('img').getBoundingClientRect().width === 390")


if __name__ == "__main__":
    unittest.main()
