"""The vectors for clients: a client that keeps the protocol passes, and one that errs does not.

Defects are seeded into the copy of `reference.py`, and into the client in Python, into what it reads of
streams and what it asks: each replaces a piece of its text.
"""

import json
import sys
import types
import unittest

import kit
import reference

REFERENCE = kit.KIT / "reference.py"
PACKAGE = kit.ROOT / "Examples" / "python"
EXAMPLE = PACKAGE / "freshet" / "_events.py"
ASKING = PACKAGE / "freshet" / "_protocol.py"
sys.path.insert(0, str(PACKAGE))

# What a client's copy does wrong, the text that is right, and the text in its place.
COPIES = [
    ("it keeps old members when a snapshot comes",
     "self.members = {name: value for name, value in document.items()",
     "self.members |= {name: value for name, value in document.items()"),
    ("it keeps old sections when a snapshot comes",
     'self.sections = document["sections"]',
     'self.sections = self.sections or document["sections"]'),
    ("it takes the protocol's members for the feed's",
     "if name not in RESERVED}", 'if name != "kind"}'),
    ("it keeps its copy of a feed that is missing",
     'if kind == "missing":\n            self.drop()\n            return',
     'if kind == "missing":\n            return'),
    ("it believes that nothing changed of another version",
     'require(document["token"] == self.token, "unchanged is of another version")', "pass"),
    ("it applies changes to any version",
     'require(document["since"] == self.token, "since is not the version held")', "pass"),
    ("it compares versions without their epochs",
     'require(document["since"] == self.token,',
     'require(document["since"].split(".")[1] == (self.token or "x.x").split(".")[1],'),
    ("it does not check the count",
     'require(count == int(document["count"])', "require(True"),
    ("it does not check the order",
     'require(check == document["order"]', "require(True"),
    ("its check has only ids of items",
     'lines = "".join(f"#{section[\'id\']}\\n" + ', 'lines = "".join('),
    ("its check is over UTF-16", "lines.encode()", "lines.encode('utf-16-le')"),
    ("it keeps the token when changes are empty",
     'self.token, self.total = document["token"], document.get("total")',
     'self.token = document["token"] if document.get("changes") != {} else self.token; '
     'self.total = document.get("total")'),
    ("it keeps the total that it was told first",
     'document["token"], document.get("total")',
     'document["token"], self.total or document.get("total")'),
    ("it puts items in as they are named, inserts before moves",
     "sorted(entries, key=lambda entry: int(entry[0]))", "entries"),
    ("it puts the last index first",
     "key=lambda entry: int(entry[0]))", "key=lambda entry: -int(entry[0]))"),
    ("it takes indexes from the end, and beyond it",
     'require(0 <= int(index) <= len(list), f"no position {index} in a list of {len(list)}")',
     "pass"),
    ("it removes sections before items move out of them",
     'moved = {entry["id"]: self._take_item(entry["id"]) for entry in of_items.get("move", [])}\n',
     'early = [self._take_section(id) for id in of_sections.pop("remove", [])]\n'
     '        moved = {entry["id"]: self._take_item(entry["id"])'
     ' for entry in of_items.get("move", [])}\n'),
    ("it removes nothing that is not there, without a word",
     'for id in of_items.get("remove", []):\n            self._take_item(id)',
     'for id in of_items.get("remove", []):\n            '
     'for section in self.sections: section["items"] = '
     '[item for item in section["items"] if item["id"] != id]'),
    ("it does not move sections",
     'for entry in of_sections.get("move", [])}', 'for entry in []}'),
    ("a section that comes brings what its members say of items",
     '{**entry["section"], "items": []}', '{"items": [], **entry["section"], "title": None}'),
    ("it drops items for sections that it does not have, without a word",
     '        for entry in of_items.get("insert", []) + of_items.get("move", []):\n'
     '            self._section(entry["section"])\n', ""),
    ("it updates items before it puts in those that came, so what moves is not there",
     "        for section in self.sections:\n            put(",
     '        for entry in of_items.get("update", []):\n'
     '            update(self._item(entry["id"]), entry)\n'
     "        for section in self.sections:\n            put("),
    ("it merges objects that are set",
     'members.update(entry.get("set", {}))',
     "for name, value in entry.get('set', {}).items():\n"
     "        old = members.get(name)\n"
     "        both = isinstance(old, dict) and isinstance(value, dict)\n"
     "        members[name] = {**old, **value} if both else value"),
    ("it takes a member away that is set to null",
     'members.update(entry.get("set", {}))',
     "members.update(entry.get('set', {}))\n"
     "    for name in [name for name, value in members.items() if value is None]:\n"
     "        del members[name]"),
    ("it takes no members away", 'for name in entry.get("unset", []):', "for name in []:"),
    ("it takes no notice of the feed's own members",
     'update(self.members, changes.get("feed", {}))', "pass"),
    ("it takes no notice of what changes in sections",
     'update(self._section(entry["id"]), entry)\n            if', "if"),
    ("it compares ids as text that looks the same",
     '[item for section in self.sections for item in section["items"] if item["id"] == id]',
     '[item for section in self.sections for item in section["items"]'
     ' if __import__("unicodedata").normalize("NFC", item["id"])'
     ' == __import__("unicodedata").normalize("NFC", id)]'),
    ("it does not take a snapshot of an earlier version", 'if kind == "snapshot":\n',
     'if kind == "snapshot":\n'
     '            held = (self.token or document["token"]).split(".")\n'
     '            epoch, version = document["token"].split(".")\n'
     '            require(epoch != held[0] or int(version) >= int(held[1]), "an earlier version")\n'),
    ("it compares ids without regard to case", 'if item["id"] == id]',
     'if item["id"].lower() == id.lower()]'),
    ("it compares ids without the spaces around them", 'if item["id"] == id]',
     'if item["id"].strip() == id.strip()]'),
    ("it compares ids of sections as text that looks the same", 'if section["id"] == id]',
     'if __import__("unicodedata").normalize("NFC", section["id"])'
     ' == __import__("unicodedata").normalize("NFC", id)]'),
    ("it drops members that are set to nothing", 'members.update(entry.get("set", {}))',
     'members.update({name: value for name, value in entry.get("set", {}).items()'
     ' if value not in ("", False, [], {})})'),
    ("a section loses members with the names of the protocol",
     'update(self._section(entry["id"]), entry)\n            if',
     'entry["set"] = {name: value for name, value in entry.get("set", {}).items()'
     ' if name not in RESERVED}\n'
     '            update(self._section(entry["id"]), entry)\n            if'),
    ("it forgets a view's total when nothing changed",
     'document["token"], document.get("total")',
     'document["token"], document.get("total") if kind != "unchanged" else None'),
    ("it believes that nothing changed if the version is that of another epoch",
     'require(document["token"] == self.token, "unchanged',
     'require(document["token"].split(".")[1] == self.token.split(".")[1], "unchanged'),
    ("it compares versions as numbers with a fraction",
     'require(document["token"] == self.token, "unchanged',
     'require(float(document["token"].split(".")[1]) == float(self.token.split(".")[1]), "unchanged'),
    ("it counts the items of views by itself", "if not self.view:", "if True:"),
    ("it does not count the items of sections", "if not self.view:", "if False:"),
    ("it takes no notice of a view's counts",
     'if "count" in entry:\n', 'if False:\n'),
    ("a section of a view that moves has the count 0 until it is told another",
     'self._take_section(entry["id"])\n                          for',
     '{**self._take_section(entry["id"]), "count": 0}\n                          for'),
    ("a section that moves keeps its id and items, and nothing else",
     'self._take_section(entry["id"])\n                          for',
     '{name: value for name, value in self._take_section(entry["id"]).items()'
     ' if name in ("id", "count", "items")}\n                          for'),
    ("an item that moves keeps its id and nothing else",
     'self._take_item(entry["id"]) for', '{"id": self._take_item(entry["id"])["id"]} for'),
    ("an update of an item takes its other members away",
     'update(self._item(entry["id"]), entry)',
     'item = self._item(entry["id"])\n'
     '            kept = {"id": item["id"]}\n'
     '            item.clear()\n'
     '            item.update(kept)\n'
     '            update(item, entry)'),
    ("an update of a section takes its other members away",
     'update(self._section(entry["id"]), entry)\n            if',
     'section = self._section(entry["id"])\n'
     '            kept = {name: section[name] for name in ("id", "count", "items")}\n'
     '            section.clear()\n'
     '            section.update(kept)\n'
     '            update(section, entry)\n            if'),
    ("an update of the feed takes its other members away",
     'update(self.members, changes.get("feed", {}))',
     'self.members = {} if "feed" in changes else self.members\n'
     '        update(self.members, changes.get("feed", {}))'),
    ("a section that comes brings items",
     '{**entry["section"], "items": []}', '{"items": [], **entry["section"]}'),
    ("an item that comes loses members with the names of the protocol",
     '(entry["index"], entry["item"])',
     '(entry["index"], {name: value for name, value in entry["item"].items()'
     ' if name not in RESERVED})'),
    ("it takes documents of another feed",
     'require(document["feed"] == self.feed', 'require(True'),
    ("it takes the token of a document of a kind that it does not know",
     'require(kind == "changes", f"a document of the kind {kind}")',
     'if kind != "changes":\n'
     '                self.token = document["token"]\n'
     '                return'),
    ("it passes over a document of a kind that it does not know",
     'require(kind == "changes", f"a document of the kind {kind}")',
     'if kind != "changes":\n'
     '                return'),
]

