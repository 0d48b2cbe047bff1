"""Mirrors in processes of their own, by the second implementation of the protocol: each verifies every sum."""

from __future__ import annotations

import multiprocessing
import random
import selectors
import socket
import time
from multiprocessing.connection import Connection
from typing import Optional

from marquee_client.errors import ConnectionEnded, MarqueeError, ProtocolError
from marquee_client.frames import Splitter
from marquee_client.liveness import Liveness
from marquee_client.session import Session
from marquee_client.views import View

MIRRORS = 50  # in a process


class Mirror:
    """One client that goes on for ever."""

    def __init__(self, port: int, selector: selectors.BaseSelector) -> None:
        self._port, self._selector = port, selector
        self._previous: Optional[Session] = None
        self._held: Optional[View] = None
        self._socket: Optional[socket.socket] = None
        self._next = 0.0
        self.bytes = self.cuts = self.connections = 0
        self.wrong: list[str] = []

    @property
    def sum(self) -> Optional[int]:
        """Of the screen as it is shown."""
        if self._socket is not None and self._subscription in self.session.views:
            view = self.session.views[self._subscription]
            return view.sum if view.joined else None
        return None

    def turn(self, now: float) -> None:
        """Connects if need be, and sends what is to be sent."""
        if self._socket is None:
            if now >= self._next:
                self._connect()
            return
        if self._subscription == 0 and self.session.welcome is not None:
            self._subscription = self.session.subscribe("home", held=self._held)
        if len(self.session.subscription_errors) > self._errors:
            self._errors = len(self.session.subscription_errors)
            if self._subscription not in self.session.views:
                self._subscription = self.session.subscribe("home")
        if self.session.going_away:
            self._lose()
            return
        if self.session.welcome is not None and self._liveness.wants_ping(now, self.session.welcome):
            self.session.ping()
        if self.session.outgoing:
            try:
                del self.session.outgoing[: self._socket.send(self.session.outgoing)]
            except BlockingIOError:
                pass
            except OSError:
                self._lose()

    def readable(self) -> None:
        try:
            data = self._socket.recv(1 << 16)
            if not data:
                raise ConnectionEnded("it ended")
            self.bytes += len(data)
            frames = 0
            for frame in self._splitter.feed(data):
                frames += 1
                self.session.receive(frame)
            self._liveness.heard(time.monotonic(), frames, self._splitter.is_unfinished)
        except ProtocolError as error:
            self.wrong.append(f"{error.reason}: {error}")
            self._lose()
        except (ConnectionEnded, OSError):
            self._lose()
        except MarqueeError as error:
            self.wrong.append(str(error))
            self._lose()

    def _connect(self) -> None:
        self._next = time.monotonic() + random.uniform(0.2, 1.0)
        try:
            found = socket.create_connection(("127.0.0.1", self._port), timeout=2)
        except OSError:
            return
        found.setblocking(False)
        self._socket, self.session, self._splitter = found, Session(previous=self._previous), Splitter()
        self._subscription = self._errors = 0
        self._liveness = Liveness(time.monotonic())
        self.connections += 1
        self._selector.register(found, selectors.EVENT_READ, self)

    def _lose(self) -> None:
        self._selector.unregister(self._socket)
        self._socket.close()
        self._socket = None
        self.cuts += len(self.session.cuts)
        self.wrong += self.session.refusals
        for view in self.session.views.values():
            if view.joined:
                self._previous, self._held = self.session, view


def _run(port: int, count: int, parent: Connection) -> None:
    selector = selectors.DefaultSelector()
    mirrors = [Mirror(port, selector) for _ in range(count)]
    selector.register(parent, selectors.EVENT_READ, None)
    while True:
        for mirror in mirrors:
            mirror.turn(time.monotonic())
        for key, _ in selector.select(0.05):
            if key.data is not None:
                key.data.readable()
                continue
            try:
                parent.recv()
            except EOFError:
                return
            parent.send(
                {
                    "sums": [mirror.sum for mirror in mirrors],
                    "bytes": sum(mirror.bytes for mirror in mirrors),
                    "connections": sum(mirror.connections for mirror in mirrors),
                    "wrong": [line for mirror in mirrors for line in mirror.wrong],
                }
            )


class Crowd:
    """All mirrors."""

    def __init__(self, port: int, count: int) -> None:
        self.count = count
        self._processes: list[tuple[multiprocessing.Process, Connection]] = []
        context = multiprocessing.get_context("spawn")
        while count > 0:
            ours, theirs = context.Pipe()
            process = context.Process(target=_run, args=(port, min(count, MIRRORS), theirs), daemon=True)
            process.start()
            theirs.close()
            self._processes.append((process, ours))
            count -= MIRRORS

    def state(self) -> dict:
        all_: dict = {"sums": [], "bytes": 0, "connections": 0, "wrong": []}
        for _, pipe in self._processes:
            pipe.send(None)
        for _, pipe in self._processes:
            for name, value in pipe.recv().items():
                all_[name] += value
        return all_

    def end(self) -> None:
        for process, pipe in self._processes:
            pipe.close()
            process.join(10)
