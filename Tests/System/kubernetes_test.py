"""The files of packaging/kubernetes: fields and types as Kubernetes has them, and names that fit together."""

import copy
import http.client
import re
import subprocess
import tempfile
import unittest

import yaml

from image_test import DOCKERFILE
from servers import BINARY, ROOT, Server

FOLDER = ROOT / "packaging/kubernetes"


class Text:
    """A text of a certain form."""

    def __init__(self, pattern=r".+", longest=253):
        self.pattern, self.longest = pattern, longest

    def __call__(self, value, path):
        if not isinstance(value, str):
            return [f"{path}: {value!r} is no text"]
        if len(value) > self.longest or not re.fullmatch(self.pattern, value):
            return [f"{path}: {value!r} has not the right form"]
        return []


class Number:
    def __init__(self, least=0, most=2**31 - 1):
        self.least, self.most = least, most

    def __call__(self, value, path):
        if isinstance(value, bool) or not isinstance(value, int) or not self.least <= value <= self.most:
            return [f"{path}: {value!r} is no number from {self.least} to {self.most}"]
        return []


def flag(value, path):
    return [] if isinstance(value, bool) else [f"{path}: {value!r} is neither true nor false"]


class ListOf:
    def __init__(self, kind, least=1):
        self.kind, self.least = kind, least

    def __call__(self, value, path):
        if not isinstance(value, list) or len(value) < self.least:
            return [f"{path}: not a list of {self.least} or more"]
        return [fault for index, one in enumerate(value) for fault in self.kind(one, f"{path}[{index}]")]


class MapOf:
    def __init__(self, key, kind):
        self.key, self.kind = key, kind

    def __call__(self, value, path):
        if not isinstance(value, dict):
            return [f"{path}: not an object"]
        return [fault for key, one in value.items()
                for fault in self.key(key, path) + self.kind(one, f"{path}.{key}")]


class Fields:
    """An object with these members and no others. Those that end with two underscores must be there."""

    def __init__(self, **kinds):
        self.kinds = {name.rstrip("_"): kind for name, kind in kinds.items()}
        self.needed = [name[:-2] for name in kinds if name.endswith("__")]

    def __call__(self, value, path):
        if not isinstance(value, dict):
            return [f"{path}: not an object"]
        faults = [f"{path}.{name} is missing" for name in self.needed if name not in value]
        for name, one in value.items():
            kind = self.kinds.get(name)
            faults += kind(one, f"{path}.{name}") if kind else [f"{path}.{name}: no such field"]
        return faults


