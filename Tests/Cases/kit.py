"""The files of docs/conformance, and what they say of a client like `reference.py` beside them."""

import io
import json
import pathlib
import re
import sys
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
KIT = ROOT / "docs" / "conformance"
sys.path.insert(0, str(KIT))


class Number(str):
    """A number of a JSON text, by its spelling."""


def parse(text):
    def members(pairs):
        names = [name for name, _ in pairs]
        if len(set(names)) != len(names):
            raise ValueError("a member twice")
        return dict(pairs)
    return json.loads(text, parse_int=Number, parse_float=Number, object_pairs_hook=members)


def spell(value):
    """JSON text to compare by: numbers as they were spelled, members in one order."""
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(k)}:{spell(v)}" for k, v in sorted(value.items())) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(spell, value)) + "]"
    return json.dumps(value)


def load():
    """The transcripts, with their files in their names, and the vectors for clients."""
    cases = []
    for path in sorted((KIT / "cases").glob("*.json")):
        for case in parse(path.read_text())["cases"]:
            cases.append({**case, "name": f"{path.stem}: {case['name']}"})
    return cases, parse((KIT / "client.json").read_text())


# Citations

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


def faults_of_citations(cases):
    """The cases that cite nothing, or a sentence that does not stand in the protocol's pages."""
    pages = [ROOT / "docs" / f"{name}.md" for name in ("READING", "PUBLISHING", "PROTOCOL")]
    sections, faults = headings("\n".join(page.read_text() for page in pages)), []
    for case in cases:
        if not case.get("cites"):
            faults.append(f"{case['name']}: cites nothing")
        for cite in case.get("cites", []):
            if cite["heading"] not in sections:
                faults.append(f"{case['name']}: no heading {cite['heading']!r}")
            elif plain(cite["quote"]) not in sections[cite["heading"]]:
                faults.append(f"{case['name']}: not under {cite['heading']!r}: {cite['quote']!r}")
    return faults


# Vectors

def faults_of_copies(client, vectors):
    """The vectors that a client's copy does not come through."""
    faults = []
    for vector in vectors:
        held = client.Held(vector.get("view", False), "birds")
        index, last = 0, len(vector["documents"]) - 1
        try:
            for index, document in enumerate(vector["documents"]):
                held.take(document)
                if vector.get("refused") and index == last:
                    faults.append(f"{vector['name']}: the last document was not refused")
            if not vector.get("refused") and spell(held.document()) != spell(vector["holds"]):
                faults.append(f"{vector['name']}: the copy is {spell(held.document())}")
        except client.Refused as refusal:
            if not vector.get("refused") or index != last:
                faults.append(f"{vector['name']}: document {index} was refused: {refusal}")
    return faults


def faults_of_sessions(client, sessions):
    """The sessions that a client's copy does not come through, if it asks by `since`."""
    faults = []
    for session in sessions:
        held = client.Held(False, "birds")
        for number, step in enumerate(session["steps"]):
            since = held.token
            for exchange in step["exchanges"]:
                if exchange["since"] != since:
                    faults.append(f"{session['name']}: step {number} asks since {since}")
                since = None
                if exchange["status"] == "404":
                    held.drop()
                elif exchange["status"] == "200" and "json" in exchange:
                    try:
                        held.take(exchange["json"])
                    except client.Refused:
                        continue
                break
            if exchange is not step["exchanges"][-1]:
                faults.append(f"{session['name']}: step {number} has a request too many")
            if spell(held.document()) != spell(step["holds"]):
                faults.append(f"{session['name']}: step {number}: {spell(held.document())}")
    return faults


def faults_of_streams(client, streams):
    """The streams that a client does not read as it should."""
    faults = []
    for vector in streams:
        stream = client.Stream(io.BytesIO(vector["stream"].encode()))
        read = [dict(zip(("event", "data", "id"), event)) for event in stream]
        if read != vector["events"]:
            faults.append(f"{vector['name']}: the events are {read}")
        if "retry" in vector and vector["retry"] != str(stream.retry):
            faults.append(f"{vector['name']}: retry is {stream.retry}")
    return faults


def faults_of_orders(client, checks):
    """The checks of orders that a client computes otherwise."""
    faults = []
    for vector in checks:
        sections = [{"id": section["id"], "items": [{"id": id} for id in section["items"]]}
                    for section in vector["sections"]]
        order = client.order(sections)
        if not order == f"{zlib.crc32(vector['bytes'].encode()):08x}" == vector["order"]:
            faults.append(f"{vector['name']}: the order is {order}")
    return faults
