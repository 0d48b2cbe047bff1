#!/usr/bin/env bash
# Prints the size of the client, minified by esbuild and compressed by gzip, and fails above its limit.
set -euo pipefail
cd "$(dirname "$0")/../../src"
readonly most=19456

# Usage: size NAME MODULE: bundles a module as a page would.
size() {
    bytes=$(esbuild --bundle --minify --format=esm "$2" 2>/dev/null | gzip -9 | wc -c)
    echo "size: $1: $bytes bytes"
}
size "client and WebSocket" client.js
size "the mirror in IndexedDB, and tabs" indexeddb.js
size "all that a page needs" index.js
if [ "$bytes" -gt "$most" ]; then
    echo "size: at most $most bytes are allowed" >&2
    exit 1
fi
