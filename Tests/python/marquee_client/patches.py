"""Patches: scripts, their refusals, and how they are applied (8)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Iterator, Optional, Sequence

from .errors import Refused
from .records import BODY_BYTES, merge, replacement
from .sums import EMPTY, Content, Item, text

LIST_ITEMS = 65_536
VARINT_BYTES = 5
MAXIMUM = 2**32 - 1

KEEP, MOVE, ADD, UPDATE = range(4)


@dataclass(frozen=True)
class Change:
    """A FieldChange."""

    records: bytes = b""
    cleared: tuple[int, ...] = ()
    replace: bool = False

    def apply(self, body: bytes) -> bytes:
        return replacement(self.records, self.cleared) if self.replace else merge(body, self.records, self.cleared)


@dataclass(frozen=True)
class Patch:
    """The content of the parts of one patch, joined. A `base_sum` of None stands for the empty version."""

    base_sum: Optional[int]
    target_sum: int
    script: bytes
    adds: tuple[Item, ...]
    updates: tuple[Change, ...]
    head: Optional[Change]
    count: int


def item_of(message: object) -> Item:
    return Item(message.id, message.kind, message.subject, message.body)


def _change_of(message: object) -> Change:
    return Change(message.records, tuple(message.cleared), message.replace)


def _identity(part: object) -> tuple[object, ...]:
    base = part.base_sum if part.HasField("base_sum") else None
    return part.handle, base, part.target_sum, part.count, part.cut.SerializeToString(deterministic=True)


def patch_of(parts: Sequence[object]) -> Patch:
    """Joins the parts of one patch, in their order."""
    first = parts[0]
    if any(_identity(part) != _identity(first) or part.HasField("head") for part in parts[1:]):
        raise Refused("mixedParts", "parts do not fit together")
    if [part.more for part in parts] != [True] * (len(parts) - 1) + [False]:
        raise Refused("mixedParts", "a patch does not end with its last part")
    return Patch(
        first.base_sum if first.HasField("base_sum") else None,
        first.target_sum,
        b"".join(part.script for part in parts),
        tuple(item_of(item) for part in parts for item in part.adds),
        tuple(_change_of(change) for part in parts for change in part.updates),
        _change_of(first.head) if first.HasField("head") else None,
        first.count,
    )


def numbers(script: bytes) -> Iterator[int]:
    """The varints of a script: each in its shortest form, of at most five bytes."""
    value, length = 0, 0
    for byte in script:
        value |= (byte & 0x7F) << (7 * length)
        length += 1
        if byte >= 0x80:
            if length == VARINT_BYTES:
                raise Refused("malformedScript", "a number is too long")
            continue
        if value > MAXIMUM or (byte == 0 and length > 1):
            raise Refused("malformedScript", "a number is too large, or longer than needed")
        yield value
        value, length = 0, 0
    if length:
        raise Refused("malformedScript", "a number ends early")


def _operations(script: bytes) -> Iterator[tuple[int, int, int]]:
    """(opcode, count, number after it). The number of an ADD is 0."""
    words = numbers(script)
    for word in words:
        opcode, count = word & 3, word >> 2
        if count == 0:
            raise Refused("malformedScript", "an operation of no items")
        operand = 0 if opcode == ADD else next(words, None)
        if operand is None:
            raise Refused("malformedScript", "an operation ends early")
        yield opcode, count, operand


def apply(held: Content, patch: Patch) -> Content:
    """The version after `held`. Raises Refused where chapter 8 says so, and where the result is not the target."""
    base = held
    if patch.base_sum is None or patch.base_sum == EMPTY.sum:
        base = EMPTY
    elif patch.base_sum != held.sum:
        raise Refused("otherBase", f"base {text(patch.base_sum)}, held {text(held.sum)}")
    head = base.head
    if patch.head is not None:
        head = patch.head.apply(head)
    result = Content(head, tuple(_list(base.items, patch)))
    if result.sum != patch.target_sum:
        raise Refused("otherTarget", f"target {text(patch.target_sum)}, computed {text(result.sum)}")
    return result


def _list(base: Sequence[Item], patch: Patch) -> list[Item]:
    if patch.count > LIST_ITEMS:
        raise Refused("wrongCount", f"{patch.count} items are too many")
    items: list[Item] = []
    added: list[bool] = []
    used = bytearray(len(base))
    keep_end = update_end = next_add = next_update = 0
    for opcode, count, operand in _operations(patch.script):
        if opcode == UPDATE:
            start, update_end = update_end + operand, update_end + operand + count
            if update_end > len(items):
                raise Refused("outOfRange", "an update beyond the list")
            if any(added[start:update_end]):
                raise Refused("updateOfAdded", f"at {start}")
            for position in range(start, update_end):
                if next_update == len(patch.updates):
                    raise Refused("wrongCount", "an update is missing")
                change = patch.updates[next_update]
                next_update += 1
                items[position] = replace(items[position], body=change.apply(items[position].body))
            continue
        if update_end:
            raise Refused("malformedScript", "a list operation after an update")
        if opcode == ADD:
            if next_add + count > len(patch.adds):
                raise Refused("wrongCount", "an added item is missing")
            items += patch.adds[next_add : next_add + count]
            next_add += count
        else:
            start = operand + (keep_end if opcode == KEEP else 0)
            end = start + count
            if end > len(base):
                raise Refused("outOfRange", "a range outside of the base")
            if any(used[start:end]):
                raise Refused("usedTwice", f"an item of {start} to {end - 1}")
            used[start:end] = b"\1" * count
            items += base[start:end]
            if opcode == KEEP:
                keep_end = end
        added += [opcode == ADD] * count
        if len(items) > patch.count:
            raise Refused("wrongCount", "more items than announced")
    if len(items) != patch.count:
        raise Refused("wrongCount", "fewer items than announced")
    if next_add != len(patch.adds) or next_update != len(patch.updates):
        raise Refused("wrongCount", "added items or updates are left over")
    if any(len(item.body) > BODY_BYTES for item in patch.adds):
        raise Refused("invalidBody", "an added body is too large")
    ids = {item.id for item in items}
    if len(ids) != len(items) or "" in ids:
        raise Refused("invalidID", "an id is empty, or occurs twice")
    return items
