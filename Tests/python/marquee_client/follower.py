"""Follows a screen for ever: after a break it connects again and offers what it holds (13, 16, 21)."""

from __future__ import annotations

import random
import time
from typing import Optional

from .client import Client
from .errors import ConnectionEnded, MarqueeError, ProtocolError
from .session import FATAL, REASONS, RESYNC, RETRY_OTHER, RETRY_SAME, Session
from .views import View

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0  # seconds, before another attempt
AGAIN = (RETRY_SAME, RETRY_OTHER, RESYNC)
FOR_EVER = 10.0**9


class Follower:
    """One mirror in memory, across connections."""

    def __init__(self, host: str, port: int, screen: str, user: str = "") -> None:
        self._host, self._port, self._screen, self._user = host, port, screen, user
        self._previous: Optional[Session] = None  # the last session whose view has joined
        self._held: Optional[View] = None
        self._attempts = 0  # since a cut was stored

    def run(self) -> None:
        """Never returns; raises an error that another attempt can't help."""
        while True:
            pause = self._connect_once()
            time.sleep(pause)

    def _connect_once(self) -> float:
        """One connection, and how long to wait before the next one."""
        session = Session(user=self._user, previous=self._previous)
        least = 0.0
        try:
            with Client(self._host, self._port, session) as client:
                self._follow(client)
                message = session.go_away
                return random.uniform(message.reconnect_min_ms, message.reconnect_max_ms) / 1000
        except ConnectionEnded as ended:
            remedy = ended.status.remedy if ended.status is not None else RETRY_SAME
            if remedy not in AGAIN:
                raise
            least = (ended.status.retry_after_ms if ended.status is not None else 0) / 1000
            self._keep(session, offers_again=remedy != RESYNC)
        except ProtocolError as error:
            _, remedy = REASONS.get(error.reason, (3, FATAL))
            if remedy not in AGAIN:
                raise
            self._keep(session, offers_again=remedy != RESYNC)
        except OSError:
            pass  # No server is there.
        else:
            self._keep(session)
        longest = min(LONGEST_PAUSE, FIRST_PAUSE * 2**self._attempts)
        self._attempts += 1
        return max(least, random.uniform(0, longest))

    def _follow(self, client: Client) -> None:
        """Until the server goes away."""
        session = client.session
        subscription = session.subscribe(self._screen, held=self._held)
        while not session.going_away:
            seen = len(session.subscription_errors)
            client.wait(lambda: session.going_away or len(session.subscription_errors) > seen, FOR_EVER)
            if subscription in session.views:
                continue
            status = session.subscription_errors[-1].status
            if status.remedy not in AGAIN:
                raise MarqueeError(f"subscription: {status.reason}")
            time.sleep(status.retry_after_ms / 1000)
            subscription = session.subscribe(self._screen)
        self._keep(session)

    def _keep(self, session: Session, offers_again: bool = True) -> None:
        """Takes over what a session has left."""
        for view in session.views.values():
            if view.screen == self._screen and view.joined:
                self._previous, self._held = session, view
        if session.cuts:
            self._attempts = 0
        if not offers_again:
            self._held = None
