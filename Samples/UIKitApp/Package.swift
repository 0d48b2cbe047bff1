// swift-tools-version: 6.1
import PackageDescription

// The sample app as a package of its own, to open in Xcode. The same sources and tests are targets of the package above
// it, where they are built and run with everything else.
let package = Package(
    name: "dives-app",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [.library(name: "DivesApp", targets: ["DivesApp"])],
    // Without what only the server and the command-line client need.
    dependencies: [.package(name: "marquee", path: "../..", traits: [])],
    targets: [
        .target(
            name: "DivesApp",
            dependencies: [
                .product(name: "MarqueeClient", package: "marquee"),
                .product(name: "MarqueeUIKit", package: "marquee"),
            ]),
        .testTarget(
            name: "DivesAppTests",
            dependencies: [
                "DivesApp",
                .product(name: "MarqueeClient", package: "marquee"),
                .product(name: "MarqueeUIKit", package: "marquee"),
                .product(name: "MarqueeTesting", package: "marquee"),
            ]),
    ]
)
