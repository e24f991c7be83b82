"""Runs a command with FRESHET_TEST_POSTGRES naming an empty database: `with_postgres.py COMMAND…`."""

import os
import subprocess
import sys

from cluster import Cluster

if __name__ == "__main__":
    cluster = Cluster()
    try:
        cluster.make().start()
        status = subprocess.run(
            sys.argv[1:], check=False,
            env={**os.environ, "FRESHET_TEST_POSTGRES": cluster.address()}).returncode
    finally:
        cluster.remove()
    sys.exit(status)
