#!/usr/bin/env bash
# Type-checks MarqueeSwiftUI against the signatures of SwiftUI in this folder, on systems that have no SwiftUI.
# Wants the package built: the modules are those of `swift build`.
set -euo pipefail
cd "$(dirname "$0")/../.."

if [ "$(uname)" = Darwin ]; then
    echo "SwiftUI: nothing to stand in for here; build MarqueeSwiftUI with Xcode"
    exit 0
fi
built=$(swift build --show-bin-path)
stub=.build/swiftui-stub
# The C modules that the library's own modules stand on.
maps=()
while IFS= read -r map; do
    maps+=(-Xcc "-fmodule-map-file=$map")
done < <(find .build/checkouts/*/Sources Proto "$built"/C[MN]*.build \
    -name module.modulemap -not -path '*SQLCipher*')
mkdir -p "$stub"
strict=(-parse-as-library -swift-version 6 -enable-upcoming-feature InternalImportsByDefault)
swiftc -emit-module "${strict[@]}" -module-name SwiftUI -emit-module-path "$stub/SwiftUI.swiftmodule" \
    Tests/SwiftUIStub/SwiftUI.swift
check() {
    local module=$1
    shift
    swiftc -emit-module "${strict[@]}" \
        -enable-upcoming-feature ExistentialAny -module-name "$module" \
        -emit-module-path "$stub/$module.swiftmodule" -I "$stub" -I "$built/Modules" "${maps[@]}" "$@"
    swiftc -typecheck "${strict[@]}" -warnings-as-errors \
        -enable-upcoming-feature ExistentialAny -module-name "$module" -I "$stub" -I "$built/Modules" "${maps[@]}" "$@"
    echo "SwiftUI: $module type-checks against the documented signatures"
}
check MarqueeSwiftUI Client/MarqueeSwiftUI/*.swift Client/MarqueeSwiftUI/*/*.swift
check PodcastsApp Samples/SwiftUIApp/Sources/PodcastsApp/*.swift Samples/SwiftUIApp/Sources/PodcastsApp/*/*.swift
