"""What Schemathesis sends: feeds and items that are there, and valid where a schema cannot say it.

Each request finds the feed "birds" at the second of the same two states.
"""

import os
import urllib.parse

import requests
import schemathesis
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import TestPhase

import server

URL = os.environ["FRESHET_URL"]
ITEMS = ["grebe", "heron", "jay", "swift"]
SECTIONS = ["lake", "woods", "sky"]
session = requests.Session()
session.headers["Authorization"] = "Bearer " + server.KEY


def seed():
    for state in server.BIRDS:
        response = session.put(URL + "/feeds/birds", json=state, timeout=10)
        yield response.json()["token"]


def is_valid(case, location):
    """Whether a part of a request is meant to be valid."""
    part = case.meta.components.get(location)
    return part is None or part.mode.is_positive


def is_about(case, location, name):
    """Whether a request is there for the sake of one parameter."""
    data = case.meta.phase.data
    return getattr(data, "parameter_location", None) == location and data.parameter == name


def choose(list, value):
    return list[len(str(value)) % len(list)]


def seconds(value):
    """A wait: one in twenty is a second long."""
    return int(sum(str(value).encode()) % 20 == 0)


def set_path(case):
    path = case.path_parameters
    if "feed" in path and not (case.method == "PUT" and case.path == "/feeds/{feed}"):
        path["feed"] = "wire" if case.path.endswith("/refresh") else "birds"
    elif path.get("feed") == "wire":
        # It has a source, and takes no publishes.
        path["feed"] = "wired"
    if "id" in path and not (case.method == "PUT" and len(path["id"]) > 1):
        path["id"] = choose(SECTIONS if "/sections/" in case.path else ITEMS, path["id"])


def one_place(query):
    for name in [name for name in ("at", "before", "after") if name in query][1:]:
        del query[name]


def set_query(case, tokens):
    query = case.query
    for name in ("since", "version"):
        if name in query:
            query[name] = choose(tokens, query[name])
    if case.path == "/feeds/{feed}/versions" and "before" in query:
        query["before"] = choose(tokens, query["before"])
    if case.path in ("/pull", "/events") and "feed" in query:
        first = "birds@" + choose(tokens, query["feed"])
        query["feed"] = list(dict.fromkeys([first] + [
            name.replace("@", "-") for name in query["feed"] if name != "birds"]))
    if case.path == "/feeds/{feed}/items" and "id" in query:
        query["id"] = [*query["id"], "grebe"]
    if case.method in ("POST", "PUT"):
        one_place(query)
        if "section" in query:
            query["section"] = "lake"
        for name in ("before", "after"):
            if name in query:
                query[name] = "grebe"


def set_fields(case, tokens):
    """Conditions that hold, or not: what a field must be depends on the feed."""
    current, old = (f'"{token}"' for token in reversed(tokens))
    fields = case.headers
    if case.path_parameters and case.path_parameters.get("feed") != "birds":
        # A feed that may not be there.
        fields.pop("If-Match", None)
    known = {"If-Match": current, "If-None-Match": old, "Idempotency-Key": os.urandom(12).hex()}
    if case.method == "GET":
        known = {"If-Match": "*", "Prefer": f"wait={seconds(fields.get('Prefer'))}",
                 "If-None-Match": choose([current, old, "*"], fields.get("If-None-Match"))}
    for name, value in known.items():
        if name in fields and not is_about(case, ParameterLocation.HEADER, name):
            fields[name] = value


def unique(ids):
    """Makes ids that differ, of any."""
    seen = set()
    for id in ids:
        while id in seen:
            id = id[:200] + "+"
        seen.add(id)
        yield id


def rename(things):
    """Gives things ids that differ."""
    things = [thing for thing in things if "id" in thing]
    for thing, id in zip(things, list(unique(thing["id"] for thing in things))):
        thing["id"] = id


def spell_out(members):
    """Spells maxAge in digits: JSON Schema counts 1.0 as an integer."""
    if "maxAge" in members:
        members["maxAge"] = int(members["maxAge"])


