"""Reads a feed with feedparser: `feedparser_read.py URL [ETAG MODIFIED]` prints what it found as JSON.

It runs by the system's Python, which has the Debian package.
"""

import json
import sys

import feedparser

url, etag, modified = (sys.argv[1:] + ["", ""])[:3]
feed = feedparser.parse(url, etag=etag or None, modified=modified or None)
print(json.dumps({
    "status": feed.status, "etag": feed.get("etag", ""), "modified": feed.get("modified", ""),
    "fault": str(feed.get("bozo_exception", "")) if feed.bozo else "", "title": feed.feed.get("title"),
    "links": [dict(link) for link in feed.feed.get("links", [])],
    "entries": [{
        "id": entry.id, "title": entry.get("title"), "link": entry.get("link"), "author": entry.get("author"),
        "content": entry.content[0].value if "content" in entry else None, "summary": entry.get("summary"),
        "published": list(entry.published_parsed) if entry.get("published_parsed") else None,
        "tags": [tag.term for tag in entry.get("tags", [])],
        "files": [file.href for file in entry.get("enclosures", [])],
    } for entry in feed.entries],
}))
