"""Documents of seeded grammars, with what real ones get wrong, are read as feedparser reads them.

Where both differ, the difference has a reason in `REASONS` that says why ours is right; any other one is a fault. What
differed, and how often, is printed. `DIFFERENTIAL_SEEDS=1000` makes more documents, in `DIFFERENTIAL_SECONDS` at most.
"""

import calendar
import collections
import html
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time
import unittest
import xml.sax.saxutils

from servers import BINARY

SEEDS = int(os.environ.get("DIFFERENTIAL_SEEDS", "160"))
SECONDS = float(os.environ.get("DIFFERENTIAL_SECONDS", "45"))
PYTHON = os.environ.get("FEEDPARSER_PYTHON", "/usr/bin/python3")
FIELDS = ("id", "title", "link", "date", "tags", "files")

# The document's own oddity, the field, and why ours is right.
REASONS = [
    ("open-head", "*", "an element left open in the head takes neither the title nor the items with it"),
    ("bare-ampersand", "*", "a lone & is text"),
    ("no-id", "id", "an entry without an id has a link, or a digest, for one"),
    ("angle-title", "title", "a tag that HTML does not have, without an end, is text"),
    ("space-title", "title", "white space in a title is one space"),
    ("tracking", "link", "parameters that only track readers are left out"),
    ("bad-date", "date", "more kinds of dates are read"),
    ("utf8-as-latin1", "*", "UTF-8 is read as that, whatever is declared"),
    ("relative", "link", "addresses are resolved by the document's own address alone"),
    ("relative", "files", "addresses are resolved by the document's own address alone"),
    ("relative", "id", "an id that is a link is resolved, too"),
    ("doubled-tag", "tags", "a tag counts once"),
    ("cut-off", "*", "of a document that is cut off, what is whole is taken"),
]

WORDS = "alpha beta gamma delta größe naïve 日本 привет “quoted” R2D2 x<y".split()


class Maker:
    """A document of one seed, and the names of what is odd about it."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.odd = set()
        self.count = 0
        self.format = self.random.choice(["rss", "atom", "rdf"])

    def chance(self, oddity, share):
        if self.random.random() >= share:
            return False
        if oddity:
            self.odd.add(oddity)
        return True

    def words(self, count):
        return " ".join(self.random.choice(WORDS) for _ in range(count))

    def escaped(self, text):
        if self.chance(None, 0.3):
            return f"<![CDATA[{text}]]>"
        return xml.sax.saxutils.escape(text)

    def title(self):
        text = self.words(self.random.randint(1, 6)).replace("x<y", "xy")
        if self.chance("space-title", 0.05):
            text = f"  {text}\n {text} "
        if self.chance("angle-title", 0.03):
            return self.escaped(html.escape(f"{text} List<Item> end"))
        if self.chance(None, 0.2):
            return self.escaped(f"{html.escape(text)} &amp; <b>bold</b>")
        if self.chance("bare-ampersand", 0.03):
            return f"{text} & more"
        return self.escaped(html.escape(text))

    def address(self, number):
        path = f"/{self.random.randint(0, 9)}/{number}"
        if self.chance("relative", 0.05):
            return path
        if self.chance("tracking", 0.05):
            return f"https://site.example{path}?utm_source=feed"
        return f"https://site.example{path}" + self.random.choice(["", "?a=1&amp;b=2", "#part"])

    def date(self, atom):
        moment = time.gmtime(self.random.randint(1_000_000_000, 1_700_000_000))
        if self.chance("bad-date", 0.05):
            return time.strftime(self.random.choice(["%d/%m/%Y", "%Y.%m.%d %H:%M", "yesterday"]), moment)
        if atom:
            return time.strftime(self.random.choice(["%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%dT%H:%M:%S+02:00"]), moment)
        return time.strftime(self.random.choice(
            ["%a, %d %b %Y %H:%M:%S GMT", "%d %b %Y %H:%M:%S +0100", "%a, %d %b %Y %H:%M:%S EST"]), moment)

    def tags(self, write):
        names = [self.words(1).replace("x<y", "xy") for _ in range(self.random.randint(0, 3))]
        if len(set(names)) < len(names):
            self.odd.add("doubled-tag")
        return "".join(write(name) for name in names)

    def entry(self, number):
        atom = self.format == "atom"
        parts = [f"<title type='html'>{self.title()}</title>" if atom else f"<title>{self.title()}</title>"]
        link = self.address(number)
        parts.append(f"<link href='{link}'/>" if atom else f"<link>{link}</link>")
        if not self.chance("no-id", 0.1) and self.format != "rdf":
            parts.append(f"<id>tag:site.example,2020:{number}</id>" if atom
                         else f"<guid isPermaLink='false'>id-{number}</guid>")
        name = {"atom": "updated", "rss": "pubDate", "rdf": "dc:date"}[self.format]
        parts.append(f"<{name}>{self.date(self.format != 'rss')}</{name}>")
        if atom:
            parts.append(self.tags(lambda name: f"<category term='{name}'/>"))
        elif self.format == "rss":
            parts.append(self.tags(lambda name: f"<category>{name}</category>"))
        body = self.escaped(f"<p>{html.escape(self.words(12))}</p>")
        parts.append(f"<content type='html'>{body}</content>" if atom else f"<description>{body}</description>")
        if self.format == "rss" and self.chance(None, 0.3):
            parts.append(f"<enclosure url='https://site.example/{number}.mp3' length='5' type='audio/mpeg'/>")
        self.random.shuffle(parts)
        element = "entry" if atom else "item"
        about = f" rdf:about='https://site.example/about/{number}'" if self.format == "rdf" else ""
        return f"<{element}{about}>{''.join(parts)}</{element}>"

    def document(self):
        head = f"<title>{self.escaped(self.words(3).replace('x<y', 'xy'))}</title>"
        if self.chance("open-head", 0.05):
            head += self.random.choice(["<atom:link href='https://site.example/feed'>", "<x:foo>", "<image>"])
        entries = [self.entry(number) for number in range(self.random.randint(0, 6))]
        self.count = len(entries)
        names = ("xmlns:dc='http://purl.org/dc/elements/1.1/' xmlns:atom='http://www.w3.org/2005/Atom' "
                 "xmlns:x='urn:x'")
        if self.format == "rss":
            text = f"<rss version='2.0' {names}><channel>{head}{''.join(entries)}</channel></rss>"
        elif self.format == "atom":
            text = f"<feed xmlns='http://www.w3.org/2005/Atom' {names}>{head}{''.join(entries)}</feed>"
        else:
            text = (f"<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'"
                    f" {names}><channel>{head}</channel>{''.join(entries)}</rdf:RDF>")
        encoding = "utf-8"
        if self.chance(None, 0.1):
            encoding = "utf-16"
        declared = encoding
        if encoding == "utf-8" and self.chance("utf8-as-latin1", 0.05):
            declared = "iso-8859-1"
        data = f"<?xml version='1.0' encoding='{declared}'?>\n{text}".encode(encoding)
        if self.chance("cut-off", 0.03):
            data = data[:len(data) * 2 // 3]
        return data


READ = r"""
import calendar, json, sys, feedparser
for path in sys.stdin.read().split("\n"):
    feed = feedparser.parse(open(path, "rb").read(), response_headers={"content-location": ""})
    entries = []
    for entry in feed.entries:
        moment = entry.get("published_parsed") or entry.get("updated_parsed")
        entries.append({
            "id": entry.get("id"), "title": entry.get("title"), "link": entry.get("link"),
            "date": calendar.timegm(moment) if moment else None,
            "tags": [tag.term for tag in entry.get("tags", [])],
            "files": [file.get("href") for file in entry.get("enclosures", [])]})
    print(json.dumps(entries))
