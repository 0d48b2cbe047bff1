#!/usr/bin/env bash
# Tests the second implementation of the protocol: against Proto/vectors, and against the real server.
# Needs python3 with venv and protoc (Debian: python3-venv protobuf-compiler), and a built server in MARQUEE_SERVER_BIN.
# The client of Samples/c-client is compiled and tested here as well: with gcc or CC, libprotobuf-c, and sanitizers.
# The first run installs the two packages of requirements.txt from PyPI into .build/python.
# Arguments go to unittest, such as `tests.test_vectors`. `run.sh client ARGUMENTS` runs the client instead.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
readonly root
readonly build=$root/.build/python
readonly environment=$build/venv
MARQUEE_SERVER_BIN=${MARQUEE_SERVER_BIN:-$root/.build/debug/marquee-server}
case $MARQUEE_SERVER_BIN in
/*) ;;
*) MARQUEE_SERVER_BIN=$PWD/$MARQUEE_SERVER_BIN ;;
esac
export MARQUEE_SERVER_BIN
export MARQUEE_DESCRIPTOR=$build/marquee.desc
export MARQUEE_C_CLIENT=$build/marquee-client-c
export PYTHONDONTWRITEBYTECODE=1

cd "$root/Tests/python"

if ! command -v protoc >/dev/null; then
    echo "protoc is missing; on Debian: apt-get install protobuf-compiler" >&2
    exit 1
fi
mkdir -p "$build"
if ! cmp --silent requirements.txt "$environment/installed.txt"; then
    echo "Installing $(tr '\n' ' ' <requirements.txt)from PyPI into .build/python/venv"
    python3 -m venv --clear "$environment"
    "$environment/bin/python" -m pip install --quiet --disable-pip-version-check --requirement requirements.txt
    cp requirements.txt "$environment/installed.txt"
fi
protoc --proto_path="$root/Proto" --descriptor_set_out="$MARQUEE_DESCRIPTOR" marquee.proto presets.proto

if [ "${1:-}" = client ]; then
    shift
    exec "$environment/bin/python" -m marquee_client "$@"
fi
if [ ! -x "$MARQUEE_SERVER_BIN" ]; then
    echo "$MARQUEE_SERVER_BIN is missing: build the server first, or name another one in MARQUEE_SERVER_BIN" >&2
    exit 1
fi
# Usage: compile_c PROGRAM SOURCE: the client in C, or the check of its functions.
compile_c() {
    make --no-print-directory --silent --directory "$root/Samples/c-client" PROGRAM="$1" SOURCE="$2" \
        CFLAGS="-g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all"
}
compile_c "$MARQUEE_C_CLIENT" marquee-client.c
compile_c "$MARQUEE_C_CLIENT-check" "$root/Tests/python/c_client_check.c"
if [ $# -gt 0 ]; then
    exec "$environment/bin/python" -m unittest "$@"
fi
exec "$environment/bin/python" -m unittest discover --start-directory tests --top-level-directory .
