#!/usr/bin/env bash
# Tests the client in JavaScript: vectors, its state machine, the real server, headless Chromium, `marquee conform
# client` over TCP and in a page, types, size and speed. Then check-screen.sh tests the layout engine and the screen
# element. Needs Node 20 or newer, and a built server in MARQUEE_SERVER_BIN with `marquee` beside it.
# What else is used, and skipped with a word where it is missing (Debian): chromium and chromium-driver; tsc of
# node-typescript; esbuild; node-react and node-react-dom. MARQUEE_VUE names vue.esm-browser.js of Vue 3.
# MARQUEE_RECORDING_SECONDS is how long each recorded feed takes, such as 3600; by default 3, and less of them.
# Arguments go to `node --test`, such as `Client/js/test/core.test.js`. `run.sh client ARGUMENTS` runs the client
# instead.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
readonly root
readonly package=$root/Client/js
readonly build=$root/.build/js
MARQUEE_SERVER_BIN=${MARQUEE_SERVER_BIN:-$root/.build/debug/marquee-server}
case $MARQUEE_SERVER_BIN in
/*) ;;
*) MARQUEE_SERVER_BIN=$PWD/$MARQUEE_SERVER_BIN ;;
esac
export MARQUEE_SERVER_BIN

# Whether a program is there; says what is skipped otherwise.
has() {
    command -v "$1" >/dev/null && return
    echo "skipped: $2, as $1 is missing"
    return 1
}

if ! command -v node >/dev/null || [ "$(node --print 'process.versions.node.split(".")[0]')" -lt 20 ]; then
    echo "skipped: everything in JavaScript, as Node 20 or newer is missing; on Debian: apt-get install nodejs" >&2
    # Tests that were asked for mustn't be skipped.
    exit $(($# > 0))
fi
if [ "${1:-}" = client ]; then
    shift
    exec node "$package/test/support/follow.js" "$@"
fi
if [ $# -gt 0 ]; then
    exec node --test "$@"
fi
if [ ! -x "$MARQUEE_SERVER_BIN" ]; then
    echo "$MARQUEE_SERVER_BIN is missing: build the server first, or name another one in MARQUEE_SERVER_BIN" >&2
    exit 1
fi

if has tsc "types"; then
    rm -rf "$build/types"
    tsc -p "$package"
    tsc -p "$package" --noEmit false --declaration --emitDeclarationOnly --outDir "$build/types"
    cp "$package/test/support/use.ts" "$build/use.ts"
    tsc --strict --noEmit --target es2022 --moduleResolution node --lib ES2022,DOM "$build/use.ts"
    echo "types: checked, emitted, and used by a program in TypeScript"
fi
if has esbuild "size"; then
    "$package/test/support/size.sh"
fi
for test in "$package"/test/*.test.js; do
    # check-screen.sh has the rest.
    case $test in */layout.test.js | */screen.test.js) ;; *) tests+=("$test") ;; esac
done
node --test "${tests[@]}"
"${MARQUEE_SERVER_BIN%-server}" conform client -- "$root/Tests/js/run.sh" client "{host}:{port}" "{screen}" "{mirror}"
# The same checks again, in a page: they take as long as those above, so not with every change.
if [ -n "${MARQUEE_FULL_SIZE-}" ]; then node "$package/test/support/conform.js"; fi
node "$package/test/support/measure.js"
"$root/Tests/js/check-screen.sh"
