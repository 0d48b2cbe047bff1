// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "embedding",
    platforms: [.macOS(.v15), .iOS(.v18)],
    dependencies: [
        .package(name: "marquee", path: "../..")
    ],
    targets: [
        .executableTarget(name: "Embedding", dependencies: [.product(name: "MarqueeClient", package: "marquee")])
    ]
)
