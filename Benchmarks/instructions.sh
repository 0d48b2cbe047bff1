#!/usr/bin/env bash
# Instructions of one change of popularity, counted by valgrind: the same on every machine of an architecture.
# Usage: instructions.sh BINARY [MOVIES…]
set -euo pipefail

binary=$1
shift
sizes=("${@:-1000}")
readonly changes=100

printf '%10s  %10s  %8s  %12s\n' movies 'live views' change instructions
for movies in "${sizes[@]}"; do
    for views in 10 1000 10000; do
        for kind in outside inside; do
            collected=$(
                valgrind --tool=callgrind --instr-atstart=no --callgrind-out-file=/dev/null \
                    "$binary" count "$movies" "$views" "$changes" "$kind" 2>&1 |
                    sed -n 's/.*Collected *: *//p'
            )
            printf '%10s  %10s  %8s  %12s\n' "$movies" "$views" "$kind" "$((collected / changes))"
        done
    done
done
