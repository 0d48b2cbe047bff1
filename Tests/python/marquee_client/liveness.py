"""When a silent server is asked, and when it is given up (16). No socket, and time is an argument."""

from __future__ import annotations

from typing import Optional

from .errors import ConnectionEnded, ProtocolError

DEFAULT_PING_MS, DEFAULT_PING_MINIMUM_MS, LEAST_PING_MS = 20_000, 5_000, 1_000
FRAME_INTERVALS = 3  # how long a frame may take to arrive


class Liveness:
    """The times at which something was heard, in seconds."""

    def __init__(self, now: float) -> None:
        self._heard = now
        self._asked: Optional[float] = None  # when, if nothing has come since
        self._began: Optional[float] = None  # when the first bytes of an unfinished frame came

    def heard(self, now: float, frames: int, is_unfinished: bool) -> None:
        """Bytes came: `frames` frames ended with them, and another one may have begun."""
        self._heard, self._asked = now, None
        if not is_unfinished:
            self._began = None
        elif frames or self._began is None:
            self._began = now

    def wants_ping(self, now: float, welcome: object) -> bool:
        """Whether it is time to ask. Raises what ends the connection."""
        interval = interval_of(welcome)
        if self._began is not None and now - self._began >= FRAME_INTERVALS * interval:
            raise ProtocolError("FRAME_UNFINISHED", f"begun {now - self._began:.0f} s ago")
        if self._asked is not None:
            # Asked first, however long the silence was: this program may have slept.
            if now - self._asked > interval:
                raise ConnectionEnded(f"nothing heard for {now - self._heard:.0f} s")
            return False
        if now - self._heard <= interval:
            return False
        self._asked = now
        return True


def interval_of(welcome: object) -> float:
    """The seconds of silence after which a client asks."""
    wished = welcome.ping_interval_ms if welcome.HasField("ping_interval_ms") else DEFAULT_PING_MS
    least = welcome.ping_minimum_ms if welcome.HasField("ping_minimum_ms") else DEFAULT_PING_MINIMUM_MS
    return max(wished, least, LEAST_PING_MS) / 1000
