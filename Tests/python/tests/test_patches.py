"""Refusals of patches and bodies that the vectors do not have, and the guard's bounds."""

from __future__ import annotations

import unittest
from typing import Optional, Sequence

from marquee_client import frames
from marquee_client.errors import ProtocolError, Refused
from marquee_client.frames import Budget
from marquee_client.patches import Change, Patch, apply, numbers, patch_of
from marquee_client.records import BODY_BYTES, merge
from marquee_client.schema import pb
from marquee_client.sums import EMPTY, Content, Item


def items(*ids: str) -> tuple[Item, ...]:
    return tuple(Item(one, 1, f"movie/{one}", b"\x08\x01") for one in ids)


BASE = Content(b"\x10\x01", items("a", "b", "c"))


def patch(
    script: bytes,
    target: Content = BASE,
    adds: Sequence[Item] = (),
    updates: Sequence[Change] = (),
    head: Optional[Change] = None,
    base_sum: Optional[int] = BASE.sum,
    count: Optional[int] = None,
) -> Patch:
    length = len(target.items) if count is None else count
    return Patch(base_sum, target.sum, script, tuple(adds), tuple(updates), head, length)


class Patches(unittest.TestCase):
    def refuses(self, why: str, wrong: Patch) -> None:
        with self.assertRaises(Refused) as refused:
            apply(BASE, wrong)
        self.assertEqual(refused.exception.why, why)

    def test_keeping_all_is_the_same(self) -> None:
        self.assertEqual(apply(BASE, patch(b"\x0c\x00")), BASE)

    def test_keep_ranges_ascend_and_moves_come_from_anywhere(self) -> None:
        target = Content(BASE.head, items("c", "a", "b"))
        self.assertEqual(apply(BASE, patch(b"\x05\x02\x08\x00", target)), target)
        # The skip counts from the previous KEEP, not from the MOVE between: here that is beyond the base.
        self.refuses("outOfRange", patch(b"\x08\x00\x05\x02\x04\x01", target))

    def test_an_old_item_is_used_once(self) -> None:
        self.refuses("usedTwice", patch(b"\x05\x00\x0c\x00", count=4))
        self.refuses("usedTwice", patch(b"\x05\x00\x05\x00", count=2))

    def test_a_whole_patch_starts_from_the_empty_version_whatever_is_held(self) -> None:
        target = Content(b"", items("z"))
        self.assertEqual(apply(BASE, patch(b"\x06", target, adds=items("z"), base_sum=None)), target)
        self.refuses("outOfRange", patch(b"\x0c\x00", base_sum=None))

    def test_an_altered_target_is_refused(self) -> None:
        good = patch(b"\x0c\x00")
        for bit in range(64):
            wrong = Patch(good.base_sum, good.target_sum ^ 1 << bit, good.script, (), (), None, good.count)
            self.refuses("otherTarget", wrong)

    def test_a_script_is_of_short_varints(self) -> None:
        self.assertEqual(list(numbers(b"\xff\xff\xff\xff\x0f")), [2**32 - 1])
        for wrong in (b"\xff\xff\xff\xff\x10", b"\x80\x80\x80\x80\x80\x01", b"\x80\x00", b"\x80"):
            with self.subTest(wrong.hex()), self.assertRaises(Refused):
                list(numbers(wrong))

    def test_an_operation_needs_its_number(self) -> None:
        for script in (b"\x0c", b"\x0d", b"\x0c\x00\x07"):
            with self.subTest(script.hex()):
                self.refuses("malformedScript", patch(script))

    def test_huge_counts_reserve_nothing(self) -> None:
        huge = b"\xff\xff\xff\xff"
        self.refuses("outOfRange", patch(b"\xfc" + huge[1:] + b"\x0f\x00"))
        self.refuses("wrongCount", patch(b"\xfe" + huge[1:] + b"\x0f"))
        self.refuses("outOfRange", patch(b"\x0c\x00" + b"\xff" + huge[1:] + b"\x0f\x00"))
        self.refuses("wrongCount", patch(b"\x0c\x00", count=65_537))

    def test_updates_are_neither_missing_nor_left_over(self) -> None:
        self.refuses("wrongCount", patch(b"\x0c\x00\x0b\x00", updates=[Change()]))
        self.refuses("wrongCount", patch(b"\x0c\x00\x07\x00", updates=[Change(), Change()]))
        self.refuses("wrongCount", patch(b"\x0c\x00", updates=[Change()]))
        self.refuses("outOfRange", patch(b"\x0c\x00\x07\x03", updates=[Change()]))

    def test_ids_are_not_empty(self) -> None:
        target = Content(BASE.head, BASE.items + items(""))
        self.refuses("invalidID", patch(b"\x0c\x00\x06", target, adds=items("")))

    def test_bodies_and_heads_have_a_largest_size(self) -> None:
        large = b"\x0a\x80\x80\x04" + bytes(BODY_BYTES)
        self.refuses("invalidBody", patch(b"\x0c\x00\x07\x00", updates=[Change(large)]))
        self.refuses("invalidBody", patch(b"\x0c\x00", head=Change(large)))
        self.refuses("invalidBody", patch(b"\x0c\x00\x06", adds=[Item("z", 1, "", large)], count=4))

    def test_unknown_fields_survive_an_update(self) -> None:
        self.assertEqual(merge(b"\x08\x01\xa0\x06\x05", b"\x10\x02", [1]), b"\x10\x02\xa0\x06\x05")


