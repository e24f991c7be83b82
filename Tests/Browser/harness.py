"""What the tests in a browser share: Chromium, pages of files, the server, and touches.

A test is a method of a `BrowserTest`. It waits for what it expects (`wait`, `still`) and never for
a time, and takes the ports that the system gives it. Where a finger moves, the browser decides what
arrives when: it foresees where the finger goes, joins its moves and holds them back. So a test asks
for exact numbers only of what one script does, or of what has come to rest.
"""

import http.server
import os
import pathlib
import re
import shutil
import subprocess
import threading
import time
import unittest

import playwright.sync_api
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
PUBLIC = ROOT / "Public"
PAGES = pathlib.Path(__file__).resolve().parent / "pages"
SEED = int(os.environ.get("SEED", "1"))
SECONDS = float(os.environ.get("BROWSER_SECONDS", "4"))
# How long to wait, in seconds, for what must come: it is not meant to be short.
PATIENCE = float(os.environ.get("PATIENCE", "60"))
PHONE = {"viewport": {"width": 390, "height": 760}, "has_touch": True, "is_mobile": True,
         "device_scale_factor": 2}
DESKTOP = {"viewport": {"width": 1200, "height": 800}}

# What the server sends with its own pages is the least that all scripts have to live with.
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
          "img-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'")


class Browser:
    """Chromium, started when the first test wants it and shared by all.

    Its headless shell, where it is installed, needs much less processor time: it makes no windows
    around the pages.
    """

    _playwright = None
    _browser = None

    @staticmethod
    def path():
        return (os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell")
                or shutil.which("chromium"))

    @classmethod
    def get(cls):
        if cls._browser is None:
            cls._playwright = sync_playwright().start()
            cls._browser = cls._playwright.chromium.launch(
                executable_path=cls.path(), args=["--no-sandbox"] if os.geteuid() == 0 else [])
        return cls._browser

    @classmethod
    def close(cls):
        if cls._browser is not None:
            cls._browser.close()
            cls._playwright.stop()
            cls._browser = None


