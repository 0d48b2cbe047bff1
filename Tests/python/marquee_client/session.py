"""One connection as a value: frames go in, frames come out. No socket and no clock in here."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Iterable, Mapping, Optional

from xxhash import xxh64_intdigest as xxh64

from . import frames
from .errors import CallFailed, ConnectionEnded, MarqueeError, ProtocolError, Refused
from .frames import Frame, decode
from .schema import pb
from .sums import EMPTY, Content
from .views import CutStep, Described, Staging, View, bindings_of

AGENT = "marquee-python/1"
CREDIT = 2**20
CUT_BYTES = 64 * 2**20
PART_BYTES = 64 * 2**10
ANSWER_BYTES = 2**20
PAIR_BYTES = 16
MANIFEST_BYTES = 64  # of a manifest frame besides its pairs, at most
NACKS = 3  # without a good cut between them
RETRY_SAME, RETRY_OTHER, RESYNC, FATAL = 1, 2, 3, 5
# Code and remedy of the reasons with which this side closes (21); 3 and fatal for all others.
REASONS = {
    "CUT_REFUSED": (15, RESYNC), "CUT_ORDER": (9, RETRY_SAME), "CUT_TOO_LARGE": (8, RETRY_SAME),
    "NODE_BEHIND": (14, RETRY_OTHER), "UNKNOWN_CRITICAL_KIND": (12, FATAL), "OUT_OF_RANGE": (11, FATAL),
    **dict.fromkeys(("WRONG_DIRECTION", "OTHER_CLUSTER", "PROTOCOL_UNSUPPORTED"), (9, FATAL)),
    "FRAME_DAMAGED": (15, RETRY_SAME), "FRAME_UNFINISHED": (4, RETRY_SAME),
    "FRAME_TOO_SHORT": (3, RETRY_SAME), "FRAME_TOO_LONG": (8, RETRY_SAME),
    **dict.fromkeys(("TOO_DEEP", "TOO_MANY_ELEMENTS", "TOO_MANY_RECORDS"), (8, FATAL)),
    "TOO_MANY_UNKNOWN_FIELDS": (8, FATAL),
}  # fmt: skip

HEALTH, DESCRIBE, GET_SCREEN, SEARCH, COLLECTION, PUBLISH = range(1, 7)
ANSWERS = {
    HEALTH: pb.HealthAnswer, DESCRIBE: pb.DescribeAnswer, GET_SCREEN: pb.GetScreenAnswer, SEARCH: pb.SearchAnswer,
    COLLECTION: pb.MutationAnswer, PUBLISH: pb.MutationAnswer,
}  # fmt: skip

Parameters = Mapping[str, tuple[str, int]]  # sort and window by section; empty and 0 stand for the default


@dataclass(frozen=True)
class Cut:
    """A cut that was verified and taken over."""

    position: tuple[int, int]  # revisions: catalogue, user
    sums: Mapping[tuple[str, str], int]  # of what changed, by screen and section


class Session:
    """The protocol of one connection. `outgoing` holds what is to be sent.

    Contents are in `views`, by subscription. Anything that ends the connection is raised.
    """

    def __init__(self, user: str = "", credit: int = CREDIT, previous: Optional[Session] = None) -> None:
        """`previous` is an earlier session of the same mirror, so that its contents can be offered."""
        self.outgoing = bytearray()
        self.views: dict[int, View] = {}
        self.cuts: list[Cut] = []
        self.refusals: list[str] = []
        self.subscription_errors: list[object] = []
        self.staged_frames = 0
        self.manifests = 0
        self.position = (0, 0)  # revisions: catalogue, user
        self.welcome: Optional[object] = None
        self.go_away: Optional[object] = None
        self.client_id = previous.client_id if previous else os.urandom(16)
        self.last_subscription = 0
        self._previous = previous
        self._wished_credit = credit
        self._credit = credit
        self._taken = self._acknowledged = 0
        self._offered: dict[int, dict[str, Content]] = {}
        self._staging = Staging()
        self._cut: Optional[list[tuple[int, object]]] = None
        self._cut_size = 0
        self._nack_number = 0
        self._failures = 0
        self._waits_for_repair = False
        self._last_call = 0
        self._methods: dict[int, int] = {}
        self._answer_parts: dict[int, bytes] = {}
        self._answers: dict[int, object] = {}
        hello = pb.Hello(protocol_min=1, protocol_max=1, client_id=self.client_id, agent=AGENT)
        hello.limits.credit_bytes = credit
        if user:
            hello.user = user
        if previous is not None and previous.welcome is not None:
            hello.cluster = previous.welcome.cluster
            hello.seen.CopyFrom(previous.cut_message())
        self._send(frames.HELLO, hello)

    # ------------------------------------------------------------ what the program asks for

    def subscribe(self, screen: str, parameters: Optional[Parameters] = None, held: Optional[View] = None) -> int:
        """Opens a subscription. `held` is a view of the previous session, offered as resume."""
        self.last_subscription += 1
        message = self._subscribe(self.last_subscription, screen, parameters)
        if held is not None and held.joined and self._previous is not None:
            self._offered[self.last_subscription] = dict(held.contents)
            message.resume.cut.CopyFrom(self._previous.cut_message())
            message.resume.view_sum = held.own.sum
            for section, content in held.sections.items():
                message.resume.sections.add(section=section, sum=content.sum)
        self._send(frames.SUBSCRIBE, message)
        self.views[self.last_subscription] = View(self.last_subscription, screen)
        return self.last_subscription

    def change(self, subscription: int, generation: int, parameters: Parameters) -> None:
        """Asks for other parameters of a live subscription."""
        view = self.views[subscription]
        message = self._subscribe(subscription, view.screen, parameters)
        message.generation = generation
        self._send(frames.SUBSCRIBE, message)

    def unsubscribe(self, subscription: int) -> None:
        self._send(frames.UNSUBSCRIBE, pb.Unsubscribe(subscription=subscription))
        self.views.pop(subscription, None)

    def request(self, method: int, body: Optional[object] = None) -> int:
        """Starts a call, and gives its id."""
        self._last_call += 1
        self._methods[self._last_call] = method
        message = pb.Request(call=self._last_call, method=method)
        if body is not None:
            message.body = body.SerializeToString()
        self._send(frames.REQUEST, message)
        return self._last_call

    def answer(self, call: int) -> Optional[object]:
        """The answer of a call once it is there. Raises CallFailed."""
        answer = self._answers.pop(call, None)
        if isinstance(answer, MarqueeError):
            raise answer
        return answer

    def ping(self) -> None:
        self._send(frames.PING, pb.Ping(nonce=1))

    def close(self, reason: str, text: str) -> None:
        self._send(frames.CLOSE, pb.Close(status=_status(reason, text)))

    def cut_message(self) -> object:
        """The position with all four components."""
        cut = self.welcome.cut
        catalogue, user = self.position
        return pb.Cut(
            catalogue_epoch=cut.catalogue_epoch, catalogue_revision=catalogue,
            user_epoch=cut.user_epoch, user_revision=user,
        )  # fmt: skip

    @property
    def going_away(self) -> bool:
        return self.go_away is not None

    @property
    def is_ending(self) -> bool:
        """The server goes away, or has ended a subscription."""
        return self.going_away or bool(self.subscription_errors)

    # ------------------------------------------------------------ what the server sends

    def receive(self, frame: Frame) -> None:
        """Takes one frame. Raises ProtocolError or ConnectionEnded where the connection is over."""
        if frame.kind not in frames.MESSAGES:
            if frame.flags & frames.CRITICAL:
                raise ProtocolError("UNKNOWN_CRITICAL_KIND", str(frame.kind))
            return
        if frame.kind in frames.FROM_CLIENT:
            raise ProtocolError("WRONG_DIRECTION", str(frame.kind))
        message = decode(frames.MESSAGES[frame.kind], frame.body)
        if frame.kind == frames.CLOSE or (frame.kind == frames.GO_AWAY and self.welcome is None):
            raise ConnectionEnded(f"closed: {message.status.reason} {message.status.message}", message.status)
        if (self.welcome is None) != (frame.kind == frames.WELCOME):
            raise ProtocolError("WRONG_DIRECTION", "welcome has to come first, and once")
        if frame.kind in (frames.DATA, frames.STAGE):
            self._count(frame.size)
        if frame.kind in frames.OF_A_CUT:
            self._take_of_cut(frame, message)
        else:
            self._take(frame, message)

    def _take(self, frame: Frame, message: object) -> None:
        if frame.kind == frames.WELCOME:
            self._take_welcome(message)
        elif frame.kind == frames.PING:
            self._send(frames.PONG, pb.Pong(nonce=message.nonce))
        elif frame.kind == frames.PROGRESS:
            if self._cut is not None:
                raise ProtocolError("CUT_ORDER", "progress within a cut")
            self._judge_epochs(message.cut)
            if not self._waits_for_repair:
                self._advance([message.cut])
            self._acknowledge()
        elif frame.kind == frames.GO_AWAY:
            self.go_away = message
        elif frame.kind == frames.SUBSCRIPTION_ERROR:
            self._take_subscription_error(message)
        elif frame.kind == frames.STAGE:
            self.staged_frames += 1
            self._staging.add(message, frame.size, bool(frame.flags & frames.FIRST))
            self._staging.bound(CUT_BYTES)
            if self._staging.size > CUT_BYTES:
                raise ProtocolError("CUT_TOO_LARGE", "staged parts")
        elif frame.kind == frames.REBASE:
            self._take_rebase(message)
        elif frame.kind == frames.ANSWER:
            self._take_answer(message)

    def _take_welcome(self, welcome: object) -> None:
        if welcome.protocol != 1:
            raise ProtocolError("PROTOCOL_UNSUPPORTED", str(welcome.protocol))
        if self._previous is not None and self._previous.welcome is not None:
            before = self._previous.welcome
            if (welcome.cluster, welcome.user) != (before.cluster, before.user):
                raise ProtocolError("OTHER_CLUSTER", "or another user")
            seen = self._previous.position
            same = (
                welcome.cut.catalogue_epoch == before.cut.catalogue_epoch,
                welcome.cut.user_epoch == before.cut.user_epoch,
            )
            if any(epoch and now < old for epoch, now, old in zip(same, _revisions(welcome.cut), seen)):
                raise ProtocolError("NODE_BEHIND", f"{_revisions(welcome.cut)}, seen {seen}")
        self.welcome = welcome
        self.position = _revisions(welcome.cut)
        self._credit = min(self._wished_credit, welcome.limits.credit_bytes)

    def _take_subscription_error(self, message: object) -> None:
        self.subscription_errors.append(message)
        view = self.views.get(message.subscription)
        if view is not None and not message.section and (not view.joined or message.generation <= view.generation):
            del self.views[message.subscription]

    def _take_rebase(self, message: object) -> None:
        limits = self.welcome.limits
        bound = min(limits.part_bytes or PART_BYTES, limits.frame_bytes or PART_BYTES)
        per_part = (bound - MANIFEST_BYTES) // PAIR_BYTES
        for one in message.sections:
            content = self._content(message.subscription, one.section)
            if content is None:
                content = EMPTY
            else:
                self.manifests += 1
                self._staging.described[message.subscription, one.section] = Described(one.handle, content)
            manifest = pb.Manifest(handle=one.handle, sum=content.sum, head_hash=xxh64(content.head))
            for start in range(0, max(1, len(content.items)), per_part):
                items = content.items[start : start + per_part]
                hashes = (value for item in items for value in (xxh64(item.id.encode()), xxh64(item.body)))
                manifest.pairs = b"".join(value.to_bytes(8, "little") for value in hashes)
                manifest.more = start + per_part < len(content.items)
                self._send(frames.MANIFEST, manifest)

    def _take_answer(self, message: object) -> None:
        if message.call not in self._methods:
            return
        body = self._answer_parts.pop(message.call, b"") + message.body
        too_large = len(body) > ANSWER_BYTES
        if message.more and not too_large:
            self._answer_parts[message.call] = body
            return
        status = pb.Status(code=8, reason="ANSWER_TOO_LARGE", remedy=FATAL) if too_large else message.status
        self._answers[message.call] = self._answer(self._methods.pop(message.call), status, body)

    def _answer(self, method: int, status: object, body: bytes) -> object:
        """The answer, or the error that its call ends with."""
        if status.code:
            return CallFailed(status)
        if method == PUBLISH and not body:
            return pb.MutationAnswer()  # Of a part that is not the last one.
        try:
            return decode(ANSWERS[method], body)
        except ProtocolError as error:
            return error

    # ------------------------------------------------------------ cuts

    def _take_of_cut(self, frame: Frame, message: object) -> None:
        if bool(frame.flags & frames.FIRST) != (self._cut is None):
            raise ProtocolError("CUT_ORDER", "a first frame within a cut, or a frame outside of one")
        if self._cut is None:
            self._cut, self._cut_size = [], 0
        if frame.kind != frames.REPAIR:
            self._judge_epochs(message.cut)
        self._cut.append((frame.kind, message))
        self._cut_size += frame.size
        if self._cut_size > CUT_BYTES:
            raise ProtocolError("CUT_TOO_LARGE")
        if frame.flags & frames.LAST:
            cut, self._cut = self._cut, None
            self._apply(cut)

    def _apply(self, cut: list[tuple[int, object]]) -> None:
        of = {kind: [message for one, message in cut if one == kind] for kind in frames.OF_A_CUT}
        repairs, joins, parts = of[frames.REPAIR], of[frames.JOIN], of[frames.DATA]
        if self._waits_for_repair and self._nack_number not in [repair.number for repair in repairs]:
            return
        self._waits_for_repair = False
        step = CutStep(self.views, self._offered, self._staging)
        try:
            step.apply(joins, parts)
        except Refused as refused:
            self._refuse(refused, joins)
            return
        self.views = step.views
        self._staging.forget(handle for join in joins for _, handle, _ in bindings_of(join))
        for join in joins:
            self._offered.pop(join.subscription, None)
            self._staging.forget_described(join.subscription)
        self._failures = 0
        self._advance(message.cut for message in joins + parts)
        changed = [(self.views[one], section) for one, sections in step.changed.items() for section in sorted(sections)]
        self.cuts.append(Cut(self.position, {(view.screen, one): view.contents[one].sum for view, one in changed}))

    def _refuse(self, refused: Refused, joins: list[object]) -> None:
        self._failures += 1
        self.refusals.append(str(refused))
        if self._failures > NACKS:
            raise ProtocolError("CUT_REFUSED", str(refused))
        self._staging.refuse(refused.handle)
        self._nack_number += 1
        self._waits_for_repair = True
        status = _status("CUT_REFUSED", str(refused))
        nack = pb.Nack(number=self._nack_number, good=self.cut_message(), status=status)
        held = self._held(joins)
        for handle in sorted({refused.handle, *held}):
            version = nack.held.add(handle=handle)
            if handle in held:
                version.sum = held[handle].sum
            if handle == refused.handle:
                version.refused = True
        for handle, sum_ in sorted(self._staging.sums.items()):
            nack.staged.add(handle=handle, sum=sum_)
        self._send(frames.NACK, nack)

    def _held(self, joins: list[object]) -> dict[int, Content]:
        """The content held under each handle that is bound now, and under those that the joins would bind."""
        found = {
            handle: self._content(join.subscription, section)
            for join in joins for section, handle, _ in bindings_of(join)
        }  # fmt: skip
        bound = {handle: view.contents[one] for view in self.views.values() for one, handle in view.handles.items()}
        return {handle: content for handle, content in (found | bound).items() if content is not None}

    def _content(self, subscription: int, section: str) -> Optional[Content]:
        """The content held of a section: shown now, or offered when the view was subscribed to."""
        view = self.views.get(subscription)
        if view is None:
            return None
        return view.contents.get(section) or self._offered.get(subscription, {}).get(section)

    def _judge_epochs(self, cut: object) -> None:
        for name in ("catalogue_epoch", "user_epoch"):
            if cut.HasField(name) and getattr(cut, name) != getattr(self.welcome.cut, name):
                raise ProtocolError("CUT_ORDER", f"another {name}")

    def _advance(self, cuts: Iterable[object]) -> None:
        for cut in cuts:
            self.position = tuple(map(max, self.position, _revisions(cut)))

    # ------------------------------------------------------------ credit

    def _count(self, size: int) -> None:
        self._taken += size
        if self._taken - self._acknowledged > self._credit // 2:
            self._acknowledge()

    def _acknowledge(self) -> None:
        """Nothing is durable here, so no ack names a cut."""
        self._acknowledged = self._taken
        self._send(frames.ACK, pb.Ack(bytes=self._taken))

    def _subscribe(self, subscription: int, screen: str, parameters: Optional[Parameters]) -> object:
        message = pb.Subscribe(subscription=subscription, screen=screen)
        for section, (sort, window) in (parameters or {}).items():
            one = message.sections.add(section=section)
            if sort:
                one.sort = sort
            if window:
                one.window = window
        return message

    def _send(self, kind: int, message: object) -> None:
        self.outgoing += frames.encode(kind, message)


def _status(reason: str, text: str) -> object:
    code, remedy = REASONS.get(reason, (3, FATAL))
    return pb.Status(code=code, reason=reason, remedy=remedy, message=text)


def _revisions(cut: object) -> tuple[int, int]:
    return cut.catalogue_revision, cut.user_revision
