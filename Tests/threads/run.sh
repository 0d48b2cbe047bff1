#!/usr/bin/env bash
# Runs tests under ThreadSanitizer, which is told of the locks that it can't see by itself. Fails if it reports anything
# or a test fails.
# Usage: run.sh FILTER: the tests, as `swift test --filter` takes them.
set -euo pipefail
cd "$(dirname "$0")/../.."

readonly build=.build/thread
readonly reports=$PWD/$build/reports
readonly locks=$PWD/$build/seen-locks.o
mkdir -p "$build"
fail() {
    echo "threads: $*" >&2
    exit 1
}

tools=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
readonly library=$tools/linux/libswiftSynchronization.so
names=$(nm --dynamic "$library")
while read -r name; do
    grep -qF " T $name" <<<"$names" ||
        fail "$library has no $name: this Swift names its locks otherwise; see Tests/threads/seen-locks.c"
done < <(sed -n 's/^#define [A-Z_]* "\(\$s15.*\)"/\1/p' Tests/threads/seen-locks.c)
"$tools/../../bin/clang" -c -fPIC -O2 -Wall -Werror -DREPORTS="\"$reports\"" Tests/threads/seen-locks.c -o "$locks"

# A report is told by the sanitizer. Swift's own backtraces would wait for a terminal.
export SWIFT_BACKTRACE=enable=no
begin() {
    rm -rf "$reports"
    mkdir -p "$reports"
}

# What can't fail proves nothing.
swiftc -O -sanitize=thread Tests/threads/probe.swift -Xlinker "$locks" -o "$build/probe"
begin
"$build/probe" || fail "ThreadSanitizer takes a lock for none"
if "$build/probe" race; then fail "ThreadSanitizer doesn't see a race"; fi

swift build --build-tests --sanitize=thread --scratch-path "$build" -Xlinker "$locks"
tests=$(swift build --sanitize=thread --scratch-path "$build" --show-bin-path)/marqueePackageTests.xctest
begin
status=0
"$tests" --testing-library swift-testing --no-parallel --filter "$1" || status=$?
count=$(grep --recursive --no-filename 'WARNING: ThreadSanitizer' "$reports" | wc -l || true)
echo "threads: $count reports"
if [ "$count" -gt 0 ]; then
    find "$reports" -type f -size +0 -exec head -n 60 {} \; -quit
    fail "all of them are in $reports"
fi
exit "$status"
