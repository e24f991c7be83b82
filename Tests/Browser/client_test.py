"""freshet.js with the real server, and the browser's own EventSource."""

import json
import os
import subprocess
import unittest

from feeds import Publisher, RandomFeed, rows
from harness import SEED, BrowserTest, Freshet


class ClientTest(BrowserTest):
    def setUp(self):
        super().setUp()
        self.server = self.enterContext(Freshet())
        self.publisher = Publisher(self.server)
        self.page = self.open(f"{self.server.url}/workbench.html")


class RandomChanges(ClientTest):
    def test_end_as_the_server_has_them(self):
        feed = RandomFeed(SEED)
        self.publisher.put("any", feed.change())
        self.page.evaluate("""async () => {
          const { Feed, Service } = await import("/freshet.js");
          const service = new Service("", { cache: null });
          window.live = new Feed(service, "any");
          window.asking = new Feed(service, "any");
          live.live();
          await asking.refresh();
        }""")
        for turn in range(150):
            self.publisher.put("any", feed.change(), title=f"Turn {turn}")
            if turn % 7 == 0:
                self.page.evaluate("asking.refresh().then(() => 0)")
        snapshot = self.publisher.snapshot("any")
        self.page.evaluate("asking.refresh().then(() => 0)")
        self.wait(self.page, "(token) => live.token === token", snapshot["token"])
        for name in ("live", "asking"):
            document = self.page.evaluate(f"JSON.stringify({name}.document)")
            self.assertEqual(json.loads(document), snapshot)


    def test_are_kept_by_tabs_that_write_at_once(self):
        feed = RandomFeed(SEED + 1)
        self.publisher.put("any", feed.change())
        follow = """async () => {
          const { Feed, Service } = await import("/freshet.js");
          window.feed = new Feed(new Service(), "any");
          feed.live();
        }"""
        pages = [self.page, self.open(f"{self.server.url}/workbench.html", self.page.context)]
        for page in pages:
            page.evaluate(follow)
            self.wait(page, "feed.state === 'live'")
        for _ in range(60):
            token = self.publisher.put("any", feed.change())["token"]
        for page in pages:
            self.wait(page, "(token) => feed.token === token", token)
        known = {}
        for _ in range(2):
            pages[1].reload()
            known = pages[1].evaluate("""async () => {
              const { Feed, Service } = await import("/freshet.js");
              window.feed = new Feed(new Service(), "any");
              return { isKept: await feed.restore(), token: feed.token };
            }""")
            self.assertTrue(known["isKept"])
            self.assertEqual(known["token"][:8], token[:8])
        pages[1].evaluate("feed.refresh().then(() => 0)")
        document = json.loads(pages[1].evaluate("JSON.stringify(feed.document)"))
        self.assertEqual(document, self.publisher.snapshot("any"))


class Streams(ClientTest):
    def test_the_browsers_own_event_source_resumes(self):
        self.publisher.put("news", rows(2))
        self.page.evaluate("""() => {
          window.heard = [];
          window.source = new EventSource("/feeds/news/events");
          for (const kind of ["snapshot", "changes", "unchanged", "missing"]) {
            source.addEventListener(kind, ({ type, lastEventId, data }) =>
              heard.push([type, lastEventId, JSON.parse(data)]));
          }
        }""")
        self.wait(self.page, "heard.length === 1")
        self.publisher.put("news", rows(3))
        self.wait(self.page, "heard.length === 2")
        kind, last, document = self.page.evaluate("heard[1]")
        self.assertEqual((kind, last), ("changes", document['token']))
        # It comes back when the feed is there again, and not before.
        self.page.route("**/feeds/news/events", lambda route: route.abort("connectionrefused"))
        self.server.stop()
        self.wait(self.page, "source.readyState === EventSource.CONNECTING")
        self.server.start()
        self.publisher.put("news", rows(4))
        self.page.unroute("**/feeds/news/events")
        # A feed that is lost with the server's memory has another life: the token it is asked with
        # is of the old one.
        self.wait(self.page, "heard.some(([, , { reason }]) => reason === 'epoch')")
        self.publisher.put("news", rows(5))
        self.wait(self.page, "heard.at(-1)[2].count === 5")

    def test_are_left_for_others(self):
        """Many feeds share a connection, and other requests still find one."""
        for number in range(30):
            self.publisher.put(f"feed-{number}", rows(2))
        self.page.evaluate("""async () => {
          const { Feed, Service } = await import("/freshet.js");
          const service = new Service("", { cache: null });
          window.feeds = Array.from({ length: 30 }, (_, n) => new Feed(service, `feed-${n}`));
          for (const feed of feeds) feed.live();
        }""")
        self.wait(self.page, "feeds.every(({ state }) => state === 'live')")
        self.publisher.put("feed-17", rows(3))
        self.wait(self.page, "feeds[17].snapshot.count === 3")


