"""The real server as a child process, and a relay that damages what it sends."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import threading
from pathlib import Path
from typing import Callable, Optional

from marquee_client import frames
from marquee_client.frames import Frame
from marquee_client.schema import pb

ROOT = Path(__file__).resolve().parents[3]
BINARY = os.environ.get("MARQUEE_SERVER_BIN", str(ROOT / ".build" / "debug" / "marquee-server"))
SAMPLES = ROOT / "Samples" / "catalogue"
READY = re.compile(r" ready on (?:\[([^\]]+)\]|([^:]+)):(\d+): ")
SECONDS = 60.0  # how long anything may take; only a broken test takes that long


def import_samples(folder: Path) -> None:
    """Makes a data folder of the sample catalogue's types, its records and its chart."""
    for kind, name in (("types", "types.yaml"), ("ndjson", "catalogue.ndjson"), ("ndjson", "chart.ndjson")):
        command = [BINARY, "import", kind, str(SAMPLES / name), "--data", str(folder)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=SECONDS)


class Server:
    """A server with a copy of a data folder. `arguments` come after its command's name."""

    def __init__(self, samples: Path, folder: Path, *arguments: str) -> None:
        shutil.copytree(samples, folder)
        self._command = [BINARY, *arguments, "--data", str(folder), "--listen", "127.0.0.1:0"]
        self._command += ["--programme", str(SAMPLES / "programme.yaml"), "--open", "--log-level", "warning"]
        self._start()

    def restart(self) -> None:
        """Another process with the same data, at another port."""
        self.stop()
        self._start()

    def _start(self) -> None:
        self._is_terminated = False
        self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, text=True)
        line = self._process.stdout.readline()
        ready = READY.search(line)
        if ready is None:
            self._process.kill()
            self._process.wait()
            raise AssertionError(f"no ready line: {line!r}")
        self.host, self.port = ready[1] or ready[2], int(ready[3])
        self.replayed = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        for line in self._process.stdout:
            if line.rstrip().endswith("shown"):
                self.replayed.set()

    def terminate(self) -> None:
        self._is_terminated = True
        self._process.send_signal(signal.SIGTERM)

    def stop(self) -> int:
        """Ends the server in order, and gives its exit code. A second signal would end it at once."""
        if not self._is_terminated:
            self.terminate()
        try:
            return self._process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()
        finally:
            self._reader.join()
            self._process.stdout.close()


Damage = Callable[[object], None]


class Relay:
    """Stands between a client and a server, and damages parts that the server sends.

    `kind` is that of the frames, data or stage; `times` says how many of them, from the first one on.
    """

    def __init__(self, server: Server, kind: int, damage: Damage, times: Optional[int] = 1) -> None:
        self.damaged = 0
        self._kind, self._damage, self._times = kind, damage, times
        self._upstream = socket.create_connection((server.host, server.port))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.host, self.port = self._listener.getsockname()
        self._threads = [threading.Thread(target=self._run, daemon=True)]
        self._threads[0].start()

    def _run(self) -> None:
        client, _ = self._listener.accept()
        self._threads.append(threading.Thread(target=self._forward, args=(client,), daemon=True))
        self._threads[1].start()
        splitter = frames.Splitter()
        try:
            while data := self._upstream.recv(65_536):
                for frame in splitter.feed(data):
                    client.sendall(self._altered(frame))
        except OSError:
            pass  # One of the two has gone.
        finally:
            client.close()

    def _forward(self, client: socket.socket) -> None:
        try:
            while data := client.recv(65_536):
                self._upstream.sendall(data)
            self._upstream.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def _altered(self, frame: Frame) -> bytes:
        if frame.kind == self._kind and (self._times is None or self.damaged < self._times):
            self.damaged += 1
            part = pb.Part.FromString(frame.body)
            self._damage(part)
            return frames.encode(frame.kind, part, frame.flags)
        return frames.whole(frame.kind, frame.flags, frame.body)

    def stop(self) -> None:
        self._listener.close()
        self._upstream.close()
