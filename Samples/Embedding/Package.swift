// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "embedding",
    platforms: [.macOS(.v15), .iOS(.v18)],
    dependencies: [
        .package(name: "marquee", path: "../..")
    ],
    targets: [
        // An app of movies: the client library, and the preset with their contents.
        .executableTarget(
            name: "Embedding",
            dependencies: [
                .product(name: "MarqueeClient", package: "marquee"),
                .product(name: "MarqueePresets", package: "marquee"),
            ]),
        // An app of anything else: the client library alone.
        .executableTarget(name: "Records", dependencies: [.product(name: "MarqueeClient", package: "marquee")]),
    ]
)
