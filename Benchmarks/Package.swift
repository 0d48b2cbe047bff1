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
            ], swiftSettings: settings)
    ]
)
