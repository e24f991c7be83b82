"""Tests of both clients: against a server, and against one that refuses, loops or says nothing."""

import asyncio
import copy
import email.utils
import http.server
import json
import os
import pickle
import shutil
import ssl
import sys
import tempfile
import threading
import time
import unittest
import uuid
from unittest import mock

import server
from freshet import AsyncClient, Client, Copy, Mismatch, Problem, Unreachable
from freshet._protocol import Following, Pause, Protocol, Reply, backoff, check

URL, KEY = server.address()


def snapshot(*ids, token="aaaaaaaa.1", feed="birds"):
    sections = [{"id": "main", "count": len(ids), "items": [{"id": id} for id in ids]}]
    count, order = check(sections)
    return {"kind": "snapshot", "feed": feed, "token": token, "count": count, "order": order,
            "sections": sections}


def ok(document, *fields):
    body = json.dumps(document).encode()
    lines = ["HTTP/1.1 200 OK", f"Content-Length: {len(body)}", *fields, "", ""]
    return "\r\n".join(lines).encode() + body


LONG_NAMES = [f"long-name-{number:089}" for number in range(100)]


class Both:
    """Calls a method of either client, as the subclass has it."""

    def fake(self, answer, tls=None):
        made = server.Fake(answer, tls)
        self.addCleanup(made.close)
        return made


class Blocking(Both):
    def call(self, url, method, *arguments, key=None, tls=None, **options):
        with Client(url, key=key, timeout=5, tls=tls) as client:
            made = getattr(client, method)(*arguments, **options)
            return list(made) if hasattr(made, "__next__") else made

    def calls(self, url, begin, method):
        with Client(url, timeout=5) as client:
            made = begin(client)
            return made, getattr(client, method)(made)

    def first(self, url, copies, on_state=None, count=1, tls=None):
        with Client(url, tls=tls) as client:
            stream = client.follow(copies, on_state)
            try:
                return [next(stream)[0] for _ in range(count)]
            finally:
                stream.close()

    no_sleep = mock.patch("freshet._client.time.sleep", lambda seconds: None)


class Awaited(Both):
    def call(self, url, method, *arguments, key=None, tls=None, **options):
        async def run():
            async with AsyncClient(url, key=key, timeout=5, tls=tls) as client:
                made = getattr(client, method)(*arguments, **options)
                if hasattr(made, "__aiter__"):
                    return [row async for row in made]
                return await made
        return asyncio.run(run())

    def calls(self, url, begin, method):
        async def run():
            async with AsyncClient(url, timeout=5) as client:
                made = await begin(client)
                return made, await getattr(client, method)(made)
        return asyncio.run(run())

    def first(self, url, copies, on_state=None, count=1, tls=None):
        async def run():
            async with AsyncClient(url, tls=tls) as client:
                stream = client.follow(copies, on_state)
                try:
                    return [(await stream.__anext__())[0] for _ in range(count)]
                finally:
                    await stream.aclose()
        return asyncio.run(run())

    @property
    def no_sleep(self):
        sleep = asyncio.sleep
        return mock.patch("freshet._asyncio.asyncio.sleep", lambda seconds: sleep(0))


