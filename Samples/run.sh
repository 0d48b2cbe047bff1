#!/usr/bin/env bash
# What `make run` does: serve a sample, let things happen on it, and watch the home screen change.
#
#   Samples/run.sh            the sample catalogue, with a day of its chart every two seconds
#   Samples/run.sh a|b|c|d    one of the four sample apps, with changes that suit it
#   Samples/run.sh podcasts|conference|league|guide|directory
#                             one of the apps made of files alone, with types of their own; nobody publishes on the
#                             guide, whose hours pass in a minute; the directory has 100,000 people
#
# In a terminal it runs until Ctrl-C; without one it ends after a few updates.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly app=${1:-}
readonly bin=.build/debug
readonly folder=.build/run${app:+/$app}
# The types of the catalogue and of the apps a to d; importing a page adds them by itself.
readonly types=Samples/catalogue/types.yaml
readonly updates_without_terminal=${MARQUEE_RUN_UPDATES:-5}
readonly ready_seconds=20
# The time between commits, and what makes one.
seconds=3
commits=--each

case "$app" in
    "") imports=("types $types" "ndjson Samples/catalogue/catalogue.ndjson" "ndjson Samples/catalogue/chart.ndjson")
        serve=(replay chart/boxoffice --speed 0.5 --programme Samples/catalogue/programme.yaml) sample= ;;
    a) sample=Samples/a-streaming imports=("plist Samples/a-streaming/Content.plist")
        serve=(serve --rotate "main=10") ;;
    b) sample=Samples/b-box-office
        imports=("types $types" "ndjson Samples/catalogue/catalogue.ndjson" "ndjson Samples/catalogue/chart.ndjson")
        serve=(replay chart/boxoffice --speed 0.2) ;;
    c) sample=Samples/c-layout-study imports=("types $types" "ndjson Samples/c-layout-study/catalogue.ndjson")
        serve=(serve) ;;
    d) sample=Samples/d-courses imports=("courses Samples/d-courses/home.json --currency USD")
        serve=(serve) ;;
    podcasts | conference | league) sample=Samples/$app
        imports=("types $sample/types.yaml" "ndjson $sample/catalogue.ndjson")
        serve=(serve) ;;
    guide) sample=Samples/guide
        imports=("types $sample/types.yaml" "ndjson $folder/guide.ndjson")
        serve=(serve) ;;
    directory) sample=Samples/directory
        imports=("types $sample/types.yaml" "ndjson $folder/people.ndjson")
        serve=(serve) ;;
    *)
        echo "there is no sample app '$app'; use APP=a, b, c, d, podcasts, conference, league, guide or directory" >&2
        exit 64
        ;;
esac
case "$app" in
    # Some of their changes belong together: blank lines separate commits.
    conference) commits=--blocks ;;
    league) commits=--blocks seconds=0.05 ;;
esac

if [ -z "${MARQUEE_BUILT:-}" ]; then
    echo "Building. The first time this takes minutes, as SwiftNIO and GRDB are compiled too; later it takes seconds."
    for product in marquee-server marquee; do
        # Words without spaces in them.
        # shellcheck disable=SC2086
        swift build ${MARQUEE_BUILD_FLAGS-} --product "$product"
    done
fi
mkdir -p "$folder"
case "$app" in
    guide) awk -f "$sample/schedule.awk" -v minute=1 -v hours=600 >"$folder/guide.ndjson" ;;
    directory) awk -f "$sample/people.awk" >"$folder/people.ndjson" ;;
esac

for import in "${imports[@]}"; do
    # Words without spaces in them.
    # shellcheck disable=SC2086
    "$bin/marquee-server" import $import --data "$folder/data"
done
[ -z "$sample" ] || serve+=(--programme "$sample/programme.yaml")

# The window has this port unless somebody else does.
web=127.0.0.1:7422
if (: </dev/tcp/127.0.0.1/7422) 2>/dev/null; then web=127.0.0.1:0; fi

log=$folder/server.log
: >"$log"
# A process group of its own, so that Ctrl-C reaches only the subscriber and the server is stopped below, once.
set -m
"$bin/marquee-server" "${serve[@]}" --open --data "$folder/data" --listen 127.0.0.1:0 --web "$web" \
    >"$log" 2>"$folder/server.err" </dev/null &
server=$!
set +m
publisher=
stop() {
    [ -z "$publisher" ] || kill -TERM -- "-$publisher" 2>/dev/null || true
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
sed -n 's/^window on /The window: /p' "$log"
sed -n '/ ready on /p' "$log"

# The sample's changes, one after another, over and over. Anybody could publish them.
publish_changes() {
    while cat "$sample/live.ndjson"; do :; done |
        "$bin/marquee" publish - "$commits" --interval "$seconds" --server "$address" --user editor \
            >"$folder/publish.log" 2>&1
}
if [ -f "$sample/live.ndjson" ]; then
    # A process group of its own, because it is two programs.
    set -m
    publish_changes </dev/null &
    publisher=$!
    set +m
fi

subscriber=("$bin/marquee" subscribe home --user sample --server "$address" --mirror "$folder/mirror.sqlite")
if [ -t 0 ] && [ -t 1 ]; then
    echo "q or Ctrl-C ends it, ? lists the keys. Meanwhile, in another terminal:"
    echo "  $bin/marquee screens --server $address"
    "${subscriber[@]}"
else
    "${subscriber[@]}" --count "$updates_without_terminal"
fi
