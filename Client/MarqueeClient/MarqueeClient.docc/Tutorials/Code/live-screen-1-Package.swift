// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "LiveScreen",
    platforms: [.macOS(.v15), .iOS(.v16)],
    dependencies: [
        .package(url: "https://git.example.org/marquee.git", branch: "main", traits: [])
    ],
    targets: [
        .executableTarget(
            name: "LiveScreen",
            dependencies: [.product(name: "MarqueeClient", package: "marquee")])
    ]
)
