#!/usr/bin/env bash
# What `make pictures` does: serve the data of each sample app and draw its screens to Docs/pictures, as pictures.txt says.
# Arguments: the apps; without any, all that pictures.txt names.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly bin=.build/debug
readonly work=.build/pictures
readonly list=Samples/pictures.txt
readonly target=Docs/pictures
readonly user=sample
readonly scale=1.5
readonly ready_seconds=60
# Pictures are part of the repository, so none may be large.
readonly largest_bytes=150000

apps=("$@")
if [ ${#apps[@]} -eq 0 ]; then
    mapfile -t apps < <(sed -n 's/^\([a-z][^ ]*\) .*/\1/p' "$list" | awk '!seen[$0]++')
fi

if [ -z "${MARQUEE_BUILT:-}" ]; then
    for product in marquee-server marquee; do
        # Words without spaces in them.
        # shellcheck disable=SC2086
        swift build ${MARQUEE_BUILD_FLAGS-} --product "$product"
    done
fi
mkdir -p "$work" "$target"

server=
stop() {
    [ -n "$server" ] || return 0
    kill -TERM "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
    server=
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# What is imported for an app, line by line: a kind, a file and options. Its programme is in its folder.
imports() {
    case $1 in
    catalogue)
        printf '%s\n' "types Samples/catalogue/types.yaml" "ndjson Samples/catalogue/catalogue.ndjson" \
            "ndjson Samples/catalogue/chart.ndjson"
        ;;
    a-streaming) echo "plist Samples/a-streaming/Content.plist" ;;
    b-box-office) imports catalogue ;;
    c-layout-study)
        printf '%s\n' "types Samples/catalogue/types.yaml" "ndjson Samples/c-layout-study/catalogue.ndjson"
        ;;
    d-courses) echo "courses Samples/d-courses/home.json --currency USD" ;;
    podcasts | conference | league)
        printf '%s\n' "types Samples/$1/types.yaml" "ndjson Samples/$1/catalogue.ndjson"
        ;;
    *)
        echo "there is no sample $1; see $list" >&2
        return 1
        ;;
    esac
}

# Serves an app from fresh data; its address is then in $address.
serve() {
    local app=$1 data=$work/$1 log=$work/$1.log lines kind file options
    lines=$(imports "$app")
    rm -rf "$data"
    while read -r kind file options; do
        # shellcheck disable=SC2086
        "$bin/marquee-server" import "$kind" "$file" $options --data "$data" </dev/null
    done <<<"$lines"
    : >"$log"
    "$bin/marquee-server" serve --open --data "$data" --listen 127.0.0.1:0 --programme "Samples/$app/programme.yaml" \
        >"$log" 2>&1 </dev/null &
    server=$!
    address=
    for ((tenth = 0; tenth < ready_seconds * 10; tenth++)); do
        address=$(sed -n 's/.* ready on \([^ ]*\): .*/\1/p' "$log")
        [ -z "$address" ] || return 0
        kill -0 "$server" 2>/dev/null || break
        sleep 0.1
    done
    echo "the server of $app was not ready within $ready_seconds seconds: $(cat "$log")" >&2
    exit 1
}

for app in "${apps[@]}"; do
    grep -q "^$app " "$list" || { echo "$list does not mention $app" >&2; exit 1; }
    serve "$app"
    connection=(--server "$address" --user "$user")
    mirror=$work/$app.sqlite
    rm -f "$mirror"*
    while read -r name action first rest; do
        [ "$name" = "$app" ] || continue
        case $action in
        favorite)
            for subject in $first $rest; do
                "$bin/marquee" favorite add "$subject" "${connection[@]}" --mirror "$mirror" --timeout 30 \
                    </dev/null
            done
            ;;
        set)
            # A collection, a subject and a value, of which only the last may contain spaces.
            "$bin/marquee" collection set "$first" "${rest%% *}" "${rest#* }" "${connection[@]}" --mirror "$mirror" \
                --timeout 30 </dev/null
            ;;
        render)
            # The rest are options, separated by spaces.
            # shellcheck disable=SC2086
            "$bin/marquee" render $rest "${connection[@]}" --scale "$scale" -o "$target/$first" </dev/null
            bytes=$(wc -c <"$target/$first")
            echo "$target/$first: $bytes bytes"
            if [ "$bytes" -gt "$largest_bytes" ]; then
                echo "$first has more than $largest_bytes bytes; draw less of it, or at a smaller scale" >&2
                exit 1
            fi
            ;;
        *)
            echo "$list: '$action' is not favorite, set or render" >&2
            exit 1
            ;;
        esac
    done <"$list"
    stop
done
