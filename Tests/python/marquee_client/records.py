"""Protobuf records without a schema: canonical bodies and field changes (6)."""

from __future__ import annotations

import heapq
from typing import Iterator, NamedTuple, Sequence

from .errors import MarqueeError, Refused

BODY_BYTES = 65_536
MAXIMUM_FIELD = 2**29 - 1
TAG_BYTES = 5  # a tag or a length
VARINT_BYTES = 10

VARINT, FIXED64, LENGTH, FIXED32 = 0, 1, 2, 5


class BadRecord(MarqueeError):
    """Bytes that aren't a sequence of records; `reason` is one of chapter 3."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Record(NamedTuple):
    number: int
    wire_type: int
    raw: bytes  # all of it, with its tag
    value: bytes  # the payload; of a varint its bytes


def varint(data: bytes, start: int, longest: int) -> tuple[int, int]:
    """The number at `start`, and where it ends."""
    value = 0
    for index in range(longest):
        if start + index >= len(data):
            raise BadRecord("TRUNCATED")
        byte = data[start + index]
        value |= (byte & 0x7F) << (7 * index)
        if byte < 0x80:
            return value, start + index + 1
    raise BadRecord("MALFORMED")


def records(data: bytes) -> Iterator[Record]:
    """The top-level records of a message, in their order."""
    position = 0
    while position < len(data):
        begin = position
        tag, position = varint(data, position, TAG_BYTES)
        number, wire_type = tag >> 3, tag & 7
        if not 1 <= number <= MAXIMUM_FIELD:
            raise BadRecord("MALFORMED")
        value = position
        if wire_type == VARINT:
            _, position = varint(data, position, VARINT_BYTES)
        elif wire_type == FIXED64:
            position += 8
        elif wire_type == LENGTH:
            length, value = varint(data, position, TAG_BYTES)
            position = value + length
        elif wire_type == FIXED32:
            position += 4
        else:
            raise BadRecord("WRONG_WIRE_TYPE")
        if position > len(data):
            raise BadRecord("TRUNCATED")
        yield Record(number, wire_type, data[begin:position], data[value:position])


def _read(data: bytes) -> list[Record]:
    try:
        return list(records(data))
    except BadRecord as bad:
        raise Refused("invalidBody", bad.reason) from bad


def canonical(body: bytes) -> bytes:
    """The same records in ascending order of field number. A server orders them once, on entry."""
    return b"".join(one.raw for one in sorted(_read(body), key=lambda one: one.number))


def _read_canonical(data: bytes, what: str) -> list[Record]:
    found = _read(data)
    if any(left.number > right.number for left, right in zip(found, found[1:])):
        raise Refused("invalidBody", f"{what} is not canonical")
    return found


def replacement(change_records: bytes, cleared: Sequence[int]) -> bytes:
    """The new body of a FieldChange that replaces the old one, whatever that was."""
    if cleared:
        raise Refused("invalidBody", "something is cleared of a body that is replaced")
    _read_canonical(change_records, "the new body")
    if len(change_records) > BODY_BYTES:
        raise Refused("invalidBody", f"{len(change_records)} bytes are too many")
    return change_records


def merge(body: bytes, change_records: bytes, cleared: Sequence[int]) -> bytes:
    """Applies a FieldChange to a body."""
    if any(left >= right for left, right in zip(cleared, cleared[1:])):
        raise Refused("invalidBody", "cleared numbers do not ascend")
    if cleared and not 1 <= cleared[0] <= cleared[-1] <= MAXIMUM_FIELD:
        raise Refused("invalidBody", "a number is cleared that no field has")
    old, new = _read_canonical(body, "the body"), _read_canonical(change_records, "the change")
    replaced = {one.number for one in new}
    if not replaced.isdisjoint(cleared):
        raise Refused("invalidBody", "a number is set and cleared")
    gone = replaced.union(cleared)
    kept = [one for one in old if one.number not in gone]
    result = b"".join(one.raw for one in heapq.merge(kept, new, key=lambda one: one.number))
    if len(result) > BODY_BYTES:
        raise Refused("invalidBody", f"{len(result)} bytes are too many")
    return result
