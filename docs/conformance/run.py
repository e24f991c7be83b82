"""Runs the cases of this folder against a server, and checks the cases themselves.

    python3 run.py URL --key KEY [--prefix PREFIX] [--only TEXT] [--jobs N]
    python3 run.py            checks only the citations and the client vectors

README.md specifies the format. All feeds that it writes have names that begin with the prefix; they
are deleted at the end. The exit status is 0 if all cases pass, 1 if some fail, 2 for wrong usage.
"""

import argparse
import base64
import concurrent.futures
import gzip
import http.client
import io
import json
import pathlib
import re
import secrets
import sys
import threading
import time
import urllib.parse
import zlib

from reference import Held, Refused, Stream, order

HERE = pathlib.Path(__file__).resolve().parent
TIMEOUT = 45  # seconds for an answer; no case waits longer than 30
EVENT_TIMEOUT = 15  # seconds for an event of a stream
START_PAUSE = 0.3  # seconds after a request that waits: it is surely at the server then


class Failed(Exception):
    """An answer is not what the case expects."""


class Number(str):
    """A number of a JSON text, by its spelling."""

    def __repr__(self):
        return str(self)


def parse(text):
    def members(pairs):
        names = [name for name, _ in pairs]
        if len(set(names)) != len(names):
            raise ValueError("a member twice")
        return dict(pairs)
    return json.loads(text, parse_int=Number, parse_float=Number, object_pairs_hook=members)


