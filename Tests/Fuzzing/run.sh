#!/usr/bin/env bash
# Builds the fuzz targets with libFuzzer's coverage and the sanitizers for addresses and undefined behaviour, and runs
# each for some seconds, or one of them on one input.
#
#   run.sh SECONDS TARGET...
#   run.sh --input FILE TARGET
set -euo pipefail
cd "$(dirname "$0")/../.."

readonly build=.build/fuzz
# Seconds that one input may take, and megabytes that the process may use. Leaks aren't looked for: Foundation leaks
# the errors of property lists, and the other reports seem to be marked pointers in Swift's enums.
export ASAN_OPTIONS=detect_leaks=0
readonly limits=(-timeout=25 -rss_limit_mb=4096 -detect_leaks=0)
# The sanitizer reports a crash. Swift's own backtraces would wait for a terminal.
export SWIFT_BACKTRACE=enable=no
tools=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')/../../bin
export ASAN_SYMBOLIZER_PATH=$tools/llvm-symbolizer

# Undefined behaviour is looked for in C, where there is some; Swift traps by itself.
options=(
    -c release --scratch-path "$build" --sanitize=address -Xswiftc -sanitize=fuzzer -Xswiftc -parse-as-library
    -Xcc -fsanitize=fuzzer-no-link,undefined -Xcc -fno-sanitize-recover=undefined
)
swift build "${options[@]}" --target Fuzzing
products=$(swift build "${options[@]}" --show-bin-path)
# The object of a Swift file that is no longer there stays behind: the map of its module doesn't name it.
objects=()
for module in "$products"/*.build; do
    map=$module/output-file-map.json
    while read -r object; do
        if [[ $object != *.swift.o ]] || grep -qF "/${object##*/}\"" "$map"; then objects+=("$object"); fi
    done < <(find "$module" -name '*.o')
done
# Foundation's ICU has the rules of plurals.
swiftc -sanitize=fuzzer,address "${objects[@]}" -l_FoundationICU -o "$build/fuzz"

if [ "$1" = --input ]; then
    MARQUEE_FUZZ_TARGET=$3 exec "$build/fuzz" "${limits[@]}" "$2"
fi

seconds=$1
shift
failed=()
for target in "$@"; do
    corpus=$build/corpus/$target findings=$build/findings/$target log=$build/$target.log
    mkdir -p "$corpus" "$findings"
    export MARQUEE_FUZZ_TARGET=$target MARQUEE_FUZZ_SEEDS=$corpus
    if "$build/fuzz" "$corpus" -max_total_time="$seconds" "${limits[@]}" \
        -artifact_prefix="$findings/" -print_final_stats=1 >"$log" 2>&1; then
        awk -v target="$target" '
            / cov: / { for (i = 1; i < NF; i++) { if ($i == "cov:") covered = $(i + 1) } }
            /^stat::number_of_executed_units:/ { count = $2 }
            /^stat::average_exec_per_sec:/ { rate = $2 }
            END { printf "%-10s %10d inputs, %6d per second, %6d edges\n", target, count, rate, covered }' "$log"
    else
        failed+=("$target")
        grep --text -E 'Fatal error|ERROR: |runtime error|SUMMARY|Test unit written' "$log" || tail -n 20 "$log"
        input=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
        echo "$target failed; all it said is in $log${input:+, and again: make fuzz TARGET=$target INPUT=$input}" >&2
    fi
done
[ ${#failed[@]} -eq 0 ]
