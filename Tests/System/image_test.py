"""The image, as far as it can be tried without an engine: what its first stage has, its health check, compose."""

import fnmatch
import ipaddress
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import yaml

from servers import ROOT, BINARY, Server

DOCKERFILE = (ROOT / "Dockerfile").read_text()


def instructions(stage):
    """The instructions of a stage, each as one line."""
    stages = re.split(r"^FROM ", DOCKERFILE, flags=re.M)[1:]
    return re.sub(r"\\\n\s*", " ", stages[stage]).split("\n")


def ignored():
    """What does not reach the build, by its first part."""
    lines = (ROOT / ".dockerignore").read_text().split()
    return [line for line in lines if not line.startswith("!")]


class FirstStage(unittest.TestCase):
    def test_has_all_targets_of_the_manifest(self):
        copied = {path for line in instructions(0) if line.startswith("COPY ")
                  for path in line.split()[1:-1]}
        manifest = json.loads(subprocess.run(
            [os.environ.get("SWIFT", "swift"), "package", "dump-package"], cwd=ROOT,
            capture_output=True, check=True).stdout)
        for target in manifest["targets"]:
            path = target.get("path") or ("Tests/" if target["type"] == "test" else "Sources/") + target["name"]
            with self.subTest(path):
                self.assertIn(path.split("/")[0], copied)
                parents = [path, *map(str, pathlib.PurePath(path).parents)]
                self.assertFalse([one for one in parents for pattern in ignored()
                                  if one != "." and fnmatch.fnmatch(one, pattern)])

    def test_copies_what_there_is(self):
        for stage in (0, 1):
            for line in instructions(stage):
                if line.startswith("COPY ") and "--from" not in line:
                    for path in line.split()[1:-1]:
                        self.assertTrue((ROOT / path).exists(), path)
                        self.assertNotIn(path, ignored())


class HealthCheck(unittest.TestCase):
    """The command of HEALTHCHECK, as the image has it."""

    @classmethod
    def setUpClass(cls):
        line = next(line for line in instructions(1) if line.startswith("HEALTHCHECK"))
        cls.command = line.split(" CMD ")[1]
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.home = pathlib.Path(cls.folder.name)
        (cls.home / "freshet").symlink_to(BINARY)
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
             "-days", "2", "-subj", "/CN=feeds.example", "-addext", "subjectAltName=DNS:localhost",
             "-keyout", "key.pem", "-out", "cert.pem"], cwd=cls.home, check=True, capture_output=True)

    def check(self, **variables):
        environment = {"PATH": f"{self.home}:/usr/bin:/bin", **variables}
        return subprocess.run(["sh", "-c", self.command], env=environment, capture_output=True,
                              check=False).returncode

    def test_without_tls(self):
        server = Server().start()
        self.addCleanup(server.kill)
        self.assertEqual(self.check(FRESHET_PORT=str(server.port)), 0)
        server.kill()
        self.assertEqual(self.check(FRESHET_PORT=str(server.port)), 1)

    def test_under_tls_with_a_certificate_of_ones_own(self):
        server = Server("--tls-cert", str(self.home / "cert.pem"),
                        "--tls-key", str(self.home / "key.pem")).start()
        self.addCleanup(server.kill)
        address = f"https://localhost:{server.port}"
        trusted = str(self.home / "cert.pem")
        self.assertEqual(self.check(FRESHET_SERVER=address, FRESHET_CACERT=trusted), 0)
        self.assertEqual(self.check(FRESHET_SERVER=address), 1)
        self.assertEqual(self.check(FRESHET_PORT=str(server.port)), 1)


class Compose(unittest.TestCase):
    def files(self):
        folder = ROOT / "packaging/compose"
        found = {path.name: yaml.safe_load(path.read_text()) for path in sorted(folder.glob("*.yaml"))}
        self.assertGreater(len(found), 1)
        return found

    def test_servers_have_variables_that_the_server_knows(self):
        help_text = subprocess.run([BINARY, "serve", "--help"], capture_output=True, text=True,
                                   check=True).stdout
        known = set(re.findall(r"FRESHET_[A-Z_]+", help_text))
        for name, document in self.files().items():
            for service, settings in document["services"].items():
                for variable in settings.get("environment") or {}:
                    if variable.startswith("FRESHET_"):
                        self.assertIn(variable, known, f"{name}: {service}")

    def test_names_what_is_there(self):
        for name, document in self.files().items():
            services, volumes = document["services"], document.get("volumes") or {}
            for service, settings in services.items():
                with self.subTest(f"{name}: {service}"):
                    self.assertIn("image", settings)
                    for other in settings.get("depends_on") or {}:
                        self.assertIn(other, services)
                        condition = settings["depends_on"][other]["condition"]
                        # The server's image has a health check of its own.
                        self.assertTrue(condition != "service_healthy" or "healthcheck" in services[other]
                                        or "FRESHET_" in str(services[other]["image"]))
                    for volume in settings.get("volumes") or []:
                        source = volume.split(":")[0]
                        if source.startswith("."):
                            self.assertTrue((ROOT / "packaging/compose" / source).exists(), source)
                        else:
                            self.assertIn(source, volumes)

    def test_servers_trust_the_cache_alone(self):
        """Not the network: its gateway's address is that of all who come from outside."""
        document = self.files()["three.yaml"]
        trusted = document["services"]["freshet-1"]["environment"]["FRESHET_TRUSTED_PROXIES"]
        cache = ipaddress.ip_address(document["services"]["cache"]["networks"]["default"]["ipv4_address"])
        self.assertEqual([ipaddress.ip_network(network) for network in trusted.split(",")],
                         [ipaddress.ip_network(cache)])
        network = document["networks"]["default"]["ipam"]["config"][0]
        self.assertIn(cache, ipaddress.ip_network(network["subnet"]))
        self.assertNotEqual(cache, ipaddress.ip_network(network["subnet"])[1], "the gateway's")
        self.assertNotIn(cache, ipaddress.ip_network(network["ip_range"]), "given to any container")

    def test_servers_stop_within_the_time_that_they_are_given(self):
        for document in self.files().values():
            for settings in document["services"].values():
                if "FRESHET_IMAGE" in settings["image"]:
                    self.assertGreater(int(settings["stop_grace_period"].rstrip("s")), 8)


if __name__ == "__main__":
    unittest.main()
