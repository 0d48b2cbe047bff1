"""The messages of `marquee.proto` and `presets.proto`, as classes: `pb.Hello`, `pb.Part`, …

They are made from a descriptor set, not from generated Python code, so that any protoc fits any version of the package
`protobuf`. `run.sh` makes the set with `protoc --descriptor_set_out`.
"""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

DEFAULT = Path(__file__).resolve().parents[3] / ".build" / "python" / "marquee.desc"


def load(path: Path) -> SimpleNamespace:
    """Reads a descriptor set and gives its messages by name."""
    pool = descriptor_pool.DescriptorPool()
    names: list[str] = []
    for file in descriptor_pb2.FileDescriptorSet.FromString(path.read_bytes()).file:
        pool.Add(file)
        names += [f"{file.package}.{message.name}" for message in file.message_type]
    found = (pool.FindMessageTypeByName(name) for name in names)
    return SimpleNamespace(**{one.name: message_factory.GetMessageClass(one) for one in found})


pb = load(Path(os.environ.get("MARQUEE_DESCRIPTOR", DEFAULT)))