class Services(ClientTest):
    def setUp(self):
        super().setUp()
        self.publisher.put("news", rows(2))
        self.page.evaluate("""async () => {
          window.isHidden = false;
          Object.defineProperty(document, "hidden", { get: () => isHidden });
          window.hide = (so) => {
            isHidden = so;
            document.dispatchEvent(new Event("visibilitychange"));
          };
          const { Feed, Service } = await import("/freshet.js");
          window.make = () => new Feed(new Service("", { cache: null }), "news");
        }""")

    def test_that_are_dropped_are_held_by_nothing(self):
        self.page.evaluate("""async () => {
          window.dropped = [];
          for (const ends of [() => {}, (feed) => feed.refresh(), async (feed) => {
            feed.live();
            while (feed.state !== "live") await new Promise(requestAnimationFrame);
            feed.stop();
          }, async (feed) => {
            feed.live();
            while (feed.state !== "live") await new Promise(requestAnimationFrame);
            hide(true);
            feed.stop();
            hide(false);
          }]) {
            const feed = make();
            await ends(feed);
            dropped.push(new WeakRef(feed.service));
          }
        }""")
        session = self.page.context.new_cdp_session(self.page)
        for _ in range(20):
            session.send("HeapProfiler.collectGarbage")
            held = self.page.evaluate("dropped.map((one) => one.deref() !== undefined)")
            if not any(held):
                break
        self.assertEqual(held, [False] * 4)

    def test_sleep_while_the_page_is_hidden(self):
        self.page.evaluate("window.feed = make(); feed.live()")
        self.wait(self.page, "feed.state === 'live'")
        self.page.evaluate("hide(true)")
        self.assertEqual(self.page.evaluate("[feed.state, feed.service.isAsleep]"), ["idle", True])
        # What is followed no more while it is hidden is live at once when it is followed again.
        self.page.evaluate("feed.stop(); hide(false); feed.live()")
        self.wait(self.page, "feed.state === 'live'")
        self.page.evaluate("feed.stop(); hide(true); feed.live()")
        self.wait(self.page, "feed.service.isAsleep")
        self.assertEqual(self.page.evaluate("feed.state"), "idle")
        self.page.evaluate("hide(false)")
        self.wait(self.page, "feed.state === 'live'")

    def test_that_are_woken_in_a_hidden_page_stay_awake(self):
        self.page.evaluate("window.feed = make(); hide(true); feed.live()")
        self.wait(self.page, "feed.service.isAsleep")
        self.page.evaluate("feed.service.wake()")
        self.wait(self.page, "feed.state === 'live'")
        self.page.evaluate("""async () => {
          const { Feed } = await import("/freshet.js");
          window.view = new Feed(feed.service, "news", { limit: 1 });
          view.live();
        }""")
        self.wait(self.page, "view.state === 'live' && feed.state === 'live'")

    def test_that_are_woken_before_they_follow_anything_are_awake(self):
        self.page.evaluate("window.feed = make(); hide(true); feed.service.wake(); feed.live()")
        self.wait(self.page, "feed.state === 'live'")
        # Not when the page is hidden anew.
        self.page.evaluate("feed.stop(); hide(false); hide(true); feed.live()")
        self.wait(self.page, "feed.service.isAsleep")
        self.page.evaluate("feed.service.wake(); feed.stop(); feed.live()")
        self.wait(self.page, "feed.state === 'live'")

    def test_connect_anew_once_when_the_network_is_back(self):
        self.page.evaluate("""async () => {
          const { Feed, Service } = await import("/freshet.js");
          window.asked = [];
          const service = new Service("", { cache: null, fetch: (path, options) => {
            asked.push(path);
            return fetch(path, options);
          } });
          window.feeds = [{}, { limit: 1 }].map((options) => new Feed(service, "news", options));
          for (const feed of feeds) feed.live();
        }""")
        live = "feeds.every(({ state }) => state === 'live')"
        self.wait(self.page, live)
        self.page.evaluate("asked.length = 0; dispatchEvent(new Event('online'))")
        self.wait(self.page, "asked.length === 2")
        self.wait(self.page, live)
        self.assertEqual(self.page.evaluate("asked.length"), 2)


