// swift-tools-version: 6.1
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
    name: "marquee-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "marquee", path: "..")],
    targets: [
        .executableTarget(
            name: "LayoutBenchmark",
            dependencies: [
                .product(name: "MarqueeLayout", package: "marquee")
            ], swiftSettings: settings),
        // Valgrind's switches, which do nothing outside of it.
        .target(name: "CCallgrind"),
        // Looks inside the server: built with -enable-testing.
        .executableTarget(
            name: "ScreensBenchmark",
            dependencies: ["CCallgrind", .product(name: "MarqueeServer", package: "marquee")], swiftSettings: settings),
    ]
)
