"""The vectors of `Proto/vectors`, which are all that a second implementation has besides the text."""

from __future__ import annotations

import json
import unittest
from pathlib import Path

from google.protobuf.descriptor import FieldDescriptor
from xxhash import xxh64_intdigest as xxh64

from marquee_client import frames, sums
from marquee_client.errors import ProtocolError, Refused
from marquee_client.patches import Change, Patch, apply
from marquee_client.records import canonical
from marquee_client.schema import pb
from marquee_client.sums import EMPTY, Content, Item

VECTORS = Path(__file__).resolve().parents[3] / "Proto" / "vectors"


def vectors(name: str) -> dict:
    return json.loads((VECTORS / name).read_text(encoding="utf-8"))


def content_of(row: dict) -> Content:
    return Content(bytes.fromhex(row["head"]), tuple(item_of(item) for item in row["items"]))


def item_of(row: dict) -> Item:
    return Item(row["id"], row["kind"], row["subject"], bytes.fromhex(row["body"]))


def change_of(row: dict) -> Change:
    return Change(bytes.fromhex(row["records"]), tuple(row["cleared"]), row["replace"])


def patch_of(row: dict) -> Patch:
    return Patch(
        int(row["base_sum"], 16),
        int(row["target_sum"], 16),
        bytes.fromhex(row["script"]),
        tuple(item_of(item) for item in row["adds"]),
        tuple(change_of(change) for change in row["updates"]),
        change_of(row["head"]) if row["head"] is not None else None,
        row["count"],
    )


def fields_of(message: object) -> dict:
    """A message in the form of `frames.json`: bytes as hex, 64 bit numbers as decimal text."""
    found = {}
    for field, value in message.ListFields():
        rows = [plain(field, one) for one in value] if field.is_repeated else plain(field, value)
        found[field.name] = rows
    return found


def plain(field: FieldDescriptor, value: object) -> object:
    if field.type == FieldDescriptor.TYPE_MESSAGE:
        return fields_of(value)
    if field.type == FieldDescriptor.TYPE_BYTES:
        return value.hex()
    if field.type in (FieldDescriptor.TYPE_UINT64, FieldDescriptor.TYPE_FIXED64):
        return str(value)
    return value


class Sums(unittest.TestCase):
    rows = vectors("sums.json")

    def test_hashes(self) -> None:
        for row in self.rows["hashes"]:
            self.assertEqual(sums.text(xxh64(bytes.fromhex(row["bytes"]))), row["hash"])

    def test_lists(self) -> None:
        for row in self.rows["lists"]:
            with self.subTest(row["name"]):
                content = content_of(row)
                hashes = [xxh64(item.body) for item in content.items]
                self.assertEqual(sums.text(xxh64(content.head)), row["head_hash"])
                self.assertEqual([sums.text(one) for one in sums.edges(content, hashes)], row["edges"])
                self.assertEqual(sums.text(sums.closing_edge(content)), row["closing_edge"])
                self.assertEqual(sums.text(content.sum), row["sum"])

    def test_screens(self) -> None:
        class Held:
            def __init__(self, sum_: str) -> None:
                self.sum = int(sum_, 16)

        for row in self.rows["screens"]:
            with self.subTest(row["name"]):
                own = content_of(row)
                held = {section: Held(sum_) for section, sum_ in row["section_sums"].items()}
                self.assertEqual(sums.text(own.sum), row["view_sum"])
                self.assertEqual(sums.text(sums.screen_sum(own, held)), row["screen_sum"])

    def test_the_empty_version_has_the_sum_of_the_text(self) -> None:
        self.assertEqual(sums.text(EMPTY.sum), "aa79de1ffb397201")


class Bodies(unittest.TestCase):
    rows = vectors("canonical.json")

    def test_bodies(self) -> None:
        for row in self.rows["bodies"]:
            with self.subTest(row["name"]):
                self.assertEqual(canonical(bytes.fromhex(row["body"])).hex(), row["canonical"])

    def test_changes(self) -> None:
        for row in self.rows["changes"]:
            with self.subTest(row["name"]):
                change = change_of(row["change"])
                self.assertEqual(change.apply(bytes.fromhex(row["body"])).hex(), row["result"])

    def test_refused_bodies(self) -> None:
        for row in self.rows["refused_bodies"]:
            with self.subTest(row["name"]), self.assertRaises(Refused):
                canonical(bytes.fromhex(row["body"]))

    def test_refused_changes(self) -> None:
        for row in self.rows["refused_changes"]:
            with self.subTest(row["name"]), self.assertRaises(Refused):
                change = change_of(row["change"])
                change.apply(bytes.fromhex(row["body"]))


