#!/usr/bin/env python3
"""Reads a server's feeds with feedparser, over rounds of changes.

    Tests/Readers/feedparser_test.py .build/debug/freshet

Needs feedparser (PyPI). Not part of `make test`.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.request

import feedparser

ROUNDS = 20
KEY = "reader-test-key"


def request(method, url, body=None, headers=None):
    headers = dict(headers or {})
    if body is not None:
        headers["Content-Type"] = "application/json"
        headers["Authorization"] = "Bearer " + KEY
        body = json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url, body, headers, method=method)) as answer:
        return answer.status, answer.read()


def item(number, version):
    return {
        "id": "item %d & <é>" % number,
        "title": "Title %d, version %d: a < b & c" % (number, version),
        "url": "https://example.com/%d?a=1&b=2" % number,
        "summary": "Summary %d" % version,
        "content_html": "<p>Content <em>%d</em> &amp; more</p>" % version,
        "author": "Ann & Bo",
        "published": "2024-01-%02dT03:04:05Z" % (number % 28 + 1),
        "tags": ["x & y", "z"],
    }


def check(feed, items, path):
    assert not feed.bozo, (path, feed.get("bozo_exception"))
    assert feed.feed.title == "Rounds & more", feed.feed
    assert len(feed.entries) == len(items), (path, len(feed.entries), len(items))
    for entry, expected in zip(feed.entries, items):
        # Titles are HTML here: what is text in a feed is text for a reader.
        assert entry.title in (expected["title"], expected["title"].replace("&", "&amp;")
                               .replace("<", "&lt;")), (path, entry.title)
        assert entry.link == expected["url"], (path, entry.link)
        assert entry.content[0].value == expected["content_html"], (path, entry.content)
        assert [tag.term for tag in entry.tags] == expected["tags"], (path, entry.tags)
        assert entry.author == expected["author"], (path, entry.author)


def rounds(base):
    items = [item(number, 0) for number in range(5)]
    known = {path: {} for path in ("rounds.atom", "rounds.rss")}
    seen = set()
    for number in range(ROUNDS):
        if number % 3 == 1:
            items = [item(number + 10, 0)] + items
        elif number % 3 == 2:
            items[-1] = item(4, number)
        request("PUT", base + "/feeds/rounds", {"title": "Rounds & more", "items": items})
        for path, state in known.items():
            url = base + "/feeds/" + path
            feed = feedparser.parse(url, etag=state.get("etag"), modified=state.get("modified"))
            seen.add(feed.status)
            if feed.status == 200:
                check(feed, items, path)
                state["ids"] = [entry.id for entry in feed.entries]
                assert len(set(state["ids"])) == len(items), path
            elif feed.status == 226:
                assert 0 < len(feed.entries) < len(items), path
            state["etag"], state["modified"] = feed.get("etag"), feed.get("modified")
            again = feedparser.parse(url, etag=state["etag"], modified=state["modified"])
            assert again.status == 304, (path, again.status)
            seen.add(again.status)
            # What readers that know only dates send.
            status = feedparser.parse(url, modified=state["modified"]).status
            assert status in (200, 304), status
    print("rounds:", ROUNDS, "statuses:", sorted(seen))


def main():
    server = [sys.argv[1], "serve", "--port", "0", "--key", KEY]
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(server, stderr=subprocess.PIPE, text=True, cwd=folder,
                                   env={**os.environ, "FRESHET_LOG_LEVEL": "error"})
        try:
            line = ""
            while not (found := re.search(r"listening on (http://\S+)", line)):
                line = process.stderr.readline()
                if not line:
                    sys.exit("the server did not start")
            rounds(found[1])
        finally:
            process.terminate()
            process.wait(10)


if __name__ == "__main__":
    main()
