#!/usr/bin/env bash
# What `make terminal-picture` does: record what `make run` shows in a terminal of 80 × 24, as Docs/pictures/terminal.svg.
# MARQUEE_BIN names the folder of the built programs if it isn't .build/debug; then nothing is built.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly bin=${MARQUEE_BIN:-.build/debug}
readonly out=${1:-Docs/pictures/terminal.svg}
readonly ready_seconds=60

if [ -z "${MARQUEE_BIN:-}${MARQUEE_BUILT:-}" ]; then
    for product in marquee-server marquee; do
        # Words without spaces in them.
        # shellcheck disable=SC2086
        swift build ${MARQUEE_BUILD_FLAGS-} --product "$product"
    done
fi
work=$(mktemp -d)
server=
stop() {
    [ -z "$server" ] || kill -TERM "$server" 2>/dev/null || true
    [ -z "$server" ] || wait "$server" 2>/dev/null || true
    rm -rf "$work"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

"$bin/marquee-server" import types Samples/catalogue/types.yaml --data "$work/data" >/dev/null
for file in catalogue chart; do
    "$bin/marquee-server" import ndjson "Samples/catalogue/$file.ndjson" --data "$work/data" >/dev/null
done
"$bin/marquee-server" replay chart/boxoffice --programme Samples/catalogue/programme.yaml --speed 0.5 --open --data "$work/data" --listen 127.0.0.1:0 \
    >"$work/log" 2>&1 </dev/null &
server=$!
address=
for ((tenth = 0; tenth < ready_seconds * 10; tenth++)); do
    address=$(sed -n 's/.* ready on \([^ ]*\): .*/\1/p' "$work/log")
    [ -z "$address" ] || break
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
done
if [ -z "$address" ]; then
    echo "the server was not ready within $ready_seconds seconds: $(cat "$work/log")" >&2
    exit 1
fi
# A favorite, and a movement in the chart: what a person sees after some seconds.
"$bin/marquee" favorite add movie/118340 --user sample --server "$address" --mirror "$work/mirror.sqlite" --timeout 30
python3 Samples/terminal_picture.py --size 80x24 --until "● live" --until "▲" --until "→" --out "$out" -- \
    "$bin/marquee" subscribe home --user sample --server "$address" --mirror "$work/mirror.sqlite"
