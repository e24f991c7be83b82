"""What makes a document for feed readers valid, as rules that say what breaks them.

Atom: RFC 4287, by atom.rng and by what no schema can say. RSS: the RSS 2.0 specification of the RSS Advisory
Board with its best practices profile. JSON Feed 1.1. The W3C's validator of feeds checks the same of the first two.
"""

import datetime
import email.utils
import html.parser
import json
import pathlib
import re
import subprocess
import tempfile
import xml.etree.ElementTree as xml

SCHEMA = pathlib.Path(__file__).with_name("atom.rng")
ATOM = "{http://www.w3.org/2005/Atom}"
BASE = "{http://www.w3.org/XML/1998/namespace}base"
# RFC 3987 §2.2: an id may have letters of all languages; brackets are of hosts alone (RFC 3986 §3.2.2).
IRI = re.compile(r'[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"\\^`{|}\[\]]+')
# RFC 3986 §2: addresses are of ASCII, and % begins an escape (§2.1).
ADDRESS = re.compile(r'[A-Za-z][A-Za-z0-9+.-]*:(?:[!#$&-;=?-Z_a-z~]|%[0-9A-Fa-f]{2})+')
WEB = re.compile(r'(?i:https?)://[!$&-.0-;=?-Z_a-z~\[\]]+(?:[/?#](?:[!#$&-;=?-Z_a-z~]|%[0-9A-Fa-f]{2})*)?')
LANGUAGE = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*")
MEDIA_TYPE = re.compile(r"[^/\s]+/[^/\s]+.*")
# Elements of RSS 2.0 itself: those of a channel, and those of an item.
CHANNEL = {"title", "link", "description", "language", "copyright", "managingEditor", "webMaster", "pubDate",
           "lastBuildDate", "category", "generator", "docs", "cloud", "ttl", "image", "rating", "textInput",
           "skipHours", "skipDays", "item"}
ITEM = {"title", "link", "description", "author", "category", "comments", "enclosure", "guid", "pubDate", "source"}


def faults(data, kind):
    """What is wrong with a document, in words."""
    return {"atom": atom, "rss": rss, "json": json_feed}[kind](data)


def atom(data):
    with tempfile.NamedTemporaryFile(suffix=".atom") as file:
        file.write(data)
        file.flush()
        schema = subprocess.run(["xmllint", "--noout", "--nonet", "--relaxng", SCHEMA, file.name],
                                capture_output=True, text=True, check=False)
    found = [] if schema.returncode == 0 else schema.stderr.splitlines()[:5]
    feed = xml.fromstring(data)
    entries = feed.findall(f"{ATOM}entry")
    # §4.1.1: somebody wrote each entry.
    if feed.find(f"{ATOM}author") is None:
        found += ["an entry has no author" for entry in entries if entry.find(f"{ATOM}author") is None]
    found += repeated("id", [entry.findtext(f"{ATOM}id") for entry in entries])
    for place in [feed, *entries]:
        links = place.findall(f"{ATOM}link")
        # §4.1.1, §4.1.2: one of a kind.
        found += repeated("alternate", [(link.get("type"), link.get("hreflang")) for link in links
                                        if link.get("rel", "alternate") == "alternate"])
        found += repeated("self", [link.get("rel") for link in links if link.get("rel") == "self"])
    # §4.2.6, §4.2.7, §3.2.2: ids are IRIs; addresses are of the web, but for the pages of a feed whose own is not known.
    found += [fault for element in feed.iter(f"{ATOM}id") for fault in address(element.text or "", "id", IRI)]
    found += [fault for element in feed.iter(f"{ATOM}uri") for fault in address(element.text or "", "uri", WEB)]
    found += [fault for link in feed.iter(f"{ATOM}link") if link.get("rel") not in ("next", "first")
              for fault in address(link.get("href"), "link", WEB)]
    for entry in entries:
        found += base(feed, entry, entry.findtext(f"{ATOM}content[@type='html']"))
        relations = [link.get("rel", "alternate") for link in entry.findall(f"{ATOM}link")]
        if "alternate" not in relations and entry.find(f"{ATOM}content") is None:
            found.append("an entry has neither a content nor a link")
    return found


def rss(data):
    root = xml.fromstring(data)
    if root.tag != "rss" or root.get("version") != "2.0":
        return ["no RSS 2.0"]
    channel = root.find("channel")
    found = known(channel, CHANNEL) + once(channel, CHANNEL - {"item", "category"})
    for name in ("title", "link", "description"):
        if not (channel.findtext(name) or "").strip():
            found.append(f"a channel has no {name}")
    found += address(channel.findtext("link") or "", "link", ADDRESS)
    found += [f"{text} is no language" for text in texts(channel, "language") if not LANGUAGE.fullmatch(text)]
    found += [fault for text in texts(channel, "lastBuildDate") for fault in date(text)]
    for image in channel.findall("image"):
        found += [f"an image has no {name}" for name in ("url", "title", "link") if not image.findtext(name)]
    if len([link for link in channel.findall(f"{ATOM}link") if link.get("rel") == "self"]) > 1:
        found.append("two links to itself")
    items = channel.findall("item")
    found += repeated("guid", [item.findtext("guid") for item in items])
    content = "{http://purl.org/rss/1.0/modules/content/}encoded"
    found += [fault for item in items for fault in base(channel, item, item.findtext(content))]
    return found + [fault for item in items for fault in rss_item(item)]


