#!/usr/bin/env bash
# Tests the layout engine in JavaScript, <marquee-screen> and the window: types, vectors, random layouts beside the engine
# in Swift, the size, and the element and both pages in a headless Chromium.
# Needs node 20. tsc, esbuild, a built layout-vectors, and chromium, chromedriver and python3-selenium are used if they
# are there (Debian: node-typescript esbuild chromium-driver python3-selenium); missing ones are named.
set -euo pipefail
cd "$(dirname "$0")/../.."

readonly tool=${MARQUEE_LAYOUT_VECTORS:-.build/debug/layout-vectors}
# Random layouts that are compared.
case "${MARQUEE_FULL_SIZE:-}" in
1 | true | yes) readonly layouts=100000 ;;
*) readonly layouts=2000 ;;
esac
readonly most_bytes=15360

skipped() { echo "check-screen: skipped: $1" >&2; }

if ! command -v node >/dev/null; then
    skipped "everything, because node isn't installed"
    exit 0
fi

if command -v tsc >/dev/null; then
    tsc --allowJs --checkJs --strict --noEmit --target es2022 --lib es2022,dom,dom.iterable --module es2022 \
        Client/js/layout.js Client/js/screen.js Client/window/main.js
else
    skipped "types, because tsc isn't installed"
fi

node --test Client/js/test/layout.test.js Client/js/test/screen.test.js

if [ -x "$tool" ]; then
    "$tool" random 1 "$layouts" | node Tests/js/compare-layouts.js "$layouts"
else
    skipped "random layouts, because there is no $tool; swift build --product layout-vectors makes it"
fi

if command -v esbuild >/dev/null; then
    bytes=$(esbuild --bundle --minify --format=esm Client/js/layout.js | gzip -9 | wc -c)
    echo "check-screen: layout.js is $bytes bytes, minified and compressed; at most $most_bytes"
    [ "$bytes" -le "$most_bytes" ]
else
    skipped "the size, because esbuild isn't installed"
fi

# Debian's package is for Debian's python3.
python=python3
"$python" -c 'import selenium' 2>/dev/null || python=/usr/bin/python3
PYTHONDONTWRITEBYTECODE=1 "$python" Tests/js/test_screen.py
PYTHONDONTWRITEBYTECODE=1 "$python" Tests/js/test_screen_source.py
PYTHONDONTWRITEBYTECODE=1 "$python" Tests/js/test_seen.py
PYTHONDONTWRITEBYTECODE=1 "$python" Tests/js/test_sample_page.py
PYTHONDONTWRITEBYTECODE=1 "$python" Tests/js/test_window.py