class Files:
    """A server of Public at `/`, and of the tests' pages and scripts, on a free port."""

    def __init__(self):
        class Handler(http.server.SimpleHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def translate_path(self, path):
                path = path.split("?")[0].split("#")[0].lstrip("/")
                for prefix, folder in (("pages/", PAGES), ("tests/", ROOT / "Tests" / "Public")):
                    if path.startswith(prefix):
                        return str(folder / path.removeprefix(prefix))
                return str(PUBLIC / path)

            def end_headers(self):
                self.send_header("Content-Security-Policy", POLICY)
                self.send_header("Cache-Control", "no-store")
                super().end_headers()

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def close(self):
        self._server.shutdown()
        self._server.server_close()


class Freshet:
    """The real server, on a port of its own choice. Use it with `with`.

    `restart()` ends it and starts it again on the same port.
    """

    def __init__(self, *arguments, key="browser-test-key", public=PUBLIC, binary="debug"):
        builds = [ROOT / ".build" / kind / "freshet" for kind in dict.fromkeys((binary, "debug"))]
        if "FRESHET_BINARY" in os.environ:
            builds = [pathlib.Path(os.environ["FRESHET_BINARY"]).resolve()]
        self.binary = next((build for build in builds if build.exists()), None)
        if not self.binary:
            raise unittest.SkipTest(f"{builds[-1]} was not built; FRESHET_BINARY names another server")
        self.key = key
        self.arguments = ["serve", "--data", "memory", "--public", str(public), "--key", key, *arguments]
        self.port = 0

    def start(self):
        self.process = subprocess.Popen(
            [self.binary, *self.arguments, "--host", "127.0.0.1", "--port", str(self.port)],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        said = []
        for line in self.process.stderr:
            said.append(line)
            found = re.search(r"listening on http://127\.0\.0\.1:(\d+)", line)
            if found:
                self.port = int(found[1])
                break
        else:
            raise RuntimeError(f"the server did not start: {''.join(said)}")
        self._reader = threading.Thread(target=self.process.stderr.read, daemon=True)
        self._reader.start()
        self.url = f"http://127.0.0.1:{self.port}"
        return self

    def stop(self):
        # The first signal lets streams end in their own time, the second ends them.
        self.process.terminate()
        try:
            self.process.wait(0.2)
        except subprocess.TimeoutExpired:
            self.process.terminate()
            self.process.wait()
        self._reader.join()
        self.process.stderr.close()

    def restart(self):
        self.stop()
        self.start()

    __enter__ = start

    def __exit__(self, *_):
        self.stop()


class Touches:
    """Real touches: the browser takes them for a finger's, and scrolls by them itself."""

    def __init__(self, page):
        self.page = page
        self.session = page.context.new_cdp_session(page)
        self.at = None

    def _send(self, kind, points):
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def down(self, x, y):
        self.at = (x, y)
        self._send("touchStart", [{"x": x, "y": y}])

    def move(self, dx, dy, steps=10):
        """Moves the finger so far, in as many steps, a frame for each."""
        x, y = self.at
        for step in range(1, steps + 1):
            self.at = (x + dx * step / steps, y + dy * step / steps)
            self._send("touchMove", [{"x": self.at[0], "y": self.at[1]}])
            frames(self.page)

    def up(self):
        self._send("touchEnd", [])

    def cancel(self):
        self._send("touchCancel", [])

    def drag(self, x, y, dx, dy, steps=10):
        self.down(x, y)
        self.move(dx, dy, steps)
        self.up()

    def tap(self, x, y):
        self.down(x, y)
        self.up()

    def fingers(self, kind, *points):
        """Several fingers at once, numbered from 0."""
        self._send(kind, [{"x": x, "y": y, "id": number}
                          for number, (x, y) in enumerate(points)])
        frames(self.page)

    def lift(self, number, point):
        """Lifts one of several fingers."""
        self._send("touchEnd", [{"x": point[0], "y": point[1], "id": number}])
        frames(self.page)


def frames(page, count=1):
    """Waits until the browser has drawn so many frames."""
    page.evaluate("""(count) => new Promise((done) => {
      const step = () => (count-- > 0 ? requestAnimationFrame(step) : done());
      step();
    })""", count)


class Held:
    """Requests that are held back until they may go on, and none after that."""

    def __init__(self, context, pattern):
        self._routes, self._goes = [], False
        context.route(pattern, self._take)

    def _take(self, route):
        if self._goes:
            route.continue_()
        else:
            self._routes.append(route)

    def wait(self, page):
        """Waits until there is one."""
        deadline = time.monotonic() + PATIENCE
        while not self._routes:
            if time.monotonic() > deadline:
                raise AssertionError("nothing asked for what is held back")
            frames(page)

    def go(self):
        """Lets those go on that came, and those that come yet."""
        self._goes = True
        for route in self._routes:
            route.continue_()


class Intercepted:
    """Requests that `answer`, a function of a route, takes; while it is None they go on.

    They are intercepted from a context's first page on. In a page that is there already, requests
    go past a new interception for a moment.
    """

    def __init__(self, context, pattern):
        self.answer = None
        context.route(pattern, lambda route: self.answer(route) if self.answer
                      else route.fallback())

    def abort(self):
        """Lets none through from now on."""
        self.answer = lambda route: route.abort()


class BrowserTest(unittest.TestCase):
    """A test in a browser; errors of the page, and breaches of its policy, fail it."""

    # The test that runs now, whose pages are closed when it is over.
    running = None
    # About how long each of a class's tests takes beside others: long ones begin first.
    seconds = 3

    def setUp(self):
        type(self).running = self

    @classmethod
    def setUpClass(cls):
        cls.errors = []
        cls.files = Files()
        cls.addClassCleanup(cls.files.close)

    def tearDown(self):
        type(self).running = None
        errors, self.errors[:] = list(self.errors), []
        self.assertEqual(errors, [])

    @classmethod
    def context(cls, **options):
        """A context of its own, until the test, or the class's tests, are over."""
        # A service worker would answer what tests want to hold back or spoil.
        options = {"service_workers": "block", **(options or DESKTOP)}
        context = Browser.get().new_context(**options)
        if cls.running:
            cls.running.addCleanup(context.close)
        else:
            cls.addClassCleanup(context.close)
        context.set_default_timeout(PATIENCE * 1000)
        context.on("weberror", lambda error: cls.errors.append(str(error.error)))
        context.on("console", lambda message: cls.errors.append(message.text)
                   if "Content Security Policy" in message.text else None)
        return context

    @classmethod
    def open(cls, url, context=None, **options):
        """A page at a URL, or at a path of `Files`, ready when `window.ready` resolves."""
        page = (context or cls.context(**options)).new_page()
        page.goto(url if "://" in url else cls.files.url + url)
        page.evaluate("window.ready")
        return page

    @staticmethod
    def value(page, expression, argument):
        """What a script says now; nothing where an element that it asks is not there yet."""
        try:
            return page.evaluate(expression, argument)
        except playwright.sync_api.Error as error:
            if "properties of null" not in str(error):
                raise
            return None

    def wait(self, page, expression, argument=None):
        """Waits, a frame at a time, until a script says something that is true."""
        # Playwright's own `wait_for_function` evaluates in the page, which its policy forbids.
        deadline = time.monotonic() + PATIENCE
        while not (value := self.value(page, expression, argument)):
            if time.monotonic() > deadline:
                raise AssertionError(f"stayed {value!r} for {PATIENCE:g} s: {expression} ({argument})")
            frames(page)
        return value

    def equals(self, page, expression, expected, argument=None):
        """Waits until a script says what is expected, for what follows an action a moment later."""
        deadline = time.monotonic() + PATIENCE
        while (value := self.value(page, expression, argument)) != expected:
            if time.monotonic() > deadline:
                self.assertEqual(value, expected, expression)
            frames(page)

    def still(self, page, selector):
        """Waits until a scroll view and all that is in it have come to rest."""
        return page.evaluate("""async ([selector, patience]) => {
          const view = document.querySelector(selector);
          let [last, same] = ["", 0];
          const end = performance.now() + patience * 1000;
          while (same < 4) {
            if (performance.now() > end) throw new Error(`never still: ${last}`);
            await new Promise(requestAnimationFrame);
            const { y } = view.contentOffset;
            const running = view.getAnimations({ subtree: true })
              .filter((one) => one.effect.getTiming().iterations !== Infinity).length;
            const now = `${y} ${running}`;
            const isStill = now === last && running === 0 && !view.isDecelerating;
            same = isStill ? same + 1 : 0;
            last = now;
          }
          return view.contentOffset.y;
        }""", [selector, PATIENCE])

    def accessible(self, page, selector):
        """The accessibility tree below an element, in Playwright's notation."""
        return page.locator(selector).aria_snapshot()


