"""Mistakes in the specification, each of which a comparison with the server finds."""


def schema(name):
    return lambda spec: spec["components"]["schemas"][name]


def operation(path, method):
    return lambda spec: spec["paths"][path][method]


def parameter(name):
    return lambda spec: spec["components"]["parameters"][name]["schema"]


def drop(find, *names):
    """Removes a member."""
    def change(spec):
        part = find(spec)
        for name in names[:-1]:
            part = part[name]
        del part[names[-1]]
    return change


def unname(find, name):
    """Removes a member from a schema of an object.

    Schemathesis takes a name that is only required for one that may have any value.
    """
    def change(spec):
        part = find(spec)
        del part["properties"][name]
        part["required"] = [other for other in part["required"] if other != name]
    return change


def put(find, names, value):
    """Sets a member."""
    def change(spec):
        part = find(spec)
        for name in names[:-1]:
            part = part[name]
        part[names[-1]] = value
    return change


def append(find, names, value):
    """Adds to an array."""
    def change(spec):
        part = find(spec)
        for name in names:
            part = part[name]
        part.append(value)
    return change


def rename(old, new):
    def change(spec):
        spec["paths"][new] = spec["paths"].pop(old)
    return change


def header(name):
    return lambda spec: spec["components"]["headers"][name]["schema"]


FEED, ITEMS, ITEM = "/feeds/{feed}", "/feeds/{feed}/items", "/feeds/{feed}/items/{id}"
OUTLINE, SECTION = "/feeds/{feed}/outline", "/feeds/{feed}/sections/{id}"

# What is wrong, the path to look at, and how it is made.
DEVIATIONS = [
    ("a status is missing: 201", FEED, drop(operation(FEED, "put"), "responses", "201")),
    ("a status is missing: 304", FEED, drop(operation(FEED, "get"), "responses", "304")),
    ("a status is missing: 400", ITEMS, drop(operation(ITEMS, "get"), "responses", "400")),
    ("a status is missing: 204", ITEM, drop(operation(ITEM, "delete"), "responses", "204")),
    ("another media type", OUTLINE, put(operation(OUTLINE, "get"), ["responses", "200", "content"],
                                        {"text/plain": {"schema": {"type": "string"}}})),
    ("a member of another type", FEED, put(schema("Snapshot"), ["properties", "count"],
                                           {"type": "string"})),
    ("a member that is not sent", OUTLINE, append(schema("Outline"), ["required"], "version")),
    ("a member that is not named", ITEMS, drop(schema("Rows"), "properties", "offset")),
    ("a member that is not named in an error", ITEM,
     drop(schema("Problem"), "properties", "pointer")),
    ("a kind of error that is not named", ITEM,
     put(schema("Problem"), ["properties", "type", "enum"], ["/problems/malformed"])),
    ("a token of another form", ITEM, put(schema("Token"), ["pattern"], "^[0-9]+$")),
    ("a tag of another form", OUTLINE, put(header("ETag"), ["pattern"], "^W/")),
    ("a field with another range", OUTLINE, put(header("Refresh-After"), ["minimum"], 5000)),
    ("a field that is not sent", "/healthz",
     put(operation("/healthz", "get"), ["responses", "200", "headers", "X-Version"],
         {"required": True, "schema": {"type": "string"}})),
    ("a limit that is lower", SECTION, put(parameter("rows"), ["maximum"], 500)),
    ("a limit that is higher", SECTION, put(parameter("rows"), ["maximum"], 2000)),
    ("a value that is not taken", FEED, put(parameter("as"), ["enum"], ["snapshot"])),
    ("a parameter of another type", ITEM, put(parameter("dryRun"), ["type"], "string")),
    ("a member of a body that is needed", ITEMS, drop(schema("Item"), "required")),
    ("a body that is not taken", ITEM, put(operation(ITEM, "put"), ["requestBody", "content"],
                                           {"text/plain": {"schema": {"type": "string"}}})),
    ("a method that is missing", ITEM, drop(lambda spec: spec["paths"][ITEM], "patch")),
    ("a path of another name", "/feeds/{feed}/outlines", rename(OUTLINE, "/feeds/{feed}/outlines")),
    ("an event of another name", "/events", put(schema("Event"), ["properties", "event", "enum"],
                                                ["changed"])),
    ("a member of the operator's that is not named", "/admin/feeds",
     unname(lambda spec: schema("AdminFeeds")(spec)["properties"]["feeds"]["items"], "readers")),
    ("a key that is not asked for", OUTLINE, put(operation(OUTLINE, "get"), ["security"],
                                                 [{"bearer": []}])),
]