class Scripts(unittest.TestCase):
    rows = vectors("scripts.json")

    def test_patches(self) -> None:
        for row in self.rows["patches"]:
            with self.subTest(row["name"]):
                base, target = content_of(row["base"]), content_of(row["target"])
                self.assertEqual(sums.text(base.sum), row["base"]["sum"])
                result = apply(base, patch_of(row["patch"]))
                self.assertEqual(result, target)
                self.assertEqual(sums.text(result.sum), row["target"]["sum"])

    def test_manifests(self) -> None:
        for row in self.rows["manifests"]:
            with self.subTest(row["name"]):
                base = content_of(row["base"])
                hashes = [xxh64(data) for item in base.items for data in (item.id.encode(), item.body)]
                self.assertEqual(b"".join(one.to_bytes(8, "little") for one in hashes).hex(), row["pairs"])
                self.assertEqual(sums.text(xxh64(base.head)), row["head_hash"])
                self.assertEqual(apply(base, patch_of(row["patch"])), content_of(row["target"]))

    def test_refused_patches(self) -> None:
        base = content_of(self.rows["refused"]["base"])
        for row in self.rows["refused"]["patches"]:
            with self.subTest(row["name"]):
                with self.assertRaises(Refused) as refused:
                    apply(base, patch_of(row["patch"]))
                self.assertEqual(refused.exception.why, row["why"])


class Frames(unittest.TestCase):
    rows = vectors("frames.json")

    def test_frames(self) -> None:
        for row in self.rows["frames"] + self.rows["odd_frames"]:
            with self.subTest(row.get("name", row["message"]), frame=row["frame"][:40]):
                (frame,) = frames.Splitter().feed(bytes.fromhex(row["frame"]))
                self.assertEqual((frame.kind, frame.flags), (row["kind"], row["flags"]))
                message_class = frames.MESSAGES[frame.kind]
                self.assertEqual(message_class.DESCRIPTOR.name, row["message"])
                message = frames.decode(message_class, frame.body)
                self.assertEqual(fields_of(message), row["fields"])
                again = frames.encode(frame.kind, message, frame.flags)
                (frame,) = frames.Splitter().feed(again)
                self.assertEqual(fields_of(frames.decode(message_class, frame.body)), row["fields"])

    def test_checks(self) -> None:
        for row in self.rows["checks"]:
            with self.subTest(row["bytes"]):
                self.assertEqual(f"{frames.crc32c(bytes.fromhex(row['bytes'])):08x}", row["crc32c"])

    def test_every_kind_occurs(self) -> None:
        self.assertEqual({row["kind"] for row in self.rows["frames"]}, set(frames.MESSAGES))

    def test_bodies(self) -> None:
        for row in self.rows["bodies"] + self.rows["preset_bodies"]:
            with self.subTest(row["message"], body=row["body"][:40]):
                message = frames.decode(getattr(pb, row["message"]), bytes.fromhex(row["body"]))
                self.assertEqual(fields_of(message), row["fields"])
                self.assertEqual(canonical(bytes.fromhex(row["body"])).hex(), row["body"])

    def test_bodies_of_calls(self) -> None:
        for row in self.rows["call_bodies"]:
            with self.subTest(row["name"]):
                message = frames.decode(getattr(pb, row["message"]), bytes.fromhex(row["body"]))
                self.assertEqual(fields_of(message), row["fields"])

    def test_bodies_about_drafts(self) -> None:
        for row in self.rows["draft_bodies"]:
            with self.subTest(row["message"]):
                message = frames.decode(getattr(pb, row["message"]), bytes.fromhex(row["body"]))
                self.assertEqual(fields_of(message), row["fields"])

    def test_refused_bodies_of_calls(self) -> None:
        for row in self.rows["refused_call_bodies"]:
            with self.subTest(row["name"]), self.assertRaises(ProtocolError) as refused:
                frames.decode(getattr(pb, row["message"]), bytes.fromhex(row["body"]))
            self.assertEqual(refused.exception.reason, row["reason"])

    def test_refused_frames(self) -> None:
        for row in self.rows["refused"]:
            with self.subTest(row["name"]):
                with self.assertRaises(ProtocolError) as refused:
                    splitter = frames.Splitter(row.get("limit", frames.FRAME_BYTES))
                    for frame in splitter.feed(bytes.fromhex(row["frame"])):
                        frames.decode(frames.MESSAGES[frame.kind], frame.body)
                self.assertEqual(refused.exception.reason, row["reason"])
