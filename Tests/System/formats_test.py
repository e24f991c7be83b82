"""Feeds for feed readers: every document is valid, whatever is in a feed (feed_rules.py)."""

import http.client
import os
import random
import tempfile
import unittest

import feed_rules
from cluster import until
from servers import Server

FORMATS = ("atom", "rss", "json")
PUBLIC = "https://feeds.example/at"

NEWS = {
    "title": "News & <more>", "url": "https://example.com/", "description": "About", "language": "en",
    "icon": "https://example.com/i.png", "author": {"name": "Ann", "url": "https://example.com/ann"},
    "sections": [
        {"id": "now", "items": [
            {"id": "1", "title": "One & <two>", "url": "https://example.com/1?a=1&b=2", "summary": "Short",
             "content_html": "<p>x &amp; <em>y</em></p>", "author": "Bo", "published": "2024-01-02T03:04:05Z",
             "updated": "2024-02-03T04:05:06+02:00", "image": "https://example.com/p.png", "tags": ["t & u", "v"],
             "attachments": [{"url": "https://example.com/a.mp3", "mime_type": "audio/mpeg", "size_in_bytes": 7},
                             {"url": "https://example.com/b.pdf", "mime_type": "application/pdf"}]},
            {"id": "2", "headline": "Two", "content": "a\n\nb"}]},
        {"id": "then", "items": [{"id": "3"}, {"id": "é/?#%"}]}]}

# What may stand in any member, and is wrong in most.
ODD = ["", " ", "\n", "\t\r\n", "x", "a & b < c > d \" e '", "]]>", "<!--", "<b>bold</b>", "&amp;", "&#0;", "\u0000",
       "\u001f", "\u007f\u0085", "\ufffe\uffff", "\U0001f4a9", "e\u0301", "\u202e", "a\r\nb\rc", 0, -1, 1.5, 10 ** 20,
       True, False, None, [], {}, [None], {"name": ""}, {"name": " ", "url": "x"}, {"name": "N", "url": "ftp://x/"},
       [{"name": "\n"}], ["", " ", "t", 5, None, {}], "https://", "https://e.example/a b|c{d}^\"<>", "HTTPS://E.example",
       "https://e.example/100%", "https://é.example/ü", "http://a b/", "javascript:alert(1)", "//e.example/x",
       "mailto:a@b", "https://e.example/\u0000\n", "2024-02-30T00:00:00Z", "0000-01-01T00:00:00Z",
       "9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00+14:00", "yesterday", "Tue, 30 Feb 2024 00:00:00 PST",
       "2016-12-31T23:59:60Z", "en", "en_US", "English", "de-", "-", "1" * 300,
       [{"url": "https://e.example/f"}], [{"url": "https://e.example/f f", "mime_type": "x", "size_in_bytes": -3,
                                          "duration_in_seconds": "1:02", "title": "\u0000"}],
       "https://日本.example:8080/[1]?q=é#[x]", "https://[::1]/a[]", "urn:[x]", "tag:x,2024:{a}", "urn:a%b", "a < b",
       "<a href='b'>x</a><img src=/i.png>", "<a href=#n>x</a>", "<a href='https://e.example/'>x</a>", [{"url": ""}], [{"mime_type": "audio/mpeg"}], "audio/mpeg"]

MEMBERS = ["title", "headline", "name", "url", "external_url", "summary", "content", "content_html", "author", "authors",
           "published", "updated", "image", "tags", "attachments", "language", "guid", "kind"]
OWN = ["title", "url", "description", "icon", "language", "author", "authors", "published"]


def odd_feed(draw, count):
    """A feed in which everything is odd; `kind`, `title` and the like are texts, as a publish asks."""
    def members(names):
        found = {name: draw.choice(ODD) for name in names if draw.random() < 0.7}
        return {name: value for name, value in found.items()
                if isinstance(value, str) or name not in ("kind", "title") or value is None and name != "kind"}
    def text(own):
        return {name: value for name, value in own.items() if not (name == "title" and value is None)}
    return {**text(members(OWN)), "items": [
        {**members(MEMBERS), "id": f"{number} {draw.choice(['', '&', '<', 'é', '%', '/'])}"} for number in range(count)]}


