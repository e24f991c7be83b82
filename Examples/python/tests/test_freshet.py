"""Tests of the client.

FRESHET_URL (and FRESHET_KEY, a key that may write) name the server, or FRESHET_BINARY a program to
start as one; without them only the tests that need none run. FRESHET_PREFIX begins the names of all feeds made here; they are deleted again.
"""

import copy
import json
import os
import pathlib
import random
import threading
import time
import unittest
import uuid
import zlib

import server
from freshet import Client, Copy, Mismatch, Problem, Unreachable
from freshet._events import Events
from freshet._protocol import Protocol, Reply, check

URL, KEY = server.address()
PREFIX = os.environ.get("FRESHET_PREFIX", "python-")
SEED = int(os.environ.get("FRESHET_SEED", "1"))
IDS = ["a", "b c", "d/e", "é", "e\u0301", "f+g", "h%2F", "日本", "🐦", "ı", "x", "y", "z", "0", "-"]


def spelled(value):
    """JSON text that is equal for equal values; 1, 1.0 and true differ."""
    return json.dumps(value, sort_keys=True)


class RandomFeed:
    """A feed that changes at random, and the edits that changed it."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.members, self.sections = {"title": "Random"}, []

    def document(self):
        return copy.deepcopy({**self.members, "sections": self.sections})

    def member(self):
        return self.random.choice([0, 1, -3, 2.5, True, None, "é", "\u2028", [], [1, {"a": None}], {}])

    def edit(self):
        """Makes one random edit that applies, here and as the server's edit."""
        roll, held = self.random, [item["id"] for s in self.sections for item in s["items"]]
        names = [section["id"] for section in self.sections]
        free = [id for id in IDS if id not in held]
        kind = roll.choice(["insert"] * 4 + ["move"] * 3 + ["remove", "set", "set", "replace",
                           "insertSection", "moveSection", "setSection", "removeSection", "setFeed"])
        if kind == "setFeed":
            value = self.member()
            self.members["note"] = value
            return {"setFeed": {"note": value}}
        if kind == "insertSection" or not names:
            id = roll.choice([id for id in IDS if id not in names])
            self.sections.insert(0, {"id": id, "items": []})
            return {"insertSection": {"id": id}, "at": "start"}
        section = roll.choice(self.sections)
        if kind == "setSection":
            section["title"] = roll.choice(["A", "B", ""])
            return {"setSection": {"title": section["title"]}, "section": section["id"]}
        if kind == "moveSection":
            self.sections.remove(section)
            self.sections.append(section)
            return {"moveSection": section["id"], "at": "end"}
        if kind == "removeSection" and len(names) > 3:
            self.sections.remove(section)
            return {"removeSection": section["id"]}
        if (kind == "insert" or not held) and free:
            item = {"id": roll.choice(free), "n": self.member()}
            place = self.place(section, item)
            return {"insert": item, **place}
        id = roll.choice(held)
        home, index = next((s["items"], i) for s in self.sections
                           for i, item in enumerate(s["items"]) if item["id"] == id)
        if kind == "set":
            name, value = roll.choice("nm"), self.member()
            home[index] = {**home[index], name: value}
            return {"set": {name: value}, "item": id}
        if kind == "replace":
            home[index] = {"id": id, "r": self.member()}
            return {"replace": home[index]}
        item = home.pop(index)
        if kind == "move":
            return {"move": id, **self.place(section, item)}
        return {"remove": id}

    def place(self, section, item):
        items = section["items"]
        kind = self.random.choice(["start", "end", "before", "after"])
        if not items or kind in ("start", "end"):
            at = "start" if kind == "start" else "end"
            items.insert(0 if at == "start" else len(items), item)
            return {"section": section["id"], "at": at}
        index = self.random.randrange(len(items))
        beside = items[index]["id"]
        items.insert(index + (kind == "after"), item)
        return {kind: beside}


