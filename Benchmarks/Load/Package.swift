// swift-tools-version: 6.1
import PackageDescription

// A package of its own: it depends on nothing but OpenSSL, so it builds in seconds.
let package = Package(
    name: "marquee-load",
    products: [.library(name: "SigsuspendShim", type: .dynamic, targets: ["SigsuspendShim"])],
    targets: [
        // Subscribers, publishers and users of Marquee and of its peers, in one process.
        .executableTarget(
            name: "LoadGenerator", cSettings: [.unsafeFlags(["-Wall", "-Wextra"])],
            linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
        // The least that a server can do for one update and many subscribers.
        .executableTarget(name: "FanoutLimit", cSettings: [.unsafeFlags(["-Wall", "-Wextra"])]),
        // To be preloaded into a server under valgrind.
        .target(name: "SigsuspendShim"),
    ]
)
