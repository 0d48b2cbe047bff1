#!/usr/bin/env bash
# Prints the size of the client, minified by esbuild and compressed by gzip, and fails above its limits.
set -euo pipefail
cd "$(dirname "$0")/../../src"
readonly most_of_client=14760
readonly most_with_mirror=16384
readonly most_with_seen=17408

# Usage: size NAME LIMIT MODULE...: bundles modules as a page would.
size() {
    local name=$1 limit=$2 bytes
    shift 2
    bytes=$(printf 'export * from "./%s";\n' "$@" | esbuild --bundle --minify --format=esm 2>/dev/null | gzip -9 | wc -c)
    echo "size: $name: $bytes bytes"
    if [ "$bytes" -gt "$limit" ]; then
        echo "size: at most $limit bytes are allowed" >&2
        exit 1
    fi
}
size "client" "$most_of_client" index.js
size "client, mirror in IndexedDB and tabs" "$most_with_mirror" index.js indexeddb.js
# For pages that report what people see, beside the client.
size "client, and what was seen" "$most_with_seen" index.js seen.js
