"""Compares the documents that the pages show with the specification, without a server.

The examples of the protocol's pages, and the vectors for clients in docs/conformance.
"""

import json
import re

import jsonschema_rs

import server
import specification

KINDS = {"snapshot": "Snapshot", "changes": "ChangesDocument", "unchanged": "Unchanged",
         "missing": "Missing", "pull": "Pull", "outline": "Outline", "items": "Rows",
         "feeds": "FeedList", "published": "Published", "ready": "Ready"}


class Schemas:
    """The schemas of the specification."""

    def __init__(self, document):
        self.components = document["components"]

    def faults(self, name, document):
        """What is wrong with a document, in words."""
        schema = {"$ref": f"#/components/schemas/{name}", "components": self.components}
        return [f"{name}: {error.message} at {list(error.instance_path)}"
                for error in jsonschema_rs.validator_for(schema).iter_errors(document)]

    def of(self, document):
        """The name of a document's schema."""
        if isinstance(document, list):
            return "JSONPatch"
        if str(document.get("type", "")).startswith("/problems/"):
            return "Problem"
        return KINDS.get(document.get("kind"))


PAGES = ("docs/READING.md", "docs/PUBLISHING.md", "docs/PROTOCOL.md")


def examples():
    """The blocks of JSON in the protocol's pages, the data of their events, and their bodies."""
    for page in PAGES:
        for line, document in examples_of((server.ROOT / page).read_text()):
            yield f"{page}:{line}", document


def examples_of(text):
    """The same of one page, with the number of its line."""
    for block in re.finditer(r"^```(json|text|http)\n(.*?)^```", text, re.M | re.S):
        line = text[:block.start()].count("\n") + 1
        kind, content = block.groups()
        if kind == "json":
            yield line, json.loads(content)
        elif kind == "text":
            for data in re.findall(r"^data: (.*)$", content, re.M):
                yield line, json.loads(data)
        elif "\n\n" in content and "HTTP/1.1" not in content:
            head, body = content.split("\n\n", 1)
            yield line, (head.split("\n")[0], head, json.loads(body))


BODIES = [(r"PUT /feeds/[^/]+$", "NewFeed"), (r"POST /feeds/[^/]+/items", "Item"),
          (r"PUT /feeds/[^/]+/items/", "NewItem"), (r"PATCH /feeds/[^/]+/items/", "MergePatch"),
          (r"PATCH /feeds/", "Edits"), (r"POST /events", "FollowedFeeds")]


def compare():
    """Returns how many documents do not fit."""
    strict = Schemas(specification.closed(specification.read()))
    count, faults = 0, []
    for place, document in examples():
        if isinstance(document, tuple):
            request, head, document = document
            name = next(name for pattern, name in BODIES if re.match(pattern, request))
            name = "JSONPatch" if "json-patch" in head else name
        else:
            name = strict.of(document) or "Item"
        count += 1
        faults += [f"{place}: {fault}" for fault in strict.faults(name, document)]
    # Vectors have members that clients do not know: the specification as it is.
    loose = Schemas(specification.read())
    vectors = json.loads((server.ROOT / "docs/conformance/client.json").read_text())["vectors"]
    for vector in vectors:
        if vector["name"].startswith("refused: "):
            continue
        for document in vector.get("documents", []):
            name = loose.of(document)
            if name is not None:
                count += 1
                faults += [f"docs/conformance/client.json: {vector['name']}: {fault}"
                           for fault in loose.faults(name, document)]
    print("\n".join([*faults, f"{count} documents, {len(faults)} faults"]))
    return len(faults)
