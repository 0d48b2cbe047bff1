"""The session, by frames that a server could send. No socket."""

from __future__ import annotations

import unittest
from typing import Optional

from xxhash import xxh64_intdigest as xxh64

from marquee_client import frames
from marquee_client.errors import ConnectionEnded, ProtocolError
from marquee_client.frames import FIRST, LAST, Frame
from marquee_client.schema import pb
from marquee_client.session import Session
from marquee_client.sums import EMPTY, Content, Item

LIST = Content(b"\x0a\x01h", (Item("rank", 100, "", b"\x08\x00"),))
R1 = Content(b"\x08\x02", (Item("1", 1, "movie/1", b"\x08\x01"), Item("2", 1, "movie/2", b"\x08\x02")))
R2 = Content(b"\x08\x02", (R1.items[1], R1.items[0]))
R3 = Content(b"\x08\x02", (R1.items[1],))
VIEW, RANK = 3, 4
SUBSCRIPTION = 1


def welcome(catalogue: int = 10, credit: int = 2**20, user: str = "", epoch: int = 5, cluster: str = "K") -> object:
    message = pb.Welcome(protocol=1, cluster=cluster, user=user)
    message.limits.credit_bytes = credit
    message.cut.CopyFrom(pb.Cut(catalogue_epoch=epoch, catalogue_revision=catalogue, user_epoch=0, user_revision=3))
    return message


def whole(handle: int, content: Content) -> object:
    part = pb.Part(handle=handle, target_sum=content.sum, count=len(content.items))
    part.script = bytes([len(content.items) << 2 | 2]) if content.items else b""
    for item in content.items:
        part.adds.add(id=item.id, kind=item.kind, subject=item.subject, body=item.body)
    part.head.records = content.head
    return part


def move(handle: int, base: Content, target: Content, revision: int) -> object:
    """A patch of a list of two: the second one to the front, and the rest of what is left."""
    script = b"\x05\x01\x04\x00" if len(target.items) == 2 else b"\x04\x01"
    part = pb.Part(handle=handle, base_sum=base.sum, target_sum=target.sum, script=script, count=len(target.items))
    part.cut.catalogue_revision = revision
    return part


def join(rank: Content, revision: int, own: Content = LIST, handle: int = RANK, generation: int = 0) -> object:
    message = pb.Join(subscription=SUBSCRIPTION, view_handle=VIEW, view_sum=own.sum, screen="home", locale="en")
    message.generation = generation
    message.cut.catalogue_revision = revision
    message.sections.add(section="rank", handle=handle, sum=rank.sum)
    return message


class SessionCase(unittest.TestCase):
    def setUp(self) -> None:
        self.session = Session()
        self.sent()

    def give(self, kind: int, message: object, flags: int = 0) -> None:
        body = message.SerializeToString()
        self.session.receive(Frame(kind, flags, body))

    def cut(self, *rows: tuple[int, object]) -> None:
        for index, (kind, message) in enumerate(rows):
            self.give(kind, message, (FIRST if index == 0 else 0) | (LAST if index == len(rows) - 1 else 0))

    def sent(self, kind: Optional[int] = None) -> list[object]:
        """The messages sent since the last time, of one kind or of all."""
        found = list(frames.Splitter().feed(bytes(self.session.outgoing)))
        self.session.outgoing.clear()
        wanted = [frame for frame in found if kind in (None, frame.kind)]
        return [frames.decode(frames.MESSAGES[frame.kind], frame.body) for frame in wanted]

    def joined(self, **fields: object) -> None:
        """A session that shows R1 at (10, 3)."""
        self.give(frames.WELCOME, welcome(**fields))
        self.session.subscribe("home")
        self.give(frames.STAGE, whole(VIEW, LIST), FIRST)
        self.give(frames.STAGE, whole(RANK, R1), FIRST)
        self.cut((frames.JOIN, join(R1, 10)))
        self.sent()

    @property
    def rank(self) -> Content:
        return self.session.views[SUBSCRIPTION].contents["rank"]

    def reason(self, kind: int, message: object, flags: int = 0) -> str:
        with self.assertRaises(ProtocolError) as error:
            self.give(kind, message, flags)
        return error.exception.reason