def spell(value):
    """JSON text; numbers as they were spelled."""
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(k)}:{spell(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(spell, value)) + "]"
    return json.dumps(value)


# Matching

class Names(dict):
    """The variables of a case: feeds, and what answers bound."""

    def fill(self, text):
        def value(found):
            name, _, part = found[1].partition(".")
            if name not in self:
                raise Failed(f"the case uses ${{{name}}} before it is known")
            return self[name].partition(".")[0] if part == "epoch" else self[name]
        return re.sub(r"\$\{([^}]+)\}", value, text)

    def deep(self, value):
        if isinstance(value, Number) or not isinstance(value, (str, dict, list)):
            return value
        if isinstance(value, str):
            return self.fill(value)
        if isinstance(value, list):
            return [self.deep(element) for element in value]
        return {self.fill(name): self.deep(member) for name, member in value.items()}


def match(expected, actual, names, at):
    if isinstance(expected, dict) and any(name.startswith("$") and name[1:] in MATCHERS
                                          for name in expected):
        kind = next(name for name in expected if name[1:] in MATCHERS)
        MATCHERS[kind[1:]](expected[kind], actual, names, at, expected)
    elif isinstance(expected, dict):
        if not isinstance(actual, dict):
            raise Failed(f"{at}: {spell(actual)} is no object")
        expected = {names.fill(name): value for name, value in expected.items()}
        for name in actual.keys() - expected.keys():
            raise Failed(f"{at}: has a member {name!r}")
        match({"$includes": expected}, actual, names, at)
    elif isinstance(expected, list):
        if not isinstance(actual, list) or len(actual) != len(expected):
            raise Failed(f"{at}: {spell(actual)} is no list of {len(expected)}")
        for index, (one, other) in enumerate(zip(expected, actual)):
            match(one, other, names, f"{at}[{index}]")
    else:
        expected = expected if isinstance(expected, Number) else names.deep(expected)
        if type(expected) is not type(actual) or expected != actual:
            raise Failed(f"{at}: is {spell(actual)}, not {spell(expected)}")


def includes(members, actual, names, at, _):
    if not isinstance(actual, dict):
        raise Failed(f"{at}: {spell(actual)} is no object")
    for name, value in members.items():
        name = names.fill(name)
        if value == {"$absent": True}:
            if name in actual:
                raise Failed(f"{at}.{name}: is there")
        elif name not in actual:
            raise Failed(f"{at}.{name}: is not there")
        else:
            match(value, actual[name], names, f"{at}.{name}")


def token(name, actual, names, at, rules):
    if not isinstance(actual, str) or not re.fullmatch(r"[a-z2-7]{8}\.[1-9][0-9]{0,17}", actual):
        raise Failed(f"{at}: {spell(actual)} is no token")
    if names.setdefault(name, actual) != actual:
        raise Failed(f"{at}: is {actual}, not {names[name]}")
    epoch, version = actual.split(".")
    if "next" in rules:
        before = names[rules["next"]].split(".")
        if epoch != before[0] or int(version) <= int(before[1]):
            raise Failed(f"{at}: {actual} is not a version after {names[rules['next']]}")
    if "first" in rules and version != "1":
        raise Failed(f"{at}: {actual} is no first version")
    if "other" in rules and epoch == names[rules["other"]].split(".")[0]:
        raise Failed(f"{at}: {actual} has the epoch of {names[rules['other']]}")


def text(pattern, actual, names, at, _):
    filled = names.fill(pattern)
    if not isinstance(actual, str) or isinstance(actual, Number) \
            or not re.fullmatch(filled, actual, re.S):
        raise Failed(f"{at}: {spell(actual)} does not match {filled}")


def number(bounds, actual, names, at, _):
    if not isinstance(actual, Number) or not int(bounds[0]) <= float(actual) <= int(bounds[1]):
        raise Failed(f"{at}: {spell(actual)} is not from {bounds[0]} to {bounds[1]}")


def bind(name, actual, names, at, _):
    names[name] = actual


MATCHERS = {"any": lambda *_: None, "includes": includes, "token": token, "text": text,
            "number": number, "bind": bind, "absent": lambda *_: None}


def match_fields(expected, fields, names):
    for name, value in expected.items():
        all_of_it = fields.get_all(name)
        actual = ", ".join(all_of_it) if all_of_it else None
        if value is None:
            if actual is not None:
                raise Failed(f"{name}: is there: {actual}")
        elif actual is None:
            raise Failed(f"{name}: is not there")
        elif isinstance(value, dict) and "$list" in value:
            parts = {part.strip().lower() for part in actual.split(",")}
            wanted = {names.fill(part).lower() for part in value["$list"]}
            if not wanted <= parts:
                raise Failed(f"{name}: is {actual}, not {spell(value)}")
        elif isinstance(value, dict) and "$number" in value:
            digits = Number(actual) if re.fullmatch("[0-9]+", actual) else actual
            number(value["$number"], digits, names, name, 0)
        else:
            match(value, actual, names, name)


# Requests

class Case:
    """One case while it runs: its variables, connections, streams and copies."""

    def __init__(self, case, options):
        self.case, self.options = case, options
        self.names = Names({feed: f"{options.prefix}{secrets.token_hex(4)}-{feed}"
                            for feed in case.get("feeds", [])})
        self.feeds = dict(self.names)
        self.waiting, self.streams, self.copies, self.deadline = {}, {}, {}, 0

    def run(self):
        """Returns None, or what failed and in which step."""
        step = 0
        try:
            for step, act in enumerate(self.case["steps"]):
                self.do(act)
        except Failed as failure:
            return f"step {step}: {failure}"
        except (OSError, http.client.HTTPException) as error:
            return f"step {step}: no answer: {error!r}"
        finally:
            self.clean()

    def clean(self):
        for connection, _ in self.streams.values():
            connection.close()
        for feed in self.feeds.values():
            try:
                self.exchange({"method": "DELETE", "path": f"/feeds/{feed}"})
            except (OSError, http.client.HTTPException):
                pass

    def do(self, act):
        if "open" in act:
            connection, response = self.send(act["request"], EVENT_TIMEOUT)
            self.streams[act["open"]] = (connection, iter(Stream(self.lines(response))))
            self.expect_head(act["expect"], response)
        elif "next" in act:
            self.take(act, self.event(act["next"], act["expect"]))
        elif "close" in act:
            self.streams.pop(act["close"])[0].close()
        elif "start" in act:
            self.start(act["start"], act["request"])
        elif "await" in act:
            thread, outcome = self.waiting.pop(act["await"])
            thread.join()
            if isinstance(outcome[0], Exception):
                raise Failed(f"no answer: {outcome[0]!r}")
            self.expect(act, outcome)
        elif "request" in act:
            self.expect(act, self.exchange(act["request"]))
        elif "holds" in act:
            held = self.copies[act["copy"]].document()
            match(act["holds"], normal(held), self.names, f"copy {act['copy']}")
        else:
            raise Failed(f"an unknown step: {sorted(act)}")

    def start(self, name, request):
        outcome = []

        def ask():
            try:
                outcome.extend(self.exchange(request))
            except Exception as error:
                outcome.append(error)
        thread = threading.Thread(target=ask, daemon=True)
        thread.start()
        self.waiting[name] = (thread, outcome)
        time.sleep(START_PAUSE)

    def send(self, request, timeout=TIMEOUT):
        url = urllib.parse.urlsplit(self.options.url)
        kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
        connection = kind(url.hostname, url.port, timeout=timeout)
        method, fields, body = request.get("method", "GET"), dict(request.get("fields", {})), None
        if "json" in request:
            body = spell(self.names.deep(request["json"])).encode()
        elif "text" in request:
            body = self.names.fill(request["text"]).encode()
        elif "base64" in request:
            body = base64.b64decode(request["base64"])
        if body is not None and "Content-Type" not in fields:
            fields["Content-Type"] = "application/json"
        if request.get("gzip"):
            body, fields["Content-Encoding"] = gzip.compress(body), "gzip"
        key = request.get("key", method not in ("GET", "HEAD", "OPTIONS"))
        if key:
            fields["Authorization"] = f"Bearer {self.options.key if key is True else key}"
        connection.putrequest(method, url.path + self.names.fill(request["path"]),
                              skip_accept_encoding=True)
        for name, value in fields.items():
            for line in value if isinstance(value, list) else [value]:
                connection.putheader(name, self.names.fill(line))
        if body is not None or method in ("PUT", "POST", "PATCH"):
            connection.putheader("Content-Length", str(len(body or b"")))
        connection.endheaders(body)
        return connection, connection.getresponse()

    def exchange(self, request):
        began = time.monotonic()
        connection, response = self.send(request)
        is_stream = response.headers.get_content_type() == "text/event-stream"
        content = b"" if is_stream else response.read()  # a stream has no end
        took = time.monotonic() - began
        connection.close()
        return response, content, took

    # Answers

    def expect_head(self, expected, response):
        if str(response.status) != expected["status"]:
            raise Failed(f"status: is {response.status}, not {expected['status']}")
        match_fields(expected.get("fields", {}), response.headers, self.names)

    def expect(self, act, outcome):
        response, content, took = outcome
        expected = act["expect"]
        self.expect_head(expected, response)
        if response.headers.get("Content-Encoding") == "gzip":
            content = gzip.decompress(content)
        if expected.get("empty") and content:
            raise Failed(f"content: {len(content)} bytes, not none")
        if "text" in expected:
            text(expected["text"], content.decode(), self.names, "content", {})
        if "seconds" in expected and not \
                float(expected["seconds"][0]) <= took <= float(expected["seconds"][1]):
            raise Failed(f"took {took:.2f} seconds, not {spell(expected['seconds'])}")
        document = None
        if "json" in expected or "copy" in act:
            try:
                document = parse(content.decode())
            except ValueError as error:
                raise Failed(f"content: no JSON: {error}: {content[:200]!r}") from error
        if "json" in expected:
            match(expected["json"], document, self.names, "content")
        self.take(act, document)

    def take(self, act, document):
        for name, feed in act.get("copy", {}).items() if "holds" not in act else ():
            if feed is not None:
                document_of_feed = document["feeds"][self.names.fill(feed)]
            else:
                document_of_feed = document
            view = "total" in document_of_feed  # what the first document says holds for the copy
            try:
                self.copies.setdefault(name, Held(view)).take(document_of_feed)
            except Refused as refusal:
                raise Failed(f"copy {name} cannot take the document: {refusal}") from refusal

    # Streams

    def lines(self, response):
        while line := response.readline():
            if time.monotonic() > self.deadline:  # comments may arrive for ever
                raise Failed(f"no event in {EVENT_TIMEOUT} seconds")
            yield line

    def event(self, name, expected):
        self.deadline = time.monotonic() + EVENT_TIMEOUT
        event, data, id = next(self.streams[name][1], (None, None, None))
        if event is None:
            raise Failed("the stream ended")
        if "\n" in data:
            raise Failed("data: several lines, not one")
        try:
            document = parse(data)
        except ValueError as error:
            raise Failed(f"data: no JSON: {error}: {data[:200]!r}") from error
        match({name: value for name, value in expected.items() if name != "id"},
              {"event": event, "data": document}, self.names, "event")
        if "id" in expected:
            self.match_id(expected["id"], id)
        return document

    def match_id(self, expected, id):
        if expected is None or id is None:
            if expected is not id:
                raise Failed(f"id: is {id!r}, not {expected!r}")
            return
        wanted = {part for part in self.names.fill(expected).split(",") if part}
        actual = {part for part in id.split(",") if part}
        if wanted != actual:
            raise Failed(f"id: is {id}, not {','.join(sorted(wanted))}")


def normal(value):
    """Counts that the copy computed become numbers as in a JSON text."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int):
        return Number(value)
    if isinstance(value, list):
        return [normal(element) for element in value]
    return {name: normal(member) for name, member in value.items()}


# The cases themselves

def headings(page):
    """The text below each heading, as one line, without the headings below it."""
    sections, name = {}, None
    fence = False
    for line in page.splitlines():
        fence ^= line.startswith("```")
        found = None if fence else re.match(r"#+ (.*)", line)
        if found:
            name = found[1]
            sections[name] = ""
        elif name:
            sections[name] += " " + line.strip()
    return {name: plain(text) for name, text in sections.items()}


def plain(text):
    text = re.sub(r"\]\([^)]*\)", "]", text)  # a link's target is no part of the sentence
    return " ".join(text.replace("[", "").replace("]", "").split())


def check_citations(cases, page):
    sections, faults = headings(page), []
    for case in cases:
        if not case.get("cites"):
            faults.append(f"{case['name']}: cites nothing")
        for cite in case.get("cites", []):
            if cite["heading"] not in sections:
                faults.append(f"{case['name']}: no heading {cite['heading']!r}")
            elif plain(cite["quote"]) not in sections[cite["heading"]]:
                faults.append(f"{case['name']}: not under {cite['heading']!r}: {cite['quote']!r}")
    return faults


def check_vectors(vectors):
    """Takes every vector through the reference."""
    faults = []
    for vector in vectors:
        held = Held(vector.get("view", False), "birds")
        index, last = 0, len(vector["documents"]) - 1
        try:
            for index, document in enumerate(vector["documents"]):
                held.take(document)
                if vector.get("refused") and index == last:
                    faults.append(f"{vector['name']}: the last document was not refused")
            if not vector.get("refused"):
                match(vector["holds"], normal(held.document()), Names(), "copy")
        except Refused as refusal:
            if not vector.get("refused") or index != last:
                faults.append(f"{vector['name']}: document {index} was refused: {refusal}")
        except Failed as failure:
            faults.append(f"{vector['name']}: {failure}")
    return faults


def check_streams(streams):
    """Reads every stream with the reference."""
    faults = []
    for vector in streams:
        stream = Stream(io.BytesIO(vector["stream"].encode()))
        read = [dict(zip(("event", "data", "id"), event)) for event in stream]
        if read != vector["events"]:
            faults.append(f"{vector['name']}: the events are {read}")
        if "retry" in vector and spell(vector["retry"]) != str(stream.retry):
            faults.append(f"{vector['name']}: retry is {stream.retry}")
    return faults


def check_orders(checks):
    """Computes every order check."""
    faults = []
    for vector in checks:
        sections = [{"id": section["id"], "items": [{"id": id} for id in section["items"]]}
                    for section in vector["sections"]]
        if not order(sections) == f"{zlib.crc32(vector['bytes'].encode()):08x}" == vector["order"]:
            faults.append(f"{vector['name']}: the order is {order(sections)}")
    return faults


def check_sessions(sessions):
    """Takes every session through the reference, as a client that asks by `since`."""
    faults = []
    for session in sessions:
        held = Held(False, "birds")
        for number, step in enumerate(session["steps"]):
            since = held.token
            for exchange in step["exchanges"]:
                if exchange["since"] != since:
                    faults.append(f"{session['name']}: step {number} asks since {since}")
                since = None
                if spell(exchange["status"]) == "404":
                    held.drop()
                elif spell(exchange["status"]) == "200" and "json" in exchange:
                    try:
                        held.take(exchange["json"])
                    except Refused:
                        continue
                break
            if exchange is not step["exchanges"][-1]:
                faults.append(f"{session['name']}: step {number} has a request too many")
            try:
                match(step["holds"], normal(held.document()), Names(), "copy")
            except Failed as failure:
                faults.append(f"{session['name']}: step {number}: {failure}")
    return faults


def load():
    cases = []
    for path in sorted((HERE / "cases").glob("*.json")):
        for case in parse(path.read_text())["cases"]:
            cases.append({**case, "name": f"{path.stem}: {case['name']}"})
    client = parse((HERE / "client.json").read_text())
    return cases, client


def main():
    parser = argparse.ArgumentParser(description="Runs the conformance cases.")
    parser.add_argument("url", nargs="?")
    parser.add_argument("--key", help="a key that may write feeds below the prefix")
    parser.add_argument("--prefix", default="conformance-")
    parser.add_argument("--only", default="", help="only cases whose name contains this")
    parser.add_argument("--jobs", type=int, default=8, help="cases at the same time")
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    options = parser.parse_args()
    if options.url and not options.key:
        parser.error("a server needs --key, to publish")
    cases, client = load()
    vectors, streams, sessions = client["vectors"], client["streams"], client["sessions"]
    faults = check_vectors(vectors) + check_streams(streams)
    faults += check_orders(client["checks"]) + check_sessions(sessions)
    pages = [HERE.parent / f"{name}.md" for name in ("READING", "PUBLISHING", "PROTOCOL")]
    is_cited = all(page.exists() for page in pages)
    if is_cited:
        faults += check_citations(
            cases + vectors + streams + sessions + client["checks"],
            "\n".join(page.read_text() for page in pages))
    results = {}
    if options.url:
        chosen = [case for case in cases if options.only in case["name"]]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for case, failure in zip(chosen, pool.map(lambda c: Case(c, options).run(), chosen)):
                results[case["name"]] = failure
    failures = {name: failure for name, failure in results.items() if failure}
    if options.json:
        print(json.dumps({"faults": faults, "results": results}, indent=1))
    else:
        for fault in faults:
            print(f"FAULT  {fault}")
        for name, failure in failures.items():
            print(f"FAILED {name}\n       {failure}")
        print(f"{len(results)} cases, {len(failures)} failed; "
              f"{len(vectors)} vectors, {len(streams)} streams and {len(sessions)} sessions for clients and "
              f"{'all' if is_cited else 'no'} citations checked, {len(faults)} faults")
    return 1 if failures or faults else 0


if __name__ == "__main__":
    sys.exit(main())
