"""Public/openapi.json."""

import json

import server

PATH = server.ROOT / "Public" / "openapi.json"


def read():
    return json.loads(PATH.read_text())


# Documents of the protocol alone. Members may be added to them, so the specification leaves them
# open; the test closes them, to find a member that it does not name.
OWN = ["Unchanged", "ChangesDocument", "Changes", "MemberChanges", "ItemUpdate", "SectionUpdate",
       "Missing", "Ready", "Pull", "Outline", "Row", "Rows", "FeedList", "Counts", "Published", "Problem",
       "Source", "AdminServer", "AdminFeeds", "AdminSources", "AdminKeys"]


# Only hubs know the addresses below it, so that nothing but `404` would be seen.
HUBS = "/websub/{id}"


def closed(document):
    """A specification without room for members that it does not name, and without what hubs are told."""
    document["paths"].pop(HUBS, None)

    def close(schema, is_top):
        if isinstance(schema, list):
            for part in schema:
                close(part, False)
        if not isinstance(schema, dict):
            return
        properties = schema.get("properties")
        publishers = schema.get("required") in (["id"], ["id", "count"])
        if isinstance(properties, dict) and "additionalProperties" not in schema:
            if is_top or not publishers:
                schema["additionalProperties"] = False
        for name, part in schema.items():
            close(part, False) if name != "properties" else close(list(part.values()), False)
    for response in document["components"]["responses"].values():
        for content in response.get("content", {}).values():
            content["schema"] = content.get("x-item-schema", content["schema"])
    for name in OWN:
        if name in document["components"]["schemas"]:
            close(document["components"]["schemas"][name], True)
    return document


def unnamed(document):
    """Members of the protocol's documents that are required, but not named: Schemathesis takes any value for them."""
    found = set()

    def look(part):
        if isinstance(part, dict):
            if part.get("additionalProperties") is False:
                found.update(set(part.get("required", [])) - set(part.get("properties", {})))
            part = list(part.values())
        if isinstance(part, list):
            for value in part:
                look(value)
    look([closed(document)["components"]["schemas"][name] for name in OWN])
    return sorted(found)
