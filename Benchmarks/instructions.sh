#!/usr/bin/env bash
# Counts instructions with valgrind, which are the same on every machine of an architecture, busy or idle.
# Usage: instructions.sh TITLE TIMES BENCHMARK count [ARGUMENTS…]; the benchmark does each thing TIMES times, its last argument.
set -euo pipefail

title=$1
times=$2
shift 2

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Valgrind 3.19 gives up over the debugging information that Swift writes. Each benchmark is one file beside Swift's libraries.
benchmark=$1
shift
strip --strip-debug -o "$folder/$(basename "$benchmark")" "$benchmark"
valgrind --quiet --tool=callgrind --instr-atstart=no --collect-atstart=no --callgrind-out-file="$folder/counts" \
    "$folder/$(basename "$benchmark")" "$@" "$times"

rows=''
# Each count is in a file of its own: counts.1, counts.2, …
for ((part = 1; ; part++)); do
    file=$folder/counts.$part
    [ -e "$file" ] || break
    name=$(sed -n 's/^desc: Trigger: Client Request: //p' "$file")
    total=$(sed -n 's/^totals: //p' "$file")
    rows+=$(printf '%s|%d' "$name" "$((total / times))")$'\n'
done
if [ -z "$rows" ]; then
    echo "valgrind has counted nothing: the benchmark was built without its headers; build it again" >&2
    exit 1
fi
printf '\n%s: instructions, means of %s\n\n' "$title" "$times"
awk -F'|' '{
    number = $NF; grouped = ""
    while (length(number) > 3) { grouped = "," substr(number, length(number) - 2) grouped; number = substr(number, 1, length(number) - 3) }
    printf "  %-72s %16s\n", $1, number grouped
}' <<<"${rows%$'\n'}"
echo
