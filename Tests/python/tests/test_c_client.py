"""The client of `Samples/c-client`: its answers to the vectors, and what it does on the wire."""

from __future__ import annotations

import json
import os
import subprocess
import unittest

from marquee_client import frames
from marquee_client.schema import pb

from .test_vectors import vectors

CLIENT = os.environ["MARQUEE_C_CLIENT"]
BODIES = {"CardBody", "MemberBody", "OtherBody"}  # that it decodes; no client needs the presets'


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
        done = subprocess.run([CLIENT, "--check"], input=text, capture_output=True, text=True, timeout=60)
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
        # A client never makes a body canonical, but refuses what isn't: as the records of a change that replaces.
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
            questions.append(f"change {row['body'] or '-'} {change['records'] or '-'} {cleared} {int(change['replace'])}")
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
        for row in vectors("frames.json")["frames"]:
            with self.subTest(row["message"], frame=row["frame"][:40]):
                (answer,) = self.ask(f"frame {frames.FRAME_BYTES} {row['frame']}")
                message, flags, fields = answer.split(" ", 2)
                self.assertEqual((message, int(flags), json.loads(fields)), (row["message"], row["flags"], row["fields"]))

    def test_refused_frames(self) -> None:
        rows = vectors("frames.json")["refused"]
        questions = [f"frame {row.get('limit', frames.FRAME_BYTES)} {row['frame']}" for row in rows]
        self.assertEqual(self.ask(*questions), [f"refused {row['reason']}" for row in rows])

    def test_bodies_for_display(self) -> None:
        rows = [row for row in vectors("frames.json")["bodies"] if row["message"] in BODIES]
        self.assertTrue(rows)
        for row, answer in zip(rows, self.ask(*(f"body {row['kind']} {row['body'] or '-'}" for row in rows))):
            with self.subTest(row["message"], body=row["body"][:40]):
                self.assertEqual(json.loads(answer)["content"], row["fields"])

    def test_a_body_that_cannot_be_decoded_is_shown_as_of_an_unknown_kind(self) -> None:
        self.assertEqual(json.loads(self.ask("body 13 0aff")[0])["bytes"], "0aff")