class Parts(unittest.TestCase):
    def part(self, **fields: object) -> object:
        return pb.Part(**{"handle": 1, "target_sum": 2, "count": 3, "more": True, **fields})

    def test_a_script_may_be_split_anywhere(self) -> None:
        joined = patch_of([self.part(script=b"\x8c"), self.part(script=b"\x01", more=False)])
        self.assertEqual(joined.script, b"\x8c\x01")

    def test_parts_that_do_not_fit_together_are_refused(self) -> None:
        wrong = {
            "another target": self.part(target_sum=9, more=False),
            "another base": self.part(base_sum=9, more=False),
            "another count": self.part(count=9, more=False),
            "another cut": self.part(cut=pb.Cut(catalogue_revision=1), more=False),
            "a second head": self.part(head=pb.FieldChange(), more=False),
            "no end": self.part(),
        }
        for name, second in wrong.items():
            with self.subTest(name), self.assertRaises(Refused):
                patch_of([self.part(), second])

    def test_nothing_follows_the_last_part(self) -> None:
        with self.assertRaises(Refused):
            patch_of([self.part(more=False), self.part(more=False)])


class Guard(unittest.TestCase):
    def refuses(self, reason: str, message: object, body: bytes, budget: Optional[Budget] = None) -> None:
        with self.assertRaises(ProtocolError) as error:
            frames.decode(message, body, budget)
        self.assertEqual(error.exception.reason, reason)

    def test_elements_of_all_messages_count_together(self) -> None:
        cleared = pb.FieldChange(cleared=range(1, 66)).SerializeToString()
        self.refuses("TOO_MANY_ELEMENTS", pb.FieldChange, cleared, Budget(elements=64))
        unpacked = b"".join(b"\x10" + bytes([one]) for one in range(1, 66))
        self.refuses("TOO_MANY_ELEMENTS", pb.FieldChange, unpacked, Budget(elements=64))
        self.assertEqual(list(frames.decode(pb.FieldChange, unpacked).cleared), list(range(1, 66)))

    def test_records_of_all_messages_count_together(self) -> None:
        self.refuses("TOO_MANY_RECORDS", pb.Ping, b"\x08\x01" * (8 * 64 + 1_025), Budget(elements=64))

    def test_a_body_is_not_looked_into(self) -> None:
        part = pb.Part(handle=1, target_sum=2, count=1)
        part.adds.add(id="a", kind=1, body=b"\xff\xff\xff")
        part.updates.add(records=b"\x0b")
        self.assertEqual(frames.decode(pb.Part, part.SerializeToString()), part)

    def test_limits_have_smallest_values(self) -> None:
        for name, smallest in frames.SMALLEST.items():
            hello = pb.Hello(protocol_min=1, protocol_max=1, client_id=bytes(16))
            setattr(hello.limits, name, smallest)
            self.assertEqual(frames.decode(pb.Hello, hello.SerializeToString()), hello)
            setattr(hello.limits, name, smallest - 1)
            self.refuses("OUT_OF_RANGE", pb.Hello, hello.SerializeToString())

    def test_values_stay_in_their_range(self) -> None:
        part = {"handle": 1, "target_sum": 2}
        join = {"subscription": 1, "view_handle": 1, "view_sum": 1, "cut": pb.Cut(), "locale": "en"}
        status = pb.Status(code=14)
        for right, wrong in (
            (pb.Part(count=65_536, **part), pb.Part(count=65_537, **part)),
            (pb.Join(screen="x" * 256, **join), pb.Join(screen="x" * 257, **join)),
            (pb.GoAway(status=status, reconnect_min_ms=5), pb.GoAway(
                status=status, reconnect_min_ms=5, reconnect_max_ms=4)),
        ):  # fmt: skip
            self.assertEqual(frames.decode(type(right), right.SerializeToString()), right)
            self.refuses("OUT_OF_RANGE", type(wrong), wrong.SerializeToString())

    def test_frames_come_in_any_pieces(self) -> None:
        data = frames.encode(frames.PING, pb.Ping(nonce=7)) + frames.encode(frames.PONG, pb.Pong(nonce=8))
        splitter = frames.Splitter()
        found = [frame for one in data for frame in splitter.feed(bytes([one]))]
        self.assertEqual(found, list(frames.Splitter().feed(data)))
        self.assertEqual([frame.kind for frame in found], [frames.PING, frames.PONG])


