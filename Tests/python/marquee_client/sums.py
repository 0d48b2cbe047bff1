"""Items, content, and their sums (7)."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import cached_property
from typing import Mapping

from xxhash import xxh64_intdigest as xxh64

MODULUS = 2**64


@dataclass(frozen=True)
class Item:
    """An item. Its body stays as received, and is never decoded here."""

    id: str
    kind: int
    subject: str
    body: bytes


@dataclass(frozen=True)
class Content:
    """One version of a variant, or of a view's own list."""

    head: bytes = b""
    items: tuple[Item, ...] = ()

    @cached_property
    def sum(self) -> int:
        """Computed from the bytes, never taken from the wire."""
        return _total(self, [xxh64(item.body) for item in self.items])


EMPTY = Content()


def lp(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<I", len(data)) + data


def edge(previous: str, id: str, kind: int, subject: str, body_hash: int) -> int:
    return xxh64(lp(previous) + lp(id) + struct.pack("<I", kind) + lp(subject) + struct.pack("<Q", body_hash))


def closing_edge(content: Content) -> int:
    return edge(content.items[-1].id if content.items else "", "", 0, "", 0)


def edges(content: Content, body_hashes: list[int]) -> list[int]:
    """The edges to the items, without the closing one."""
    previous = [""] + [item.id for item in content.items]
    return [
        edge(before, item.id, item.kind, item.subject, body_hash)
        for before, item, body_hash in zip(previous, content.items, body_hashes)
    ]


def _total(content: Content, body_hashes: list[int]) -> int:
    return (sum(edges(content, body_hashes)) + closing_edge(content) + xxh64(content.head)) % MODULUS


def screen_sum(own: Content, sections: Mapping[str, Content]) -> int:
    """The sum that tools show for a whole screen: the own list's, with sections' sums in place of body hashes."""
    return _total(own, [sections[item.id].sum if item.id in sections else 0 for item in own.items])


def text(value: int) -> str:
    """A sum as people see it."""
    return f"{value:016x}"
