#!/usr/bin/env bash
# Follows a PostgreSQL under writers and everything that goes wrong with one, and judges rows, records and mirrors.
# Needs PostgreSQL's programs (MARQUEE_POSTGRES, Debian's place or PATH), what Tests/python/run.sh needs, and a built
# server in MARQUEE_SERVER_BIN. Arguments go to sources.py: `run.sh --help`.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
readonly root
MARQUEE_SERVER_BIN=${MARQUEE_SERVER_BIN:-$root/.build/debug/marquee-server}
case $MARQUEE_SERVER_BIN in
/*) ;;
*) MARQUEE_SERVER_BIN=$PWD/$MARQUEE_SERVER_BIN ;;
esac
if [ ! -x "$MARQUEE_SERVER_BIN" ]; then
    echo "$MARQUEE_SERVER_BIN is missing: build the server first, or name another one in MARQUEE_SERVER_BIN" >&2
    exit 1
fi
# Its environment has the second implementation of the protocol, by which mirrors are judged.
"$root/Tests/python/run.sh" client --help >/dev/null
export MARQUEE_SERVER_BIN PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$root/Tests/python
export MARQUEE_DESCRIPTOR=$root/.build/python/marquee.desc
exec "$root/.build/python/venv/bin/python" "$root/Tests/sources/sources.py" "$@"