class Faults:
    def test_nobody_there_is_an_error_at_once(self):
        url, began = server.refused(), time.monotonic()
        with self.assertRaises(Unreachable) as caught:
            self.call(url, "get", "birds")
        self.assertIn(url, str(caught.exception))
        self.assertLess(time.monotonic() - began, 1)

    def test_an_address_without_a_scheme_is_an_error(self):
        for url in ["localhost:8080", "127.0.0.1:8080", "example.org", "ftp://a", "http://", "",
                    "http:/a", "http://a:b", "http://a/?b"]:
            with self.subTest(url), self.assertRaises(ValueError):
                self.call(url, "get", "birds")

    def test_an_answer_is_read_however_it_is_cut(self):
        body = json.dumps(snapshot("a", "b")).encode()
        cut = [body[:9], body[9:]]
        chunks = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in cut) + b"0\r\n\r\n"
        for text in [ok(snapshot("a", "b")), b"HTTP/1.1 200 OK\r\n\r\n" + body,
                     b"HTTP/1.1 100 Continue\r\n\r\n" + ok(snapshot("a", "b")),
                     b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n" + chunks]:
            ways = [[text], [bytes([byte]) for byte in text]]
            ways += [[text[:at], text[at:]] for at in range(1, len(text), 7)]
            made = self.fake(lambda head, number: ways[(number - 1) % len(ways)])
            for _ in ways:
                copy = self.call(made.url, "get", "birds")
                self.assertEqual(copy.items(), [{"id": "a"}, {"id": "b"}])

    def test_half_an_answer_is_none(self):
        made = self.fake(lambda head, number: ok(snapshot("a"))[:-3])
        with self.assertRaises(Unreachable):
            self.call(made.url, "get", "birds")

    def test_following_says_that_it_retries_and_goes_on(self):
        event = f"event: snapshot\ndata: {json.dumps(snapshot('a'))}\n\n".encode()
        states = []
        made = self.fake(lambda head, number: b"" if number < 3 else
                         b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + event)
        with self.no_sleep:
            kinds = self.first(made.url, [Copy("birds")], states.append)
        self.assertEqual(kinds, ["snapshot"])
        self.assertEqual([state.name for state in states], ["retrying", "retrying", "live"])
        self.assertIsNotNone(states[0].reason)
        self.assertGreater(states[0].retry_in, 0)

    def test_what_stands_between_and_answers_is_no_answer(self):
        page = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>"
        moved = b"HTTP/1.1 302 Found\r\nLocation: http://portal/\r\nContent-Length: 0\r\n\r\n"
        failed = b"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"
        event = f"event: snapshot\ndata: {json.dumps(snapshot('a'))}\n\n".encode()
        stream = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + event
        for between in [page, moved, failed]:
            with self.subTest(between), self.no_sleep:
                answers = [ok(snapshot("a")), between, between, ok(snapshot("b", token="aaaaaaaa.2"))]
                made = self.fake(lambda head, number: answers[number - 1])
                _, kind = self.calls(made.url, lambda client: client.get("birds"), "refresh")
                self.assertEqual((kind, len(made.heads)), ("snapshot", 4))
                states = []
                made = self.fake(lambda head, number: between if number < 3 else stream)
                self.assertEqual(self.first(made.url, [Copy("birds")], states.append), ["snapshot"])
                self.assertEqual([state.name for state in states], ["retrying", "retrying", "live"])

    def test_what_stands_between_is_named_at_once_if_the_server_never_answered(self):
        moved = b"HTTP/1.1 301 No\r\nLocation: https://other/\r\nContent-Length: 0\r\n\r\n"
        made = self.fake(lambda head, number: moved)
        with self.assertRaisesRegex(Problem, "301 .*https://other/"):
            self.call(made.url, "get", "birds", key="secret")
        page = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>"
        other = self.fake(lambda head, number: page)
        with self.assertRaisesRegex(Unreachable, "no JSON"):
            self.call(other.url, "get", "birds")
        self.assertEqual((len(made.heads), len(other.heads)), (1, 1))

    def test_a_server_that_is_gone_is_unreachable_after_all_tries(self):
        made = self.fake(lambda head, number: ok(snapshot("a")) if number == 1 else b"")
        with self.no_sleep, self.assertRaises(Unreachable):
            self.calls(made.url, lambda client: client.get("birds"), "refresh")
        self.assertGreater(len(made.heads), 4)  # the first try may be on the old connection

    def test_a_token_that_may_be_damaged_is_dropped_once(self):
        refusal = b"HTTP/1.1 400 No\r\nContent-Length: 0\r\n\r\n"
        pulled = ok({"kind": "pull", "feeds": {"birds": snapshot("b")}})
        event = f"event: snapshot\ndata: {json.dumps(snapshot('b'))}\n\n".encode()
        stream = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + event

        def damaged():
            copy = Copy("birds")
            copy.take(snapshot("a"))
            return copy

        for good, ask in [(ok(snapshot("b")), lambda url, copy: self.call(url, "refresh", copy)),
                          (pulled, lambda url, copy: self.call(url, "pull", [copy])),
                          (stream, lambda url, copy: self.first(url, [copy]))]:
            made, copy = self.fake(lambda head, number: refusal if number == 1 else good), damaged()
            ask(made.url, copy)
            self.assertEqual(copy.items(), [{"id": "b"}])
            self.assertEqual(["aaaaaaaa.1" in head for head in made.heads], [True, False])
            made, copy = self.fake(lambda head, number: refusal), damaged()
            with self.assertRaises(Problem):
                ask(made.url, copy)
            self.assertEqual((len(made.heads), copy.items()), (2, [{"id": "a"}]))
            self.assertEqual(copy.token, "aaaaaaaa.1")  # it was something else

    def test_following_raises_what_does_not_pass(self):
        made = self.fake(lambda head, number: b"HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n")
        with self.assertRaises(Problem):
            self.first(made.url, [Copy("birds")])

    def test_a_refusal_that_passes_is_asked_again_after_its_pause(self):
        made = self.fake(lambda head, number: ok(snapshot("a")) if number > 2 else
                         b"HTTP/1.1 503 Busy\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n")
        with self.no_sleep:
            self.assertEqual(self.call(made.url, "get", "birds").items(), [{"id": "a"}])
        self.assertEqual(len(made.heads), 3)

    def test_documents_that_the_protocol_does_not_have_are_a_mismatch(self):
        for document in [None, [], 1, "feeds", {}, {"feeds": None, "items": 1, "versions": 1, "next": 1},
                         {"feeds": [], "items": [1], "versions": None},
                         {"feeds": {}, "items": [{}], "versions": "no"}]:
            made, copy = self.fake(lambda head, number: ok(document)), Copy("birds")
            with self.subTest(document):
                self.assertEqual(self.call(made.url, "pull", [copy]), {"birds": "mismatch"})
                for method, *arguments in [("rows", "birds"), ("items", "birds", ["a"]), ("versions", "birds")]:
                    with self.subTest(method), self.assertRaises(Mismatch):
                        self.call(made.url, method, *arguments)

    def test_an_event_that_the_protocol_does_not_have_ends_the_stream(self):
        good = f"event: snapshot\ndata: {json.dumps(snapshot('a'))}\n\n".encode()
        for text in ["null", "[]", "1", "{}", '{"feed": []}', '{"feed": "birds"}', '{"feed": "other"}', "no"]:
            bad = f"event: changes\ndata: {text}\n\n".encode()
            states = []
            made = self.fake(lambda head, number: b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
                             + (bad if number == 1 else good))
            with self.subTest(text), self.no_sleep:
                self.assertEqual(self.first(made.url, [Copy("birds")], states.append), ["snapshot"])
                self.assertEqual([state.name for state in states], ["live", "retrying", "live"])

    def test_a_field_in_several_lines_is_read_whole(self):
        made = self.fake(lambda head, number: ok(snapshot("a"), "Vary: Origin", "vary: Authorization"))
        self.assertTrue(self.call(made.url, "get", "birds", key="k").private)

    def test_a_key_that_no_field_takes_is_an_error(self):
        made = self.fake(lambda head, number: ok(snapshot("a")))
        for key in ["secret\n", "sec\rret", "secr\0et", "sécret\N{SNOWMAN}", " secret"]:
            with self.subTest(key), self.assertRaises(ValueError) as caught:
                self.call(made.url, "get", "birds", key=key)
            self.assertNotIn("secr", str(caught.exception))
        self.assertEqual(made.heads, [])

    def test_an_error_of_the_caller_ends_following(self):
        def faulty(state):
            raise ValueError("of on_state")

        event = f"event: snapshot\ndata: {json.dumps(snapshot('a'))}\n\n".encode()
        made = self.fake(lambda head, number:
                         b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + event)
        with self.no_sleep, self.assertRaisesRegex(ValueError, "of on_state"):
            self.first(made.url, [Copy("birds")], faulty)

    def test_framing_that_cannot_be_is_no_answer(self):
        chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        for text in [chunked + b"1;" + b"x" * 200_000 + b"\r\n", chunked + b"-1\r\n", chunked + b"\r\n",
                     chunked + b"0\r\n" + b"a: " + b"x" * 200_000 + b"\r\n\r\n",
                     b"HTTP/1.1 200 OK\r\na: " + b"x" * 200_000 + b"\r\n\r\n",
                     b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 500 + b"\r\n",
                     b"HTTP/1.1 xx OK\r\n\r\n", b"\r\n\r\n", b"\0" * 200_000, b"ICY 200 OK\r\n\r\n",
                     b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\n\x1f\x8b\x08",
                     b"HTTP/1.1 200 OK\r\nContent-Length: " + b"9" * 30 + b"\r\n\r\n{}",
                     b"HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\n{}",
                     b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n",
                     b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n[NaN]"]:
            made = self.fake(lambda head, number: text)
            with self.subTest(text[:60]), self.assertRaises(Unreachable):
                self.call(made.url, "get", "birds")

    def test_a_proxy_of_the_environment_is_used(self):
        made = self.fake(lambda head, number: ok(snapshot("a")))
        environment = {"http_proxy": made.url.replace("//", "//us%40er:pass@"), "no_proxy": "127.0.0.1"}
        with mock.patch.dict("os.environ", environment):
            self.call("http://feeds.example:81/base", "get", "birds")
            self.call("http://feeds.example", "get", "birds")
            with self.assertRaises(Unreachable):
                self.call(server.refused(), "get", "birds")
        self.assertEqual([head.split(" ")[1] for head in made.heads],
                         ["http://feeds.example:81/base/feeds/birds", "http://feeds.example/feeds/birds"])
        for head, host in zip(made.heads, ["feeds.example:81", "feeds.example"]):
            self.assertIn(f"\r\nHost: {host}\r\n", head)
            self.assertIn("\r\nProxy-Authorization: Basic dXNAZXI6cGFzcw==", head)

    def test_a_proxy_is_asked_for_a_tunnel_to_https(self):
        made = self.fake(lambda head, number: b"HTTP/1.1 403 Not there\r\nContent-Length: 0\r\n\r\n")
        with mock.patch.dict("os.environ", {"HTTPS_PROXY": made.url.replace("//", "//u:p@"), "https_proxy": ""}):
            del os.environ["https_proxy"]
            with self.assertRaisesRegex(Unreachable, "403"):
                self.call("https://feeds.example", "get", "birds", key="secret")
        self.assertTrue(made.heads[0].startswith("CONNECT feeds.example:443 HTTP/1."), made.heads)
        self.assertIn("\r\nProxy-Authorization: Basic dTpw", made.heads[0])
        self.assertNotIn("secret", made.heads[0])

    @unittest.skipUnless(shutil.which("openssl"), "no openssl makes a certificate")
    def test_https_goes_through_a_proxy(self):
        with tempfile.TemporaryDirectory() as folder:
            ours, theirs = server.certificate(folder, "feeds.example")
        event = f"event: snapshot\ndata: {json.dumps(snapshot('a'))}\n\n".encode()
        made = self.fake(lambda head, number: ok(snapshot("a")) if "/events" not in head else
                         b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + event, ours)
        tunnel = server.Tunnel(int(made.url.rpartition(":")[2]))
        self.addCleanup(tunnel.close)
        with mock.patch.dict("os.environ", {"https_proxy": tunnel.url}):
            copy = self.call("https://feeds.example", "get", "birds", key="secret", tls=theirs)
            self.assertEqual(copy.items(), [{"id": "a"}])
            self.assertEqual(self.first("https://feeds.example", [Copy("birds")], tls=theirs), ["snapshot"])
            for url, tls in [("https://other.example", theirs), ("https://feeds.example", None)]:
                with self.subTest(url), self.assertRaisesRegex(Unreachable, "(?i)certificate"):
                    self.call(url, "get", "birds", tls=tls)
        self.assertTrue(made.heads[0].startswith("GET /feeds/birds HTTP/1.1\r\n"), made.heads)
        self.assertIn("\r\nHost: feeds.example\r\n", made.heads[0])
        self.assertEqual({head.split(" HTTP")[0] for head in tunnel.heads},
                         {"CONNECT feeds.example:443", "CONNECT other.example:443"})

    def test_a_proxy_that_is_not_spoken_is_an_error(self):
        for proxy in ["socks5://127.0.0.1:1080", "https://127.0.0.1:1", "http://"]:
            with self.subTest(proxy), mock.patch.dict("os.environ", {"all_proxy": proxy}):
                with self.assertRaisesRegex(ValueError, "proxy"):
                    self.call("http://feeds.example", "get", "birds")

    def test_a_version_that_is_held_costs_a_304(self):
        made = self.fake(lambda head, number: ok(snapshot("a")) if number == 1 else
                         b'HTTP/1.1 304 Not Modified\r\nETag: "aaaaaaaa.1"\r\n\r\n')
        copy = self.call(made.url, "get", "birds")
        self.assertEqual(self.call(made.url, "refresh", copy), "unchanged")
        self.assertEqual(copy.items(), [{"id": "a"}])
        self.assertIn('If-None-Match: "aaaaaaaa.1"\r\n', made.heads[1])
        self.assertIn("?since=aaaaaaaa.1 ", made.heads[1])

    def test_names_go_in_the_target_where_nothing_else_is_taken(self):
        none = {"kind": "missing", "feed": LONG_NAMES[0]}
        pulled = ok({"kind": "pull", "feeds": {feed: {**none, "feed": feed} for feed in LONG_NAMES}})
        streamed = ("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
                    f"event: missing\ndata: {json.dumps(none)}\n\n").encode()
        for status in [400, 403, 405, 501]:
            refusal = f"HTTP/1.1 {status} No\r\nContent-Length: 2\r\n\r\nno".encode()
            pulls = self.fake(lambda head, number: refusal if number % 2 else pulled)
            kinds = self.call(pulls.url, "pull", [Copy(feed) for feed in LONG_NAMES])
            self.assertEqual(set(kinds.values()), {"missing"})
            streams = self.fake(lambda head, number: refusal if number % 2 else streamed)
            self.assertEqual(self.first(streams.url, [Copy(feed) for feed in LONG_NAMES]), ["missing"])
            for made in pulls, streams:
                self.assertEqual([head.split(" ")[0] for head in made.heads], ["QUERY", "GET"])
                self.assertNotIn("long-name", made.heads[0])

    def test_a_problem_with_names_in_a_body_is_raised(self):
        body = json.dumps({"type": "/problems/malformed", "status": 400})
        made = self.fake(lambda head, number: f"HTTP/1.1 400 No\r\nContent-Length: {len(body)}"
                         f"\r\n\r\n{body}".encode())
        with self.assertRaises(Problem):
            self.call(made.url, "pull", [Copy(feed) for feed in LONG_NAMES])
        self.assertEqual(len(made.heads), 1)

    def test_an_address_of_any_script_is_asked_in_ascii(self):
        made = self.fake(lambda head, number: ok(snapshot("a")))
        with mock.patch.dict("os.environ", {"http_proxy": made.url}):  # so that no name is looked up
            self.call("http://b\u00fccher.example/\u65e5 a/%20", "get", "birds")
        self.assertIn("/%E6%97%A5%20a/%20/feeds/birds HTTP/1.1\r\n", made.heads[0])
        self.assertIn("\r\nHost: xn--bcher-kva.example\r\n", made.heads[0])
        with self.assertRaises(ValueError):
            self.call("http://a..b", "get", "birds")

    def test_a_password_in_the_address_is_not_repeated(self):
        with self.assertRaises(Unreachable) as caught:
            self.call(server.refused().replace("//", "//me:hidden@"), "get", "birds")
        self.assertNotIn("hidden", str(caught.exception))

    def test_a_base_with_a_path_and_a_slash_is_kept(self):
        made = self.fake(lambda head, number: ok(snapshot("a")))
        for base in [made.url, made.url + "/", made.url + "/base", made.url + "/base/"]:
            self.call(base, "get", "birds")
        self.assertEqual([head.split(" ")[1] for head in made.heads],
                         ["/feeds/birds"] * 2 + ["/base/feeds/birds"] * 2)


@unittest.skipUnless(URL, "neither FRESHET_URL nor FRESHET_BINARY is set")
class WithServer:
    def test_it_publishes_reads_and_follows(self):
        feed = f"python-{uuid.uuid4().hex[:8]}"
        put = self.call(URL + "/", "put", feed, {"items": [{"id": "a"}]}, key=KEY)
        again = {"idempotency_key": uuid.uuid4().hex, "match": put["token"], "key": KEY}
        first = self.call(URL, "insert", feed, {"id": "b"}, **again)
        self.assertEqual(self.call(URL, "insert", feed, {"id": "b"}, **again), first)
        with self.assertRaises(Problem) as caught:
            self.call(URL, "edit", feed, [{"remove": "a"}], match=put["token"], key=KEY)
        self.assertEqual((caught.exception.status, caught.exception.token), (412, first["token"]))
        dry = self.call(URL, "put", feed, {"items": []}, dry_run=True, key=KEY)
        self.assertTrue(dry["dryRun"])
        copy = self.call(URL, "get", feed, key=KEY)
        self.assertEqual(len(copy.items()), 2)
        self.assertFalse(self.call(URL, "changed", copy, key=KEY))
        self.assertEqual(self.call(URL, "pull", [copy], key=KEY), {feed: "unchanged"})
        self.assertEqual([row[1] for row in self.call(URL, "rows", feed, key=KEY)], [0, 1])
        self.assertEqual(self.first(URL, [Copy(feed)]), ["snapshot"])
        self.call(URL, "put", feed, {"items": []}, removals="any", key=KEY)
        versions = self.call(URL, "versions", feed, limit=2, key=KEY)
        self.assertEqual([version["count"] for version in versions], [0, 2])
        back = self.call(URL, "restore", feed, versions[1]["token"], match=versions[0]["token"],
                         key=KEY)
        self.assertEqual(back["items"]["inserted"], 2)
        older = self.call(URL, "versions", feed, before=versions[0]["token"], key=KEY)
        self.assertEqual(older[0]["token"], versions[1]["token"])
        self.call(URL, "delete", feed, key=KEY)

    def test_names_that_are_too_long_for_a_target_are_taken(self):
        feed = LONG_NAMES[7]
        self.call(URL, "put", feed, {"items": [{"id": "a"}]}, key=KEY)
        copies = [Copy(name, limit=5) for name in LONG_NAMES]
        kinds = self.call(URL, "pull", copies, key=KEY)
        self.assertEqual([name for name, kind in kinds.items() if kind == "snapshot"], [feed])
        self.assertEqual(copies[7].items(), [{"id": "a"}])
        self.assertEqual(self.first(URL, copies, count=8), ["missing"] * 7 + ["unchanged"])
        self.call(URL, "delete", feed, key=KEY)


class BlockingFaults(Blocking, Faults, unittest.TestCase):
    def test_a_context_for_tls_is_used(self):
        context = ssl.create_default_context()
        for tls in [context, None]:
            with mock.patch("http.client.HTTPSConnection", side_effect=ConnectionError) as made:
                with self.assertRaises(Unreachable):
                    Client("https://localhost", tls=tls).get("birds")
            self.assertIs(made.call_args.kwargs["context"], tls)


class AwaitedFaults(Awaited, Faults, unittest.TestCase):
    def test_a_length_that_cannot_be_is_no_answer(self):
        for length in [b"9" * 5000, b"-1", b"1, 1", b"+1", "\N{ARABIC-INDIC DIGIT ONE}".encode()]:
            made = self.fake(lambda head, number: b"HTTP/1.1 200 OK\r\nContent-Length: " + length + b"\r\n\r\n1")
            with self.subTest(length[:9]), self.assertRaises(Unreachable):
                self.call(made.url, "get", "birds")

    @unittest.skipUnless(URL, "neither FRESHET_URL nor FRESHET_BINARY is set")
    def test_a_client_outlives_its_event_loop(self):
        client = AsyncClient(URL, KEY)
        for _ in range(2):
            kinds = asyncio.run(client.pull([Copy("none", limit=1)]))
            self.assertEqual(set(kinds), {"none"})
        asyncio.run(client.close())

    def test_a_connection_stays_in_its_event_loop(self):
        asked, go = threading.Event(), threading.Event()

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                feed = self.path.rpartition("/")[2]
                if feed != "fast":
                    asked.set()
                    go.wait()
                self.wfile.write(ok(snapshot("a", feed=feed)) if feed != "lost" else b"\r\n\r\n")

            def log_message(self, *_):
                pass

        for slow in ["slow", "lost"]:
            with self.subTest(slow), http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listener:
                listener.daemon_threads = listener.block_on_close = False
                threading.Thread(target=listener.serve_forever, args=(0.01,), daemon=True).start()
                client = AsyncClient(f"http://127.0.0.1:{listener.server_port}", tries=1)
                one, other = asyncio.new_event_loop(), asyncio.new_event_loop()
                waiting = one.create_task(client.get(slow))
                one.run_until_complete(one.run_in_executor(None, asked.wait))
                other.run_until_complete(client.get("fast"))
                held = list(client.idle)
                go.set()
                one.run_until_complete(asyncio.wait([waiting]))
                self.assertEqual(isinstance(waiting.exception(), Unreachable), slow == "lost")
                self.assertEqual((client.idle, len(held)), (held, 1))
                other.run_until_complete(client.get("fast"))
                other.run_until_complete(client.close())
                listener.shutdown()
                for loop in one, other:
                    loop.run_until_complete(loop.shutdown_default_executor())
                    loop.close()
                asked.clear()
                go.clear()

    def test_connections_that_ended_while_they_were_idle_cost_one_try(self):
        async def run():
            opened = []

            async def serve(reader, writer):
                opened.append(writer)
                try:
                    while await reader.readuntil(b"\r\n\r\n"):
                        writer.write(ok(snapshot("a")))
                except (OSError, EOFError):
                    pass
                finally:
                    writer.close()

            listener = await asyncio.start_server(serve, "127.0.0.1", 0)
            port = listener.sockets[0].getsockname()[1]
            async with listener, AsyncClient(f"http://127.0.0.1:{port}") as client:
                await asyncio.gather(*[client.get("birds") for _ in range(8)])
                for writer in opened:
                    writer.transport.abort()
                with mock.patch("freshet._asyncio.asyncio.sleep", side_effect=AssertionError):
                    await client.get("birds")
            return len(opened)
        self.assertEqual(asyncio.run(run()), 9)


class BlockingWithServer(Blocking, WithServer, unittest.TestCase):
    pass


class AwaitedWithServer(Awaited, WithServer, unittest.TestCase):
    def test_tasks_share_a_client(self):
        feed = f"python-{uuid.uuid4().hex[:8]}"

        async def run():
            async with AsyncClient(URL, KEY) as client:
                await client.put(feed, {"items": []})
                copy = await client.get(feed)
                waiting = asyncio.ensure_future(client.refresh(copy, wait=30))
                await client.insert(feed, {"id": "a"})
                kind = await asyncio.wait_for(waiting, 10)
                await client.delete(feed)
                return kind, copy.items()
        kind, items = asyncio.run(run())
        self.assertIn(kind, ("changes", "snapshot"))  # whichever is shorter
        self.assertEqual(items, [{"id": "a"}])


class Steps(unittest.TestCase):
    """The protocol without sockets."""

    def test_a_problem_can_be_sent_to_another_process(self):
        made = Problem(404, {"a": "b"}, b'{"type": "/problems/no-feed", "title": "No", "detail": "so"}')
        for twin in [pickle.loads(pickle.dumps(made)), copy.copy(made)]:
            self.assertEqual(repr(twin), "Problem('404 No: so')")
            self.assertEqual((str(twin), twin.status, twin.type, twin.headers),
                             ("404 No: so", 404, "no-feed", {"a": "b"}))

    def test_a_match_of_no_text_is_a_condition(self):
        for match, field in [(None, None), ("", '""'), ("*", "*"), ("a.1", '"a.1"')]:
            request = next(Protocol("http://a", None, 6).publish("DELETE", "/feeds/birds", None, match=match))
            self.assertEqual(request.headers.get("If-Match"), field)

    def test_a_problem_has_any_body(self):
        for body in [b"", b"<html>", b"[]", b"{", b"\xff", b"[" * 100_000, b'{"type": [], "line": {}}', b"9" * 5000]:
            with self.subTest(body[:9]):
                self.assertEqual(Problem(404, {}, body).status, 404)

    def test_tokens_are_put_back_where_the_caller_stops(self):
        held = Copy("birds")
        held.take(snapshot("a"))

        def request(step):
            if "since" in dict(step.query):
                return Reply(400, {}, b"")
            raise KeyboardInterrupt

        async def awaited(step):
            return request(step) if "since" in dict(step.query) else await asyncio.sleep(9)

        async def cancelled():
            client = AsyncClient("http://a")
            client._request = awaited
            task = asyncio.ensure_future(client.refresh(held))
            while held.token:
                await asyncio.sleep(0)
            task.cancel()
            await task

        blocking = Client("http://a")
        blocking._request = request
        for run in [lambda: blocking.refresh(held), lambda: asyncio.run(cancelled())]:
            try:
                run()
                self.fail("nothing is raised")
            except (KeyboardInterrupt, asyncio.CancelledError):  # which still holds all frames
                self.assertEqual(held.token, "aaaaaaaa.1")

    def test_copies_of_several_views_are_not_asked_for_together(self):
        protocol = Protocol("http://a", None, 6)
        for copies in [[], [Copy("a"), Copy("b", limit=1)], [Copy("a", sections=["s"]), Copy("b")]]:
            with self.assertRaises(ValueError):
                Following(protocol, copies, None)
            with self.assertRaises(ValueError):
                next(protocol.pull(copies))
        with self.assertRaises(TypeError):
            Copy("a", sections="top")

    def test_a_wait_is_in_whole_seconds(self):
        copy = Copy("birds")
        copy.take(snapshot("a"))
        protocol = Protocol("http://a", None, 6)
        for steps in [protocol.refresh(copy, 0.3), protocol.changed(copy, 0.3), protocol.pull([copy], 0.3)]:
            self.assertEqual(dict(next(steps).query)["wait"], 1)

    def reply(self, document, took=0.0, headers={}):
        return Reply(200, headers, json.dumps(document).encode(), took)

    def drive(self, steps, replies):
        """Runs steps with these replies; returns the result and the pauses."""
        pauses, sent, replies = [], None, iter(replies)
        try:
            while True:
                step = steps.send(sent)
                sent = None
                if isinstance(step, Pause):
                    pauses.append(step.seconds)
                else:
                    sent = next(replies)
        except StopIteration as end:
            return end.value, pauses

    def test_no_client_loops(self):
        protocol, copy = Protocol("http://a", None, 6), Copy("birds")
        self.drive(protocol.refresh(copy), [self.reply(snapshot("a"))])
        same = {**snapshot("a"), "kind": "unchanged"}
        pauses = [self.drive(protocol.refresh(copy, 60), [self.reply(same)])[1]
                  for _ in range(5)]
        self.assertEqual([len(each) for each in pauses], [0, 0, 0, 1, 1])
        self.drive(protocol.refresh(copy, 60), [self.reply(same, took=60)])
        self.assertEqual(self.drive(protocol.refresh(copy, 60), [self.reply(same)])[1], [])

    def test_pulls_and_questions_do_not_loop_either(self):
        protocol, copy = Protocol("http://a", None, 6), Copy("birds")
        copy.take(snapshot("a"))
        same = self.reply({"kind": "pull", "feeds": {"birds": {**snapshot("a"), "kind": "unchanged"}}})
        pull, changed = lambda: protocol.pull([copy], 60), lambda: protocol.changed(copy, 60)
        for steps, quick in [(pull, same), (pull, Reply(304, {}, b"")), (pull, self.reply({})),
                             (changed, Reply(304, {}, b""))]:
            copy.early = 0
            pauses = [self.drive(steps(), [quick])[1] for _ in range(5)]
            self.assertEqual([len(each) for each in pauses], [0, 0, 0, 1, 1])
            copy.take(snapshot("a"))
            self.drive(steps(), [Reply(304, {}, b"", 60)])
            self.assertEqual(self.drive(steps(), [quick])[1], [])
        news = self.reply({"kind": "pull", "feeds": {"birds": snapshot("b", token="aaaaaaaa.2")}})
        self.drive(protocol.pull([copy], 60), [news])
        self.assertEqual(copy.early, 0)

    def test_a_pause_of_no_time_is_none(self):
        date = lambda seconds: email.utils.formatdate(time.time() + seconds, usegmt=True)
        for after, least, most in [("0", 0.5, 0.5), ("3", 3, 3), (date(40), 30, 40), (date(-9), 0.5, 0.5),
                                   ("soon", 0.5, 0.5), ("-1", 0.5, 0.5), ("", 0.5, 0.5)]:
            with self.subTest(after), mock.patch("random.uniform", lambda least, most: most / 2):
                busy = Reply(503, {"Retry-After": after}, b"")
                [pause] = self.drive(Protocol("http://a", None, 6).refresh(Copy("birds")),
                                     [busy, self.reply(snapshot())])[1]
                self.assertTrue(least <= pause <= most, pause)
                following = Following(Protocol("http://a", None, 6), [Copy("birds")], None)
                following.request()
                pause = following.ended(Problem(503, {"Retry-After": after}, b""), 0.1)
                self.assertTrue(max(least, 1) <= pause <= max(most, 1), pause)
        for after in [date(90), "9" * 30]:
            with self.subTest(after), self.assertRaises(Problem):
                self.drive(Protocol("http://a", None, 6).refresh(Copy("birds")),
                           [Reply(503, {"Retry-After": after}, b"")])

    def test_streams_without_news_that_end_soon_are_opened_ever_more_seldom(self):
        following = Following(Protocol("http://a", None, 6), [Copy("birds")], None)
        following.copies[0].take(snapshot("a"))
        same = json.dumps({**snapshot("a"), "kind": "unchanged"})
        waits = []
        for _ in range(8):
            following.request()
            list(following.feed(f"event: unchanged\ndata: {same}\n\n".encode()))
            with mock.patch("random.uniform", lambda least, most: most):
                waits.append(following.ended(None, 0.1))
        self.assertEqual(waits, [1, 1, 8, 16, 32, 60, 60, 60])

    def test_a_stream_is_opened_again_after_a_second_to_a_minute_whatever_its_retry(self):
        for retry, wait in [("0", 1), ("999", 1), ("2500", 2.5), ("60001", 60), ("999999999", 60), ("soon", 1)]:
            following = Following(Protocol("http://a", None, 6), [Copy("birds")], None)
            following.request()
            list(following.feed(f"retry: {retry}\nevent: snapshot\ndata: {json.dumps(snapshot())}\n\n".encode()))
            self.assertEqual(following.ended(None, 0.1), wait, retry)

    def test_a_wait_is_random_between_nothing_and_its_bound(self):
        with mock.patch("random.uniform", lambda least, most: (least, most)):
            bounds = [backoff(failures) for failures in [0, 1, 2, 5, 6, 99]]
        self.assertEqual(bounds, [(0, 1), (0, 2), (0, 4), (0, 32), (0, 60), (0, 60)])

    def test_a_pause_of_more_than_a_minute_is_not_waited_for(self):
        for ask in [lambda protocol: protocol.refresh(Copy("birds")),
                    lambda protocol: protocol.publish("DELETE", "/feeds/birds", None)]:
            busy, good = [Reply(503, {"Retry-After": after}, b"") for after in ["60", "61"]], self.reply(snapshot())
            self.assertEqual(self.drive(ask(Protocol("http://a", None, 6)), [busy[0], good])[1], [60])
            with self.assertRaises(Problem) as caught:
                self.drive(ask(Protocol("http://a", None, 6)), [busy[1]])
            self.assertEqual(caught.exception.headers, {"Retry-After": "61"})

    def test_an_answer_to_an_earlier_request_is_late(self):
        protocol, copy = Protocol("http://a", None, 6), Copy("birds")
        slow, fast = protocol.refresh(copy), protocol.refresh(copy)
        slow.send(None)
        self.drive(fast, [self.reply(snapshot("b", token="aaaaaaaa.2"))])
        with self.assertRaises(StopIteration) as end:
            slow.send(self.reply(snapshot("a")))
        self.assertEqual((end.exception.value, copy.token), ("late", "aaaaaaaa.2"))

    def test_a_snapshot_is_taken_whatever_its_version(self):
        copy = Copy("birds")
        copy.take(snapshot("a", token="aaaaaaaa.9"))
        copy.take(snapshot("b", token="aaaaaaaa.2"))
        self.assertEqual((copy.token, copy.items()), ("aaaaaaaa.2", [{"id": "b"}]))

    def test_tokens_stay_where_the_request_without_them_fails(self):
        refusal, gone = Reply(400, {}, b""), Reply(404, {}, b"")
        for key, second, token in [(None, refusal, "aaaaaaaa.1"), (None, Reply(401, {}, b""), "aaaaaaaa.1"),
                                   (None, gone, None), ("k", gone, None)]:
            with self.subTest(second.status, key=key):
                protocol, copy = Protocol("http://a", key, 6), Copy("birds")
                copy.take(snapshot("a"))
                copy.private = key is not None
                with self.assertRaises(Problem) as caught:
                    self.drive(protocol.refresh(copy), [refusal, second])
                self.assertEqual((caught.exception.status, copy.token), (second.status, token))
        copies = [Copy(f"feed-{number}") for number in range(101)]
        for copy in copies:
            copy.take(snapshot("a", feed=copy.feed))
        with self.assertRaises(Problem):
            self.drive(Protocol("http://a", None, 6).pull(copies), [refusal])
        self.assertEqual({copy.token for copy in copies}, {"aaaaaaaa.1"})
        copies = copies[:3]
        steps = Protocol("http://a", None, 1).pull(copies)
        next(steps)
        steps.send(refusal)
        copies[0].missing(0)
        copies[1].take(snapshot("b", token="aaaaaaaa.2", feed="feed-1"))
        with self.assertRaises(Unreachable):
            steps.throw(ConnectionResetError())
        self.assertEqual([copy.token for copy in copies], [None, "aaaaaaaa.2", "aaaaaaaa.1"])

    def test_a_stream_that_fails_without_tokens_is_asked_for_with_them_again(self):
        copy = Copy("birds")
        copy.take(snapshot("a"))
        following, refusal = Following(Protocol("http://a", None, 6), [copy], None), Problem(400, {}, b"")
        tokens = []
        for error in [refusal, ConnectionResetError(), refusal, None, refusal]:
            following.request()
            tokens.append(copy.token)
            if error is None:
                following.opened(200, {"Content-Type": "text/event-stream"})
                list(following.feed(f"event: snapshot\ndata: {json.dumps(snapshot('b'))}\n\n".encode()))
            following.ended(error, 0.1)
        self.assertEqual(tokens, ["aaaaaaaa.1", None, "aaaaaaaa.1", None, "aaaaaaaa.1"])
        following.request()
        with self.assertRaises(Problem):
            following.ended(refusal, 0.1)
        self.assertEqual(copy.token, "aaaaaaaa.1")

    def test_a_404_does_not_blank_what_is_open(self):
        for key, vary, left in [(None, "", 1), (None, "Authorization", 1), ("k", "", 1),
                                ("k", "Accept, authorization", 0)]:
            with self.subTest(key=key, vary=vary):
                protocol, copy = Protocol("http://a", key, 6), Copy("birds")
                reply = self.reply(snapshot("a"), headers={"Vary": vary})
                self.drive(protocol.refresh(copy), [reply])
                for _ in range(2):
                    with self.assertRaises(Problem):
                        self.drive(protocol.refresh(copy), [Reply(404, {}, b"")])
                    self.assertEqual((len(copy.items()), copy.token), (left, None))
                self.assertIsNotNone(copy.missing_since)
                copy.missing(copy.missing_since + 24 * 60 * 60)
                self.assertEqual(copy.items(), [])
                self.drive(protocol.refresh(copy), [self.reply(snapshot("a"))])
                self.assertIsNone(copy.missing_since)

    def test_a_number_that_python_cannot_hold_is_a_mismatch(self):
        long = ["-" + "7" * 5000] if hasattr(sys, "get_int_max_str_digits") else []
        for number in ["1e400", "-1E+999", *long]:
            text = json.dumps({**snapshot("a"), "n": 0}).replace('"n": 0', f'"n": {number}')
            with self.subTest(number[:9]):
                copy = Copy("birds")
                copy.take(snapshot("b"))
                with self.assertRaisesRegex(Mismatch, "number"):
                    reply = Reply(200, {}, text.encode())
                    self.drive(Protocol("http://a", None, 6).refresh(copy), [reply] * 2)
                following = Following(Protocol("http://a", None, 6), [copy], None)
                with self.assertRaisesRegex(Mismatch, "number"):
                    list(following.feed(f"event: snapshot\ndata: {text}\n\n".encode()))
                self.assertEqual(copy.items(), [{"id": "b"}])
        self.assertEqual(self.reply([1e308, 10 ** 400, -0.5, 1e-400]).document, [1e308, 10 ** 400, -0.5, 0.0])

    def test_documents_of_any_shape_are_a_mismatch(self):
        for document in [None, [], "a", 1, {}, {"kind": "snapshot"}, {"kind": []},
                         {**snapshot("a"), "sections": [1]}, {**snapshot("a"), "count": 2},
                         {**snapshot("a"), "token": None}, {**snapshot("a"), "token": 1},
                         {**snapshot("a"), "token": 'a"\r\nb'}]:
            with self.subTest(document), self.assertRaises(Mismatch):
                Copy("birds").take(document)


if __name__ == "__main__":
    unittest.main()
