// swift-tools-version: 6.1
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
]

// Set to measure our own way of reading and writing messages instead of libprotobuf-c's.
let traits: Set<Package.Dependency.Trait> =
    Context.environment["MARQUEE_WITHOUT_PROTOBUF_C"] == nil ? [.defaults] : ["Programs"]

let package = Package(
    name: "marquee-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "marquee", path: "..", traits: traits),
        .package(url: "https://github.com/apple/swift-nio.git", .upToNextMinor(from: "2.101.2")),
        .package(url: "https://github.com/apple/swift-log.git", .upToNextMinor(from: "1.16.2")),
        // The client's mirror, and its peer in comparisons.
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
        // The codec's peer in comparisons.
        .package(url: "https://github.com/apple/swift-protobuf.git", exact: "1.39.0"),
    ],
    targets: [
        // CPU time and tables.
        .target(name: "Measuring", swiftSettings: settings),
        // C functions that Swift can't call.
        .target(name: "CMeasuring"),
        .executableTarget(
            name: "LayoutBenchmark",
            dependencies: ["Measuring", "CMeasuring", .product(name: "MarqueeLayout", package: "marquee")],
            swiftSettings: settings),
        // Looks inside MarqueeDiff: built with -enable-testing, like the next one.
        .executableTarget(
            name: "DiffBenchmark",
            dependencies: ["Measuring", "CMeasuring", .product(name: "MarqueeServer", package: "marquee")],
            swiftSettings: settings),
        // Looks inside the server.
        .executableTarget(
            name: "ScreensBenchmark",
            dependencies: ["Measuring", "CMeasuring", .product(name: "MarqueeServer", package: "marquee")],
            swiftSettings: settings),
        // The same: the server, on a data folder whose log is cut on demand.
        .executableTarget(
            name: "ReloadServer",
            dependencies: [
                .product(name: "MarqueeServer", package: "marquee"), .product(name: "Logging", package: "swift-log"),
            ], swiftSettings: settings),
        // Looks inside the wire and the mirror, as above.
        .executableTarget(
            name: "CodecBenchmark",
            dependencies: [
                "Measuring", "CMeasuring", .product(name: "MarqueeServer", package: "marquee"),
                .product(name: "MarqueeClient", package: "marquee"), .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "SwiftProtobuf", package: "swift-protobuf"),
            ], exclude: ["part.proto"], swiftSettings: settings),
        // Looks inside the client, as above.
        .executableTarget(
            name: "ClientBenchmark",
            dependencies: [
                "Measuring", "CMeasuring", .product(name: "MarqueeClient", package: "marquee"),
                .product(name: "GRDB", package: "GRDB.swift"), .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ], swiftSettings: settings),
    ]
)
