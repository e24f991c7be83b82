"""PostgreSQL clusters of our own: in a temporary folder, on a free port of the loopback address."""

import os
import pathlib
import pwd
import shutil
import socket
import subprocess
import tempfile
import time


def free_port():
    """A port that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def programs():
    """The folder of the newest PostgreSQL's programs."""
    found = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"),
                   key=lambda path: int(path.parent.parent.name))
    if found:
        return found[-1].parent
    return pathlib.Path(shutil.which("initdb")).parent


class Cluster:
    """One PostgreSQL. It refuses to run as root, so that it runs as the user of its package."""

    def __init__(self, home=None):
        self.home = pathlib.Path(home or tempfile.mkdtemp(prefix="freshet-postgres-"))
        self.data = self.home / "data"
        self.port = free_port()
        self.user = None
        if os.getuid() == 0:
            self.user = pwd.getpwnam("postgres")
            os.chown(self.home, self.user.pw_uid, self.user.pw_gid)

    def run(self, program, *arguments, check=True):
        """Runs one of PostgreSQL's programs."""
        return subprocess.run(
            [str(programs() / program), *map(str, arguments)], check=check, cwd=self.home,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            user=self.user and self.user.pw_uid, group=self.user and self.user.pw_gid,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"})

    def make(self):
        """Makes an empty one."""
        self.run("initdb", "-D", self.data, "-U", "freshet", "-A", "trust", "-E", "UTF8",
                 "--no-sync")
        self.configure(wal_level="replica", max_wal_senders=4, shared_buffers="32MB")
        with open(self.data / "pg_hba.conf", "a", encoding="utf8") as file:
            file.write("host replication all 127.0.0.1/32 trust\n")
        return self

    def configure(self, **settings):
        """Adds settings; those that need no restart count from the next `reload`."""
        with open(self.data / "postgresql.conf", "a", encoding="utf8") as file:
            for name, value in settings.items():
                file.write(f"{name} = '{value}'\n")

    def start(self):
        options = (f"-c listen_addresses=127.0.0.1 -c port={self.port} "
                   f"-c unix_socket_directories={self.home}")
        self.run("pg_ctl", "-D", self.data, "-w", "-t", "60", "-o", options,
                 "-l", self.home / "log", "start")
        return self

    def stop(self, mode="fast"):
        """Stops it; with `immediate`, as a crash would."""
        self.run("pg_ctl", "-D", self.data, "-w", "-t", "60", "-m", mode, "stop", check=False)

    def reload(self):
        self.run("pg_ctl", "-D", self.data, "reload")

    def promote(self):
        self.run("pg_ctl", "-D", self.data, "-w", "-t", "60", "promote")

    def standby(self):
        """Makes another one that follows this one."""
        other = Cluster()
        other.run("pg_basebackup", "-h", "127.0.0.1", "-p", self.port, "-U", "freshet",
                  "-D", other.data, "-R", "-X", "stream", "-c", "fast", "--no-sync")
        auto = other.data / "postgresql.auto.conf"
        with open(auto, "a", encoding="utf8") as file:
            file.write(f"primary_conninfo = 'host=127.0.0.1 port={self.port} user=freshet "
                       "application_name=standby'\n")
        return other

    def query(self, sql):
        """The rows of a query, as psql shows them."""
        return self.run("psql", "-h", "127.0.0.1", "-p", self.port, "-U", "freshet",
                        "-d", "postgres", "-Atc", sql).stdout.strip()

    def address(self, *others, schema=None):
        """What `--data` takes; others are tried when this one is away."""
        hosts = ",".join(f"127.0.0.1:{cluster.port}" for cluster in (self, *others))
        options = "?target_session_attrs=read-write" if others else ""
        if schema:
            options += ("&" if options else "?") + f"options=-csearch_path%3D{schema}"
        return f"postgres://freshet@{hosts}/postgres{options}"

    def remove(self):
        self.stop("immediate")
        shutil.rmtree(self.home, ignore_errors=True)


def until(condition, seconds=30):
    """Waits until something holds; returns what it came to."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(f"it did not come to hold in {seconds} s")
