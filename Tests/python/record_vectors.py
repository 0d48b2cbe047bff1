"""Makes Tests/TypesTests/Fixtures/vectors.json: messages as protobuf's own Python package writes them.

Each vector is a message's JSON by the standard mapping and its deterministic bytes, from messages with random fields
and from given ones; the Swift tests hold their own coder to them. Run by hand when a schema changes; with --check it
only says whether the file is what it would make:

    .build/python/venv/bin/python Tests/python/record_vectors.py
"""

import base64
import json
import os
import pathlib
import random
import sys

# The implementation in C doesn't order the entries of a map by key, even when asked to be deterministic.
os.environ["PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION"] = "python"

from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory

FIXTURES = pathlib.Path(__file__).resolve().parent.parent / "TypesTests" / "Fixtures"
SEED = 20260101
TEXTS = ["", "a", "Dark", "기생충", "naïve — “quoted”", "tab\tline\n\\ \"", "\u0001", "🎬 reel", "𝄞", "a" * 200]
NUMBERS = [0, 1, -1, 2, 63, 64, 127, 128, -64, -65, 300, 2**31 - 1, -(2**31), 2**32 - 1, 2**53 + 1, 2**63 - 1, -(2**63), 2**64 - 1]
DOUBLES = [0.0, -0.0, 1.0, -1.5, 0.1, 1e300, 5e-324, 123456789.123, 1e21, 1e-7, float("inf"), float("-inf"), float("nan")]
FLOATS = [0.0, -0.0, 1.0, -1.5, 0.5, 16777216.0, 3.4028234663852886e38, 1.1754943508222875e-38, float("inf"), float("nan")]


def load(name):
    pool = descriptor_pool.DescriptorPool()
    for file in descriptor_pb2.FileDescriptorSet.FromString((FIXTURES / name).read_bytes()).file:
        pool.Add(file)
    return pool


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def scalar(self, field):
        types = type(field)
        pick = self.random.choice
        if field.type == types.TYPE_DOUBLE:
            return pick(DOUBLES)
        if field.type == types.TYPE_FLOAT:
            return pick(FLOATS)
        if field.type == types.TYPE_BOOL:
            return pick([False, True])
        if field.type == types.TYPE_STRING:
            return pick(TEXTS)
        if field.type == types.TYPE_BYTES:
            return bytes(self.random.randrange(256) for _ in range(pick([0, 1, 2, 3, 4, 20])))
        if field.type == types.TYPE_ENUM:
            return pick(field.enum_type.values).number
        signed = field.type in (
            types.TYPE_INT32, types.TYPE_INT64, types.TYPE_SINT32, types.TYPE_SINT64, types.TYPE_SFIXED32, types.TYPE_SFIXED64)
        wide = field.cpp_type in (types.CPPTYPE_INT64, types.CPPTYPE_UINT64)
        bits = 64 if wide else 32
        low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
        return pick([number for number in NUMBERS if low <= number <= high])

    def fill(self, message, depth=1, density=0.3):
        name = message.DESCRIPTOR.full_name
        if name == "google.protobuf.Timestamp":
            message.seconds = self.random.choice([0, 1, -1, -62135596800, 253402300799, 1700000000, 951782400])
            message.nanos = self.random.choice([0, 1, 250000000, 999999999, 1000])
            return
        if name == "google.protobuf.Duration":
            sign = self.random.choice([1, -1])
            message.seconds = sign * self.random.choice([0, 1, 315576000000, 90])
            message.nanos = sign * self.random.choice([0, 1, 500000000, 999999999])
            if abs(message.seconds) == 315576000000:
                message.nanos = 0
            return
        for field in message.DESCRIPTOR.fields:
            required = field.is_required
            if not required and self.random.random() > density:
                continue
            if field.message_type is not None and field.message_type.GetOptions().map_entry:
                self.map(message, field, depth)
            elif field.is_repeated:
                for _ in range(self.random.choice([0, 1, 2, 5])):
                    if field.message_type is None:
                        getattr(message, field.name).append(self.scalar(field))
                    elif depth < 7:
                        self.fill(getattr(message, field.name).add(), depth + 1, density)
            elif field.message_type is not None:
                if depth < 7:
                    getattr(message, field.name).SetInParent()
                    self.fill(getattr(message, field.name), depth + 1, density)
            else:
                setattr(message, field.name, self.scalar(field))

    def map(self, message, field, depth):
        key = field.message_type.fields_by_name["key"]
        value = field.message_type.fields_by_name["value"]
        entries = getattr(message, field.name)
        for _ in range(self.random.choice([1, 2, 6])):
            if value.message_type is None:
                entries[self.scalar(key)] = self.scalar(value)
            elif depth < 7:
                self.fill(entries[self.scalar(key)], depth + 1)


