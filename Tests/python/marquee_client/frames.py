"""Frames (2) and the check of a message before it is decoded (3)."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Iterator, NamedTuple, Optional

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from .errors import ProtocolError
from .patches import LIST_ITEMS
from .records import FIXED64, LENGTH, VARINT, VARINT_BYTES, BadRecord, Record, records, varint
from .schema import pb

CRITICAL, FIRST, LAST = 1, 2, 4
HEADER = struct.Struct(">IHHI")
ENVELOPE_BYTES = HEADER.size - 4
FRAME_BYTES = 2**20
NAME_BYTES = 256
COLLECTION_BYTES = 32
VALUE_BYTES = 2_048
OBSERVATIONS = 128
OBSERVED_BYTES = 512
LATEST_MS = 253_402_300_799_999

HELLO, WELCOME, PING, PONG, PROGRESS, ACK, GO_AWAY, CLOSE = range(1, 9)
SUBSCRIBE, UNSUBSCRIBE, SUBSCRIPTION_ERROR, JOIN, NACK, REPAIR, REBASE, MANIFEST = range(16, 24)
DATA, STAGE = 32, 33
REQUEST, ANSWER, CANCEL = 48, 49, 50

MESSAGES = {
    HELLO: pb.Hello, WELCOME: pb.Welcome, PING: pb.Ping, PONG: pb.Pong, PROGRESS: pb.Progress, ACK: pb.Ack,
    GO_AWAY: pb.GoAway, CLOSE: pb.Close, SUBSCRIBE: pb.Subscribe, UNSUBSCRIBE: pb.Unsubscribe,
    SUBSCRIPTION_ERROR: pb.SubscriptionError, JOIN: pb.Join, NACK: pb.Nack, REPAIR: pb.Repair, REBASE: pb.Rebase,
    MANIFEST: pb.Manifest, DATA: pb.Part, STAGE: pb.Part, REQUEST: pb.Request, ANSWER: pb.Answer, CANCEL: pb.Cancel,
}  # fmt: skip
FROM_CLIENT = {HELLO, ACK, SUBSCRIBE, UNSUBSCRIBE, NACK, MANIFEST, REQUEST, CANCEL}
OF_A_CUT = {JOIN, REPAIR, DATA}


class Frame(NamedTuple):
    kind: int
    flags: int
    body: bytes

    @property
    def size(self) -> int:
        """As credit counts it: the whole frame."""
        return HEADER.size + len(self.body)


def encode(kind: int, message: object, flags: int = 0) -> bytes:
    return whole(kind, flags, message.SerializeToString())


def whole(kind: int, flags: int, body: bytes) -> bytes:
    """A frame with its header."""
    length = ENVELOPE_BYTES + len(body)
    return HEADER.pack(length, kind, flags, _check_of(length, kind, flags, body)) + body


def _check_of(length: int, kind: int, flags: int, body: bytes) -> int:
    return crc32c(body + struct.pack(">IHH", length, kind, flags))


def crc32c(data: bytes) -> int:
    remainder = 0xFFFFFFFF
    for byte in data:
        remainder = remainder >> 8 ^ _CRC[(remainder ^ byte) & 0xFF]
    return remainder ^ 0xFFFFFFFF


def _crc_entry(remainder: int) -> int:
    for _ in range(8):
        remainder = remainder >> 1 ^ (0x82F63B78 if remainder & 1 else 0)
    return remainder


_CRC = [_crc_entry(byte) for byte in range(256)]


class Splitter:
    """Cuts a stream of bytes into frames, and verifies the check of each."""

    def __init__(self, limit: int = FRAME_BYTES) -> None:
        self._limit = limit
        self._bytes = bytearray()

    def feed(self, data: bytes) -> Iterator[Frame]:
        """Takes bytes, and gives the frames that are whole by now. A length is judged as soon as it is there."""
        self._bytes += data
        while len(self._bytes) >= 4:
            length = int.from_bytes(self._bytes[:4], "big")
            if length < ENVELOPE_BYTES:
                raise ProtocolError("FRAME_TOO_SHORT", f"{length} bytes")
            if length > self._limit:
                raise ProtocolError("FRAME_TOO_LONG", f"{length} bytes")
            if len(self._bytes) < 4 + length:
                return
            _, kind, flags, check = HEADER.unpack_from(self._bytes)
            body = bytes(self._bytes[HEADER.size : 4 + length])
            del self._bytes[: 4 + length]
            if check != _check_of(length, kind, flags, body):
                raise ProtocolError("FRAME_DAMAGED", f"{length} bytes")
            yield Frame(kind, flags, body)

    @property
    def is_unfinished(self) -> bool:
        """Whether a frame has begun and not ended."""
        return bool(self._bytes)


# ---------------------------------------------------------------- the check


@dataclass
class Budget:
    """The limits of one frame, or of one body."""

    elements: int = 65_536
    unknown_fields: int = 32
    depth: int = 8
    records: int = 0

    def __post_init__(self) -> None:
        self.records = 8 * self.elements + 1_024


NEEDED = {
    "Hello": ("protocol_min", "protocol_max", "client_id"),
    "Welcome": ("protocol", "cluster", "limits", "cut"),
    "Progress": ("cut",), "Ack": ("bytes",), "GoAway": ("status",), "Close": ("status",),
    "Subscribe": ("subscription", "screen"), "SectionParameters": ("section",),
    "Resume": ("cut", "view_sum"), "HeldSection": ("section", "sum"),
    "Unsubscribe": ("subscription",), "SubscriptionError": ("subscription", "status"),
    "Join": ("subscription", "view_handle", "view_sum", "cut", "screen", "locale"),
    "Binding": ("section", "handle"), "Rebase": ("subscription",), "RebaseSection": ("handle",),
    "Part": ("handle", "target_sum", "count"), "Item": ("id", "kind"),
    "Nack": ("number", "status"), "HeldVersion": ("handle",), "Repair": ("number",),
    "Manifest": ("handle", "sum", "head_hash"),
    "Request": ("call", "method"), "Answer": ("call",), "Cancel": ("call",),
    "GetScreenRequest": ("screen",), "GetScreenAnswer": ("screen", "locale", "cut", "view"), "Content": ("sum",),
    "CollectionRequest": ("number", "subject", "member"), "PublishRequest": ("number",), "MutationAnswer": ("number",),
    "ReportRequest": ("number", "screen", "section", "observations"), "Observation": ("kind", "item", "place", "at_ms"),
    "SourceMove": ("source",), "SourceState": ("source",), "SourceTrouble": ("reason",), "RecordSumsRequest": ("type",),
    "RenewRequest": ("token",), "HealthAnswer": ("state",), "RecordCount": ("type",),
    "ScreenDescription": ("pattern",), "SectionDescription": ("id",), "SortDescription": ("id",),
    "IntroduceRequest": ("guest", "client_id"), "IntroduceAnswer": ("cut",),
    "PlanAnswer": ("screen", "locale", "cut", "view_handle"), "PlannedSection": ("section", "handle"),
}  # fmt: skip

WIRE_TYPES = {
    FieldDescriptor.TYPE_BOOL: VARINT, FieldDescriptor.TYPE_INT64: VARINT,
    FieldDescriptor.TYPE_UINT32: VARINT, FieldDescriptor.TYPE_UINT64: VARINT,
    FieldDescriptor.TYPE_FIXED64: FIXED64, FieldDescriptor.TYPE_DOUBLE: FIXED64,
    FieldDescriptor.TYPE_STRING: LENGTH, FieldDescriptor.TYPE_BYTES: LENGTH, FieldDescriptor.TYPE_MESSAGE: LENGTH,
}  # fmt: skip
SMALLEST = {"frame_bytes": 4_096, "part_bytes": 4_096, "elements_per_frame": 64, "credit_bytes": 1, "cut_bytes": 1}


def decode(kind: object, body: bytes, budget: Optional[Budget] = None) -> object:
    """Checks a message, then decodes it. `kind` is its class. Raises ProtocolError."""
    try:
        _check(body, kind.DESCRIPTOR, budget or Budget(), 1)
    except BadRecord as bad:
        raise ProtocolError(bad.reason, f"in {kind.DESCRIPTOR.name}") from bad
    message = kind.FromString(body)
    if not RANGES.get(kind.DESCRIPTOR.name, lambda _: True)(message):
        raise ProtocolError("OUT_OF_RANGE", f"in {kind.DESCRIPTOR.name}")
    return message


def _check(body: bytes, message: Descriptor, budget: Budget, level: int) -> None:
    if level > budget.depth:
        raise BadRecord("TOO_DEEP")
    seen: set[str] = set()
    unknown = 0
    for record in records(body):
        budget.records -= 1
        if budget.records < 0:
            raise BadRecord("TOO_MANY_RECORDS")
        field = message.fields_by_number.get(record.number)
        if field is None:
            unknown += 1
            if unknown > budget.unknown_fields:
                raise BadRecord("TOO_MANY_UNKNOWN_FIELDS")
            continue
        _check_field(record, field, field.name in seen, budget, level)
        # A text that is there and empty says as little as one that is absent; the last of several counts.
        if field.type == FieldDescriptor.TYPE_STRING and not record.value:
            seen.discard(field.name)
        else:
            seen.add(field.name)
    if not seen.issuperset(NEEDED.get(message.name, ())):
        raise BadRecord("MISSING_FIELD")


def _check_field(record: Record, field: FieldDescriptor, again: bool, budget: Budget, level: int) -> None:
    wire_type = WIRE_TYPES[field.type]
    elements = 1
    if record.wire_type != wire_type:
        # A repeated number may come packed or not.
        if not (field.is_repeated and wire_type != LENGTH and record.wire_type == LENGTH):
            raise BadRecord("WRONG_WIRE_TYPE")
        elements = _packed(record.value, wire_type)
    if field.is_repeated:
        budget.elements -= elements
        if budget.elements < 0:
            raise BadRecord("TOO_MANY_ELEMENTS")
    if field.type == FieldDescriptor.TYPE_STRING:
        try:
            if "\0" in record.value.decode("utf-8"):
                raise BadRecord("NUL_IN_TEXT")
        except UnicodeDecodeError as bad:
            raise BadRecord("INVALID_UTF8") from bad
    elif field.type == FieldDescriptor.TYPE_MESSAGE:
        if again and not field.is_repeated:
            raise BadRecord("REPEATED_SUBMESSAGE")
        # The records of a FieldChange and the body of an item are `bytes`: they are not looked into.
        _check(record.value, field.message_type, budget, level + 1)


def _packed(value: bytes, wire_type: int) -> int:
    """How many numbers there are."""
    if wire_type == FIXED64:
        if len(value) % 8:
            raise BadRecord("MALFORMED")
        return len(value) // 8
    position = count = 0
    while position < len(value):
        _, position = varint(value, position, VARINT_BYTES)
        count += 1
    return count


def _limits_hold(message: object) -> bool:
    limits = message.limits
    return all(not limits.HasField(name) or getattr(limits, name) >= SMALLEST[name] for name in SMALLEST)


def _screen_holds(message: object) -> bool:
    return len(message.screen.encode()) <= NAME_BYTES


# Whether the values of a message are those that its fields may have.
RANGES = {
    "Hello": lambda m: len(m.client_id) == 16 and m.protocol_min <= m.protocol_max and _limits_hold(m),
    "Welcome": _limits_hold,
    "GoAway": lambda m: not m.HasField("reconnect_max_ms") or m.reconnect_min_ms <= m.reconnect_max_ms,
    "Subscribe": _screen_holds, "Join": _screen_holds, "GetScreenRequest": _screen_holds,
    "GetScreenAnswer": _screen_holds,
    "Part": lambda m: m.count <= LIST_ITEMS,
    "Manifest": lambda m: len(m.pairs) % 16 == 0,
    "ReportRequest": lambda m: _screen_holds(m) and len(m.section.encode()) <= OBSERVED_BYTES
    and len(m.observations) <= OBSERVATIONS,
    "Observation": lambda m: m.kind in (1, 2, 3) and m.place > 0 and m.at_ms <= LATEST_MS
    and len(m.item.encode()) <= OBSERVED_BYTES and (m.kind != 3 or 0 < len(m.action.encode()) <= OBSERVED_BYTES),
    "CollectionRequest": lambda m: len(m.subject.encode()) <= NAME_BYTES
    and len(m.collection.encode()) <= COLLECTION_BYTES and len(m.value.encode()) <= VALUE_BYTES,
}  # fmt: skip
