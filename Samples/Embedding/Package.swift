// swift-tools-version: 6.1
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
    name: "embedding",
    platforms: [.macOS(.v15), .iOS(.v16)],
    dependencies: [
        // Without the traits that are on by default, which are for the server and the command-line client.
        .package(name: "marquee", path: "../..", traits: []),
        // For the tests below alone.
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
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
        // No part of an app: Marquee's own tests of its wire, a link, run on the library as an app builds it.
        .testTarget(
            name: "WireTests",
            dependencies: [
                .product(name: "MarqueePresets", package: "marquee"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOTestUtils", package: "swift-nio"),
            ], swiftSettings: settings),
    ]
)