def vector(message, text=None):
    return {
        "given": text is not None,
        "message": message.DESCRIPTOR.full_name,
        "json": text if text is not None else json_format.MessageToJson(message, indent=None, ensure_ascii=False),
        "bytes": base64.b64encode(message.SerializeToString(deterministic=True)).decode(),
    }


# Documents that aren't written as protobuf writes them, and mean the same.
GIVEN = [
    ("kitchen.v1.Kitchen", '{"an_int64": 12, "anInt32": "7", "a_uint64": "18446744073709551615", "aDouble": "1.5"}'),
    ("kitchen.v1.Kitchen", '{"anInt32": 1e3, "aUint32": 4.0, "aSint64": -5e0, "aFloat": 1}'),
    ("kitchen.v1.Kitchen", '{"color": 2, "colors": ["COLOR_RED", 1, 99], "point": null, "titles": null, "numbers": null}'),
    ("kitchen.v1.Kitchen", '{"someBytes": "-_8", "blobs": ["-_8=", "+/8=", ""]}'),
    ("kitchen.v1.Kitchen", '{"at": "2026-02-28T23:30:00.5-02:00", "lasts": "-1.5s", "times": ["0001-01-01T00:00:00Z"]}'),
    ("kitchen.v1.Kitchen", '{"wrappedInt64": 0, "wrappedBool": false, "wrappedString": "", "wrappedDouble": null, "empty": {}}'),
    ("kitchen.v1.Kitchen", '{"maybeNumber": 0, "maybeText": "", "maybeFlag": false, "asFlag": false}'),
    ("kitchen.v1.Kitchen", '{"byNumber": {"10": {}, "-2": {"x": 1}, "9": {"y": -1}}, "byFlag": {"true": "COLOR_RED", "false": 0}}'),
    ("kitchen.v1.Kitchen", '{"titles": {"ko": "홈", "en": "", "": "x", "한": "1"}, "bySigned": {"-1": "AA==", "0": "", "-9223372036854775808": "AQ=="}}'),
    ("kitchen.v1.Kitchen", '{"otherName": "x", "far": -1, "tree": {"name": "a", "left": {"children": [{}, {"name": "\\ud834\\udd1e"}]}}}'),
    ("kitchen.v1.Kitchen", '{"aDouble": -0.0, "aFloat": -0.0, "doubles": [0, -0.0, "NaN", "-Infinity"]}'),
    ("legacy.v1.Job", '{"id": "", "priority": 0, "state": "ACTIVE", "loose": [1, 2], "packed": [3, 4], "step": {"name": "a"}}'),
]


def main():
    vectors = []
    pools = {}
    for file, names in [("kitchen.desc", ["kitchen.v1.Kitchen", "kitchen.v1.Tree"]), ("legacy.desc", ["legacy.v1.Job"]),
                        ("podcast.desc", ["podcast.v1.Episode", "podcast.v1.Show"])]:
        pool = load(file)
        for name in names:
            pools[name] = pool
            kind = message_factory.GetMessageClass(pool.FindMessageTypeByName(name))
            for number in range(20 if name == "kitchen.v1.Kitchen" else 8):
                message = kind()
                Maker(SEED + number).fill(message, density=[0.05, 0.3, 0.8][number % 3])
                vectors.append(vector(message))
    for name, text in GIVEN:
        kind = message_factory.GetMessageClass(pools[name].FindMessageTypeByName(name))
        vectors.append(vector(json_format.Parse(text, kind()), text))
    text = json.dumps(vectors, ensure_ascii=False, indent=0)
    file = FIXTURES / "vectors.json"
    if "--check" in sys.argv[1:]:
        if file.read_text(encoding="utf-8") != text + "\n":
            sys.exit(f"{file.name} is not what this package of protobuf makes")
    else:
        file.write_text(text + "\n", encoding="utf-8")
    print(f"{len(vectors)} vectors")


if __name__ == "__main__":
    main()
