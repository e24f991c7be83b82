"""Compares the server with Public/openapi.json by Schemathesis."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import server
from deviations import DEVIATIONS

HERE = pathlib.Path(__file__).parent
SPECIFICATION = server.ROOT / "Public" / "openapi.json"

# Documents of the protocol alone. Members may be added to them, so the specification leaves them
# open; the test closes them, to find a member that it does not name.
OWN = ["Unchanged", "ChangesDocument", "Changes", "MemberChanges", "ItemUpdate", "SectionUpdate",
       "Missing", "Ready", "Pull", "Outline", "Row", "Rows", "FeedList", "Counts", "Published", "Problem"]


def closed(specification):
    """The specification without room for members that it does not name."""
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
    for response in specification["components"]["responses"].values():
        for content in response.get("content", {}).values():
            content["schema"] = content.get("x-item-schema", content["schema"])
    for name in OWN:
        if name in specification["components"]["schemas"]:
            close(specification["components"]["schemas"][name], True)
    return specification


def run(specification, url, *options, output=None):
    """Runs Schemathesis; returns its status, and what it printed if `output` is a pipe."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "openapi.json"
        path.write_text(json.dumps(closed(specification)))
        tool = pathlib.Path(sys.executable).with_name("st")
        environment = dict(os.environ, FRESHET_URL=url, FRESHET_KEY=server.KEY,
                           PYTHONPATH=str(HERE), NO_COLOR="1")
        result = subprocess.run(
            [tool, "--config-file", HERE / "schemathesis.toml", "run", path, "--url", url, *options],
            cwd=HERE, env=environment, stdout=output, stderr=subprocess.STDOUT, text=True)
    return result.returncode, result.stdout or ""


def compare(arguments):
    """Compares everything; returns the status."""
    with server.Server() as it:
        return run(json.loads(SPECIFICATION.read_text()), it.url, *arguments)[0]


def deviations():
    """Whether each mistake is found."""
    missed = 0
    with server.Server() as it:
        for name, path, change in DEVIATIONS:
            specification = json.loads(SPECIFICATION.read_text())
            change(specification)
            specification["paths"] = {path: specification["paths"][path]}
            status, text = run(specification, it.url, "--phases", "examples,coverage,fuzzing",
                               "--max-examples", "5", "--max-failures", "1",
                               output=subprocess.PIPE)
            found = re.findall(r"(ST\d+) ([^:\n]+):", text.split("SUMMARY")[-1])
            # An address that never was there is a warning.
            found += re.findall(r"(WARNING|Missing) (test data|.*404)", text)
            missed += not found
            reasons = ", ".join(f"{code} {reason}" for code, reason in found)
            print(f"{'FOUND ' if found else 'MISSED'} {name}: {reasons}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    choice, *arguments = sys.argv[1:] or ["run"]
    if choice not in ("run", "deviations"):
        sys.exit("test-openapi: run, deviations or nothing")
    sys.exit(deviations() if choice == "deviations" else compare(arguments))
