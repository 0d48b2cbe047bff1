#!/usr/bin/env bash
# Tests the client in JavaScript, <marquee-screen>, the sample page and the window in the browsers named, Firefox and
# WebKitGTK by default; with --check before them, only checks the names. Needs what run.sh needs, firefox-esr,
# webkit2gtk-driver and xvfb (Debian), and a built server.
set -euo pipefail
cd "$(dirname "$0")/../.."

export MARQUEE_SERVER_BIN=${MARQUEE_SERVER_BIN:-$PWD/.build/debug/marquee-server} PYTHONDONTWRITEBYTECODE=1
check=
if [ "${1:-}" = --check ]; then
    check=1
    shift
fi
browsers=("$@")
[ ${#browsers[@]} -gt 0 ] || browsers=(firefox webkit)

for browser in "${browsers[@]}"; do
    case $browser in chromium | firefox | webkit) ;; *)
        echo "browsers: there is no '$browser'; there are chromium, firefox and webkit" >&2
        exit 64
        ;;
    esac
done
[ -z "$check" ] || exit 0
for program in node firefox-esr WebKitWebDriver xvfb-run "$MARQUEE_SERVER_BIN"; do
    command -v "$program" >/dev/null || {
        echo "browsers: $program is missing; on Debian: apt-get install firefox-esr webkit2gtk-driver xvfb" >&2
        exit 1
    }
done
# Debian's package of selenium is for Debian's python3.
python=python3
"$python" -c 'import selenium' 2>/dev/null || python=/usr/bin/python3

for browser in "${browsers[@]}"; do
    echo "=== $browser"
    export MARQUEE_BROWSER=$browser
    xvfb-run --auto-servernum --server-args="-screen 0 1600x1300x24" bash -euo pipefail -c '
        node --test Client/js/test/browser.test.js Client/js/test/screen-store.test.js
        node Client/js/test/support/conform.js
        for test in screen screen_source sample_page window; do '"$python"' -W ignore Tests/js/test_$test.py; done'
done
