"""The client against the scripted connections of `marquee conform client`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

from .server import BINARY

# Built together with the server.
PROGRAM = Path(BINARY).with_name("marquee")
MINUTES = 10


class Conformance(unittest.TestCase):
    @unittest.skipUnless(os.environ.get("MARQUEE_FULL_SIZE"), "takes minutes; MARQUEE_FULL_SIZE=1 runs it")
    def test_the_client_passes_every_check(self) -> None:
        client = [sys.executable, "-m", "marquee_client", "--server", "{host}:{port}", "--screen", "{screen}", "--follow"]
        command = [str(PROGRAM), "conform", "client", "--output", "ndjson", "--", *client]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60 * MINUTES)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertTrue(lines, done.stderr)
        failures = [line for line in lines if line.get("outcome") == "failed"]
        self.assertEqual(failures, [])
        # Its mirror is in memory, so nothing is left after it was killed.
        skipped = [line["name"] for line in lines if line.get("outcome") == "not-applicable"]
        self.assertEqual(skipped, ["started-again"])
        self.assertEqual(done.returncode, 0)
