#!/usr/bin/env python3
"""WebDriver over HTTP for a headless Firefox, which itself speaks Marionette; for systems without geckodriver.

The argument is the port; without it, any. Prints "on port N" once clients may connect. Ends with its standard input.
Has one session at a time.
"""

import http.server
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

# Method and path behind /session/ID, the command, and the names of the path's parts among its parameters.
COMMANDS = [
    ("DELETE", "", "WebDriver:DeleteSession"),
    ("POST", "url", "WebDriver:Navigate"), ("GET", "url", "WebDriver:GetCurrentURL"),
    ("POST", "refresh", "WebDriver:Refresh"), ("GET", "title", "WebDriver:GetTitle"),
    ("GET", "window", "WebDriver:GetWindowHandle"), ("POST", "window", "WebDriver:SwitchToWindow"),
    ("DELETE", "window", "WebDriver:CloseWindow"), ("POST", "window/new", "WebDriver:NewWindow"),
    ("GET", "window/handles", "WebDriver:GetWindowHandles"), ("POST", "window/rect", "WebDriver:SetWindowRect"),
    ("POST", "timeouts", "WebDriver:SetTimeouts"), ("GET", "screenshot", "WebDriver:TakeScreenshot"),
    ("POST", "execute/sync", "WebDriver:ExecuteScript"), ("POST", "execute/async", "WebDriver:ExecuteAsyncScript"),
    ("POST", "actions", "WebDriver:PerformActions"), ("DELETE", "actions", "WebDriver:ReleaseActions"),
    ("POST", "element", "WebDriver:FindElement"), ("POST", "elements", "WebDriver:FindElements"),
    ("GET", "element/active", "WebDriver:GetActiveElement"),
    ("POST", "element/(?P<id>[^/]+)/value", "WebDriver:ElementSendKeys"),
    ("POST", "element/(?P<id>[^/]+)/click", "WebDriver:ElementClick"),
    ("POST", "element/(?P<id>[^/]+)/clear", "WebDriver:ElementClear"),
    ("GET", "element/(?P<id>[^/]+)/text", "WebDriver:GetElementText"),
    ("GET", "element/(?P<id>[^/]+)/attribute/(?P<name>[^/]+)", "WebDriver:GetElementAttribute"),
    ("GET", "element/(?P<id>[^/]+)/property/(?P<name>[^/]+)", "WebDriver:GetElementProperty"),
    # Not of WebDriver: a script with the browser's own rights.
    ("POST", "moz/privileged", "privileged"),
]
PREFERENCES = {
    "marionette.port": 0,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "app.update.disabledForTesting": True,
    "browser.startup.page": 0,
    "browser.tabs.remote.separatePrivilegedContentProcess": False,
}


class Marionette:
    """A Firefox that was started, and the connection to it."""

    def __init__(self, program):
        self.profile = tempfile.mkdtemp(prefix="marquee-firefox-")
        with open(os.path.join(self.profile, "user.js"), "w", encoding="utf-8") as file:
            for name, value in PREFERENCES.items():
                file.write(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n")
        self.process = subprocess.Popen(
            [program, "--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", self.profile],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.socket = socket.create_connection(("127.0.0.1", self.port(60)), timeout=300)
        self.input = self.socket.makefile("rb")
        self.number = 0
        self.receive()

    def port(self, seconds):
        place = os.path.join(self.profile, "MarionetteActivePort")
        for _ in range(seconds * 10):
            if self.process.poll() is not None:
                break
            if os.path.exists(place):
                with open(place, encoding="ascii") as file:
                    text = file.read().strip()
                if text:
                    return int(text)
            time.sleep(0.1)
        raise RuntimeError("Firefox doesn't start")

    def receive(self):
        digits = b""
        while (digit := self.input.read(1)) != b":":
            if not digit:
                raise ConnectionError("Firefox has ended")
            digits += digit
        return json.loads(self.input.read(int(digits)))

    def send(self, command, parameters):
        """The result, or a dictionary with `error`."""
        self.number += 1
        text = json.dumps([0, self.number, command, parameters]).encode()
        self.socket.sendall(b"%d:%b" % (len(text), text))
        _, _, error, result = self.receive()
        return (500, error) if error else (200, result)

    def run(self, command, parameters):
        if command != "privileged":
            return self.send(command, parameters)
        self.send("Marionette:SetContext", {"value": "chrome"})
        try:
            return self.send("WebDriver:ExecuteScript", {"args": [], "sandbox": "system", **parameters})
        finally:
            self.send("Marionette:SetContext", {"value": "content"})

    def end(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


def handler(firefox):
    lock = threading.Lock()

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self):
            length = int(self.headers.get("Content-Length") or 0)
            parameters = json.loads(self.rfile.read(length) or b"null") or {}
            status, result = 404, {"error": "unknown command", "message": self.path, "stacktrace": ""}
            with lock:
                if (self.command, self.path) == ("GET", "/status"):
                    status, result = 200, {"ready": True, "message": ""}
                elif (self.command, self.path) == ("POST", "/session"):
                    status, result = firefox.run("WebDriver:NewSession", parameters)
                elif found := re.fullmatch(r"/session/[^/]+/?(.*)", self.path):
                    for method, path, command in COMMANDS:
                        parts = re.fullmatch(path, found[1])
                        if method == self.command and parts:
                            status, result = firefox.run(command, {**parameters, **parts.groupdict()})
                            break
            if status == 200 and isinstance(result, dict) and list(result) == ["value"]:
                result = result["value"]
            body = json.dumps({"value": result}).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_DELETE = answer

        def log_message(self, *_):
            pass

    return Handler


def main():
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    firefox = Marionette(shutil.which("firefox-esr") or shutil.which("firefox") or "firefox")
    try:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler(firefox))
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        print(f"on port {server.server_address[1]}.", flush=True)
        sys.stdin.read()
    finally:
        firefox.end()


if __name__ == "__main__":
    main()