class References(html.parser.HTMLParser):
    """The addresses that HTML refers to."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found += [value.strip() for name, value in attrs if name in ("href", "src") and value and value.strip()]


def base(feed, entry, text):
    """XML Base (RFC 4287 §2, RFC 3986 §5.1.1): relative addresses have a base where a page is known."""
    relative = [found for found in References(text or "").found if not re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", found)]
    links = [link for place in (feed, entry) for link in [*place.findall(f"{ATOM}link"), *place.findall("link")]
             if link.get("rel", "alternate") == "alternate" and WEB.fullmatch(link.get("href") or link.text or "")]
    hasBase = WEB.fullmatch(entry.get(BASE) or feed.get(BASE) or "")
    return [f"{relative[0]!r} is relative to nothing"] if relative and links and not hasBase else []


def rss_item(item):
    found = known(item, ITEM) + once(item, ITEM - {"category", "enclosure"})
    if item.find("title") is None and item.find("description") is None:
        found.append("an item has neither a title nor a description")
    found += [fault for text in texts(item, "link") for fault in address(text, "link", WEB)]
    found += [fault for text in texts(item, "pubDate") for fault in date(text)]
    found += [f"{text} is no address of mail" for text in texts(item, "author") if "@" not in text]
    found += ["a category is empty" for text in texts(item, "category") if not text.strip()]
    for guid in item.findall("guid"):
        if not guid.text:
            found.append("a guid is empty")
        elif guid.get("isPermaLink", "true") == "true":
            found += address(guid.text, "guid", WEB)
    if len(item.findall("enclosure")) > 1:
        found.append("an item has several enclosures")
    for file in item.findall("enclosure"):
        found += address(file.get("url", ""), "enclosure", WEB)
        if not (file.get("length") or "").isdigit():
            found.append(f"{file.get('length')} is no length")
        if not MEDIA_TYPE.fullmatch(file.get("type") or ""):
            found.append(f"{file.get('type')} is no media type")
    return found


def json_feed(data):
    feed = json.loads(data)
    found = [] if feed.get("version") == "https://jsonfeed.org/version/1.1" else ["no version 1.1"]
    found += strings(feed, "title", "description", "user_comment", "language")
    if not feed.get("title"):
        found.append("no title")
    for name in ("home_page_url", "feed_url", "next_url", "icon", "favicon"):
        if name in feed:
            found += address(feed[name], name, WEB)
    found += authors(feed) + language(feed)
    if not isinstance(feed.get("items"), list):
        return found + ["no items"]
    found += repeated("id", [item.get("id") for item in feed["items"]])
    return found + [fault for item in feed["items"] for fault in json_item(item)]


def json_item(item):
    found = strings(item, "id", "title", "content_html", "content_text", "summary")
    if not item.get("id"):
        found.append("an item has no id")
    if "content_html" not in item and "content_text" not in item:
        found.append("an item has no content")
    for name in ("url", "external_url", "image", "banner_image"):
        if name in item:
            found += address(item[name], name, WEB)
    for name in ("date_published", "date_modified"):
        if name in item:
            found += rfc3339(item[name])
    found += authors(item) + language(item)
    found += [f"{tag!r} is no tag" for tag in item.get("tags", []) if not isinstance(tag, str) or not tag.strip()]
    for file in item.get("attachments", []):
        found += address(file.get("url", ""), "attachment", WEB) + strings(file, "mime_type", "title")
        if not MEDIA_TYPE.fullmatch(file.get("mime_type", "")):
            found.append(f"{file.get('mime_type')} is no media type")
        found += [f"{name} is no number from 0" for name in ("size_in_bytes", "duration_in_seconds")
                  if name in file and not (isinstance(file[name], (int, float)) and file[name] >= 0)]
    return found


def authors(thing):
    return ["an author has no name, no url and no avatar" for author in thing.get("authors", [])
            if not any(author.get(name) for name in ("name", "url", "avatar"))]


def language(thing):
    text = thing.get("language")
    return [] if text is None or LANGUAGE.fullmatch(text) else [f"{text} is no language"]


def strings(thing, *names):
    return [f"{name} is no string" for name in names if name in thing and not isinstance(thing[name], str)]


def texts(element, name):
    return [child.text or "" for child in element.findall(name)]


def known(element, names):
    return [f"no element is called {child.tag}" for child in element if child.tag[0] != "{" and child.tag not in names]


def once(element, names):
    return repeated("element", [child.tag for child in element if child.tag in names])


def repeated(name, values):
    return sorted({f"{name} {value!r} is there twice" for value in values if values.count(value) > 1})


def address(text, name, pattern):
    return [] if isinstance(text, str) and pattern.fullmatch(text) else [f"{name} {text!r} is no address"]


def date(text):
    """RFC 822 with a year of four digits, and the day of the week that it was."""
    try:
        time = email.utils.parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return [f"{text} is no date"]
    form = re.fullmatch(r"(\w{3}), \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} (GMT|[+-]\d{4})", text)
    return [] if form and form[1] == time.strftime("%a") else [f"{text} is no date"]


def rfc3339(text):
    try:
        datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return [f"{text} is no date"]
    return [] if re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", text) else [f"{text}: form"]
