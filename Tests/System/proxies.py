"""The configurations of packaging/proxies and packaging/compose, each in its proxy on a free port."""

import gzip
import http.client
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from cluster import free_port, until
from servers import ROOT

FOLDER = ROOT / "packaging/proxies"


def replaced(text, *pairs):
    """Replaces parts of a text, all of which must be there."""
    for old, new in pairs:
        assert old in text, f"{old} is missing"
        text = text.replace(old, new)
    return text


def block(document, language, containing):
    """The only block of code of a document that contains a text."""
    text = (ROOT / "docs" / document).read_text(encoding="utf8")
    found = [code for code in re.findall(rf"```{language}\n(.*?)```", text, re.S) if containing in code]
    assert len(found) == 1, f"{document} has {len(found)} blocks with {containing}"
    return found[0]


class Proxy:
    """A proxy before one server or three: with three, the lines for the others are used, too."""

    caches = False
    # Whether it can spread its load over several servers, in this configuration.
    spreads = True
    # The path below which it has the server, and the status of /healthz there.
    prefix = ""
    health = 200

    def __init__(self, *origins):
        self.origins = origins if self.spreads else origins[:1]
        self.port = free_port()
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="freshet-proxy-"))
        self.home.chmod(0o777)
        self.process = None
        try:
            self.log = open(self.home / "output", "wb")
            environment = {**os.environ, "HOME": str(self.home), "XDG_DATA_HOME": str(self.home),
                           "XDG_CONFIG_HOME": str(self.home)}
            self.process = subprocess.Popen(
                self.command(), cwd=self.home, stdout=self.log, stderr=subprocess.STDOUT,
                env=environment)
            until(self.answers)
        except BaseException:
            self.stop()
            raise

    def command(self):
        """Writes what the proxy reads, and returns how it is started."""
        raise NotImplementedError

    def configuration(self, name, comment="#"):
        """A file of packaging/proxies, with the servers' addresses."""
        text = (FOLDER / name).read_text(encoding="utf8")
        for number, origin in enumerate(self.origins):
            address = f"127.0.0.1:{8080 + number}"
            if number > 0:
                lines = [line for line in text.splitlines() if address in line]
                assert lines and all(line.strip().startswith(comment + " ") for line in lines)
                text = "\n".join(
                    line.replace(comment + " ", "", 1) if address in line else line
                    for line in text.splitlines()) + "\n"
            text = replaced(text, (address, f"127.0.0.1:{origin}"))
        return text

    def write(self, name, text):
        path = self.home / name
        path.write_text(text, encoding="utf8")
        return str(path)

    def answers(self):
        assert self.process.poll() is None, (self.home / "output").read_text(errors="replace")
        try:
            return self.request(self.prefix + "/healthz")[0] == self.health
        except (OSError, http.client.HTTPException):
            return False

    def request(self, path, method="GET", body=None, **headers):
        """Sends a request; returns status, fields and content."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            connection.request(method, path, body, fields)
            response = connection.getresponse()
            content = response.read()
        finally:
            connection.close()
        if response.headers.get("Content-Encoding") == "gzip":
            content = gzip.decompress(content)
        return response.status, response.headers, content

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.log.close()
        shutil.rmtree(self.home, ignore_errors=True)


class Nginx(Proxy):
    """nginx with the block of OPERATIONS.md."""

    spreads = False

    def site(self):
        return replaced(block("OPERATIONS.md", "nginx", "keepalive 64;"),
                        ("127.0.0.1:8080", f"127.0.0.1:{self.origins[0]}"))

    def command(self):
        site = replaced(self.site(), ("listen 80;", f"listen 127.0.0.1:{self.port};"))
        paths = "".join(f"{kind}_temp_path {self.home}/{kind};\n" for kind in
                        ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        return self.run(f"worker_processes 1; events {{}}\nhttp {{ access_log off;\n{paths}{site}}}\n")

    def run(self, text):
        text = f"daemon off; pid {self.home}/pid; error_log {self.home}/error.log;\n" + text
        return ["nginx", "-c", self.write("nginx.conf", text), "-p", str(self.home)]


class NginxCache(Nginx):
    """nginx as a cache."""

    caches = True
    spreads = True

    def site(self):
        return replaced(self.configuration("nginx.conf"),
                        ("/var/cache/nginx/freshet", f"{self.home}/cache"))


class Compose(NginxCache):
    """nginx of the compose file. One server stands in all three places."""

    def command(self):
        text = (ROOT / "packaging/compose/nginx.conf").read_text(encoding="utf8")
        for number in range(3):
            origin = self.origins[number % len(self.origins)]
            text = replaced(text, (f"freshet-{number + 1}:8080;", f"127.0.0.1:{origin};"))
        return self.run(replaced(
            text, ("listen 80;", f"listen 127.0.0.1:{self.port};"),
            ("/var/cache/nginx", f"{self.home}/cache"), ("worker_processes auto;", ""),
            ("worker_rlimit_nofile 65536;", ""), ("worker_connections 16384;", ""),
            ("http {", f"http {{ access_log off; client_body_temp_path {self.home}/body; "
             f"proxy_temp_path {self.home}/proxy;")))


class Varnish(Proxy):
    caches = True
    spreads = False

    def command(self):
        vcl = (FOLDER / "varnish.vcl").read_text(encoding="utf8")
        jail = ["-j", "none"] if os.getuid() == 0 else []
        return ["varnishd", *jail, "-F", "-a", f"127.0.0.1:{self.port}", "-f",
                self.write("freshet.vcl", replaced(vcl, ('.port = "8080"', f'.port = "{self.origins[0]}"'))),
                "-n", str(self.home / "work"), "-s", "malloc,32m",
                "-p", "http_gzip_support=off", "-p", "vcc_allow_inline_c=off"]


class Apache(Proxy):
    MODULES = """mpm_event authz_core env headers filter deflate brotli setenvif reqtimeout proxy proxy_http
        slotmem_shm proxy_balancer lbmethod_byrequests"""

    def site(self):
        return self.configuration("apache.conf")

    def command(self):
        modules = "".join(
            f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so\n"
            for name in self.MODULES.split())
        user = "User nobody\nGroup nogroup\n" if os.getuid() == 0 else ""
        # Debian compresses what is text, with suffixes to the tags.
        text = (f"{modules}{user}ServerRoot {self.home}\nDefaultRuntimeDir {self.home}\n"
                f"PidFile {self.home}/pid\nErrorLog {self.home}/error.log\nServerName localhost\n"
                f"Listen 127.0.0.1:{self.port}\nGracefulShutdownTimeout 1\n"
                "AddOutputFilterByType DEFLATE application/json text/javascript text/css text/html\n")
        return ["apache2", "-D", "FOREGROUND", "-f", self.write(
            "apache.conf", text + replaced(self.site(), ("*:80>", f"127.0.0.1:{self.port}>")))]


class HAProxy(Proxy):
    def site(self):
        return self.configuration("haproxy.cfg")

    def command(self):
        text = "global\n    maxconn 2000\n    tune.bufsize 65536\n" + replaced(
            self.site(), ("bind :80\n", f"bind 127.0.0.1:{self.port}\n"))
        return ["haproxy", "-db", "-f", self.write("haproxy.cfg", text)]


class Caddy(Proxy):
    def site(self):
        return self.configuration("Caddyfile")

    def command(self):
        text = "{\n\tadmin off\n}\n" + replaced(
            self.site(), ("feeds.example.org {", f"http://:{self.port} {{\n\tbind 127.0.0.1"))
        return ["caddy", "run", "--adapter", "caddyfile", "--config", self.write("Caddyfile", text)]


class NginxBelow(Nginx):
    """nginx with the server below a path, as OPERATIONS.md says, and so are the next ones."""

    prefix = "/fr"

    def site(self):
        upstream = block("OPERATIONS.md", "nginx", "keepalive 64;").split("server {\n    listen")[0]
        return replaced(upstream + block("OPERATIONS.md", "nginx", "$freshet_below"),
                        ("127.0.0.1:8080", f"127.0.0.1:{self.origins[0]}"))


class ApacheBelow(Apache):
    prefix = "/fr"

    def site(self):
        line = "    ProxyPass / balancer://freshet/ nocanon timeout=75\n"
        return replaced(super().site(), (line, block("OPERATIONS.md", "apache", "/fr/")))


class HAProxyBelow(HAProxy):
    prefix = "/fr"

    def site(self):
        line = "    default_backend freshet\n"
        return replaced(super().site(), (line, block("OPERATIONS.md", "haproxy", "/fr") + line))


class CaddyBelow(Caddy):
    prefix = "/fr"

    def site(self):
        start = "\treverse_proxy {\n"
        text = replaced(super().site(), (
            start, "\thandle_path /fr/* {\n" + start + block("OPERATIONS.md", "caddy", "/fr/")))
        return text.rstrip() + "\n}\n"


class NginxTLS(Nginx):
    """nginx with TLS, as OPERATIONS.md says."""

    health = 308

    def site(self):
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                        "-keyout", self.home / "privkey.pem", "-out", self.home / "fullchain.pem", "-days", "2",
                        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
                       check=True, capture_output=True)
        # This port, which `listen 80;` stands for, leads to the other one.
        self.secure = free_port()
        block_80 = replaced(super().site(), ("listen 80;\n", block("OPERATIONS.md", "nginx", "listen 443 ssl")))
        redirects = block("OPERATIONS.md", "nginx", "return 308")
        return replaced(block_80 + redirects, ("listen 443 ssl", f"listen 127.0.0.1:{self.secure} ssl"),
                        ("/etc/letsencrypt/live/feeds.example.org", str(self.home)))


BELOW = (NginxBelow, ApacheBelow, HAProxyBelow, CaddyBelow)
ALL = (Nginx, NginxCache, Compose, Varnish, Apache, HAProxy, Caddy)
