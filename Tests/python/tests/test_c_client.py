"""The client of `Samples/c-client`: its answers to the vectors, and what it does on the wire."""

from __future__ import annotations

import itertools
import json
import os
import queue
import random
import select
import signal
import socket
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path
from typing import Optional

from marquee_client import frames
from marquee_client import session as calls
from marquee_client.errors import ProtocolError
from marquee_client.frames import FIRST, LAST, Frame
from marquee_client.schema import pb
from marquee_client.session import Session
from marquee_client.sums import EMPTY, Content, Item, text

from .server import SECONDS, Relay, Server
from .test_live import CHART, COLLECTION_SET, USER, LiveCase, alter_base, alter_content, alter_target, chart_days
from .test_session import LIST, R1, R2, R3, RANK, SUBSCRIPTION, VIEW, join, move, welcome, whole
from .test_vectors import vectors

CLIENT = os.environ["MARQUEE_C_CLIENT"]
# The fields of each line, by its first one. Items come after their section, sections before their screen.
ROWS = {
    "section": ("id", "sum", "count"),
    "item": ("id", "kind", "title"),
    "screen": ("screen", "origin", "revision", "sum"),
    "state": ("state", "reason"),
    "error": ("reason", "message"),
}


def hexed(data: bytes) -> str:
    """Bytes as the client's mode for tests reads them."""
    return data.hex() or "-"


def part_of(row: dict) -> bytes:
    """A patch of `scripts.json` as one part."""
    part = pb.Part(handle=1, base_sum=int(row["base_sum"], 16), target_sum=int(row["target_sum"], 16))
    part.script, part.count = bytes.fromhex(row["script"]), row["count"]
    for item in row["adds"]:
        part.adds.add(id=item["id"], kind=item["kind"], subject=item["subject"], body=bytes.fromhex(item["body"]))
    for change in row["updates"]:
        fill(part.updates.add(), change)
    if row["head"] is not None:
        fill(part.head, row["head"])
        part.head.SetInParent()
    return part.SerializeToString()


def fill(message: object, change: dict) -> None:
    message.records = bytes.fromhex(change["records"])
    message.cleared.extend(change["cleared"])
    message.replace = change["replace"]


def altered(body: bytes, chance: random.Random) -> bytes:
    """A few bytes of it changed, left out or added."""
    data = bytearray(body)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(data) + 1)
        what = chance.random()
        if what < 0.6:
            data[at : at + 1] = bytes([chance.choice((0, 1, 2, 0x7F, 0x80, 0xFF, chance.randrange(256)))])
        elif what < 0.8:
            del data[at : at + chance.randint(1, 3)]
        else:
            data[at:at] = data[at : at + chance.randint(1, 20)]
    return bytes(data)


def parts_of(part: bytes) -> list[bytes]:
    """The same patch in parts: its script split at every byte, its items and updates one by one."""
    whole = pb.Part.FromString(part)
    rows = [("script", bytes([byte])) for byte in whole.script]
    rows += [("adds", one) for one in whole.adds] + [("updates", one) for one in whole.updates]
    found = []
    for index in range(max(1, len(rows))):
        one = pb.Part(handle=1, base_sum=whole.base_sum, target_sum=whole.target_sum, count=whole.count)
        one.more = index + 1 < len(rows)
        if index == 0 and whole.HasField("head"):
            one.head.CopyFrom(whole.head)
        if rows and rows[index][0] == "script":
            one.script = rows[index][1]
        elif rows:
            getattr(one, rows[index][0]).append(rows[index][1])
        found.append(one.SerializeToString())
    return found