class Cuts(SessionCase):
    def test_staged_parts_show_with_the_join_that_names_them(self) -> None:
        self.give(frames.WELCOME, welcome())
        self.session.subscribe("home")
        self.give(frames.STAGE, whole(VIEW, LIST), FIRST)
        self.give(frames.STAGE, whole(RANK, R1), FIRST)
        self.assertFalse(self.session.views[SUBSCRIPTION].joined)
        self.cut((frames.JOIN, join(R1, 10)), (frames.DATA, move(RANK, R1, R2, 11)))
        self.assertEqual(self.rank, R2)
        self.assertEqual(self.session.position, (11, 3))
        self.assertEqual(self.session.views[SUBSCRIPTION].locale, "en")

    def test_a_staged_patch_comes_in_parts(self) -> None:
        self.give(frames.WELCOME, welcome())
        self.session.subscribe("home")
        first, second = whole(RANK, R1), whole(RANK, R1)
        del first.adds[1], second.adds[0]
        first.more = True
        first.script, second.script = b"", first.script
        second.ClearField("head")
        # A patch that begins gives up one that had begun; the rest of a patch that has not begun is dropped.
        forgotten = whole(RANK, R3)
        forgotten.more = True
        for flags, part in ((0, second), (FIRST, whole(VIEW, LIST)), (FIRST, forgotten), (FIRST, first), (0, second)):
            self.give(frames.STAGE, part, flags)
        self.cut((frames.JOIN, join(R1, 10)))
        self.assertEqual(self.rank, R1)

    def test_nothing_shows_before_the_last_frame(self) -> None:
        self.joined()
        self.give(frames.DATA, move(RANK, R1, R2, 11), FIRST)
        self.assertEqual(self.rank, R1)
        self.give(frames.PING, pb.Ping(nonce=9))
        self.assertEqual(self.sent(frames.PONG)[0].nonce, 9)

    def test_a_join_may_bind_a_new_handle_to_what_is_held_under_the_old_one(self) -> None:
        self.joined()
        self.cut((frames.JOIN, join(R1, 12, handle=77, generation=1)), (frames.DATA, move(77, R1, R3, 12)))
        self.assertEqual(self.rank, R3)
        self.cut((frames.DATA, move(RANK, R1, R2, 13)))  # The old handle is bound no more: skipped, not judged.
        self.assertEqual(self.rank, R3)
        self.assertEqual((self.session.position, self.session.refusals), ((13, 3), []))

    def test_the_empty_version_is_always_held(self) -> None:
        self.give(frames.WELCOME, welcome())
        self.session.subscribe("home")
        self.give(frames.STAGE, whole(VIEW, LIST), FIRST)
        self.cut((frames.JOIN, join(EMPTY, 10)), (frames.DATA, whole(RANK, R1)))
        self.assertEqual(self.rank, R1)

    def test_frames_of_a_view_that_was_left_are_skipped(self) -> None:
        self.joined()
        self.session.unsubscribe(SUBSCRIPTION)
        self.cut((frames.JOIN, join(R2, 11)), (frames.DATA, move(RANK, R3, R2, 12)))
        self.assertEqual((self.session.position, self.session.refusals), ((12, 3), []))

    def test_frames_in_the_wrong_order_end_the_connection(self) -> None:
        data = move(RANK, R1, R2, 11)
        self.joined()
        self.assertEqual(self.reason(frames.DATA, data, LAST), "CUT_ORDER")
        self.give(frames.DATA, data, FIRST)
        self.assertEqual(self.reason(frames.DATA, data, FIRST), "CUT_ORDER")

    def test_another_epoch_ends_the_connection(self) -> None:
        self.joined()
        other = pb.Cut(catalogue_epoch=2**40, catalogue_revision=11)
        self.assertEqual(self.reason(frames.PROGRESS, pb.Progress(cut=other)), "CUT_ORDER")

    def test_data_may_come_before_the_join_of_its_cut(self) -> None:
        self.joined()
        self.cut((frames.DATA, move(RANK, R1, R2, 11)), (frames.JOIN, join(R1, 11)))
        self.assertEqual((self.rank, self.session.refusals), (R2, []))


