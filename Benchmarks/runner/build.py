"""What has to be built, and where it is then."""

import os
import pathlib
import shlex

from .processes import run, say

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
FOLDER = REPOSITORY / ".build" / "benchmarks"

# That of `make simulate` and `make siege`, so that the server is built once.
SERVER_BUILD = "-c release --scratch-path .build/optimized"

_built = {}


def _once(key, make):
    if key not in _built:
        _built[key] = make()
    return _built[key]


def _build(options):
    """Builds, and returns the folder of programs."""
    say(f"swift build {shlex.join(options)}")
    run(["swift", "build", *options], cwd=REPOSITORY, stdout=2)
    return pathlib.Path(
        run(["swift", "build", *options, "--show-bin-path"], cwd=REPOSITORY, capture_output=True).strip())


def _shipped(name, variable):
    given = os.environ.get(variable)
    if given:
        return pathlib.Path(given).resolve()
    options = shlex.split(SERVER_BUILD) + ["--product", name]
    return _once(name, lambda: _build(options)) / name


def server():
    """The server, built as it is shipped, or the one that MARQUEE_SERVER_BIN names."""
    return _shipped("marquee-server", "MARQUEE_SERVER_BIN")


def command():
    """The command of clients, built as it is shipped, or the one that MARQUEE_BIN names."""
    return _shipped("marquee", "MARQUEE_BIN")


def load_program(name):
    """`LoadGenerator` or `FanoutLimit`."""
    options = ["--package-path", "Benchmarks/Load", "--scratch-path", ".build/benchmarks/load", "-c", "release"]
    return _once("load", lambda: _build(options)) / name


def benchmark(name):
    """A program of the package of benchmarks. Some look inside the server."""
    options = [
        "--package-path", "Benchmarks", "--scratch-path", ".build/benchmarks", "-c", "release",
        "-Xswiftc", "-enable-testing", "--product", name,
    ]
    return _once(name, lambda: _build(options)) / name


def grpc_program():
    """The gRPC server, which takes minutes to build."""
    options = ["--package-path", "Benchmarks/GRPC", "--scratch-path", ".build/benchmarks/grpc", "-c", "release"]
    return _once("grpc", lambda: _build(options)) / "GRPCFanout"