class Vectors(unittest.TestCase):
    """Each line that is asked is answered by one."""

    def ask(self, *lines: str) -> list[str]:
        text = "".join(f"{line}\n" for line in lines)
        done = subprocess.run([f"{CLIENT}-check"], input=text, capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        answers = done.stdout.splitlines()
        self.assertEqual(len(answers), len(lines))
        return answers

    def ask_about(self, content: dict, *questions: str) -> list[str]:
        """Answers about a list."""
        lines = ["new", f"head {content['head'] or '-'}"]
        for item in content["items"]:
            id, subject = hexed(item["id"].encode()), hexed(item["subject"].encode())
            lines.append(f"item {id} {item['kind']} {subject} {item['body'] or '-'}")
        return self.ask(*lines, *questions)[len(lines) :]

    def test_hashes_and_checks(self) -> None:
        hashes, checks = vectors("sums.json")["hashes"], vectors("frames.json")["checks"]
        questions = [f"hash {row['bytes'] or '-'}" for row in hashes] + [f"crc {row['bytes'] or '-'}" for row in checks]
        self.assertEqual(self.ask(*questions), [row["hash"] for row in hashes] + [row["crc32c"] for row in checks])

    def test_lists(self) -> None:
        for row in vectors("sums.json")["lists"]:
            with self.subTest(row["name"]):
                expected = [row["sum"], row["head_hash"], *row["edges"], row["closing_edge"]]
                self.assertEqual(self.ask_about(row, "sum"), [" ".join(expected)])

    def test_screens(self) -> None:
        for row in vectors("sums.json")["screens"]:
            with self.subTest(row["name"]):
                held = " ".join(f"{section}={sum_}" for section, sum_ in row["section_sums"].items())
                own, screen = self.ask_about(row, "sum", f"screen {held}")
                self.assertEqual((own.split()[0], screen), (row["view_sum"], row["screen_sum"]))

    def test_bodies_and_changes(self) -> None:
        rows = vectors("canonical.json")
        # A client never makes a body canonical, but refuses one that isn't: as the records of a change that replaces.
        questions, expected = [], []
        for row in rows["bodies"]:
            for body in (row["body"], row["canonical"]):
                questions.append(f"change - {body or '-'} - 1")
                expected.append(f"ok {body}" if body == row["canonical"] else "refused")
        for row in rows["refused_bodies"]:
            questions.append(f"change - {row['body']} - 1")
            expected.append("refused")
        for row in rows["changes"] + rows["refused_changes"]:
            change = row["change"]
            cleared = ",".join(map(str, change["cleared"])) or "-"
            body, new = row["body"] or "-", change["records"] or "-"
            questions.append(f"change {body} {new} {cleared} {int(change['replace'])}")
            expected.append(f"ok {row['result']}" if "result" in row else "refused")
        self.assertEqual(self.ask(*questions), expected)

    def test_patches(self) -> None:
        rows = vectors("scripts.json")
        for row in rows["patches"] + rows["manifests"]:
            with self.subTest(row["name"]):
                items = [f" {one['id']}:{one['kind']}:{one['subject']}:{one['body']}" for one in row["target"]["items"]]
                expected = f"ok {row['target']['sum']} {row['target']['head']}{''.join(items)}"
                part = part_of(row["patch"])
                for parts in ([part], parts_of(part)):
                    answers = self.ask_about(row["base"], "apply " + " ".join(map(hexed, parts)))
                    self.assertEqual(answers, [expected])

    def test_manifests(self) -> None:
        for row in vectors("scripts.json")["manifests"]:
            with self.subTest(row["name"]):
                (answer,) = self.ask_about(row["base"], "manifest")
                (frame,) = frames.Splitter().feed(bytes.fromhex(answer))
                manifest = frames.decode(pb.Manifest, frame.body)
                self.assertEqual(f"{manifest.head_hash:016x}", row["head_hash"])
                self.assertEqual(f"{manifest.sum:016x}", row["base"]["sum"])
                self.assertEqual((manifest.pairs.hex(), manifest.more), (row["pairs"], False))

    def test_refused_patches(self) -> None:
        refused = vectors("scripts.json")["refused"]
        for row in refused["patches"]:
            with self.subTest(row["name"]):
                answers = self.ask_about(refused["base"], f"apply {hexed(part_of(row['patch']))}")
                self.assertEqual(answers, [f"refused {row['why']}"])

    def test_frames(self) -> None:
        rows = vectors("frames.json")
        for row in rows["frames"] + rows["odd_frames"]:
            with self.subTest(row.get("name", row["message"]), frame=row["frame"][:40]):
                (answer,) = self.ask(f"frame {frames.FRAME_BYTES} {row['frame']}")
                message, flags, fields = answer.split(" ", 2)
                self.assertEqual((message, int(flags)), (row["message"], row["flags"]))
                self.assertEqual(json.loads(fields), row["fields"])

    def test_refused_frames(self) -> None:
        rows = vectors("frames.json")["refused"]
        questions = [f"frame {row.get('limit', frames.FRAME_BYTES)} {row['frame']}" for row in rows]
        self.assertEqual(self.ask(*questions), [f"refused {row['reason']}" for row in rows])

    def test_both_implementations_judge_altered_frames_alike(self) -> None:
        chance = random.Random(1)
        rows = vectors("frames.json")["frames"]
        wholes, expected = [], []
        for _ in range(1_000):
            row = chance.choice(rows)
            body = altered(bytes.fromhex(row["frame"])[frames.HEADER.size :], chance)
            wholes.append(frames.whole(row["kind"], row["flags"], body))
            try:
                frames.decode(frames.MESSAGES[row["kind"]], body)
                expected.append(row["message"])
            except ProtocolError as error:
                expected.append(f"refused {error.reason}")
        answers = self.ask(*(f"frame {frames.FRAME_BYTES} {one.hex()}" for one in wholes))
        found = [one if one.startswith("refused ") else one.split()[0] for one in answers]
        self.assertEqual(found, expected)
        self.assertGreater(len(set(expected)), len(frames.MESSAGES) - 5)

    def test_bodies_for_display(self) -> None:
        rows = [row for row in vectors("frames.json")["bodies"] if row["message"] == "CardBody"]
        self.assertTrue(rows)
        for row, answer in zip(rows, self.ask(*(f"card {row['body'] or '-'}" for row in rows))):
            with self.subTest(body=row["body"][:40]):
                self.assertEqual(json.loads(answer), row["fields"])

    def test_a_body_that_cannot_be_decoded_is_shown_as_of_an_unknown_kind(self) -> None:
        self.assertEqual(self.ask("card 0aff"), ["unknown"])


class Peer:
    """A server that says what a test tells it to, for one client at a time."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(SECONDS)
        self.host, self.port = self._listener.getsockname()
        self._socket: Optional[socket.socket] = None
        self._frames: list[Frame] = []

    def accept(self) -> object:
        """Waits for the client, and gives its hello."""
        self.hang_up()
        self._socket, _ = self._listener.accept()
        self._socket.settimeout(SECONDS)
        self._splitter, self._frames = frames.Splitter(), []
        return self.hear(frames.HELLO)

    def hear(self, kind: int) -> object:
        """The next message, which has to be of that kind. None stands for the end of the connection."""
        while not self._frames:
            data = self._socket.recv(65_536)
            if not data:
                return None
            self._frames += self._splitter.feed(data)
        frame = self._frames.pop(0)
        if frame.kind != kind:
            raise AssertionError(f"kind {frame.kind} in place of {kind}")
        return frames.decode(frames.MESSAGES[kind], frame.body)

    def say(self, kind: int, message: object, flags: int = 0) -> None:
        self.say_bytes(frames.encode(kind, message, flags))

    def say_bytes(self, data: bytes) -> None:
        self._socket.sendall(data)

    def cut(self, *rows: tuple[int, object]) -> None:
        for index, (kind, message) in enumerate(rows):
            self.say(kind, message, (FIRST if index == 0 else 0) | (LAST if index == len(rows) - 1 else 0))

    def hang_up(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def stop(self) -> None:
        self.hang_up()
        self._listener.close()


class Running:
    """The client as a process; its lines are read as they come."""

    def __init__(self, to: object, *words: str, user: str = "") -> None:
        command = [CLIENT, f"{to.host}:{to.port}", *words]
        environment = {**os.environ, **({"MARQUEE_USER": user} if user else {})}
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
        )
        self._lines: queue.Queue[Optional[dict]] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        sections: list[dict] = []
        for line in self.process.stdout:
            type_, *fields = line.removesuffix("\n").split("\t")
            row = {"type": type_, **dict(zip(ROWS[type_], fields, strict=True))}
            if type_ == "section":
                sections.append({**row, "items": []})
            elif type_ == "item":
                sections[-1]["items"].append(fields)
            elif type_ == "screen":
                self._lines.put({**row, "revision": int(row["revision"]), "sections": sections})
                sections = []
            else:
                self._lines.put(row)
        self._lines.put(None)

    def line(self, type_: str, **keys: object) -> dict:
        """The next line of that type with these values; others are skipped."""
        while (line := self._lines.get(timeout=SECONDS)) is not None:
            if line["type"] == type_ and all(line.get(key) == value for key, value in keys.items()):
                return line
        raise AssertionError(f"it ended without '{type_}' {keys}: {self.process.stderr.read()}")

    def end(self, signal_: Optional[int] = None) -> int:
        """How it ended, by itself or by a signal."""
        if signal_ is not None:
            self.process.send_signal(signal_)
        try:
            return self.process.wait(SECONDS)
        finally:
            self.process.kill()
            self._reader.join()

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()
        self.process.stdout.close()
        self.process.stderr.close()


class Unread(Running):
    """The same, whose lines nobody reads."""

    def _read(self) -> None:
        pass


class PeerCase(unittest.TestCase):
    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory(prefix="marquee-c-")
        self.addCleanup(temporary.cleanup)
        self.mirror = Path(temporary.name) / "mirror"
        self.peer = Peer()
        self.addCleanup(self.peer.stop)

    def run_client(self) -> Running:
        client = Running(self.peer, "home", str(self.mirror))
        self.addCleanup(client.close)
        return client

    def welcomed(self, **fields: object) -> object:
        """The next connection's subscribe."""
        self.peer.accept()
        self.peer.say(frames.WELCOME, welcome(**fields))
        return self.peer.hear(frames.SUBSCRIBE)

    def joined(self, client: Running, **fields: object) -> None:
        """A client that shows R1 at revision 10."""
        self.welcomed(**fields)
        self.stage(VIEW, LIST)
        self.stage(RANK, R1)
        self.peer.cut((frames.JOIN, join(R1, 10)))
        self.shown(client, R1)

    def stage(self, handle: int, content: Content) -> None:
        self.peer.say(frames.STAGE, whole(handle, content), FIRST)

    def shown(self, client: Running, rank: Content, origin: str = "live") -> dict:
        line = client.line("screen", origin=origin)
        self.assertEqual([one["sum"] for one in line["sections"]], [text(rank.sum)])
        return line

    def progress(self, revision: int) -> object:
        self.peer.say(frames.PROGRESS, pb.Progress(cut=pb.Cut(catalogue_revision=revision)))
        return self.peer.hear(frames.ACK)

    def damaged(self, revision: int) -> object:
        part = move(RANK, R1, R2, revision)
        part.target_sum ^= 0x100
        return part


class Wire(PeerCase):
    def test_patches_show_and_are_acknowledged_with_what_is_stored(self) -> None:
        client = self.run_client()
        self.joined(client)
        self.peer.cut((frames.DATA, move(RANK, R1, R2, 11)))
        self.assertEqual(self.shown(client, R2)["revision"], 11)
        ack = self.progress(12)
        sizes = [whole(VIEW, LIST), whole(RANK, R1), move(RANK, R1, R2, 11)]
        self.assertEqual(ack.bytes, sum(len(frames.encode(frames.DATA, one)) for one in sizes))
        self.assertEqual((ack.cut.catalogue_epoch, ack.cut.catalogue_revision, ack.cut.user_revision), (5, 12, 3))
        self.assertEqual(client.end(signal.SIGTERM), -signal.SIGTERM)
        self.assertIsNone(self.peer.hear(frames.CLOSE))

    def test_nothing_shows_before_the_last_frame_and_a_ping_is_answered_meanwhile(self) -> None:
        client = self.run_client()
        self.joined(client)
        own = pb.Part(handle=VIEW, base_sum=LIST.sum, target_sum=LIST.sum, script=b"\x04\x00", count=1)
        self.peer.say(frames.DATA, move(RANK, R1, R2, 11), FIRST)
        self.peer.say(frames.PING, pb.Ping(nonce=9))
        self.assertEqual(self.peer.hear(frames.PONG).nonce, 9)
        self.peer.say(frames.DATA, own, LAST)
        self.shown(client, R2)

    def test_acks_come_above_half_of_the_credit_even_within_a_cut(self) -> None:
        client = self.run_client()
        first, second = move(RANK, R1, R2, 11), move(RANK, R2, R2, 12)
        self.joined(client, credit=2 * len(frames.encode(frames.DATA, first)) - 1)
        self.peer.hear(frames.ACK)
        self.peer.hear(frames.ACK)
        self.peer.say(frames.DATA, first, FIRST)
        self.assertGreater(self.peer.hear(frames.ACK).bytes, 0)
        self.peer.say(frames.DATA, second, LAST)  # A second patch for the handle: the cut is refused.
        self.peer.hear(frames.ACK)
        self.assertEqual(self.peer.hear(frames.NACK).number, 1)

    def test_a_broken_connection_is_resumed_with_what_is_held(self) -> None:
        client = self.run_client()
        self.joined(client)
        self.peer.hang_up()
        hello = self.peer.accept()
        self.assertEqual((hello.cluster, hello.seen.catalogue_epoch, hello.seen.catalogue_revision), ("K", 5, 10))
        self.peer.say(frames.WELCOME, welcome(11))
        resume = self.peer.hear(frames.SUBSCRIBE).resume
        self.assertEqual((resume.view_sum, resume.cut.catalogue_revision), (LIST.sum, 10))
        self.assertEqual([(one.section, one.sum) for one in resume.sections], [("rank", R1.sum)])
        self.peer.cut((frames.JOIN, join(R1, 11, handle=77)), (frames.DATA, move(77, R1, R2, 11)))
        self.shown(client, R2)

    def test_a_killed_client_goes_on_from_its_mirror(self) -> None:
        client = self.run_client()
        self.joined(client)
        first = client.end(signal.SIGKILL)
        self.assertEqual(first, -signal.SIGKILL)
        again = self.run_client()
        self.shown(again, R1, origin="stored")
        resume = self.welcomed(catalogue=10).resume
        self.assertEqual([(one.section, one.sum) for one in resume.sections], [("rank", R1.sum)])
        self.peer.cut((frames.JOIN, join(R1, 10)))
        self.shown(again, R1)

    def test_a_damaged_section_of_a_mirror_is_neither_shown_nor_offered(self) -> None:
        client = self.run_client()
        self.joined(client)
        client.end(signal.SIGTERM)
        whole_file = self.mirror.read_bytes()
        for damage in (whole_file.rindex(b"movie/1"), whole_file.rindex(b"movie/2")):  # of R1
            data = bytearray(whole_file)
            data[damage] ^= 1
            self.mirror.write_bytes(data)
            again = self.run_client()
            self.assertEqual(again.line("screen", origin="stored")["sections"], [])
            resume = self.welcomed().resume
            self.assertEqual((resume.view_sum, list(resume.sections)), (LIST.sum, []))
            again.line("state", state="connected")
            again.end(signal.SIGKILL)
        again = self.run_client()
        self.assertEqual(list(self.welcomed().resume.sections), [])
        without = join(R1, 10)
        without.sections[0].ClearField("sum")
        self.peer.cut((frames.JOIN, without))
        self.shown(again, EMPTY)

    def test_a_mirror_that_met_no_server_is_as_good_as_new(self) -> None:
        client = self.run_client()
        self.peer.accept()
        client.end(signal.SIGTERM)
        self.joined(self.run_client())

    def test_a_mirror_is_used_by_one_program_and_is_never_another_file(self) -> None:
        client = self.run_client()
        self.joined(client)
        other = subprocess.run([CLIENT, "127.0.0.1:1", "home", str(self.mirror)], capture_output=True, timeout=SECONDS)
        self.assertEqual(other.returncode, 73)
        letter = self.mirror.with_name("letter")
        letter.write_text("Dear reader, this is no mirror.")
        other = subprocess.run([CLIENT, "127.0.0.1:1", "home", str(letter)], capture_output=True, timeout=SECONDS)
        self.assertEqual((other.returncode, letter.read_text()[:4]), (65, "Dear"))

    def test_a_rebase_is_answered_by_manifests_and_its_answer_starts_from_them(self) -> None:
        client = self.run_client()
        self.joined(client)
        self.peer.hang_up()
        self.welcomed(catalogue=11)
        rebase = pb.Rebase(subscription=SUBSCRIPTION)
        rebase.sections.add(section="other", handle=99)
        rebase.sections.add(section="rank", handle=50)
        rebase.sections.add(handle=51)
        self.peer.say(frames.REBASE, rebase)
        nothing, rank, own = (self.peer.hear(frames.MANIFEST) for _ in range(3))
        self.assertEqual((nothing.handle, nothing.sum, nothing.pairs), (99, EMPTY.sum, b""))
        self.assertEqual((rank.handle, rank.sum, len(rank.pairs)), (50, R1.sum, 32))
        self.assertEqual((own.handle, own.sum, len(own.pairs)), (51, LIST.sum, 16))
        target = Content(R1.head, (Item("1", 1, "movie/1", b"\x08\x07"), R1.items[1]))
        part = pb.Part(handle=50, base_sum=R1.sum, target_sum=target.sum, script=b"\x08\x00\x07\x00", count=2)
        part.updates.add(records=target.items[0].body, replace=True)
        self.peer.say(frames.STAGE, part, FIRST)
        self.peer.cut((frames.JOIN, join(target, 11, handle=50)))
        self.shown(client, target)

    def test_a_refused_cut_is_answered_by_a_nack_and_others_are_dropped_until_its_repair(self) -> None:
        client = self.run_client()
        self.joined(client)
        self.stage(77, R3)
        self.stage(RANK, R3)
        self.peer.cut((frames.DATA, self.damaged(11)))
        nack = self.peer.hear(frames.NACK)
        held = {one.handle: (one.sum, one.refused) for one in nack.held}
        self.assertEqual(held, {VIEW: (LIST.sum, False), RANK: (R1.sum, True)})
        self.assertEqual((nack.number, nack.good.catalogue_revision, nack.status.reason), (1, 10, "CUT_REFUSED"))
        self.assertEqual([(one.handle, one.sum) for one in nack.staged], [(77, R3.sum)])
        self.peer.cut((frames.DATA, move(RANK, R1, R2, 12)))
        self.progress(12)
        self.peer.cut((frames.REPAIR, pb.Repair(number=1)), (frames.JOIN, join(R3, 13, handle=77)))
        self.assertEqual(self.shown(client, R3)["revision"], 13)

    def test_all_that_failed_is_named_at_once(self) -> None:
        self.run_client()
        self.welcomed()
        self.stage(VIEW, LIST)
        own = pb.Part(handle=VIEW, base_sum=1, target_sum=2, count=0)
        self.peer.cut((frames.JOIN, join(R1, 10)), (frames.DATA, own))
        nack = self.peer.hear(frames.NACK)
        failed = {(one.handle, one.HasField("sum")) for one in nack.held if one.refused}
        self.assertEqual(failed, {(VIEW, False), (RANK, False)})
        self.assertEqual(list(nack.staged), [])

    def test_after_three_nacks_it_closes_and_offers_less_each_time(self) -> None:
        client = self.run_client()
        self.joined(client)
        offers = []
        for _ in range(3):
            wrong = (frames.JOIN, join(R1, 10)), (frames.DATA, self.damaged(11))
            self.peer.cut(*wrong)
            for number in (1, 2, 3):
                self.assertEqual(self.peer.hear(frames.NACK).number, number)
                self.peer.cut((frames.REPAIR, pb.Repair(number=number)), *wrong)
            status = self.peer.hear(frames.CLOSE).status
            self.assertEqual((status.reason, status.code, status.remedy), ("CUT_REFUSED", 15, 3))
            message = self.welcomed()
            offers.append([one.section for one in message.resume.sections] if message.HasField("resume") else None)
        self.assertEqual(offers, [[], None, None])
        # It still shows what it holds, and a good cut makes it whole again.
        self.peer.cut((frames.JOIN, join(R1, 10)), (frames.DATA, move(RANK, R1, R2, 11)))
        self.shown(client, R2)
        self.peer.hang_up()
        self.assertEqual([one.section for one in self.welcomed(catalogue=11).resume.sections], ["rank"])

    def test_a_section_without_a_sum_keeps_its_content(self) -> None:
        client = self.run_client()
        self.joined(client)
        without = join(R1, 12)
        without.sections[0].ClearField("sum")
        self.peer.cut((frames.JOIN, without))
        self.shown(client, R1)
        self.assertEqual(self.progress(12).cut.catalogue_revision, 12)
        self.peer.cut((frames.DATA, move(RANK, R1, R2, 13)))
        self.shown(client, R2)

    def test_a_node_that_is_behind_is_left(self) -> None:
        client = self.run_client()
        self.joined(client)
        self.peer.hang_up()
        self.peer.accept()
        self.peer.say(frames.WELCOME, welcome(9))
        self.assertEqual(self.peer.hear(frames.CLOSE).status.reason, "NODE_BEHIND")
        self.welcomed(catalogue=1, epoch=6)  # An epoch that was never seen has no order.

    def test_another_cluster_is_believed_the_second_time(self) -> None:
        client = self.run_client()
        self.joined(client)
        for _ in range(2):
            self.peer.hang_up()
            self.peer.accept()
            self.peer.say(frames.WELCOME, welcome(10, cluster="L"))
            close = self.peer.hear(frames.CLOSE)
        self.assertEqual(client.end(), 73)

    def test_a_close_is_obeyed(self) -> None:
        client = self.run_client()
        self.joined(client)
        self.peer.say(frames.CLOSE, pb.Close(status=pb.Status(code=4, reason="SILENT", remedy=1)))
        self.welcomed()
        self.peer.say(frames.CLOSE, pb.Close(status=pb.Status(code=16, reason="TOKEN_ENDED", remedy=4)))
        self.assertEqual(client.end(), 77)

    def test_a_server_that_goes_away_is_left_at_once(self) -> None:
        client = self.run_client()
        self.joined(client)
        away = pb.GoAway(status=pb.Status(code=14, reason="DRAINING", remedy=1), reconnect_min_ms=1, reconnect_max_ms=5)
        self.peer.say(frames.GO_AWAY, away)
        self.assertIsNone(self.peer.hear(frames.CLOSE))
        self.welcomed()

    def test_a_subscription_is_opened_again_or_given_up_as_its_error_says(self) -> None:
        client = self.run_client()
        self.joined(client)
        error = pb.SubscriptionError(subscription=1, status=pb.Status(code=3, reason="UNKNOWN_VARIANT", remedy=3))
        self.peer.say(frames.SUBSCRIPTION_ERROR, error)
        again = self.peer.hear(frames.SUBSCRIBE)
        self.assertEqual((again.subscription, again.HasField("resume")), (2, False))
        # Before a join it ends the subscription, whatever its generation.
        status = pb.Status(code=5, reason="UNKNOWN_SCREEN", remedy=5)
        error = pb.SubscriptionError(subscription=2, generation=1, status=status)
        self.peer.say(frames.SUBSCRIPTION_ERROR, error)
        self.assertEqual(client.end(), 76)

    def test_a_silent_server_is_pinged_and_then_left(self) -> None:
        client = self.run_client()
        self.peer.accept()
        message = welcome()
        message.ping_interval_ms = message.ping_minimum_ms = 100
        self.peer.say(frames.WELCOME, message)
        self.peer.hear(frames.SUBSCRIBE)
        self.peer.hear(frames.PING)
        self.assertIsNone(self.peer.hear(frames.CLOSE))
        self.peer.accept()

    def test_a_reader_that_stops_reading_does_not_keep_it_from_ending(self) -> None:
        client = Unread(self.peer, "home")
        self.addCleanup(client.close)
        self.welcomed()
        body = b"\x0a\xb8\x17" + b"x" * 3_000  # a card's title
        large = Content(R1.head, tuple(Item(str(number), 13, "", body) for number in range(60)))
        self.stage(VIEW, LIST)
        self.stage(RANK, large)
        self.peer.cut((frames.JOIN, join(large, 10)))
        self.peer.say(frames.PING, pb.Ping(nonce=1))
        self.assertEqual(select.select([client.process.stdout], [], [], SECONDS)[0], [client.process.stdout])
        self.assertEqual(client.end(signal.SIGTERM), -signal.SIGTERM)

    def test_hostile_bytes_are_closed_with_their_reason(self) -> None:
        item = b"\x0a\x01a\x10\x01"
        deep = b"\xff" * 20
        long_text = frames.encode(frames.JOIN, join(R1, 10), FIRST)
        cut_of_epoch = pb.Progress(cut=pb.Cut(catalogue_epoch=6))
        data = move(RANK, R1, R2, 11)
        wrong = [
            ("FRAME_TOO_SHORT", b"\0\0\0\7"),
            ("FRAME_TOO_LONG", b"\0\x10\0\1"),
            ("FRAME_DAMAGED", frames.encode(frames.PING, pb.Ping(nonce=1))[:-1] + b"\x02"),
            ("UNKNOWN_CRITICAL_KIND", frames.whole(999, frames.CRITICAL, deep)),
            ("WRONG_DIRECTION", frames.encode(frames.ACK, pb.Ack(bytes=1))),
            ("WRONG_DIRECTION", frames.encode(frames.WELCOME, welcome())),
            ("TRUNCATED", frames.whole(frames.PROGRESS, 0, b"\x0a\x05")),
            ("MALFORMED", frames.whole(frames.PING, 0, b"\x08" + b"\x80" * 10 + b"\x01")),
            ("WRONG_WIRE_TYPE", frames.whole(frames.PING, 0, b"\x0b\x0c")),
            ("REPEATED_SUBMESSAGE", frames.whole(frames.PROGRESS, 0, b"\x0a\0\x0a\0")),
            ("TOO_MANY_UNKNOWN_FIELDS", frames.whole(frames.PING, 0, b"\xa0\x06\x01" * 33)),
            ("TOO_MANY_ELEMENTS", frames.whole(frames.STAGE, FIRST, (b"\x2a\x05" + item) * 65_537)),
            ("INVALID_UTF8", long_text_with(b"\xed\xa0\x80")),
            ("NUL_IN_TEXT", long_text_with(b"a\0b")),
            ("MISSING_FIELD", frames.whole(frames.PROGRESS, 0, b"")),
            ("OUT_OF_RANGE", long_text_with(b"x" * 257)),
            ("CUT_ORDER", frames.encode(frames.DATA, data, LAST)),
            ("CUT_ORDER", frames.encode(frames.DATA, data, FIRST) * 2),
            ("CUT_ORDER", frames.encode(frames.PROGRESS, cut_of_epoch)),
        ]
        client = self.run_client()
        for reason, data in wrong:
            with self.subTest(reason, data=data[:16].hex()):
                self.joined(client)  # With a cut stored, pauses are short.
                self.peer.say_bytes(frames.whole(998, 0, deep) + data)
                # What follows it is not looked at, and does not lose the close.
                self.peer.say_bytes(frames.encode(frames.PING, pb.Ping(nonce=1)))
                self.assertEqual(self.peer.hear(frames.CLOSE).status.reason, reason)
                self.assertIsNone(self.peer.hear(frames.CLOSE))


class Watching(Relay):
    """Notes what the server sends through it, and alters nothing."""

    def __init__(self, server: Server) -> None:
        self.kinds: list[int] = []
        super().__init__(server, 0, alter_target, times=0)

    def _altered(self, frame: Frame) -> bytes:
        self.kinds.append(frame.kind)
        return super()._altered(frame)


class Live(LiveCase):
    """Against the real server."""

    def run_client(self, to: object, *words: str, user: str = "") -> Running:
        client = Running(to, *words, user=user)
        self.addCleanup(client.close)
        return client

    def mirror(self) -> str:
        return str(self.folder / f"{self.id().rpartition('.')[2]}.mirror")

    def through(self, relay: Relay) -> Relay:
        self.addCleanup(relay.stop)
        return relay

    def assert_current(self, client: Running, server: Server, screen: str = "home") -> dict:
        """Checks that it shows what a fresh copy has."""
        fresh, position = self.connect(server, Session(user=USER)).get_screen(screen)
        line = client.line("screen", screen=screen, origin="live", revision=position[0])
        self.assertEqual(line["sum"], text(fresh.sum))
        self.assertEqual([one["sum"] for one in line["sections"]], [text(one.sum) for one in fresh.sections.values()])
        for shown, held in zip(line["sections"], fresh.sections.values()):
            self.assertEqual([id for id, *_ in shown["items"]], [one.id for one in held.items])
        return line

    def show_day(self, server: Server, day: int) -> None:
        """Publishes that day of the chart."""
        publisher = self.connect(server, Session(user=USER))
        self.publish(publisher, {"show": {"list": CHART, "edition": chart_days()[day]}})
        publisher.close()

    def test_a_snapshot_and_live_patches_verify(self) -> None:
        server = self.serve()
        relay = self.through(Watching(server))
        client = self.run_client(relay, "home")
        self.assert_current(client, server)
        del relay.kinds[:]
        for day in range(4):
            self.show_day(server, day)
            self.assert_current(client, server)
        self.assertNotIn(frames.STAGE, relay.kinds)

    def test_every_screen_that_is_on_offer_verifies(self) -> None:
        server = self.serve()
        described = self.connect(server, Session(user=USER)).call(calls.DESCRIBE).screens
        for screen in [one.example for one in described if one.example]:
            with self.subTest(screen):
                self.assert_current(self.run_client(server, screen, user=USER), server, screen)

    def test_after_a_kill_it_goes_on_from_its_mirror_without_data(self) -> None:
        server = self.serve()
        client = self.run_client(server, "home", self.mirror())
        shown = self.assert_current(client, server)
        client.end(signal.SIGKILL)
        relay = self.through(Watching(server))
        again = self.run_client(relay, "home", self.mirror())
        self.assertEqual(again.line("screen", origin="stored")["sum"], shown["sum"])
        self.assert_current(again, server)
        self.assertFalse({frames.STAGE, frames.DATA}.intersection(relay.kinds))

    def test_what_changed_meanwhile_comes_as_a_patch(self) -> None:
        server = self.serve()
        client = self.run_client(server, "home", self.mirror())
        self.assert_current(client, server)
        client.end(signal.SIGTERM)
        self.show_day(server, 0)
        relay = self.through(Watching(server))
        self.assert_current(self.run_client(relay, "home", self.mirror()), server)
        self.assertIn(frames.DATA, relay.kinds)
        self.assertNotIn(frames.STAGE, relay.kinds)

    def test_a_restarted_server_asks_for_manifests(self) -> None:
        server = self.serve()
        client = self.run_client(server, "home", self.mirror())
        self.assert_current(client, server)
        client.end(signal.SIGKILL)
        self.show_day(server, 0)
        server.restart()
        relay = self.through(Watching(server))
        self.assert_current(self.run_client(relay, "home", self.mirror()), server)
        self.assertIn(frames.REBASE, relay.kinds)

    def test_altered_parts_are_refused_and_repaired(self) -> None:
        server = self.serve()
        days = itertools.count()
        for kind, damage in (
            (frames.STAGE, alter_target),
            (frames.STAGE, alter_content),
            (frames.DATA, alter_target),
            (frames.DATA, alter_base),
        ):
            with self.subTest(damage.__name__, kind=kind):
                relay = self.through(Relay(server, kind, damage))
                client = self.run_client(relay, "home")
                if kind == frames.DATA:
                    self.assert_current(client, server)
                    self.show_day(server, next(days))
                client.line("error", reason="CUT_REFUSED")
                self.assert_current(client, server)
                self.assertEqual(relay.damaged, 1)

    def test_members_of_a_collection_are_shown(self) -> None:
        server = self.serve()
        client = self.run_client(server, COLLECTION_SET, user=USER)
        self.assert_current(client, server, COLLECTION_SET)
        request = pb.CollectionRequest(number=1, subject="movie/27205", member=True)
        self.connect(server, Session(user=USER)).call(calls.COLLECTION, request)
        (item,) = client.line("screen")["sections"][0]["items"]
        self.assertEqual(item, ["movie/27205", "9", ""])

    def test_the_user_of_a_mirror_stays(self) -> None:
        server = self.serve()
        client = self.run_client(server, "home", self.mirror(), user=USER)
        client.line("screen")
        client.end(signal.SIGTERM)
        self.assertEqual(self.run_client(server, "home", self.mirror()).end(), 73)

    def test_it_ends_as_the_help_says(self) -> None:
        server = self.serve()
        self.assertEqual(self.run_client(server, "nowhere").end(), 76)
        self.assertEqual(self.run_client(server, COLLECTION_SET).end(), 77)
        self.assertEqual(self.run_client(server).end(), 64)
        far = subprocess.run([CLIENT, "192.0.2.1:7420", "home"], capture_output=True, timeout=SECONDS)
        self.assertEqual(far.returncode, 64)


def long_text_with(screen: bytes) -> bytes:
    """A join whose screen is these bytes."""
    message = join(R1, 10)
    message.ClearField("screen")
    body = message.SerializeToString() + b"\x3a" + frame_length(len(screen)) + screen
    return frames.whole(frames.JOIN, FIRST | LAST, body)


def frame_length(size: int) -> bytes:
    return bytes([size]) if size < 128 else bytes([size & 0x7F | 0x80, size >> 7])