class WithoutServer(unittest.TestCase):
    def test_the_order_check_is_that_of_the_page(self):
        sections = [{"id": "shore", "items": [{"id": "gull"}, {"id": "swift"}]},
                    {"id": "woods", "items": [{"id": "owl"}, {"id": "heron"}]},
                    {"id": "lake", "items": []}]
        self.assertEqual(check(sections), (4, "3c76eb68"))

    def test_a_document_that_does_not_fit_is_refused_and_the_copy_stays(self):
        held = Copy("f")
        held.take({"kind": "snapshot", "feed": "f", "token": "aaaaaaaa.1", "count": 1,
                   "order": f"{zlib.crc32(b'#s' + bytes([10]) + b' i' + bytes([10])):08x}",
                   "sections": [{"id": "s", "count": 1, "items": [{"id": "i"}]}]})
        before = held.document()
        with self.assertRaises(Mismatch):
            held.take({"kind": "changes", "feed": "f", "since": "aaaaaaaa.1",
                       "token": "aaaaaaaa.2", "count": 1, "order": "00000000",
                       "changes": {"items": {"update": [{"id": "i", "set": {"n": 1}}]}}})
        self.assertEqual(held.document(), before)
        self.assertIsNone(held.token)

    def test_events_are_read_as_the_html_standard_says(self):
        lines = [b"retry: 2500\n", b"\n", b": comment\n", b"event: a\r\n", b"data: 1\n",
                 b"data:2\n", b"id:\n", b"\n", b"data\n", b"\n", b"event: cut off\n", b"data: x\n"]
        reader = Events()
        self.assertEqual([event for line in lines for event in reader.feed(line)], [("a", "1\n2", 2.5), ("message", "", 2.5)])

    def test_a_long_event_takes_time_in_proportion_to_its_length(self):
        piece, reader, began = b"x" * 16384, Events(), time.monotonic()
        reader.feed(b"data: ")
        for _ in range(512):
            reader.feed(piece)
        [(name, data, _)] = reader.feed(b"\n\n")
        self.assertEqual((name, len(data)), ("message", 512 * len(piece)))
        self.assertLess(time.monotonic() - began, 10)


class Vectors(unittest.TestCase):
    """The client vectors of docs/conformance, whose README says what they mean."""

    def vectors(self, kind):
        path = pathlib.Path(__file__).resolve().parents[3] / "docs" / "conformance" / "client.json"
        return json.loads(path.read_text())[kind]

    def test_the_check_is_over_the_ids_in_their_order(self):
        for vector in self.vectors("checks"):
            sections = [{"id": section["id"], "items": [{"id": id} for id in section["items"]]}
                        for section in vector["sections"]]
            self.assertEqual(check(sections)[1], vector["order"], vector["name"])

    def test_documents_lead_to_the_copy_that_they_should(self):
        for vector in self.vectors("vectors"):
            with self.subTest(vector["name"]):
                self.take(vector)

    def take(self, vector):
        held = Copy("birds", limit=1 if vector.get("view") else None)
        held.private = True  # so that what is missing goes at once
        *before, last = vector["documents"]
        for document in before:
            held.take(document)
        if vector.get("refused"):
            self.assertRaises(Mismatch, held.take, last)
            self.assertIsNone(held.token)
            return
        held.take(last)
        expected = vector["holds"]
        self.assertEqual((held.token, held.total), (expected["token"], expected.get("total")))
        self.assertEqual(spelled([held.members, held.sections]),
                         spelled([expected["members"], expected["sections"]]))

    def test_sessions_ask_for_what_they_should(self):
        for session in self.vectors("sessions"):
            with self.subTest(session["name"]):
                protocol, held = Protocol("http://a", "key", 1), Copy("birds")
                for step in session["steps"]:
                    asked = self.refresh(protocol, held, step["exchanges"])
                    self.assertEqual(asked, [each["since"] for each in step["exchanges"]])
                    self.assertEqual(held.token, step["holds"]["token"])
                    self.assertEqual(spelled([held.members, held.sections]),
                                     spelled([step["holds"]["members"], step["holds"]["sections"]]))

    def refresh(self, protocol, held, exchanges):
        """Refreshes the copy with these answers; returns the tokens that were asked with."""
        steps, reply, asked = protocol.refresh(held), None, []
        try:
            while True:
                request = steps.send(reply)
                answer = exchanges[len(asked)]
                asked.append(dict(request.query).get("since"))
                self.assertEqual((request.method, request.path), ("GET", "/feeds/birds"))
                self.assertEqual("If-None-Match" in request.headers, asked[-1] is not None)
                text = json.dumps(answer["json"]) if "json" in answer else answer.get("text", "")
                reply = Reply(answer["status"], answer.get("fields", {}), text.encode())
        except (StopIteration, Problem, Unreachable):
            return asked

    def test_streams_are_read_as_they_should(self):
        for vector in self.vectors("streams"):
            with self.subTest(vector["name"]):
                text = vector["stream"].encode()
                cuts = [[text], [bytes([byte]) for byte in text]]
                cuts += [[text[:at], text[at:]] for at in range(len(text))]
                for pieces in cuts:
                    reader = Events()
                    read = [event for piece in pieces for event in reader.feed(piece)]
                    self.assertEqual(
                        [(name, data) for name, data, _ in read],
                        [(event["event"], event["data"]) for event in vector["events"]])
                    if "retry" in vector:
                        self.assertEqual(read[-1][2], vector["retry"] / 1000)


