#!/usr/bin/env bash
# Type-checks MarqueeUIKit against the signatures of UIKit in this folder, on systems that have no UIKit.
# Wants the package built: the modules are those of `swift build`.
set -euo pipefail
cd "$(dirname "$0")/../.."

if [ "$(uname)" = Darwin ]; then
    echo "UIKit: nothing to stand in for here; build MarqueeUIKit for iOS with Xcode"
    exit 0
fi
modules=$(swift build --show-bin-path)/Modules
stub=.build/uikit-stub
# The C modules that the library's own modules stand on.
maps=()
while IFS= read -r map; do
    maps+=(-Xcc "-fmodule-map-file=$map")
done < <(find .build/checkouts/*/Sources Proto "$(swift build --show-bin-path)"/C[MN]*.build \
    -name module.modulemap -not -path '*SQLCipher*')
mkdir -p "$stub"
swiftc -emit-module -parse-as-library -swift-version 6 -enable-upcoming-feature InternalImportsByDefault \
    -module-name UIKit -emit-module-path "$stub/UIKit.swiftmodule" Tests/UIKitStub/UIKit.swift
swiftc -typecheck -parse-as-library -swift-version 6 -warnings-as-errors \
    -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature ExistentialAny \
    -module-name MarqueeUIKit -I "$stub" -I "$modules" "${maps[@]}" \
    Client/MarqueeUIKit/*.swift
echo "UIKit: MarqueeUIKit type-checks against the documented signatures"