# The same of what it reads of streams.
STREAMS = [
    ("an event ends with its line",
     'elif name == "data":\n            self.data.append(value)',
     'elif name == "data":\n            yield self.name, value, self.retry'),
    ("every line of data takes the place of the one before",
     "data.append(value)", "data[:] = [value]"),
    ("it waits for line feeds alone", '"\\r\\n|\\r|\\n"', '"\\n"'),
    ("a carriage return alone ends no line", '"\\r\\n|\\r|\\n"', '"\\r\\n|\\n"'),
    ("a carriage return and the line feed after it end two lines",
     '"\\r\\n|\\r|\\n"', '"\\r|\\n"'),
    ("a byte order mark belongs to the first line", r'removeprefix("\ufeff")', 'removeprefix("")'),
    ("a byte order mark goes from every line", 'self.started, text = True,',
     'self.started, text = False,'),
    ("a line without a colon counts for nothing",
     'name, _, value = line.partition(":")\n',
     'name, _, value = line.partition(":") if ":" in line else ("", "", "")\n'),
    ("fields that it does not know end the event",
     'elif name == "retry"', 'elif name not in ("", "id", "retry"):\n'
     '            self.name, self.data = "message", []\n        elif name == "retry"'),
    ("it takes a retry that is no number", 're.fullmatch("[0-9]{1,9}", value)', "value"),
    ("it takes a retry in the digits of any script",
     're.fullmatch("[0-9]{1,9}", value)', "value.isdigit()"),
    ("a space after the colon belongs to the value",
     'value = value.removeprefix(" ")\n        if not line', "if not line"),
    ("all spaces after the colon go", 'value.removeprefix(" ")', "value.lstrip()"),
    ("events without data count",
     "            if self.data:\n                yield", "            yield"),
    ("an event that is not finished counts",
     "for line in lines for", 'for line in [*lines, ""] for'),
    ("it is read as Latin-1", 'getincrementaldecoder("utf-8")', 'getincrementaldecoder("latin-1")'),
    ("an event keeps the name of the one before",
     'self.name, self.data = "message", []\n        elif', "self.data = []\n        elif"),
]

