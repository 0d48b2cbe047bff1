#!/usr/bin/env bash
# Runs every example of Docs/feeding.md against a real server with the sample catalogue, and looks at the screens.
# Needs python3 and curl, and a built server in MARQUEE_SERVER_BIN. A language that isn't installed is skipped with a
# word (Debian: nodejs php-cli golang-go). Arguments go to unittest, such as `FeedingTests.test_node`.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
readonly root
MARQUEE_SERVER_BIN=${MARQUEE_SERVER_BIN:-$root/.build/debug/marquee-server}
case $MARQUEE_SERVER_BIN in
/*) ;;
*) MARQUEE_SERVER_BIN=$PWD/$MARQUEE_SERVER_BIN ;;
esac
export MARQUEE_SERVER_BIN
if [ ! -x "$MARQUEE_SERVER_BIN" ]; then
    echo "$MARQUEE_SERVER_BIN is missing: build the server first, or name another one in MARQUEE_SERVER_BIN" >&2
    exit 1
fi
export PYTHONDONTWRITEBYTECODE=1
# Everything is on this machine.
export NO_PROXY=127.0.0.1 no_proxy=127.0.0.1
cd "$root/Tests/feeding"
exec python3 test_page.py --verbose "$@"
