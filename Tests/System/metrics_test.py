"""The server's figures, as Prometheus and promtool read them, and what docs/monitoring makes of them."""

import http.client
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading
import unittest
import urllib.parse

from cluster import free_port, until
from servers import KEY, ROOT, Server

MONITORING = ROOT / "docs/monitoring"


def get(port, path, **headers):
    """Sends a request; returns status, fields and content."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    fields = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request("GET", path, headers=fields)
    response = connection.getresponse()
    content = response.read().decode(errors="replace")
    connection.close()
    return response.status, response.headers, content


def put(port, feed, count, item="item"):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    items = [{"id": str(index), "text": item + " text" * 20} for index in range(count)]
    body = json.dumps({"sections": [{"id": "all", "items": items}]})
    connection.request("PUT", f"/feeds/{feed}", body, {
        "Authorization": "Bearer " + KEY, "Content-Type": "application/json"})
    response = connection.getresponse()
    answer = json.loads(response.read())
    connection.close()
    assert response.status in (200, 201), answer
    return answer["token"]


class Figures(unittest.TestCase):
    """An origin with a journal, a source and limits, a mirror of it, and a Prometheus."""

    @classmethod
    def setUpClass(cls):
        cls.home = pathlib.Path(tempfile.mkdtemp(prefix="freshet-metrics-"))
        cls.admin, cls.mirrorAdmin = free_port(), free_port()
        source = cls.home / "source.json"
        source.write_text(json.dumps({"items": [{"id": "a"}]}))
        settings = cls.home / "freshet.yaml"
        settings.write_text(
            f"source-folder: {cls.home}\nfeeds:\n  sourced:\n    source: {{file: {source}}}\n"
            f"  failing:\n    source: {{file: {cls.home}/gone.json}}\n"
            "rate-limits: {reads-by-key: 1000000/1m}\n")
        cls.origin = Server("--admin", f"127.0.0.1:{cls.admin}", "--data", str(cls.home / "data"),
                            "--config", str(settings)).start()
        cls.mirror = Server("--admin", f"127.0.0.1:{cls.mirrorAdmin}",
                            "--mirror", f"http://127.0.0.1:{cls.origin.port}",
                            "--mirror-key", KEY).start()
        cls.wait = None

    @classmethod
    def tearDownClass(cls):
        cls.mirror.kill()
        cls.origin.kill()
        shutil.rmtree(cls.home, ignore_errors=True)

    def use(self):
        """Has something of everything counted."""
        port = self.origin.port
        token = put(port, "news", 50)
        put(port, "news", 51)
        status, fields, _ = get(port, "/feeds/news")
        self.assertEqual(status, 200)
        self.assertEqual(get(port, "/feeds/news", If_None_Match=fields["ETag"])[0], 304)
        self.assertIn('"changes"', get(port, f"/feeds/news?since={token}")[2])
        self.assertEqual(get(port, "/feeds/gone")[0], 404)

    def test_promtool_accepts_both_formats(self):
        self.use()
        for port in (self.admin, self.mirrorAdmin):
            status, fields, text = get(port, "/metrics")
            self.assertEqual(status, 200)
            self.assertEqual(fields["Content-Type"], "text/plain; version=0.0.4; charset=utf-8")
            check = subprocess.run(["promtool", "check", "metrics"], input=text, text=True,
                                   capture_output=True, check=False)
            self.assertEqual((check.returncode, check.stdout + check.stderr), (0, ""), text)
        text = get(self.admin, "/metrics", Accept="application/openmetrics-text")[2]
        self.assertTrue(text.endswith("# EOF\n"))

    def test_the_figures_are_those_of_what_was_done(self):
        def value(pattern, text=None):
            found = re.findall("^" + pattern + " ([0-9.e+-]+)$", text or self.text(), re.MULTILINE)
            return sum(float(one) for one in found)
        before = self.text()
        self.use()
        after = self.text()
        for pattern, change in (
                (r'freshet_http_requests_total\{route="/feeds/\{feed\}",method="GET",status="2xx"\}', 2),
                (r'freshet_http_requests_total\{route="/feeds/\{feed\}",method="GET",status="3xx"\}', 1),
                (r'freshet_http_requests_total\{route="/feeds/\{feed\}",method="GET",status="4xx"\}', 1),
                (r'freshet_http_requests_total\{route="/feeds/\{feed\}",method="PUT",status="2xx"\}', 2),
                (r'freshet_http_not_modified_total', 1), (r'freshet_deltas_total', 1),
                (r'freshet_journal_entries_total', 2),
                (r'freshet_http_request_duration_seconds_count\{route="/feeds/\{feed\}",method="GET"\}', 4),
        ):
            self.assertEqual(value(pattern, after) - value(pattern, before), change, pattern)
        self.assertGreater(value("freshet_delta_saved_bytes_total", after)
                           - value("freshet_delta_saved_bytes_total", before), 5000)
        self.assertEqual(value("freshet_ready", after), 1)
        self.assertGreaterEqual(value("freshet_versions", after), value("freshet_feeds", after))
        self.assertEqual(value(r'freshet_source_failures\{feed="sourced"\}', after), 0)
        until(lambda: value(r'freshet_source_failures\{feed="failing"\}') > 0)

    def test_changes_save_as_much_for_readers_who_could_wait(self):
        token = put(self.origin.port, "saved", 20)
        put(self.origin.port, "saved", 40)

        def saved(**fields):
            def now():
                text = self.text()
                return [float(re.search(f"^freshet_{name} (.*)$", text, re.MULTILINE)[1])
                        for name in ("deltas_total", "delta_saved_bytes_total")]
            before = now()
            _, answer, _ = get(self.origin.port, f"/feeds/saved?since={token}", **fields)
            self.assertEqual(answer["Content-Encoding"], fields.get("Accept_Encoding"))
            return [after - earlier for after, earlier in zip(now(), before)]
        plain = saved()
        self.assertEqual(plain[0], 1)
        for fields in ({"Accept_Encoding": "gzip"}, {"Prefer": "wait=5"},
                       {"Accept_Encoding": "gzip", "Prefer": "wait=5"}):
            self.assertEqual(saved(**fields), plain, fields)

    def test_readers_who_wait_are_there(self):
        def long_polls():
            return float(re.search("^freshet_long_polls (.*)$", self.text(), re.MULTILINE)[1])
        put(self.origin.port, "waited", 1)
        fields = get(self.origin.port, "/feeds/waited")[1]
        waiter = threading.Thread(target=get, args=(self.origin.port, "/feeds/waited"), kwargs={
            "If_None_Match": fields["ETag"], "Prefer": "wait=60"})
        waiter.start()
        until(lambda: long_polls() == 1)
        put(self.origin.port, "waited", 2)
        waiter.join(30)
        until(lambda: long_polls() == 0)

    def test_the_public_port_has_none(self):
        authorization = {"Authorization": "Bearer " + KEY}
        self.assertEqual(get(self.origin.port, "/metrics", **authorization)[0], 404)
        self.assertEqual(get(self.admin, "/feeds")[0], 404)
        self.assertEqual(get(self.admin, "/readyz")[2].split()[0][:5], "ready")
        self.assertEqual(get(self.admin, "/metrics", Host="evil.example")[0], 421)

    def test_prometheus_evaluates_every_expression(self):
        self.use()
        port = free_port()
        settings = self.home / "prometheus.yml"
        settings.write_text(
            "global: {scrape_interval: 1s, evaluation_interval: 1s}\n"
            f"rule_files: [{MONITORING}/alerts.yml]\n"
            "scrape_configs:\n  - job_name: freshet\n    static_configs:\n"
            f"      - targets: ['127.0.0.1:{self.admin}', '127.0.0.1:{self.mirrorAdmin}']\n")
        process = subprocess.Popen(
            ["prometheus", f"--config.file={settings}",
             f"--storage.tsdb.path={self.home}/tsdb", f"--web.listen-address=127.0.0.1:{port}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            def ask(path, **query):
                try:
                    answer = json.loads(get(port, path + "?" + urllib.parse.urlencode(query))[2])
                except (OSError, ValueError):
                    return None
                self.assertEqual(answer["status"], "success", answer)
                return answer["data"]

            def value(expression):
                data = ask("/api/v1/query", query=expression)
                return data["result"] if data else None
            # Rates take two scrapes.
            until(lambda: len(value("count_over_time(up[1m]) >= 3") or []) == 2, 60)
            self.assertEqual([one["value"][1] for one in value("up")], ["1", "1"])
            self.use()
            until(lambda: value("sum(rate(freshet_deltas_total[1m])) > 0"), 60)
            empty = []
            for expression in self.expressions():
                text = expression.replace("$instance", ".+").replace("$__rate_interval", "1m")
                if not until(lambda: value(text) is not None) or not value(text):
                    empty.append(expression)
            self.assertEqual(empty, [])
            groups = ask("/api/v1/rules")["groups"]
            rules = [rule for group in groups for rule in group["rules"]]
            self.assertEqual(len(rules), (MONITORING / "alerts.yml").read_text().count("- alert:"))
            for rule in rules:
                until(lambda: ask("/api/v1/rules"))
                self.assertNotEqual(rule["health"], "err", rule)
        finally:
            process.terminate()
            process.wait(30)

    def expressions(self):
        """All that the dashboard asks for."""
        dashboard = json.loads((MONITORING / "grafana.json").read_text())
        found = [target["expr"] for panel in dashboard["panels"]
                 for target in panel.get("targets", [])]
        self.assertGreater(len(found), 30)
        return found

    def test_every_figure_is_documented_and_every_name_exists(self):
        self.use()
        names = set()
        for port in (self.admin, self.mirrorAdmin):
            names |= set(re.findall("^# TYPE ([a-z_]+) ", get(port, "/metrics")[2], re.MULTILINE))
        manual = (ROOT / "docs/OPERATIONS.md").read_text()
        for name in names:
            if name.startswith("freshet_"):
                self.assertIn(f"`{name}`", manual)
        used = " ".join(self.expressions()) + (MONITORING / "alerts.yml").read_text()
        for name in re.findall("freshet_[a-z_]+", used):
            self.assertIn(re.sub("_(bucket|sum|count)$", "", name), names)

    def text(self):
        return get(self.admin, "/metrics")[2]


class Alerts(unittest.TestCase):
    def test_alerts_are_right_and_fire_when_they_should(self):
        for command in (["check", "rules", "alerts.yml"], ["test", "rules", "alerts_test.yml"]):
            run = subprocess.run(["promtool", *command], cwd=MONITORING, text=True,
                                 capture_output=True, check=False, env=os.environ)
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)


if __name__ == "__main__":
    unittest.main()
