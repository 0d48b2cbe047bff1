// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "embedding",
    platforms: [.macOS(.v15), .iOS(.v18)],
    dependencies: [
        .package(name: "marquee", path: "../..")
    ],
    targets: [
        // A movie app: the client library, and the presets with the contents of movies.
        .executableTarget(
            name: "Embedding",
            dependencies: [
                .product(name: "MarqueeClient", package: "marquee"),
                .product(name: "MarqueePresets", package: "marquee"),
            ]),
        // Any other app: the client library alone.
        .executableTarget(name: "Records", dependencies: [.product(name: "MarqueeClient", package: "marquee")]),
    ]
)