# The same of what it asks, and makes of the answers.
SESSIONS = [
    ("it takes the body of a 304", "if reply.status != 304:\n            kind = copy.take",
     "if reply.content:\n            kind = copy.take"),
    ("it takes a 304 for an empty feed", 'kind = "unchanged"\n        else:',
     'kind = "unchanged"\n            copy.drop()\n        else:'),
    ("it does not ask by its token", '[("since", copy.token)] if copy.token else []', "[]"),
    ("it asks again with the token of a copy that is wrong",
     "            return (yield from self.ask(copy, wait))\n        except Mismatch:\n            copy.token = None",
     "            return (yield from self.ask(copy, wait))\n        except Mismatch:\n            copy.token = held"),
    ("it does not start over", "        except Mismatch:\n            copy.token = None\n        except Problem",
     "        except ZeroDivisionError:\n            copy.token = None\n        except Problem"),
    ("it keeps its copy of a feed that is gone", "if self.private or now", "if now"),
    ("it drops what it holds where it is refused", "if problem.status == 404 and",
     "if problem.status >= 400 and"),
    ("it drops what it holds where something between answers",
     "raise self.unreachable(error) from error", "raise Mismatch from error"),
]


def seeded(path, right, wrong):
    """The module of a file with a defect in it."""
    text = path.read_text()
    if text.count(right) != 1:
        raise AssertionError(f"{path.name} has {right!r} {text.count(right)} times")
    return module(path, text.replace(right, wrong))