class Refusals(SessionCase):
    def nack(self) -> object:
        (nack,) = self.sent(frames.NACK)
        return nack

    def damaged(self, revision: int) -> object:
        part = move(RANK, R1, R2, revision)
        part.target_sum ^= 0x100
        return part

    def test_an_altered_sum_refuses_the_cut_and_names_what_failed_without_a_sum(self) -> None:
        self.joined()
        self.cut((frames.DATA, self.damaged(11)))
        nack = self.nack()
        self.assertEqual((nack.number, nack.status.code, nack.status.reason), (1, 15, "CUT_REFUSED"))
        self.assertEqual((nack.good.catalogue_epoch, nack.good.catalogue_revision), (5, 10))
        held = {one.handle: one.sum if one.HasField("sum") else None for one in nack.held}
        self.assertEqual(held, {VIEW: LIST.sum, RANK: R1.sum})
        self.assertEqual([one.handle for one in nack.held if one.refused], [RANK])
        self.assertEqual((self.rank, self.session.position), (R1, (10, 3)))

    def test_an_altered_part_refuses_the_whole_cut(self) -> None:
        self.joined()
        own = pb.Part(handle=VIEW, base_sum=LIST.sum, target_sum=LIST.sum, script=b"\x04\x00", count=1)
        self.cut((frames.DATA, own), (frames.DATA, self.damaged(11)))
        self.assertEqual(len(self.session.cuts), 1)
        self.assertEqual(self.nack().number, 1)

    def test_a_staged_version_with_an_altered_sum_is_missed_by_its_join(self) -> None:
        self.give(frames.WELCOME, welcome())
        self.session.subscribe("home")
        self.give(frames.STAGE, whole(VIEW, LIST), FIRST)
        altered = whole(RANK, R1)
        altered.target_sum ^= 1
        self.give(frames.STAGE, altered, FIRST)
        self.cut((frames.JOIN, join(R1, 10)))
        self.assertIn("missingVersion", self.session.refusals[0])
        nack = self.nack()
        self.assertEqual([(one.handle, one.HasField("sum"), one.refused) for one in nack.held], [(RANK, False, True)])
        self.assertEqual([(one.handle, one.sum) for one in nack.staged], [(VIEW, LIST.sum)])
        self.assertFalse(self.session.views[SUBSCRIPTION].joined)

    def test_cuts_are_dropped_until_the_repair(self) -> None:
        self.joined()
        self.cut((frames.DATA, self.damaged(11)))
        self.cut((frames.DATA, move(RANK, R1, R3, 12)))
        self.give(frames.PROGRESS, pb.Progress(cut=pb.Cut(catalogue_revision=12)))
        self.assertEqual((self.rank, self.session.position), (R1, (10, 3)))
        self.give(frames.STAGE, whole(RANK, R3), FIRST)
        self.cut((frames.REPAIR, pb.Repair(number=1)), (frames.JOIN, join(R3, 12)))
        self.assertEqual((self.rank, self.session.position), (R3, (12, 3)))
        self.assertEqual(len(self.session.refusals), 1)

    def test_a_nack_keeps_what_was_staged_but_for_what_was_refused(self) -> None:
        self.joined()
        self.give(frames.STAGE, whole(RANK, R3), FIRST)
        self.give(frames.STAGE, whole(77, R3), FIRST)
        self.cut((frames.DATA, self.damaged(11)))
        self.cut((frames.REPAIR, pb.Repair(number=1)), (frames.JOIN, join(R3, 12)))
        nacks = self.sent(frames.NACK)
        self.assertEqual([nack.number for nack in nacks], [1, 2])
        self.assertEqual([[one.handle for one in nack.staged] for nack in nacks], [[77], [77]])
        self.cut((frames.REPAIR, pb.Repair(number=2)), (frames.JOIN, join(R3, 12, handle=77)))
        self.assertEqual(self.rank, R3)

    def test_a_section_without_a_sum_stays_what_it_is(self) -> None:
        self.joined()
        without = join(R1, 12)
        without.sections[0].ClearField("sum")
        self.cut((frames.JOIN, without))
        self.assertEqual((self.rank, self.session.position), (R1, (12, 3)))

    def test_after_three_nacks_it_gives_up(self) -> None:
        self.joined()
        self.cut((frames.DATA, self.damaged(11)))
        for number in (1, 2):
            self.cut((frames.REPAIR, pb.Repair(number=number)), (frames.DATA, self.damaged(11)))
        self.assertEqual([nack.number for nack in self.sent(frames.NACK)], [1, 2, 3])
        self.give(frames.REPAIR, pb.Repair(number=3), FIRST)
        self.assertEqual(self.reason(frames.DATA, self.damaged(11), LAST), "CUT_REFUSED")

    def test_sections_bound_and_listed_are_the_same(self) -> None:
        self.joined()
        other = Content(LIST.head, (Item("basic", 100, "", b"\x08\x00"),))
        self.cut((frames.DATA, whole(VIEW, other)))
        self.assertIn("otherSections", self.session.refusals[0])

    def test_two_patches_for_a_handle_are_refused(self) -> None:
        self.joined()
        own = pb.Part(handle=VIEW, base_sum=LIST.sum, target_sum=LIST.sum, script=b"\x04\x00", count=1)
        again = whole(RANK, R3)
        self.cut((frames.DATA, move(RANK, R1, R2, 11)), (frames.DATA, own), (frames.DATA, again))
        self.assertIn("mixedParts", self.session.refusals[0])


