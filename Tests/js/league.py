"""A server of the sample league, with a web door."""

import os
import subprocess

import browser

SERVER = os.environ.get("MARQUEE_SERVER_BIN", f"{browser.ROOT}/.build/debug/marquee-server")
# The program or module that is missing for tests with a browser at a server; None if there is none.
MISSING = browser.missing() or (None if os.access(SERVER, os.X_OK) else SERVER)
FILES = f"{browser.ROOT}/Samples/league"


def fill(data):
    """Makes a data folder with the league."""
    for kind, file in (("types", "types.yaml"), ("ndjson", "catalogue.ndjson")):
        subprocess.run([SERVER, "import", kind, f"{FILES}/{file}", "--data", data], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class Server:
    """A process that serves a data folder until it is closed."""

    def __init__(self, data, *options, programme=f"{FILES}/programme.yaml"):
        self.process = subprocess.Popen(
            [SERVER, "serve", "--data", data, "--programme", programme, "--listen", "127.0.0.1:0",
             "--web", "127.0.0.1:0", *options], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def address(self, name):
        """What the server says as it starts, such as `web on http://127.0.0.1:7422`: of the next line with that name."""
        return next(line.split(" on ")[1].strip() for line in self.process.stdout if line.startswith(f"{name} on "))

    def door(self):
        """The host and port of the web door."""
        return self.address("web").removeprefix("http://")

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