def module(path, text):
    made = types.ModuleType(f"seeded_{path.stem}")
    made.__package__ = path.parent.name
    sys.modules[made.__name__] = made  # where dataclasses look their module up
    exec(compile(text, path.name, "exec"), made.__dict__)
    return made


def faults_of_reading(client, streams):
    """The streams that the client in Python does not read as it should, whole and byte by byte."""
    faults = []
    for stream in streams:
        text = stream["stream"].encode()
        expected = [(event["event"], event["data"]) for event in stream["events"]]
        retry = int(stream["retry"]) / 1000 if "retry" in stream else None
        for pieces in ([text], [bytes([byte]) for byte in text]):
            reader = client.Events()
            try:
                read = [event for piece in pieces for event in reader.feed(piece)]
            except ValueError:
                faults.append(stream["name"])
                break
            if [(name, data) for name, data, _ in read] != expected \
                    or retry and read[-1][2] != retry:
                faults.append(stream["name"])
                break
    return faults


def faults_of_asking(client, sessions):
    """The sessions that the client in Python does not come through."""
    return [session["name"] for session in sessions if not comes_through(client, session)]


def comes_through(client, session):
    protocol, copy = client.Protocol("http://a", "key", 1), client.Copy("birds")
    for step in session["steps"]:
        steps, reply, exchanges = protocol.refresh(copy), None, iter(step["exchanges"])
        try:
            while request := steps.send(reply):
                exchange = next(exchanges, {"since": "none"})
                if dict(request.query).get("since") != exchange["since"]:
                    return False
                text = kit.spell(exchange["json"]) if "json" in exchange else exchange.get("text", "")
                reply = client.Reply(int(exchange["status"]), exchange.get("fields", {}), text.encode())
        except (StopIteration, client.Problem, client.Unreachable):
            pass
        except client.Mismatch:
            return False
        if next(exchanges, None):
            return False
        held = {"token": copy.token, "members": copy.members, "sections": copy.sections}
        if json.loads(json.dumps(held)) != json.loads(kit.spell(step["holds"])):
            return False
    return True


class Clients(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cases, cls.client = kit.load()
        cls.vectors, cls.streams = cls.client["vectors"], cls.client["streams"]

    def test_every_case_cites_a_sentence_of_the_protocol(self):
        cases = self.cases + [case for part in self.client.values() if isinstance(part, list)
                              for case in part]
        self.assertGreater(len(cases), 250)
        self.assertEqual(kit.faults_of_citations(cases), [])

    def test_a_client_that_keeps_the_protocol_passes(self):
        self.assertEqual(kit.faults_of_orders(reference, self.client["checks"]), [])
        self.assertEqual(kit.faults_of_copies(reference, self.vectors), [])
        self.assertEqual(kit.faults_of_streams(reference, self.streams), [])
        self.assertEqual(kit.faults_of_sessions(reference, self.client["sessions"]), [])
        self.assertEqual(faults_of_reading(module(EXAMPLE, EXAMPLE.read_text()), self.streams), [])
        asking = module(ASKING, ASKING.read_text())
        self.assertEqual(faults_of_asking(asking, self.client["sessions"]), [])

    def test_each_defect_of_a_copy_fails_a_vector(self):
        for name, right, wrong in COPIES:
            with self.subTest(name):
                client = seeded(REFERENCE, right, wrong)
                self.assertTrue(kit.faults_of_copies(client, self.vectors), "no vector fails")

    def test_each_defect_of_reading_streams_fails_a_vector(self):
        for name, right, wrong in STREAMS:
            with self.subTest(name):
                client = seeded(EXAMPLE, right, wrong)
                self.assertTrue(faults_of_reading(client, self.streams), "no stream fails")

    def test_each_defect_of_asking_fails_a_session(self):
        for name, right, wrong in SESSIONS:
            with self.subTest(name):
                client = seeded(ASKING, right, wrong)
                self.assertTrue(faults_of_asking(client, self.client["sessions"]), "no session fails")


if __name__ == "__main__":
    unittest.main()
