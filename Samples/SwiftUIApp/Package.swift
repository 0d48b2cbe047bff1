// swift-tools-version: 6.1
import PackageDescription

// The sample app as a package of its own, to open in Xcode. The same sources and tests are targets of the package above
// it, where they are built and run with everything else.
let package = Package(
    name: "podcasts-app",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [.library(name: "PodcastsApp", targets: ["PodcastsApp"])],
    // Without what only the server and the command-line client need.
    dependencies: [.package(name: "marquee", path: "../..", traits: [])],
    targets: [
        .target(
            name: "PodcastsApp",
            dependencies: [
                .product(name: "MarqueeClient", package: "marquee"),
                .product(name: "MarqueeSwiftUI", package: "marquee"),
                .product(name: "MarqueeTesting", package: "marquee"),
            ]),
        .testTarget(
            name: "PodcastsAppTests",
            dependencies: [
                "PodcastsApp",
                .product(name: "MarqueeClient", package: "marquee"),
                .product(name: "MarqueeSwiftUI", package: "marquee"),
                .product(name: "MarqueeTesting", package: "marquee"),
            ]),
    ]
)
