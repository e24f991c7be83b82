"""What a mirror's log says of an origin that is gone, refuses it, or says what it does not understand: words."""

import re
import unittest

from cluster import until
from mirrors import Between, MirrorCase
from servers import KEY, Server

# How Swift shows a value: a case with labels, an optional, a type of ours, bytes.
VALUE = re.compile(r"[A-Za-z]\w*\(\w+: |Optional\(|\b(Feed[A-Z]\w+|HTTPClient\w*|Swift|Foundation)\.\w|\[\d+, \d+")


class MirrorWords(MirrorCase):
    def said(self, server, words):
        """Waits for words in a mirror's log, which has no values beside them; the line."""
        line = until(lambda: next((line for line in server.log if words in line), None))
        for each in server.log:
            self.assertNotRegex(each, VALUE)
        return line

    def test_find_values(self):
        for text in ('malformed(path: "a", reason: "b")', "Optional(3)", "FeedModel.DocumentError", "bytes [123, 34]"):
            self.assertRegex(text, VALUE)

    def test_events_that_are_not_understood(self):
        for number, (old, new) in enumerate((
                (b'"items":[', b'"items":{'), (b'"token":"', b'"tokem":"'), (b'"kind":', b'"kind";'),
                (b'"sections":', b'"sectioms":'))):
            with self.subTest(new):
                between = Between(self.origin)
                self.addCleanup(between.end)
                server = self.mirror(origin=between)
                self.started(server)
                between.change = (old, new)
                status, _ = self.origin.client().send(
                    "PUT", f"/feeds/new{number}", {"sections": [{"id": "s", "items": [{"id": "a"}]}]})
                self.assertEqual(status, 201)
                until(lambda between=between: between.change == (None, None))
                between.change = None
                line = self.said(server, f"an event of http://127.0.0.1:{between.port} is passed over: ")
                self.assertGreater(len(line.split("is passed over: ")[1].split()), 2)
                server.kill()

    def test_an_origin_that_refuses_or_is_gone(self):
        refused = Server("--mirror", f"http://127.0.0.1:{self.origin.port}", "--mirror-key", "wrong" * 8)
        self.servers.append(refused)
        refused.start()
        self.assertIn("follow", self.said(refused, "cannot be followed: it answers 401"))
        server = self.mirror()
        self.started(server)
        port = self.origin.port
        self.origin.kill()
        self.said(server, f"http://127.0.0.1:{port} cannot be followed: ")
        again = Server("--data", str(self.home / "origin"), port=port).start()
        self.servers.append(again)
        self.said(server, "is followed again")
        self.assertNotIn(KEY, "".join(server.log + refused.log))


if __name__ == "__main__":
    unittest.main()