class Workbench(ClientTest):
    def setUp(self):
        super().setUp()
        self.page.locator("#key").fill(self.server.key)
        self.page.locator("#key").blur()

    def publish(self):
        self.page.get_by_role("button", name="Publish").click()

    def test_shows_both_readers_what_changed(self):
        self.publish()
        self.wait(self.page, "document.querySelectorAll('#live .items ol li').length === 200")
        self.wait(self.page, "document.querySelectorAll('#asking .items ol li').length === 200")
        self.page.get_by_role("button", name="Add").click()
        self.publish()
        self.wait(self.page, "document.querySelector('#live .items b').textContent === 'sorrel'")
        self.wait(self.page,
                  "document.querySelector('#live .size').textContent.includes('in place')")
        self.assertEqual(self.page.locator("#asking .items b").first.text_content(), "Early beans")
        self.page.get_by_role("button", name="Ask").click()
        self.wait(self.page, "document.querySelector('#asking .items b').textContent === 'sorrel'")
        self.wait(self.page, "document.getElementById('saved').textContent.includes('less')")

    def test_its_lines_work(self):
        hostile = {"items": [{"id": "a'b", "title": "it's $HOME `id` \\ \"x\" !! 'y'"},
                             {"id": "@file"}, {"id": "n\n2".replace("\n", " ")}]}
        self.page.locator("#document").fill(json.dumps(hostile, indent=1))
        self.publish()
        line = self.page.locator("#publishing code")
        line.wait_for()
        self.publisher.delete("garden")
        # They have the key in a variable.
        answer = subprocess.run(["sh", "-c", line.text_content() + " -sS"], capture_output=True,
                                text=True, check=True,
                                env={**os.environ, "KEY": self.server.key})
        self.assertEqual(json.loads(answer.stdout)["kind"], "published")
        items = self.publisher.snapshot("garden")["sections"][0]["items"]
        self.assertEqual(items, hostile["items"])
        line = self.page.locator("#live code").text_content()
        answer = subprocess.run(["sh", "-c", line + " -sS --max-time 1"], capture_output=True,
                                text=True, check=False)
        self.assertIn("event: snapshot", answer.stdout)
        line = self.page.locator("#asking code").text_content()
        answer = subprocess.run(["sh", "-c", line + " -sS"], capture_output=True, text=True,
                                check=True)
        self.assertEqual(json.loads(answer.stdout).get("kind"), "snapshot", f"{line}\n{answer.stdout}")

    def test_says_what_is_wrong(self):
        self.page.locator("#document").fill("{")
        self.publish()
        self.wait(self.page, "document.querySelector('#outcome.failed')")
        self.wait(self.page,
                  "document.querySelector('#publishing .answer').textContent.includes('400')")


if __name__ == "__main__":
    unittest.main()