class Documents(unittest.TestCase):
    def serve(self, configuration=""):
        with tempfile.NamedTemporaryFile("w", suffix=".yaml", delete=False) as file:
            file.write("open-feeds: all\n" + configuration)
        server = Server("--config", file.name).start()
        self.addCleanup(server.kill)
        return server

    def put(self, server, feed, body):
        status, answer = server.client().send("PUT", f"/feeds/{feed}", body)
        self.assertIn(status, (200, 201), answer)

    def get(self, server, path, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        response = connection.getresponse()
        return response.status, response.headers, response.read()

    def check(self, server, feed, query=""):
        for kind in FORMATS:
            path = f"/feeds/{feed}.{kind}{query}"
            with self.subTest(path):
                status, _, data = self.get(server, path)
                self.assertEqual(status, 200)
                self.assertEqual(feed_rules.faults(data, kind), [])

    def servers(self):
        return [self.serve(), self.serve(f"public-url: {PUBLIC}\n")]

    def test_are_valid(self):
        for server in self.servers():
            self.put(server, "news", NEWS)
            self.put(server, "empty", {"items": []})
            self.check(server, "news")
            self.check(server, "empty")

    def test_are_valid_whatever_is_in_a_feed(self):
        for server in self.servers():
            draw = random.Random(int(os.environ.get("SYSTEM_SEED", 4287)))
            for _ in range(int(os.environ.get("SYSTEM_FEEDS", 12))):
                self.put(server, "odd", odd_feed(draw, 40))
                self.check(server, "odd")

    def test_are_valid_page_by_page(self):
        items = [{"id": f"n {number} é", "title": f"Number {number}"} for number in range(2100)]
        for server in self.servers():
            self.put(server, "long", {"title": "Long", "items": items})
            for query in ("", "?limit=3", "?limit=3&after=n%202%20%C3%A9&offset=3", "?offset=2000"):
                self.check(server, "long", query)

    def test_are_valid_where_only_what_is_new_is_sent(self):
        for server in self.servers():
            self.put(server, "news", NEWS)
            tags = {kind: self.get(server, f"/feeds/news.{kind}")[1]["ETag"] for kind in FORMATS}
            self.put(server, "news", {**NEWS, "sections": NEWS["sections"] + [{"id": "x", "items": [{"id": "9"}]}]})
            for kind, tag in tags.items():
                status, _, data = self.get(server, f"/feeds/news.{kind}", If_None_Match=tag, A_IM="feed")
                self.assertEqual(status, 226)
                self.assertEqual(feed_rules.faults(data, kind), [])

    def test_of_derived_feeds_are_valid(self):
        server = self.serve(f"public-url: {PUBLIC}\nfeeds: {{all: {{derive: {{from: \"n*\"}}}}}}\n")
        self.put(server, "news", NEWS)
        self.put(server, "nice", NEWS)
        until(lambda: (server.client().send("GET", "/feeds/all")[1] or {}).get("count") == 8)
        self.check(server, "all")


class Rules(unittest.TestCase):
    """The rules find what is wrong."""

    ENTRY = ("<entry><id>urn:1</id><title>t</title><updated>2024-01-01T00:00:00Z</updated>"
             "<link href='https://e.example/'/></entry>")
    ATOM = ("<feed xmlns='http://www.w3.org/2005/Atom'><id>urn:x</id><title>t</title>"
            "<updated>2024-01-01T00:00:00Z</updated><author><name>n</name></author>" + ENTRY + "</feed>")
    RSS = ("<rss version='2.0'><channel><title>t</title><link>https://e.example/</link><description>d</description>"
           "<item><guid isPermaLink='false'>1</guid><title>t</title></item></channel></rss>")

    def test_take_what_is_right(self):
        self.assertEqual(feed_rules.faults(self.ATOM.encode(), "atom"), [])
        self.assertEqual(feed_rules.faults(self.RSS.encode(), "rss"), [])

    def test_find_what_is_wrong_in_atom(self):
        for old, new in [
                ("<id>urn:x</id>", ""), ("<id>urn:1</id>", "<id>1</id>"), ("<name>n</name>", "<name> </name>"),
                ("2024-01-01T00:00:00Z", "2024-01-01T00:00:00"), ("2024-01-01T00:00:00Z", "yesterday"),
                ("<author><name>n</name></author>", ""), ("<link href='https://e.example/'/>", ""),
                ("href='https://e.example/'", "href='https://e.example/ x'"), ("<link ", "<link length='-1' "),
                ("<link ", "<link type='x' "), ("<title>t</title>", "<title>t</title><title>t</title>"),
                ("<title>t</title>", "<title type='x'>t</title>"), ("<title>t</title>", "<title>t</title><new/>"),
                (self.ENTRY, self.ENTRY * 2), ("<link href", "<category/><link href"),
                ("<entry>", "<entry xml:lang='English (US)'>")]:
            with self.subTest(new):
                self.assertIn(old, self.ATOM)
                self.assertNotEqual(feed_rules.faults(self.ATOM.replace(old, new).encode(), "atom"), [])

    def test_find_what_is_wrong_in_rss(self):
        for old, new in [
                ("<link>https://e.example/</link>", "<link></link>"), ("<description>d</description>", ""),
                ("<item>", "<language>English (US)</language><item>"), ("isPermaLink='false'", ""),
                ("<item>", "<lastBuildDate>2024-01-01</lastBuildDate><item>"), ("<item>", "<new/><item>"),
                ("<item>", "<item><pubDate>Mon, 02 Jan 2024 03:04:05 GMT</pubDate>"),
                ("<item>", "<item><enclosure url='https://e.example/' length='x' type='a/b'/>"),
                ("<item>", "<item><author>Ann</author>"),
                ("<title>t</title></item>", "</item>")]:
            with self.subTest(new):
                self.assertIn(old, self.RSS)
                self.assertNotEqual(feed_rules.faults(self.RSS.replace(old, new).encode(), "rss"), [])


if __name__ == "__main__":
    unittest.main()