class Examples(unittest.TestCase):
    """The bytes that chapters 2 and 8 print."""

    def test_the_frames_of_chapter_2(self) -> None:
        cut = pb.Cut(catalogue_epoch=0x1122334455667788, catalogue_revision=300, user_epoch=0, user_revision=0)
        hello = pb.Hello(
            protocol_min=1, protocol_max=1, user="ana", client_id=bytes(range(16)), agent="example/1"
        )  # fmt: skip
        for kind, message, text in (
            (frames.PING, pb.Ping(nonce=1), "0000000a 0003 0000 0e52d997 0801"),
            (frames.PROGRESS, pb.Progress(cut=cut),
             "00000021 0005 0000 7da3469b 0a17 09 8877665544332211 10 ac02 19 0000000000000000 20 00"),
            (frames.ACK, pb.Ack(bytes=1620), "0000000b 0006 0000 d57ed3cf 08d40c"),
            (frames.SUBSCRIBE, pb.Subscribe(subscription=1, screen="home"), "00000010 0010 0000 0b1ce631 0801 1a04 686f6d65"),
            (frames.HELLO, hello, "0000002e 0001 0000 cc9897c9 0801 1001 3203616e61 4210 000102030405060708090a0b0c0d0e0f"
             "4a09 6578616d706c652f31"),
        ):  # fmt: skip
            (frame,) = frames.Splitter().feed(bytes.fromhex(text))
            self.assertEqual(frame.kind, kind)
            self.assertEqual(frames.decode(frames.MESSAGES[kind], frame.body), message)

    def test_the_data_frame_of_chapter_8(self) -> None:
        text = """0000006c00200006af29b56e080211eb0e77ba55e8e009198d8c37a45effe2a82207050204000607012a2c0a0631353733333610
            011a0c6d6f7669652f31353733333622120898cd09120c496e7465727374656c6c6172320b0a09390000000000002140
            3a040a02481540035202100b"""
        (frame,) = frames.Splitter().feed(bytes.fromhex(text))
        self.assertEqual((frame.size, frame.flags), (112, frames.FIRST | frames.LAST))
        part = frames.decode(pb.Part, frame.body)
        base = Content(
            bytes.fromhex("08024814"),
            (
                Item("27205", 1, "movie/27205", bytes.fromhex("08c5d4011209496e63657074696f6e390000000000802040")),
                Item("155", 1, "movie/155", bytes.fromhex("089b01120f546865204461726b204b6e69676874")),
                Item("603", 1, "movie/603", bytes.fromhex("08db04120a546865204d6174726978")),
            ),
        )
        self.assertEqual([item.id for item in apply(base, patch_of([part])).items], ["603", "27205", "157336"])
        with self.assertRaises(Refused):
            apply(EMPTY, patch_of([part]))
