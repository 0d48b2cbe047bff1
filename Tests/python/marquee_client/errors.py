"""The errors of this package."""

from __future__ import annotations

from typing import Optional


class MarqueeError(Exception):
    """Anything that this package raises."""


class Refused(MarqueeError):
    """A body, a patch or a cut is wrong. Within a cut the answer is a nack, never a close.

    `why` is a word of `vectors/scripts.json`; `handle` names the variant once it is known.
    """

    def __init__(self, why: str, text: str, handle: Optional[int] = None) -> None:
        super().__init__(f"{why}: {text}")
        self.why = why
        self.text = text
        self.handle = handle


class ProtocolError(MarqueeError):
    """The peer broke the protocol: this side closes, with `reason`."""

    def __init__(self, reason: str, text: str = "") -> None:
        super().__init__(f"{reason}: {text}" if text else reason)
        self.reason = reason


class ConnectionEnded(MarqueeError):
    """The server closed, is going away, or is silent. `status` is what it said, if anything."""

    def __init__(self, text: str, status: object = None) -> None:
        super().__init__(text)
        self.status = status


class CallFailed(MarqueeError):
    """A call was answered by something other than OK."""

    def __init__(self, status: object) -> None:
        super().__init__(f"{status.reason} (code {status.code}, remedy {status.remedy}): {status.message}")
        self.status = status
