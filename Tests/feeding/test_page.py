#!/usr/bin/env python3
"""Every example of Docs/feeding.md, run against a real server; the screens say whether it did what the page says."""

import hashlib
import hmac
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.request

import page

ROOT = pathlib.Path(__file__).resolve().parents[2]
CATALOGUE = ROOT / "Samples/catalogue"
SERVER = os.environ["MARQUEE_SERVER_BIN"]
EXAMPLES = page.examples((ROOT / "Docs/feeding.md").read_text(encoding="utf-8"))
# The addresses that the page has.
WEB_PORT, PROTOCOL_PORT, WEBHOOK_PORT = "7422", "7420", "8080"
# Seconds until something that has to happen counts as missing. Go compiles once.
PATIENCE = 120
SECRET = "between two backends"
# A field that a movie doesn't have, and the server's word about it.
MISTAKE = ("vote_count", "vote_cuont")
ADVICE = "did you mean 'voteCount'?"


def has(program):
    """Skips a test whose language isn't installed."""
    return unittest.skipUnless(shutil.which(program), f"{program} isn't installed")


def node_is_new_enough():
    if not shutil.which("node"):
        return False
    version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
    return int(version.lstrip("v").split(".")[0]) >= 20


needs_node = unittest.skipUnless(node_is_new_enough(), "Node 20 or newer isn't installed")


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return str(listener.getsockname()[1])


class FeedingTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="marquee-feeding-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        data = cls.folder / "data"
        for kind, file in (("types", "types.yaml"), ("ndjson", "catalogue.ndjson")):
            subprocess.run([SERVER, "import", kind, CATALOGUE / file, "--data", data], check=True,
                           stdout=subprocess.DEVNULL)
        cls.server = subprocess.Popen(
            [SERVER, "serve", "--data", data, "--programme", CATALOGUE / "programme.yaml", "--open",
             "--listen", "127.0.0.1:0", "--web", "127.0.0.1:0", "--log-level", "warning"],
            stdout=subprocess.PIPE, text=True)
        cls.addClassCleanup(cls.server.stdout.close)
        cls.addClassCleanup(cls.server.wait)
        cls.addClassCleanup(cls.server.terminate)
        cls.ports = {WEBHOOK_PORT: free_port()}
        for line in cls.server.stdout:
            if web := re.match(r"web on http://127\.0\.0\.1:(\d+)", line):
                cls.ports[WEB_PORT] = web[1]
            if ready := re.search(r" ready on 127\.0\.0\.1:(\d+)", line):
                cls.ports[PROTOCOL_PORT] = ready[1]
                break
        else:
            raise RuntimeError("the server ended before it was ready")
        # The page says `marquee-server`, and names the samples from the repository's root.
        (cls.folder / "marquee-server").symlink_to(SERVER)
        (cls.folder / "Samples").symlink_to(ROOT / "Samples")
        cls.environment = os.environ | {"PATH": f"{cls.folder}:{os.environ['PATH']}", "WEBHOOK_SECRET": SECRET}

    def ask(self, path, method="GET", body=None):
        """What the web door answers, decoded."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.ports[WEB_PORT]}{path}", body, method=method)
        if body is not None:
            request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)

    def revision(self):
        return self.ask("/v1/screens/home")["revision"]

    def votes(self, movie):
        """The votes that a movie's screen shows."""
        detail = self.ask(f"/v1/screens/detail/{movie}")["sections"][0]
        return detail["items"][0]["content"]["voteCount"]

    def shows(self, votes):
        self.assertEqual({movie: self.votes(movie) for movie in votes}, votes)

    def with_ports(self, text):
        """An example with the ports of this run instead of the page's."""
        for port, actual in self.ports.items():
            text = re.sub(rf"\b{port}\b", actual, text)
        return text

    def write(self, name, text):
        (self.folder / name).write_text(self.with_ports(text), encoding="utf-8")

    def run_example(self, *command):
        """What a program prints, and its exit status."""
        done = subprocess.run(command, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=PATIENCE)
        return done.stdout, done.returncode

    def succeed(self, *command):
        output, status = self.run_example(*command)
        self.assertEqual(status, 0, output)
        return output

    def check(self, name, file, *command, prefix=""):
        """Runs an example three times: with a mistake, as it is, and again."""
        example = EXAMPLES[name]
        before, shown = self.revision(), {movie: self.votes(movie) for movie in example.votes}

        self.write(file, prefix + example.text.replace(*MISTAKE))
        output, _ = self.run_example(*command)
        self.assertIn(ADVICE, output)
        self.shows(shown)
        self.assertEqual(self.revision(), before)

        self.write(file, prefix + example.text)
        output = self.succeed(*command)
        self.shows(example.votes)
        self.assertEqual(self.revision(), before + example.commits)
        self.check_that_again_changes_nothing(example, *command)
        return output

    def check_that_again_changes_nothing(self, example, *command):
        """Only the key can tell that the same change was made before, as the records have other values since then."""
        since = dict.fromkeys(example.votes, 1)
        for movie in since:
            self.ask(f"/v1/records/movie/{movie}", "PATCH", b'{"vote_count": 1}')
        self.shows(since)
        before = self.revision()
        self.succeed(*command)
        self.shows(since)
        self.assertEqual(self.revision(), before)

    def check_answer(self, name, output):
        """The page's answer is the real one, but for the revision."""
        def known(text):
            return {key: value for key, value in json.loads(text).items() if key != "revision"}

        self.assertEqual(known(output), known(EXAMPLES[name].answer))

    @has("curl")
    def test_curl(self):
        self.check_answer("curl", self.check("curl", "one.sh", "sh", "-eu", "one.sh"))

    @has("curl")
    def test_curl_batch(self):
        self.check("curl-batch", "batch.sh", "sh", "-eu", "batch.sh")

    def test_python(self):
        self.check("python", "publish.py", "python3", "publish.py")

    @needs_node
    def test_node(self):
        self.check("node", "publish.mjs", "node", "publish.mjs")

    @has("go")
    def test_go(self):
        imports = "".join(f'\t"{package}"\n' for package in EXAMPLES["go"].imports)
        cache = ROOT / ".build/feeding/go"
        cache.mkdir(parents=True, exist_ok=True)
        self.environment = self.environment | {"GOCACHE": str(cache), "GO111MODULE": "off"}
        self.check("go", "publish.go", "go", "run", "publish.go", prefix=f"package main\n\nimport (\n{imports})\n\n")

    @has("php")
    def test_php(self):
        self.check("php", "publish.php", "php", "publish.php")

    @has("curl")
    def test_mistakes(self):
        before = self.revision()
        for name in ("mistake", "refused"):
            self.write("mistake.sh", EXAMPLES[name].text)
            self.check_answer(name, self.succeed("sh", "-eu", "mistake.sh"))
        self.assertEqual(self.revision(), before)

    @has("curl")
    def test_spreadsheet(self):
        for name in ("votes.csv", "rows.py", "votes.sh"):
            self.write(name, EXAMPLES[name].text)
        # As Excel writes it.
        table = (self.folder / "votes.csv").read_text(encoding="utf-8")
        sheet = self.folder / "sheet.csv"
        sheet.write_text(table.replace("\n", "\r\n"), encoding="utf-8-sig", newline="")
        self.environment = self.environment | {"SHEET": sheet.as_uri()}
        before = self.revision()
        self.succeed("sh", "votes.sh")
        self.shows({"11": 6625, "769": 3129})
        self.assertEqual(self.revision(), before + 1)
        self.succeed("sh", "votes.sh")
        self.assertEqual(self.revision(), before + 1)

        # Nothing of a table with a wrong row is sent.
        sheet.write_text(table.replace("6625", "9").replace("3129", "many"), encoding="utf-8")
        output, status = self.run_example("sh", "votes.sh")
        self.assertNotEqual(status, 0, output)
        self.shows({"11": 6625, "769": 3129})

    def test_import_of_a_spreadsheet(self):
        self.write("votes.csv", EXAMPLES["votes.csv"].text.replace("6625", "6626"))
        self.write("import.sh", EXAMPLES["import"].text)
        self.succeed("sh", "-eu", "import.sh")
        self.shows({"11": 6626, "769": 3129})
        before = self.revision()
        self.succeed("sh", "-eu", "import.sh")
        self.assertEqual(self.revision(), before)

    @has("curl")
    def test_stream(self):
        example = EXAMPLES["stream"]
        self.write("feed.ndjson", EXAMPLES["feed.ndjson"].text)
        self.write("stream.sh", example.text)
        before = self.revision()
        output = self.succeed("sh", "-eu", "stream.sh")
        pattern = re.sub(r'("revision":)\d+', r"\1\\d+", re.escape(example.answer).replace("…", ".*"))
        self.assertRegex(output, f"^{pattern}$")
        self.shows(example.votes)
        self.assertEqual(self.revision(), before + example.commits)
        self.check_that_again_changes_nothing(example, "sh", "-eu", "stream.sh")

    def deliver(self, event, signature=None):
        """The status with which the webhook answers an event."""
        body = event if isinstance(event, bytes) else json.dumps(event).encode()
        signed = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest() if signature is None else signature
        address = f"http://127.0.0.1:{self.ports[WEBHOOK_PORT]}/"
        request = urllib.request.Request(address, body, {"X-Signature": signed})
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            error.close()
            return error.code

    def start_webhook(self):
        self.write("webhook.mjs", EXAMPLES["webhook"].text)
        process = subprocess.Popen(["node", "webhook.mjs"], cwd=self.folder, env=self.environment,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        until = time.monotonic() + PATIENCE
        while True:
            try:
                return socket.create_connection(("127.0.0.1", int(self.ports[WEBHOOK_PORT]))).close()
            except ConnectionRefusedError:
                self.assertIsNone(process.poll())
                self.assertLess(time.monotonic(), until)
                time.sleep(0.02)

    @needs_node
    def test_webhook(self):
        self.start_webhook()
        event = {"id": "e-1", "movie": 264660, "votes": 4741}
        self.assertEqual(self.deliver(event, signature=""), 401)
        self.assertEqual(self.deliver(event, signature="00" * 32), 401)
        before = self.revision()
        self.assertEqual(self.deliver(event), 204)
        self.shows({"264660": 4741})
        self.assertEqual(self.deliver(event | {"id": "e-2", "votes": 4742}), 204)
        self.assertEqual(self.deliver(event), 204)
        self.shows({"264660": 4742})
        self.assertEqual(self.revision(), before + 2)

        self.assertEqual(self.deliver(b" " * 70_000), 413)
        for refused in (b"{", b"null", b"{}"):
            self.assertEqual(self.deliver(refused), 400)
        self.assertEqual(self.deliver(event | {"id": "e-3", "movie": 1}), 422)
        self.assertEqual(self.deliver(event | {"id": "e-4", "votes": "many"}), 422)
        self.assertEqual(self.deliver(event | {"id": "e-5", "votes": 4743}), 204)
        self.shows({"264660": 4743})


if __name__ == "__main__":
    unittest.main()