"""


def plain(text):
    """A title as a person reads it: feedparser leaves the HTML in it."""
    return " ".join(html.unescape(re.sub(r"</?[a-z]+>", "", text or "")).split())


def ours(path):
    """What `freshet fetch` reads, in the same form."""
    run = subprocess.run([BINARY, "fetch", str(path)], capture_output=True, timeout=20, check=False)
    if run.returncode:
        return []
    items = [item for section in json.loads(run.stdout)["sections"] for item in section["items"]]
    moment = lambda item: item.get("published") or item.get("updated")  # pylint: disable=C3001
    return [{
        "id": item.get("guid", item["id"]), "title": plain(html.escape(item.get("title") or "")),
        "link": item.get("url"),
        "date": calendar.timegm(time.strptime(moment(item)[:19], "%Y-%m-%dT%H:%M:%S")) if moment(item) else None,
        "tags": item.get("tags", []), "files": [file["url"] for file in item.get("attachments", [])],
    } for item in items]


def same(field, one, other):
    if field == "title":
        return (one or "") == plain(other)
    return (one or None) == (other or None)


class Differential(unittest.TestCase):
    def reason(self, odd, field):
        return next((why for name, of, why in REASONS if name in odd and of in ("*", field)), None)

    def test_reads_as_feedparser_does(self):
        end = time.monotonic() + SECONDS
        counts, faults = collections.Counter(), []
        with tempfile.TemporaryDirectory() as folder:
            makers, paths = [], []
            for seed in range(SEEDS):
                makers.append(Maker(seed))
                paths.append(pathlib.Path(folder) / f"{seed}.xml")
                paths[-1].write_bytes(makers[-1].document())
            read = subprocess.run([PYTHON, "-W", "ignore", "-c", READ], input="\n".join(map(str, paths)), text=True,
                                  capture_output=True, check=True, timeout=SECONDS)
            theirs = [json.loads(line) for line in read.stdout.splitlines()]
            self.assertEqual(len(theirs), SEEDS)
            done = 0
            for maker, path, other in zip(makers, paths, theirs):
                if time.monotonic() > end:
                    break
                done += 1
                self.compare(maker, ours(path), other, counts, faults)
        print(f"\n{done} documents read as feedparser reads them, but for", file=sys.stderr)
        for why, count in counts.most_common():
            print(f"  {count:4} × {why}", file=sys.stderr)
        self.assertEqual(faults, [], "\n".join(map(str, faults[:10])))
        self.assertGreater(done, 20)

    def compare(self, maker, mine, other, counts, faults):
        # Whatever feedparser makes of it, all that is whole is there.
        if len(mine) != maker.count and "cut-off" not in maker.odd:
            faults.append((maker.format, sorted(maker.odd), "count", len(mine), maker.count))
        if len(mine) != len(other):
            why = self.reason(maker.odd, "count")
            if why:
                counts[why] += 1
            else:
                faults.append((maker.format, sorted(maker.odd), "count", len(mine), len(other)))
            return
        for one, two in zip(mine, other):
            for field in FIELDS:
                if same(field, one[field], two[field]):
                    continue
                why = self.reason(maker.odd, field)
                if why:
                    counts[why] += 1
                else:
                    faults.append((maker.format, sorted(maker.odd), field, one[field], two[field]))


if __name__ == "__main__":
    unittest.main()
