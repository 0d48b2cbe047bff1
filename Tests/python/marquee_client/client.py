"""A session on a socket."""

from __future__ import annotations

import select
import socket
import time
from typing import Callable, Optional

from . import session as calls
from .errors import ConnectionEnded, MarqueeError, ProtocolError
from .frames import Splitter
from .liveness import Liveness
from .patches import item_of
from .schema import pb
from .session import Session
from .sums import Content, text
from .views import View

CONNECT_SECONDS = 10.0
READ_BYTES = 65_536


class Client:
    """Blocking: whoever waits for something runs the connection meanwhile."""

    def __init__(self, host: str, port: int, session: Optional[Session] = None) -> None:
        """Connects, and returns after welcome."""
        self.session = session or Session()
        self._splitter = Splitter()
        self._socket = socket.create_connection((host, port), timeout=CONNECT_SECONDS)
        self._socket.setblocking(False)
        self._liveness = Liveness(time.monotonic())
        try:
            self.wait(lambda: self.session.welcome is not None, CONNECT_SECONDS)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Without an error a side just closes."""
        self._socket.close()

    def wait(self, until: Callable[[], bool], seconds: float) -> None:
        """Runs the connection until something holds. Raises what ends the connection, and TimeoutError."""
        deadline = time.monotonic() + seconds
        while not until():
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"nothing within {seconds} s")
            self._step(min(left, 1.0))

    def call(self, method: int, request: Optional[object] = None, seconds: float = 30.0) -> object:
        """Calls, and waits for the answer. Raises CallFailed."""
        call = self.session.request(method, request)
        found: list[object] = []

        def answered() -> bool:
            answer = self.session.answer(call)
            found.extend([answer] if answer is not None else [])
            return bool(found)

        self.wait(answered, seconds)
        return found[0]

    def get_screen(self, screen: str) -> tuple[View, tuple[int, int]]:
        """One screen now, and its position. Its sums are checked."""
        answer = self.call(calls.GET_SCREEN, pb.GetScreenRequest(screen=screen))
        contents: dict[str, Content] = {}
        for one in [answer.view, *answer.sections]:
            contents[one.id] = Content(one.head, tuple(item_of(item) for item in one.items))
            if contents[one.id].sum != one.sum:
                raise MarqueeError(f"'{one.id}': sum {text(one.sum)}, computed {text(contents[one.id].sum)}")
        position = (answer.cut.catalogue_revision, answer.cut.user_revision)
        return View(0, answer.screen, answer.locale, contents=contents), position

    def _step(self, seconds: float) -> None:
        """Reads and writes what can be read and written; never one without the other."""
        outgoing = self.session.outgoing
        readable, writable, _ = select.select([self._socket], [self._socket] if outgoing else [], [], seconds)
        try:
            # Reading comes first: a last frame may be there although the server takes nothing any more.
            data = self._socket.recv(READ_BYTES) if readable else None
            if writable and data != b"":
                del outgoing[: self._socket.send(outgoing)]
        except OSError as error:
            raise ConnectionEnded(f"the connection broke: {error}") from error
        if data == b"":
            raise ConnectionEnded("the server ended the connection without a close")
        try:
            if data is not None:
                self._take(data)
            welcome = self.session.welcome
            # Whoever waits for welcome says for how long.
            if welcome is not None and self._liveness.wants_ping(time.monotonic(), welcome):
                self.session.ping()
        except ProtocolError as error:
            self._say_close(error)
            raise

    def _take(self, data: bytes) -> None:
        frames = 0
        for frame in self._splitter.feed(data):
            frames += 1
            self.session.receive(frame)
        self._liveness.heard(time.monotonic(), frames, self._splitter.is_unfinished)

    def _say_close(self, error: ProtocolError) -> None:
        """Sends the last frame, as far as the socket takes it."""
        self.session.close(error.reason, str(error))
        try:
            self._socket.send(self.session.outgoing)
        except OSError:
            pass
