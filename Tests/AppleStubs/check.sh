#!/usr/bin/env bash
# Type-checks what is written for Apple's frameworks against the signatures in this folder, on systems without them:
# check.sh UIKit|SwiftUI|Network. Wants the package built: all other modules are those of `swift build`.
set -euo pipefail
cd "$(dirname "$0")/../.."

readonly what=${1:-}
case $what in
UIKit) frameworks=(UIKit) ;;
SwiftUI) frameworks=(SwiftUI) ;;
Network) frameworks=(Security Network NIOTransportServices UIKit) ;;
*)
    echo "usage: $0 UIKit|SwiftUI|Network" >&2
    exit 2
    ;;
esac
if [ "$(uname)" = Darwin ]; then
    echo "$what: nothing to stand in for here; build Marquee's products with Xcode"
    exit 0
fi

built=$(swift build --show-bin-path)
readonly built stubs=.build/apple-stubs/$what
# The package's name, as SwiftPM gives it to the compiler: what is `package` in a built module is then visible.
name=$(basename "$PWD" | tr '[:upper:]' '[:lower:]' | tr -c '[:alnum:]\n' _)
# The C modules that the library's own modules stand on.
maps=()
while IFS= read -r map; do
    maps+=(-Xcc "-fmodule-map-file=$map")
done < <(find .build/checkouts/*/Sources Proto Sources "$built"/C[MN]*.build \
    -name module.modulemap -not -path '*SQLCipher*')
strict=(-parse-as-library -swift-version 6 -I "$stubs" -I "$built/Modules" "${maps[@]}")
ours=(-enable-upcoming-feature InternalImportsByDefault -package-name "$name")

rm -rf "$stubs"
mkdir -p "$stubs"
for framework in "${frameworks[@]}"; do
    swiftc -emit-module "${strict[@]}" "${ours[@]}" -module-name "$framework" -emit-module-path "$stubs/$framework.swiftmodule" \
        "Tests/AppleStubs/$framework.swift"
done

# check MODULE FOLDER [FLAG…]: the module is then that of the folder for those that are checked after it.
check() {
    local sources module=$1 folder=$2
    shift 2
    mapfile -t sources < <(find "$folder" -name '*.swift' -not -path '*.docc/*')
    local flags=("${strict[@]}" "$@" -warnings-as-errors -enable-upcoming-feature ExistentialAny -module-name "$module")
    swiftc -emit-module "${flags[@]}" -emit-module-path "$stubs/$module.swiftmodule" "${sources[@]}"
    swiftc -typecheck "${flags[@]}" "${sources[@]}"
    echo "$what: $module type-checks against the documented signatures"
}
# Apps are packages of their own: they see what is public, and nothing else.
app() { check "$1" "$2" -package-name app; }
case $what in
UIKit)
    check MarqueeUIKit Client/MarqueeUIKit "${ours[@]}"
    app DivesApp Samples/UIKitApp/Sources/DivesApp
    app Dives Samples/UIKitApp/App
    ;;
SwiftUI)
    check MarqueeSwiftUI Client/MarqueeSwiftUI "${ours[@]}"
    app PodcastsApp Samples/SwiftUIApp/Sources/PodcastsApp
    app Podcasts Samples/SwiftUIApp/App
    app Films Samples/FilmsApp
    ;;
Network)
    check MarqueeTLS Sources/MarqueeTLS "${ours[@]}"
    check MarqueeClient Client/MarqueeClient "${ours[@]}"
    ;;
esac