class Connection(SessionCase):
    def test_acks_count_data_and_stage_and_come_above_half_of_the_credit(self) -> None:
        sizes = [len(frames.encode(frames.STAGE, part)) for part in (whole(VIEW, LIST), whole(RANK, R1))]
        self.give(frames.WELCOME, welcome(credit=2 * sum(sizes) - 2))
        self.session.subscribe("home")
        self.sent()
        self.give(frames.STAGE, whole(VIEW, LIST), FIRST)
        self.assertEqual(self.sent(), [])
        self.give(frames.STAGE, whole(RANK, R1), FIRST)
        self.cut((frames.JOIN, join(R1, 10)))
        self.assertEqual([ack.bytes for ack in self.sent()], [sum(sizes)])
        self.give(frames.PROGRESS, pb.Progress(cut=pb.Cut(catalogue_revision=11)))
        self.assertEqual([ack.bytes for ack in self.sent(frames.ACK)], [sum(sizes)])
        self.assertEqual(self.session.position, (11, 3))

    def rebase(self, *sections: tuple[str, int], subscription: int = SUBSCRIPTION) -> list[object]:
        message = pb.Rebase(subscription=subscription)
        for section, handle in sections:
            message.sections.add(section=section, handle=handle)
        self.give(frames.REBASE, message)
        return self.sent(frames.MANIFEST)

    def replaced(self, handle: int, base: Content, target: Content) -> object:
        """A patch of a list of two whose first body is another one."""
        part = pb.Part(handle=handle, base_sum=base.sum, target_sum=target.sum, script=b"\x08\x00\x07\x00", count=2)
        part.updates.add(records=target.items[0].body, replace=True)
        return part

    def test_a_rebase_is_answered_by_manifests_of_what_is_held(self) -> None:
        self.joined()
        nothing, manifest = self.rebase(("other", 99), ("rank", RANK))
        self.assertEqual((nothing.handle, nothing.sum, nothing.pairs), (99, EMPTY.sum, b""))
        self.assertEqual((manifest.handle, manifest.sum, manifest.head_hash), (RANK, R1.sum, xxh64(R1.head)))
        pairs = b"".join(
            xxh64(data).to_bytes(8, "little") for item in R1.items for data in (item.id.encode(), item.body)
        )
        self.assertEqual(manifest.pairs, pairs)
        (gone,) = self.rebase(("rank", RANK), subscription=9)
        self.assertEqual(gone.sum, EMPTY.sum)

    def test_a_staged_patch_starts_from_what_was_described(self) -> None:
        target = Content(R1.head, (Item("1", 1, "movie/1", b"\x08\x07"), R1.items[1]))
        self.joined()
        before = self.session
        for described in (True, False):
            self.session = Session(previous=before)
            self.give(frames.WELCOME, welcome(11))
            self.session.subscribe("home", held=before.views[SUBSCRIPTION])
            if described:
                self.assertEqual([one.sum for one in self.rebase(("rank", 50))], [R1.sum])
            self.give(frames.STAGE, self.replaced(50, R1, target), FIRST)
            self.cut((frames.JOIN, join(target, 11, handle=50)))
            if described:
                self.assertEqual((self.rank, self.session.refusals), (target, []))
            else:
                self.assertIn("missingVersion", self.session.refusals[0])
                (nack,) = self.sent(frames.NACK)
                held = {one.handle: (one.sum, one.refused) for one in nack.held}
                self.assertEqual(held, {VIEW: (LIST.sum, False), 50: (R1.sum, True)})

    def test_unknown_kinds_are_skipped_unless_critical(self) -> None:
        self.joined()
        self.session.receive(Frame(999, 0, b"\xff"))
        with self.assertRaises(ProtocolError) as error:
            self.session.receive(Frame(999, frames.CRITICAL, b""))
        self.assertEqual(error.exception.reason, "UNKNOWN_CRITICAL_KIND")

    def test_frames_of_a_client_end_the_connection(self) -> None:
        self.joined()
        self.assertEqual(self.reason(frames.ACK, pb.Ack(bytes=1)), "WRONG_DIRECTION")
        self.assertEqual(self.reason(frames.WELCOME, welcome()), "WRONG_DIRECTION")

    def test_progress_never_stands_within_a_cut(self) -> None:
        self.joined()
        self.give(frames.DATA, move(RANK, R1, R2, 11), FIRST)
        self.assertEqual(self.reason(frames.PROGRESS, pb.Progress(cut=pb.Cut(catalogue_revision=11))), "CUT_ORDER")

    def test_close_and_go_away_are_told(self) -> None:
        self.joined()
        self.give(frames.GO_AWAY, pb.GoAway(status=pb.Status(code=14, reason="DRAINING")))
        self.assertTrue(self.session.is_ending)
        with self.assertRaises(ConnectionEnded) as ended:
            self.give(frames.CLOSE, pb.Close(status=pb.Status(code=4, reason="SILENT")))
        self.assertEqual(ended.exception.status.reason, "SILENT")

    def test_an_error_ends_its_subscription_unless_a_change_or_a_section_failed(self) -> None:
        self.joined()
        error = pb.SubscriptionError(subscription=SUBSCRIPTION, generation=1, status=pb.Status(code=3))
        self.give(frames.SUBSCRIPTION_ERROR, error)
        self.assertIn(SUBSCRIPTION, self.session.views)
        error.generation, error.section = 0, "rank"
        self.give(frames.SUBSCRIPTION_ERROR, error)
        self.assertIn(SUBSCRIPTION, self.session.views)
        error.ClearField("section")
        self.give(frames.SUBSCRIPTION_ERROR, error)
        self.assertNotIn(SUBSCRIPTION, self.session.views)

    def test_answers_in_parts_are_joined(self) -> None:
        self.joined()
        call = self.session.request(1)
        body = pb.HealthAnswer(state="serving", sessions=7).SerializeToString()
        self.give(frames.ANSWER, pb.Answer(call=call, body=body[:3], more=True))
        self.assertIsNone(self.session.answer(call))
        self.give(frames.ANSWER, pb.Answer(call=call, body=body[3:]))
        self.assertEqual(self.session.answer(call).sessions, 7)

    def test_what_is_held_is_offered_on_the_next_connection(self) -> None:
        self.joined()
        before = self.session
        self.session = Session(previous=before)
        (hello,) = self.sent()
        self.assertEqual((hello.cluster, hello.client_id), ("K", before.client_id))
        self.assertEqual(hello.seen.catalogue_revision, 10)
        self.give(frames.WELCOME, welcome(11))
        self.session.subscribe("home", held=before.views[SUBSCRIPTION])
        (subscribe,) = self.sent()
        self.assertEqual(subscribe.resume.view_sum, LIST.sum)
        self.assertEqual([(one.section, one.sum) for one in subscribe.resume.sections], [("rank", R1.sum)])
        self.cut((frames.JOIN, join(R1, 11)), (frames.DATA, move(RANK, R1, R2, 11)))
        self.assertEqual((self.rank, self.session.refusals), (R2, []))

    def test_a_node_that_is_behind_is_left(self) -> None:
        for reason, answer in (
            ("NODE_BEHIND", welcome(9)),
            ("OTHER_CLUSTER", welcome(10, cluster="L")),
            ("OTHER_CLUSTER", welcome(10, user="ana")),
        ):
            self.session = Session()
            self.joined()
            self.session = Session(previous=self.session)
            self.assertEqual(self.reason(frames.WELCOME, answer), reason)
        # An epoch that was never seen has no order.
        self.session = Session()
        self.joined()
        self.session = Session(previous=self.session)
        self.give(frames.WELCOME, welcome(1, epoch=6))
        self.assertEqual(self.session.position, (1, 3))