LABEL = Text(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?", 63)
SERVICE = Text(r"[a-z]([-a-z0-9]*[a-z0-9])?", 63)
PORT_NAME = Text(r"(?=.*[a-z])[a-z0-9]([-a-z0-9]*[a-z0-9])?", 15)
PORT = Number(1, 65535)
QUANTITY = Text(r"[0-9]+(\.[0-9]+)?(m|k|M|G|T|Ki|Mi|Gi|Ti)?")
LABELS = MapOf(Text(r"([a-z0-9.-]+/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?"),
               Text(r"[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?", 63))
SECONDS = Number(1)


def metadata(name):
    return Fields(name__=name, labels=LABELS)


def one_of(*values):
    return Text("|".join(map(re.escape, values)))


def port(value, path):
    """The number of a port, or its name."""
    return PORT(value, path) if isinstance(value, int) else PORT_NAME(value, path)


PROBE = Fields(
    httpGet__=Fields(path__=Text(r"/.*"), port__=port, scheme=one_of("HTTP", "HTTPS")),
    periodSeconds=SECONDS, timeoutSeconds=SECONDS, failureThreshold=SECONDS, initialDelaySeconds=Number())
RESOURCES = Fields(requests=MapOf(one_of("cpu", "memory", "storage"), QUANTITY),
                   limits=MapOf(one_of("cpu", "memory", "storage"), QUANTITY))
CONTAINER = Fields(
    name__=LABEL, image__=Text(r"[a-z0-9][a-z0-9./_-]*(:[\w.-]+)?(@sha256:[0-9a-f]{64})?"),
    env=ListOf(Fields(name__=Text(r"[A-Za-z_][A-Za-z0-9_]*"), value=Text(".*"), valueFrom=Fields(
        secretKeyRef__=Fields(name__=LABEL, key__=Text(r"[-._a-zA-Z0-9]+"))))),
    ports=ListOf(Fields(name=PORT_NAME, containerPort__=PORT)),
    startupProbe=PROBE, readinessProbe=PROBE, livenessProbe=PROBE,
    lifecycle=Fields(preStop=Fields(exec__=Fields(command__=ListOf(Text())))),
    resources=RESOURCES,
    securityContext=Fields(allowPrivilegeEscalation=flag, readOnlyRootFilesystem=flag,
                           capabilities=Fields(drop=ListOf(Text("[A-Z_]+")))),
    volumeMounts=ListOf(Fields(name__=LABEL, mountPath__=Text("/[^:]*"), readOnly=flag)))
POD = Fields(
    enableServiceLinks=flag, automountServiceAccountToken=flag, terminationGracePeriodSeconds=Number(),
    securityContext=Fields(
        runAsNonRoot=flag, runAsUser=Number(), runAsGroup=Number(), fsGroup=Number(),
        fsGroupChangePolicy=one_of("OnRootMismatch", "Always"),
        seccompProfile=Fields(type__=one_of("RuntimeDefault", "Unconfined"))),
    containers__=ListOf(CONTAINER),
    volumes=ListOf(Fields(name__=LABEL, configMap__=Fields(name__=LABEL))))
KINDS = {
    ("v1", "Service"): Fields(
        apiVersion__=Text(), kind__=Text(), metadata__=metadata(SERVICE), spec__=Fields(
            selector=LABELS, clusterIP=Text(), ports__=ListOf(Fields(
                name=PORT_NAME, port__=PORT, targetPort=port, protocol=one_of("TCP", "UDP"))))),
    ("apps/v1", "StatefulSet"): Fields(
        apiVersion__=Text(), kind__=Text(), metadata__=metadata(LABEL), spec__=Fields(
            serviceName__=SERVICE, replicas=Number(), selector__=Fields(matchLabels__=LABELS),
            template__=Fields(metadata__=Fields(labels__=LABELS), spec__=POD),
            volumeClaimTemplates=ListOf(Fields(metadata__=metadata(LABEL), spec__=Fields(
                accessModes__=ListOf(one_of("ReadWriteOnce", "ReadWriteOncePod")),
                resources__=RESOURCES, storageClassName=LABEL))))),
    ("kustomize.config.k8s.io/v1beta1", "Kustomization"): Fields(
        apiVersion__=Text(), kind__=Text(), resources=ListOf(Text(r"[\w./-]+")),
        configMapGenerator=ListOf(Fields(name__=LABEL, files__=ListOf(Text()))),
        images=ListOf(Fields(name__=Text(), newName=Text(), newTag=Text(), digest=Text()))),
}


def faults(documents):
    """Names what is wrong with manifests: each on its own, and their names against each other."""
    found = []
    for document in documents:
        kind = (document.get("apiVersion"), document.get("kind"))
        found += KINDS[kind](document, kind[1]) if kind in KINDS else [f"{kind}: no such kind"]
    if found:
        return found
    by_kind = {document["kind"]: document for document in documents}
    service, state, custom = by_kind["Service"], by_kind["StatefulSet"], by_kind["Kustomization"]
    template = state["spec"]["template"]
    labels = template["metadata"]["labels"].items()

    def need(holds, text):
        if not holds:
            found.append(text)
    need(service["spec"]["selector"].items() <= labels, "the Service selects other pods")
    need(state["spec"]["selector"]["matchLabels"].items() <= labels, "the StatefulSet selects other pods")
    need(state["spec"]["serviceName"] == service["metadata"]["name"], "serviceName is no Service")
    volumes = {volume["name"] for volume in template["spec"]["volumes"]}
    claims = {claim["metadata"]["name"] for claim in state["spec"]["volumeClaimTemplates"]}
    need(not volumes & claims, "a volume and a claim have one name")
    maps = {one["name"] for one in custom["configMapGenerator"]}
    for volume in template["spec"]["volumes"]:
        need(volume["configMap"]["name"] in maps, f"{volume['name']}: no such ConfigMap")
    images = {image["name"] for image in custom["images"]}
    ports = set()
    for container in template["spec"]["containers"]:
        need(container["image"] in images, "kustomize does not know the image")
        names = [one["name"] for one in container["ports"]]
        ports |= set(names) | {one["containerPort"] for one in container["ports"]}
        need(len(set(names)) == len(names), "two ports have one name")
        for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
            need(container[probe]["httpGet"]["port"] in ports, f"{probe}: no such port")
        mounts = [mount["name"] for mount in container["volumeMounts"]]
        need(set(mounts) == volumes | claims, "mounts and volumes differ")
        for one in container["env"]:
            need(("value" in one) != ("valueFrom" in one), f"{one['name']}: not one value")
    for one in service["spec"]["ports"]:
        need(one["targetPort"] in ports, "the Service leads to no port")
    return found


def manifests():
    return [yaml.safe_load((FOLDER / name).read_text(encoding="utf8"))
            for name in ("kustomization.yaml", "service.yaml", "statefulset.yaml")]


class Manifests(unittest.TestCase):
    def test_are_as_kubernetes_has_them(self):
        self.assertEqual(faults(manifests()), [])
        custom = manifests()[0]
        files = custom["resources"] + [name for one in custom["configMapGenerator"] for name in one["files"]]
        self.assertEqual(sorted(files + ["kustomization.yaml"]), sorted(path.name for path in FOLDER.iterdir()))

    def test_that_are_wrong_are_told_from_those_that_are_right(self):
        pod = ("spec", "template", "spec")
        container = (*pod, "containers", 0)
        for index, path, value in (
                (1, ("spec", "selector", "app.kubernetes.io/name"), "other"),
                (1, ("spec", "ports", 0, "targetPort"), "https"),
                (1, ("spec", "ports", 0, "port"), "80"),
                (1, ("spec", "port"), 80),
                (2, ("apiVersion",), "apps/v1beta1"),
                (2, ("metadata", "name"), "Freshet"),
                (2, ("spec", "serviceName"), "freshets"),
                (2, ("spec", "serviceName"), None),
                (2, ("spec", "selector"), None),
                (2, ("spec", "selector", "matchLabels", "app.kubernetes.io/name"), "other"),
                (2, (*pod, "enableServiceLinks"), "false"),
                (2, (*pod, "terminationGracePeriod"), 30),
                (2, (*pod, "volumes", 0, "configMap", "name"), "settings"),
                (2, (*container, "ports", 0, "containerPort"), 80800),
                (2, (*container, "ports", 0, "name"), "a-name-of-a-port-that-is-too-long"),
                (2, (*container, "livenessProbe", "httpGet", "port"), "admin"),
                (2, (*container, "livenessProbe", "period"), 1),
                (2, (*container, "volumeMounts", 0, "name"), "feed"),
                (2, (*container, "resources", "limits", "memory"), "1GB"),
                (2, (*container, "env", 0, "value"), 1),
                (2, ("spec", "volumeClaimTemplates", 0, "spec", "accessModes"), "ReadWriteOnce")):
            with self.subTest((index, path, value)):
                documents = copy.deepcopy(manifests())
                place = documents[index]
                for name in path[:-1]:
                    place = place[name]
                if value is None:
                    del place[path[-1]]
                else:
                    place[path[-1]] = value
                self.assertNotEqual(faults(documents), [])

    def test_fit_the_image_and_the_server(self):
        spec = manifests()[2]["spec"]["template"]["spec"]
        container = spec["containers"][0]

        def setting(name):
            return re.search(rf"\b{name}=(\S+)", DOCKERFILE)[1]
        user, group = re.search(r"^USER (\d+):(\d+)$", DOCKERFILE, re.M).groups()
        security = spec["securityContext"]
        self.assertEqual((security["runAsUser"], security["runAsGroup"], security["fsGroup"]),
                         (int(user), int(group), int(group)))
        self.assertEqual(container["ports"][0]["containerPort"], int(setting("FRESHET_PORT")))
        self.assertIn(setting("FRESHET_DATA"), [mount["mountPath"] for mount in container["volumeMounts"]])
        # What a Service of that name would set.
        self.assertIs(spec["enableServiceLinks"], False)
        wait = int(container["lifecycle"]["preStop"]["exec"]["command"][1])
        self.assertGreater(spec["terminationGracePeriodSeconds"], wait + 8 + 5)
        # The keys of the command in INSTALL.md.
        secret = container["env"][1]["valueFrom"]["secretKeyRef"]
        self.assertIn(f"kubectl create secret generic {secret['name']} --from-literal={secret['key']}=",
                      (ROOT / "docs/INSTALL.md").read_text(encoding="utf8"))

    def test_the_settings_are_valid_and_the_probes_are_answered(self):
        checked = subprocess.run([BINARY, "check", str(FOLDER / "freshet.yaml")], capture_output=True, check=False)
        self.assertEqual(checked.returncode, 0, checked.stderr)
        container = manifests()[2]["spec"]["template"]["spec"]["containers"][0]
        with tempfile.TemporaryDirectory() as folder:
            server = Server("--data", folder, "--config", str(FOLDER / "freshet.yaml")).start()
            self.addCleanup(server.kill)
            for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
                connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
                # A node asks by the address of the pod.
                connection.request("GET", container[probe]["httpGet"]["path"], headers={"Host": "10.42.0.7:8080"})
                self.assertEqual(connection.getresponse().status, 200, probe)
                connection.close()
            server.kill()


if __name__ == "__main__":
    unittest.main()