@unittest.skipUnless(URL, "neither FRESHET_URL nor FRESHET_BINARY is set")
class WithServer(unittest.TestCase):
    def setUp(self):
        self.client, self.feed = self.another(), f"{PREFIX}{uuid.uuid4().hex[:8]}"
        self.addCleanup(self.remove)

    def another(self):
        client = Client(URL, KEY)
        self.addCleanup(client.close)
        return client

    def remove(self):
        try:
            self.client.delete(self.feed)
        except Problem as problem:
            self.assertEqual(problem.status, 404)

    def assert_holds(self, held, source):
        mine = held.document()
        for section in mine["sections"]:
            self.assertEqual(section["count"], len(section["items"]))
        mine["sections"] = [{k: v for k, v in s.items() if k != "count"} for s in mine["sections"]]
        self.assertEqual(spelled(mine), spelled(source.document()))

    def test_every_way_to_read_arrives_at_what_was_published(self):
        source = RandomFeed(SEED)
        self.client.put(self.feed, source.document())
        by_since, by_pull = self.client.get(self.feed), self.client.get(self.feed)
        seldom, top = self.client.get(self.feed), self.client.get(self.feed, limit=4)
        streamed, kinds = self.client.get(self.feed), set()
        stream = self.another().follow([streamed])
        next(stream)
        token = by_since.token
        for round in range(300):
            edits = [source.edit() for _ in range(source.random.choice([1, 1, 1, 2, 5]))]
            if round % 5:
                token = self.client.edit(self.feed, edits, match=token)["token"]
            else:
                token = self.client.put(self.feed, source.document(), match=token)["token"]
            kinds.add(self.client.refresh(by_since))
            self.client.pull([by_pull])
            self.client.refresh(top)
            while streamed.token != token:
                next(stream)
            if round % 7 == 0:
                self.client.refresh(seldom)
                self.assert_holds(seldom, source)
            self.assertEqual(by_since.token, token)
            for held in (by_since, by_pull, streamed):
                self.assert_holds(held, source)
            everything = [item for section in source.sections for item in section["items"]]
            self.assertEqual(spelled(top.items()), spelled(everything[:4]))
            self.assertEqual([s["count"] for s in top.sections],
                             [len(s["items"]) for s in source.sections])
            self.assertEqual(top.total, len(everything))
        self.assertLessEqual({"changes", "snapshot"}, kinds)
        self.assertEqual(self.client.refresh(by_since), "unchanged")
        self.assertEqual(self.client.pull([by_pull]), {self.feed: "unchanged"})
        stream.close()

    def test_a_conditional_read_tells_whether_there_is_more(self):
        self.client.put(self.feed, {"items": []})
        held = self.client.get(self.feed)
        self.assertFalse(self.client.changed(held))
        self.client.insert(self.feed, {"id": "a"})
        self.assertTrue(self.client.changed(held))

    def test_a_wait_ends_with_the_change(self):
        self.client.put(self.feed, {"items": []})
        held = self.client.get(self.feed)
        other = threading.Timer(0.2, self.another().insert, (self.feed, {"id": "a"}))
        other.start()
        self.addCleanup(other.join)
        self.assertIn(self.client.refresh(held, wait=30), ("changes", "snapshot"))
        self.assertEqual(held.items(), [{"id": "a"}])

    def test_a_pull_of_unchanged_copies_is_a_304(self):
        self.client.put(self.feed, {"items": [{"id": "a"}]})
        held, gone = Copy(self.feed), Copy(f"{self.feed}-gone")
        first = self.client.pull([held, gone])
        self.assertEqual(first, {self.feed: "snapshot", gone.feed: "missing"})
        self.assertEqual(set(self.client.pull([held, gone]).values()), {"unchanged"})
        self.client.delete(self.feed)
        self.assertEqual(set(self.client.pull([held, gone]).values()), {"missing"})
        self.assertEqual((held.token, held.sections), (None, []))

    def test_a_stream_starts_over_after_a_mismatch(self):
        self.client.put(self.feed, {"items": [{"id": str(i)} for i in range(30)]})
        held = self.client.get(self.feed)
        held.sections[0]["items"].reverse()
        self.client.insert(self.feed, {"id": "new"})
        stream = self.client.follow([held])
        self.assertEqual(next(stream)[0], "snapshot")
        stream.close()
        self.assertEqual(held.items()[0], {"id": "new"})

    def test_a_refresh_starts_over_after_a_mismatch(self):
        self.client.put(self.feed, {"items": [{"id": str(i)} for i in range(30)]})
        held = self.client.get(self.feed)
        held.sections[0]["items"].pop()
        self.client.insert(self.feed, {"id": "new"})
        self.assertEqual(self.client.refresh(held), "snapshot")
        self.assertEqual(len(held.items()), 31)

    def test_a_feed_that_was_made_again_replaces_the_copy(self):
        self.client.put(self.feed, {"items": [{"id": "old"}]})
        held = self.client.get(self.feed)
        self.client.delete(self.feed)
        with self.assertRaises(Problem) as caught:
            self.client.refresh(held)
        self.assertEqual((caught.exception.status, held.token), (404, None))
        self.client.put(self.feed, {"items": [{"id": "new"}]})
        self.assertEqual(self.client.refresh(held), "snapshot")
        self.assertEqual(held.items(), [{"id": "new"}])

    def test_pages_show_all_rows_in_order(self):
        ids = [f"{i}" for i in range(250)]
        self.client.put(self.feed, {"sections": [
            {"id": "a/b", "items": [{"id": i} for i in ids[:120]]},
            {"id": "c", "items": [{"id": i} for i in ids[120:]]}]})
        rows = list(self.client.rows(self.feed, limit=30))
        self.assertEqual([item["id"] for _, _, item in rows], ids)
        self.assertEqual(rows[121][:2], ("c", 1))
        rows = list(self.client.rows(self.feed, section="a/b", limit=50))
        self.assertEqual([item["id"] for _, _, item in rows], ids[:120])
        self.assertEqual(self.client.items(self.feed, ["7", "none", "3"]), [{"id": "7"}, {"id": "3"}])

    def test_every_publish_says_what_it_did(self):
        self.client.put(self.feed, {"items": [{"id": "a/b"}]}, create=True)
        answer = self.client.insert(self.feed, [{"id": "c"}, {"id": "d"}], after="a/b")
        self.assertEqual(answer["items"], {"inserted": 2, "removed": 0, "moved": 0, "updated": 0})
        self.client.item("PUT", self.feed, "a/b", {"n": 1, "m": 2}, match=answer["token"])
        self.client.item("PATCH", self.feed, "a/b", {"n": None})
        self.assertIsNone(self.client.item("DELETE", self.feed, "c"))
        self.assertTrue(self.client.put(self.feed, {"items": []}, dry_run=True)["dryRun"])
        self.assertEqual(self.client.get(self.feed).items(), [{"id": "a/b", "m": 2}, {"id": "d"}])
        held = self.client.get(self.feed)
        self.assertFalse(self.client.put(self.feed, held.document())["changed"])

    def test_a_mistake_is_a_problem_that_says_where(self):
        with self.assertRaises(Problem) as caught:
            self.client.put(self.feed, b'{"items": [\n {"id": "a"},\n {"id": "a"}]}')
        problem = caught.exception
        self.assertEqual((problem.status, problem.type), (400, "duplicate-id"))
        self.assertEqual((problem.pointer, problem.line), ("/items/1/id", 3))
        with self.assertRaises(Problem) as caught:
            self.client.put(self.feed, {"items": []}, match="aaaaaaaa.1")
        self.assertEqual((caught.exception.status, caught.exception.token), (412, None))
        self.client.put(self.feed, {"items": []})
        with self.assertRaises(Problem) as caught:
            self.client.edit(self.feed, [{"insert": {"id": "a"}}, {"remove": "b"}])
        self.assertEqual((caught.exception.type, caught.exception.edit), ("edit-failed", 1))

    def test_a_publish_whose_answer_is_lost_happens_once(self):
        self.client.put(self.feed, {"items": []})
        token = self.client.get(self.feed).token
        send, lost = self.client._request, []

        def lose_the_first(request):
            reply = send(request)
            if not lost:
                lost.append(reply.decoded().content)
                raise ConnectionResetError
            return reply

        self.client._request = lose_the_first
        answer = self.client.insert(self.feed, {"id": "once"})
        self.assertEqual(answer, json.loads(lost[0]))
        self.assertEqual(answer["since"], token)


if __name__ == "__main__":
    unittest.main()