def set_body(case):
    body = case.body
    if case.path == "/feeds/{feed}" and case.method == "PUT":
        sections = body.get("sections", [])
        rename(sections)
        rename([item for part in [body, *sections] for item in part.get("items", [])])
        if "collate" in body:
            body["collate"]["locale"] = "en"
        spell_out(body)
    elif case.path == "/feeds/{feed}" and case.method == "PATCH":
        case.body = patch(body)
    elif case.path == "/feeds/{feed}/items":
        items = body if isinstance(body, list) else [body]
        rename(items)
        for item in items:
            if item.get("id") in ITEMS:
                item["id"] += " "
    elif case.path == "/feeds/{feed}/items/{id}" and case.method == "PUT":
        if "id" in body:
            body["id"] = urllib.parse.unquote(case.path_parameters["id"])
    elif case.path == "/events":
        if "feeds" in body and "match" not in body or "feeds" in body and len(body["feeds"]) == 0:
            body["feeds"]["birds"] = None


EDITS = [
    {"insert": {"id": "owl", "seen": 1}, "section": "woods", "at": "end"},
    {"set": {"seen": 9}, "unset": ["sure"], "item": "heron"},
    {"replace": {"id": "grebe"}}, {"move": "jay", "before": "heron"}, {"remove": "swift"},
    {"insertSection": {"id": "shore", "items": [{"id": "gull"}]}, "after": "lake"},
    {"setSection": {"title": "The lake"}, "section": "lake"}, {"moveSection": "sky", "at": "start"},
    {"removeSection": "woods"}, {"setFeed": {"title": "April"}, "unset": ["note"]},
]
OPERATIONS = [
    {"op": "test", "path": "/title", "value": "Birds of March"},
    {"op": "replace", "path": "/title", "value": "April"},
    {"op": "add", "path": "/sections/0/items/0", "value": {"id": "owl"}},
    {"op": "remove", "path": "/sections/1/items/0"},
    {"op": "move", "from": "/sections/0", "path": "/sections/1"},
    {"op": "copy", "from": "/title", "path": "/note"},
]


def patch(body):
    """Edits that apply, as many of them as were drawn: those that name what is not there are 409."""
    if isinstance(body, list):
        return [OPERATIONS[len(body) % len(OPERATIONS)]] if body else body
    edits = body["edits"]
    return {"edits": [EDITS[len(str(edits)) % len(EDITS)]] if edits else edits}


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.meta.phase.name == TestPhase.STATEFUL:
        # What one request did, the next one finds.
        for name in ("If-Match", "If-None-Match", "Idempotency-Key"):
            case.headers.pop(name, None)
        if case.query and is_valid(case, ParameterLocation.QUERY):
            one_place(case.query)
            case.query.pop("version", None)
        if "json" in (case.media_type or "") and is_valid(case, ParameterLocation.BODY):
            set_body(case)
        if case.method == "DELETE" and case.query:
            case.query.pop("dry-run", None)
        return
    tokens = list(seed())
    # What is drawn for a conflict stays: one patch in four.
    drawn = len(str(case.body)) % 4 == 0
    if case.path_parameters and is_valid(case, ParameterLocation.PATH):
        set_path(case)
        if "token" in case.path_parameters:
            case.path_parameters["token"] = choose(tokens, case.path_parameters["token"])
    if case.query and is_valid(case, ParameterLocation.QUERY):
        set_query(case, tokens)
    if case.headers:
        set_fields(case, tokens)
    if case.query and str(case.query.get("wait")).isdigit():
        case.query["wait"] = seconds(case.query["wait"])
    is_json = "json" in (case.media_type or "")
    if is_json and is_valid(case, ParameterLocation.BODY):
        if not (drawn and case.method == "PATCH"):
            set_body(case)
        elif case.path == "/feeds/{feed}" and isinstance(case.body, dict):
            for edit in case.body["edits"]:
                spell_out(edit.get("setFeed", {}))
                members = [edit[name] for name in ("set", "setFeed", "setSection") if name in edit]
                if members and "unset" in edit:
                    edit["unset"] = [name for name in edit["unset"] if name not in members[0]]


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Passes over what is right, though a specification cannot say it.

    A well-formed JSON Patch that makes no feed of a feed is 422. Whoever publishes to a name that ends like
    a format is told that no feed has such a name, which helps more than 405.
    """
    if case.path.endswith((".json", ".atom", ".rss")) and response.status_code == 400:
        return "does not end in .json" not in response.json()["detail"]
    is_patch = case.path == "/feeds/{feed}" and case.method == "PATCH"
    return not (is_patch and response.status_code == 422
                and response.json()["type"] == "/problems/invalid-result")
