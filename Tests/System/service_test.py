"""The server as a service manager sees it: what it says (sd_notify), and sockets that it is given."""

import http.client
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest

from cluster import until
from servers import BINARY, KEY


class Service(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="freshet-service-"))
        self.manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.manager.bind(str(self.home / "notify"))
        self.manager.settimeout(30)
        self.processes = []

    def tearDown(self):
        for process in self.processes:
            if process.poll() is None:
                process.kill()
            process.wait()
            process.stderr.close()
        self.manager.close()
        shutil.rmtree(self.home, ignore_errors=True)

    def start(self, *arguments, listener=None, **environment):
        """Starts a server as systemd does; the shell's process becomes the server's."""
        script = 'exec "$@"'
        options = {}
        if listener is not None:
            script = 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$@" 3<&' + str(listener.fileno())
            options["pass_fds"] = [listener.fileno()]
        process = subprocess.Popen(
            # Other shells take no number of two digits after "<&".
            ["bash", "-c", script, "bash", BINARY, "serve", "--data", "memory", "--port", "0", "--key", KEY,
             *arguments],
            stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, cwd=self.home,
            env={**os.environ, "NOTIFY_SOCKET": str(self.home / "notify"), **environment},
            **options)
        self.processes.append(process)
        return process

    def told(self):
        return self.manager.recv(4096).decode()

    def test_what_the_manager_is_told(self):
        process = self.start()
        self.assertRegex(self.told(), r"\AREADY=1\nSTATUS=serving on http://127\.0\.0\.1:[0-9]+\Z")
        before = time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000
        process.send_signal(signal.SIGHUP)
        # Both in one datagram.
        reloading = re.fullmatch(r"RELOADING=1\nMONOTONIC_USEC=([0-9]+)", self.told())
        after = time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000
        self.assertTrue(before <= int(reloading[1]) <= after)
        self.assertTrue(self.told().startswith("READY=1\n"))
        process.send_signal(signal.SIGTERM)
        self.assertEqual(self.told(), "STOPPING=1")
        self.assertEqual(process.wait(30), 0)

    def test_a_passed_socket_is_named_by_its_own_address(self):
        for host, family in (("127.0.0.2", socket.AF_INET), ("::1", socket.AF_INET6)):
            listener = socket.create_server((host, 0), family=family)
            self.addCleanup(listener.close)
            self.start(listener=listener)
            name = f"[{host}]" if ":" in host else host
            self.assertIn(f"serving on http://{name}:{listener.getsockname()[1]}", self.told())

    def test_the_watchdog_is_fed_until_a_loop_hangs(self):
        process = self.start(WATCHDOG_USEC="300000")
        self.assertIn("READY=1", self.told())
        for _ in range(3):
            self.assertEqual(self.told(), "WATCHDOG=1")
        process.send_signal(signal.SIGSTOP)
        self.manager.settimeout(1)
        with self.assertRaises(TimeoutError):
            while True:
                self.told()
        process.send_signal(signal.SIGCONT)
        self.manager.settimeout(30)
        self.assertEqual(self.told(), "WATCHDOG=1")

    def test_a_watchdog_of_another_process_is_not_fed(self):
        self.start(WATCHDOG_USEC="30000", WATCHDOG_PID="1")
        self.assertIn("READY=1", self.told())
        self.manager.settimeout(1)
        with self.assertRaises(TimeoutError):
            self.told()

    def test_a_restart_refuses_nobody(self):
        listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
        port = listener.getsockname()[1]
        process = self.start(listener=listener)
        self.assertIn(f":{port}", self.told())
        failures, answers, over = [], [], threading.Event()

        def poll():
            while not over.is_set():
                try:
                    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
                    connection.request("GET", "/healthz", headers={"Connection": "close"})
                    answers.append(connection.getresponse().status)
                    connection.close()
                except (OSError, http.client.HTTPException) as error:
                    failures.append(repr(error))

        threads = [threading.Thread(target=poll) for _ in range(4)]
        for thread in threads:
            thread.start()
        for _ in range(3):
            count = len(answers)
            until(lambda: len(answers) > count + 20)
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(30), 0)
            while self.told() != "STOPPING=1":
                pass
            process = self.start(listener=listener)
            self.assertIn("READY=1", self.told())
        count = len(answers)
        until(lambda: len(answers) > count + 20)
        over.set()
        for thread in threads:
            thread.join(60)
        listener.close()
        self.assertEqual(failures, [])
        self.assertEqual(set(answers), {200})

    def test_no_signal_for_logs_ends_a_server_that_starts(self):
        # Its start waits for a database that is away.
        process = self.start("--data", "postgres://127.0.0.1:1/none")
        for line in process.stderr:
            if "cannot be reached yet" in line:
                break
        for number in (signal.SIGUSR1, signal.SIGHUP, signal.SIGPIPE):
            process.send_signal(number)
        time.sleep(0.5)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(5), -signal.SIGTERM)

    def test_what_is_no_socket_is_refused(self):
        with open(self.home / "file", "w", encoding="utf-8") as file:
            process = self.start(listener=file)
            self.assertEqual(process.wait(30), 1)
            self.assertIn("take over descriptor 3", process.stderr.read())

    def test_a_variable_that_is_misspelt_is_told(self):
        process = self.start(FRESHET_PROT="1", FRESHET_LOG_LEVEL="warning")
        self.assertIn("READY=1", self.told())
        process.send_signal(signal.SIGTERM)
        process.wait(30)
        log = process.stderr.read()
        self.assertIn("FRESHET_PROT is not known; FRESHET_PORT is meant?", log)
        self.assertNotIn("FRESHET_LOG_LEVEL", log)


if __name__ == "__main__":
    unittest.main()
