"""Processes of a benchmark. Everything is on 127.0.0.1, has a time limit, and is stopped by its own id."""

import atexit
import json
import os
import re
import resource
import select
import signal
import socket
import subprocess
import sys
import time

READY_SECONDS = 60
# How often a server is looked at until it is ready.
POLL_SECONDS = 0.05
STOP_SECONDS = 20
# Above the load generator's own limit for one command.
COMMAND_SECONDS = 330

_running = []


class Failure(Exception):
    """A benchmark that could not be carried out."""


def say(text):
    print(f"… {text}", file=sys.stderr, flush=True)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def cpu_seconds(pid):
    """CPU time of a process. The number of its clock is made as clock_getcpuclockid(3) makes it."""
    return time.clock_gettime((~pid << 3) | 2)


def raise_descriptor_limit(wanted):
    """Returns how many files and sockets each process may have open: `wanted`, if the system allows it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for limits in ((max(wanted, soft), max(wanted, hard)), (hard, hard)):
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, limits)
            break
        except (ValueError, OSError):
            continue
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def run(arguments, seconds=3600, **options):
    """Runs a program to its end. Returns what it printed, if `capture_output` is set."""
    try:
        result = subprocess.run([str(word) for word in arguments], timeout=seconds, text=True, **options)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Failure(f"{arguments[0]}: {error}") from error
    if result.returncode != 0:
        raise Failure(f"{' '.join(map(str, arguments))} ended with {result.returncode}\n{result.stderr or ''}")
    return result.stdout


class Server:
    """A server under test. `port` is None for one that says which one it has: the group in the line of its output that
    `ready` matches. Without a group it has none."""

    def __init__(self, arguments, log, port=None, ready_seconds=READY_SECONDS, environment=None,
                 poll_seconds=POLL_SECONDS, ready=r"ready on 127\.0\.0\.1:(\d+)"):
        self.log, self._ready = log, re.compile(ready)
        with open(log, "w", encoding="utf-8") as output:
            self.process = subprocess.Popen(
                [str(word) for word in arguments], stdin=subprocess.DEVNULL, stdout=output,
                stderr=subprocess.STDOUT, start_new_session=True, env={**os.environ, **(environment or {})})
        _running.append(self.process)
        self.pid = self.process.pid
        try:
            self.port = self._wait_for(port, time.monotonic() + ready_seconds, poll_seconds)
        except Failure:
            self.stop()
            raise

    def _wait_for(self, port, deadline, poll_seconds):
        while time.monotonic() < deadline and self.process.poll() is None:
            if port is not None:
                try:
                    socket.create_connection(("127.0.0.1", port), timeout=1).close()
                    return port
                except OSError:
                    pass
            else:
                found = self._ready.search(self.output())
                if found:
                    return int(found.group(1)) if self._ready.groups else None
            time.sleep(poll_seconds)
        raise Failure(f"{self.process.args[0]} did not start:\n{self.output()[-2000:]}")

    def output(self):
        with open(self.log, encoding="utf-8", errors="replace") as file:
            return file.read()

    def stop(self, seconds=STOP_SECONDS):
        """Returns when it has ended."""
        _stop(self.process, seconds)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Generator:
    """The load generator, which takes a command at a time and answers with what it measured."""

    def __init__(self, program, protocol, server, screen="home", authority=None):
        """With an authority, the file of its certificate, connections are made with TLS."""
        self.server = server
        arguments = [program, protocol, server.port, server.pid, screen, *([authority] if authority else [])]
        self.process = subprocess.Popen(
            [str(word) for word in arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
        _running.append(self.process)

    def begin(self, command):
        """Gives a command without waiting for its answer, which the next `do` returns."""
        try:
            self.process.stdin.write(command + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass

    def do(self, command, seconds=COMMAND_SECONDS):
        self.begin(command)
        if not select.select([self.process.stdout], [], [], seconds)[0]:
            raise Failure(f"the load generator did not finish '{command}' within {seconds} s")
        line = self.process.stdout.readline()
        if not line:
            self.process.wait(STOP_SECONDS)
            raise Failure(f"'{command}': {self.process.stderr.read().strip()}\n{self.server.output()[-1000:]}")
        return json.loads(line)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        _stop(self.process, 1)
        self.process.stdout.close()
        self.process.stderr.close()


def _stop(process, seconds):
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(STOP_SECONDS)
    if process in _running:
        _running.remove(process)


@atexit.register
def _stop_all():
    for process in list(_running):
        _stop(process, 1)


def end_on_signals():
    """So that what was started is stopped, too."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
