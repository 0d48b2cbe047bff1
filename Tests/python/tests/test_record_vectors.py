"""Holds the vectors of records to what protobuf's Python package makes."""

import pathlib
import subprocess
import sys
import unittest

MAKER = pathlib.Path(__file__).resolve().parent.parent / "record_vectors.py"


class RecordVectorsTest(unittest.TestCase):
    def test_the_vectors_are_up_to_date(self):
        # A process of its own: which implementation of protobuf works is settled at its first import.
        made = subprocess.run([sys.executable, MAKER, "--check"], capture_output=True, text=True)
        self.assertEqual((made.returncode, made.stderr), (0, ""))
        self.assertRegex(made.stdout, r"^\d+ vectors$")


if __name__ == "__main__":
    unittest.main()
