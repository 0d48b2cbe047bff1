#!/usr/bin/env bash
# What `make run` does: serve the sample catalogue, show a day of its chart each second, and watch the home screen.
# In a terminal it runs until Ctrl-C; without one it ends after a few updates.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly bin=.build/debug
readonly folder=.build/run
readonly updates_without_terminal=5
readonly ready_seconds=20

echo "Building. The first time this takes minutes, as SwiftNIO and GRDB are compiled too; later it takes seconds."
swift build
mkdir -p "$folder"

"$bin/marquee-server" import ndjson Samples/catalogue/catalogue.ndjson --data "$folder/data"
"$bin/marquee-server" import ndjson Samples/catalogue/chart.ndjson --data "$folder/data"

log=$folder/server.log
: >"$log"
# A process group of its own, so that Ctrl-C reaches the subscriber alone and the server is stopped below, once.
set -m
"$bin/marquee-server" replay boxoffice --speed 1 --open --data "$folder/data" --listen 127.0.0.1:0 \
    >"$log" 2>"$folder/server.err" </dev/null &
server=$!
set +m
stop() {
    kill -TERM "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
}
trap stop EXIT
trap 'exit 0' INT
trap 'exit 143' TERM

address=
for ((tenth = 0; tenth < ready_seconds * 10; tenth++)); do
    address=$(sed -n 's/.* ready on \([^ ]*\): .*/\1/p' "$log")
    [ -z "$address" ] || break
    if ! kill -0 "$server" 2>/dev/null; then
        cat "$folder/server.err" >&2
        exit 1
    fi
    sleep 0.1
done
if [ -z "$address" ]; then
    echo "the server was not ready within $ready_seconds seconds; see $folder/server.err" >&2
    exit 1
fi
head -n 1 "$log"

subscriber=("$bin/marquee" subscribe home --user sample --server "$address" --mirror "$folder/mirror.sqlite")
if [ -t 0 ] && [ -t 1 ]; then
    echo "Ctrl-C ends it. Meanwhile, in another terminal:"
    echo "  $bin/marquee favorite add movie/27205 --user sample --server $address"
    "${subscriber[@]}"
else
    "${subscriber[@]}" --count "$updates_without_terminal"
fi
