"""Compares the server with Public/openapi.json by Schemathesis."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import documents
import server
import specification
from deviations import DEVIATIONS

HERE = pathlib.Path(__file__).parent


def run(document, url, *options, output=None):
    """Runs Schemathesis; returns its status, and what it printed if `output` is a pipe."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "openapi.json"
        path.write_text(json.dumps(specification.closed(document)))
        tool = pathlib.Path(sys.executable).with_name("st")
        environment = dict(os.environ, FRESHET_URL=url, FRESHET_KEY=server.KEY,
                           PYTHONPATH=str(HERE), NO_COLOR="1",
                           HYPOTHESIS_STORAGE_DIRECTORY=folder)
        result = subprocess.run(
            [tool, "--config-file", HERE / "schemathesis.toml", "run", path, "--url", url, *options],
            cwd=HERE, env=environment, stdout=output, stderr=subprocess.STDOUT, text=True)
    return result.returncode, result.stdout or ""


def compare(arguments):
    """Compares everything; returns the status."""
    if names := specification.unnamed(specification.read()):
        sys.exit("test-openapi: required, but not named: " + ", ".join(names))
    with server.Server() as it:
        return run(specification.read(), it.url, *arguments)[0]


def deviations():
    """Whether each mistake is found."""
    missed = 0
    with server.Server() as it:
        for name, path, change in DEVIATIONS:
            document = specification.read()
            change(document)
            document["paths"] = {path: document["paths"][path]}
            _, text = run(document, it.url, "--phases", "examples,coverage,fuzzing",
                          "--max-examples", "5", "--max-failures", "1", output=subprocess.PIPE)
            found = re.findall(r"(ST\d+) ([^:\n]+):", text.split("SUMMARY")[-1])
            # An address that never was there is a warning.
            found += re.findall(r"(WARNING|Missing) (test data|.*404)", text)
            missed += not found
            reasons = ", ".join(f"{code} {reason}" for code, reason in found)
            print(f"{'FOUND ' if found else 'MISSED'} {name}: {reasons}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    choice, *arguments = sys.argv[1:] or ["all"]
    choices = {"all": lambda: documents.compare() or compare([]), "documents": documents.compare,
               "run": lambda: compare(arguments), "deviations": deviations}
    if choice not in choices:
        sys.exit("test-openapi: " + ", ".join(choices))
    sys.exit(1 if choices[choice]() else 0)
