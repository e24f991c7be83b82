"""A server with feeds, keys and tokens that are known, for tests of what it says."""

import json
import os
import pathlib
import subprocess
import tempfile
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEY = "0f5e6b7c8d9eaf1b2c3d4e5f60718293a4b5c6d7e8f9"

BIRDS = [
    {"title": "Birds seen", "sections": [
        {"id": "sky", "items": [{"id": "swift"}, {"id": "kite"}]},
        {"id": "lake", "title": "At the lake",
         "items": [{"id": "grebe", "seen": 4}, {"id": "heron", "seen": 1, "sure": False}]},
        {"id": "woods", "index": "W", "items": [{"id": "jay", "seen": 2}]}]},
    {"title": "Birds of March", "sections": [
        {"id": "lake", "title": "At the lake",
         "items": [{"id": "heron", "seen": 1}, {"id": "grebe", "seen": 5}]},
        {"id": "woods", "index": "W", "items": [{"id": "jay", "seen": 2}, {"id": "swift"}]},
        {"id": "sky", "items": []}]},
]

# Servers warn of variables that are not for them.
GIVEN = os.environ.pop("FRESHET_BINARY", None)


def binary():
    """The server to test: $FRESHET_BINARY, or the newest that was built here."""
    if GIVEN:
        return pathlib.Path(GIVEN).resolve()
    built = [ROOT / ".build" / kind / "freshet" for kind in ("release", "debug")]
    built = sorted((path for path in built if path.exists()), key=lambda path: path.stat().st_mtime)
    if not built:
        raise SystemExit("test-openapi: there is no server: make build")
    return built[-1]


class Server:
    """A server on a port of its own, until the end of a `with`."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        folder = pathlib.Path(self.folder.name)
        address = folder / "address"
        (folder / "wire.json").write_text(json.dumps({"items": [{"id": "a"}]}))
        (folder / "freshet.yaml").write_text(
            f"source-folder: {folder}\nfeeds: {{wire: {{source: {{file: {folder}/wire.json}}}}}}\n")
        with address.open("wb") as errors:
            self.process = subprocess.Popen(
                [binary(), "serve", "--data", "memory", "--port", "0", "--key", KEY, "--config", "freshet.yaml",
                 "--public", ROOT / "Public"],
                stderr=errors, stdout=subprocess.DEVNULL, cwd=self.folder.name)
        while "listening on " not in address.read_text():
            if self.process.poll() is not None:
                raise SystemExit("test-openapi: the server ended: " + address.read_text())
        text = address.read_text()
        self.url = text.split("listening on ")[1].split("\n")[0]
        self.seed()
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(20)
        self.folder.cleanup()

    def request(self, method, path, document=None):
        """Sends JSON with the key."""
        body = None if document is None else json.dumps(document).encode()
        request = urllib.request.Request(self.url + path, body, method=method, headers={
            "Authorization": "Bearer " + KEY, "Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=10) as response:
            return json.load(response)

    def seed(self):
        """Publishes two versions of a feed.

        Returns the tokens of both.
        """
        return [self.request("PUT", "/feeds/birds", state)["token"] for state in BIRDS]
