// swift-tools-version: 6.1
import PackageDescription

// A separate package, like an app's, that uses Marquee with the trait SwiftProtobuf.
let package = Package(
    name: "swift-protobuf-tests",
    platforms: [.macOS(.v15), .iOS(.v16)],
    dependencies: [
        .package(name: "marquee", path: "../..", traits: ["SwiftProtobuf"]),
        .package(url: "https://github.com/apple/swift-protobuf.git", from: "1.39.0"),
    ],
    targets: [
        .testTarget(
            name: "SwiftProtobufTests",
            dependencies: [
                .product(name: "MarqueeClient", package: "marquee"),
                .product(name: "MarqueeSwiftProtobuf", package: "marquee"),
                .product(name: "SwiftProtobuf", package: "swift-protobuf"),
            ])
    ]
)
