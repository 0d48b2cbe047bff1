// swift-tools-version: 6.1
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
]

// Where libprotobuf-c may be linked.
let protobufC: TargetDependencyCondition? = .when(platforms: [.linux, .macOS], traits: ["ProtobufC"])
let wireSettings =
    settings + [.define("PROTOBUF_C", .when(platforms: [.linux, .macOS], traits: ["ProtobufC"]))]

let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")

// Packages that the client library does without. Apps that switch the trait off don't resolve them.
let programs: TargetDependencyCondition? = .when(traits: ["Programs"])
let argumentParser: Target.Dependency = .product(
    name: "ArgumentParser", package: "swift-argument-parser", condition: programs)
let yams: Target.Dependency = .product(name: "Yams", package: "Yams", condition: programs)
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto", condition: programs)
let jwtKit: Target.Dependency = .product(name: "JWTKit", package: "jwt-kit", condition: programs)

// The program that draws pictures needs libraries that nothing else needs. So it is part of the package when asked for:
// `make marquee-pictures` and `make test` set this. It changes nothing of how other targets are built.
let hasPictures = !["", "0", "false", "no"].contains(
    Context.environment["MARQUEE_PICTURES"]?.lowercased() ?? "")

let package = Package(
    name: "marquee",
    // Of Apple's other systems what the client library needs: for `Duration` and clocks. macOS is for the server too.
    platforms: [.macOS(.v15), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "MarqueeClient", targets: ["MarqueeClient"]),
        // TLS other than with the system's authorities.
        .library(name: "MarqueeTLS", targets: ["MarqueeTLS"]),
        // The bodies of preset kinds, for apps that show some.
        .library(name: "MarqueePresets", targets: ["MarqueePresets"]),
        .library(name: "MarqueeLayout", targets: ["MarqueeLayout"]),
        .library(name: "MarqueeUIKit", targets: ["MarqueeUIKit"]),
        .library(name: "MarqueeSwiftUI", targets: ["MarqueeSwiftUI"]),
        // For an app's tests and previews.
        .library(name: "MarqueeTesting", targets: ["MarqueeTesting"]),
        // Empty without the trait of the same name.
        .library(name: "MarqueeSwiftProtobuf", targets: ["MarqueeSwiftProtobuf"]),
        // For `Benchmarks`: nothing of it is public.
        .library(
            name: "MarqueeServer",
            targets: [
                "MarqueeServer", "MarqueeScreens", "MarqueeStore", "MarqueeCatalogue", "MarqueePresets", "MarqueeWire",
                "MarqueeDiff", "MarqueeModel",
            ]),
        .executable(name: "marquee-server", targets: ["marquee-server"]),
        .executable(name: "marquee", targets: ["marquee"]),
    ],
    traits: [
        .default(enabledTraits: ["Programs", "ProtobufC"]),
        .trait(
            name: "Programs",
            description:
                "The server, the command-line client and their tests. Apps switch it off: what it needs is resolved no more."
        ),
        .trait(
            name: "ProtobufC",
            description:
                "Messages are read and written by the system's libprotobuf-c, on Linux and macOS. Without it, and "
                + "everywhere else, Marquee does it itself and needs no system library."),
        .trait(
            name: "SwiftProtobuf",
            description:
                "MarqueeSwiftProtobuf, which decodes records as messages of SwiftProtobuf. Without it apps don't "
                + "even resolve that package."),
    ],
    dependencies: [
        // The packages that apps resolve with the client library, in any compatible version.
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-nio-transport-services.git", from: "1.28.0"),
        .package(url: "https://github.com/apple/swift-crypto.git", "4.5.2"..<"5.0.0"),
        .package(url: "https://github.com/apple/swift-certificates.git", .upToNextMinor(from: "1.21.1")),
        .package(url: "https://github.com/apple/swift-collections.git", .upToNextMinor(from: "1.6.0")),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", .upToNextMinor(from: "1.8.2")),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", .upToNextMinor(from: "2.13.0")),
        .package(url: "https://github.com/jpsim/Yams.git", .upToNextMinor(from: "6.2.2")),
        .package(url: "https://github.com/vapor/jwt-kit.git", .upToNextMinor(from: "5.7.1")),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", .upToNextMinor(from: "2.28.1")),
        // With the trait SwiftProtobuf alone; an app brings the version that its own messages were generated for.
        .package(url: "https://github.com/apple/swift-protobuf.git", from: "1.39.0"),
    ],
    targets: [
        // The contract
        .systemLibrary(
            name: "CProtobufRuntime", path: "Proto/CProtobufRuntime", pkgConfig: "libprotobuf-c",
            providers: [.apt(["libprotobuf-c-dev"]), .brew(["protobuf-c"])]),
        // The types that generated code is made of, with or without that library.
        .target(name: "CProtobufLayout", path: "Proto/CProtobufLayout"),
        .target(
            name: "CMarqueeProto", dependencies: ["CProtobufLayout"], path: "Proto/CMarqueeProto"),
        // The bodies of the preset kinds.
        .target(
            name: "CMarqueePresets", dependencies: ["CMarqueeProto", "CProtobufLayout"], path: "Proto/CMarqueePresets"),
        .target(
            name: "CMarqueeDescriptors", dependencies: ["CProtobufLayout"], path: "Proto/CMarqueeDescriptors"),

        // Shared by both sides
        // The processor's own instruction for a frame's checksum.
        .target(name: "CMarqueeChecksum"),
        .target(name: "MarqueeModel", swiftSettings: settings),
        // A lock like `Synchronization.Mutex`, for apps on older systems.
        .target(name: "MarqueeLocks", swiftSettings: settings),
        .target(name: "MarqueeDiff", dependencies: ["MarqueeModel", "MarqueeLocks"], swiftSettings: settings),
        .target(name: "MarqueeLayout", dependencies: ["MarqueeModel"], swiftSettings: settings),
        .target(
            name: "MarqueeWire",
            dependencies: [
                "MarqueeModel", "MarqueeDiff", "MarqueeLocks", "CMarqueeChecksum", "CMarqueeProto",
                .target(name: "CProtobufRuntime", condition: protobufC),
                .product(name: "NIOCore", package: "swift-nio"),
            ], swiftSettings: wireSettings),
        // How a connection is protected.
        .target(
            name: "MarqueeTLS",
            dependencies: [
                "MarqueeLocks",
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ], swiftSettings: settings),
        // Screens as JSON, for the programs; apps do without.
        .target(
            name: "MarqueeScreenJSON", dependencies: ["MarqueeModel", "MarqueePresets", "MarqueeTypes"],
            swiftSettings: settings),
        // Drives any server or client through scripted connections; only for the program.
        .target(
            name: "MarqueeConformance",
            dependencies: [
                "MarqueeModel", "MarqueeDiff", "MarqueeWire", .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ], swiftSettings: settings),
        // Movies, box office, editorial rows and courses; the client library does without.
        .target(
            name: "MarqueePresets",
            dependencies: ["MarqueeModel", "MarqueeWire", "CMarqueePresets"],
            swiftSettings: settings),
        // The operator's own types; not for the client library.
        // The ICU that Foundation brings. Apple's is called differently.
        .systemLibrary(name: "CICU", path: "Sources/CICU"),
        .target(
            name: "MarqueeTypes",
            dependencies: [
                "MarqueeModel", "MarqueeDiff", "CMarqueeDescriptors", "CProtobufRuntime", "CICU",
                yams,
            ], swiftSettings: settings,
            linkerSettings: [
                .linkedLibrary("_FoundationICU", .when(platforms: [.linux])),
                .linkedLibrary("icucore", .when(platforms: [.macOS])),
            ]),

        // The server
        // The changes that a catalogue's log holds, and what they are about.
        .target(
            name: "MarqueeCatalogue", dependencies: ["MarqueeModel"],
            path: "Server/MarqueeCatalogue", swiftSettings: settings),
        .systemLibrary(
            name: "CPostgreSQL", path: "Server/CPostgreSQL", pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .target(
            name: "MarqueeStore",
            dependencies: [
                "MarqueeCatalogue", "MarqueePresets", "MarqueeModel", "MarqueeDiff", "MarqueeTypes", "CPostgreSQL",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            path: "Server/MarqueeStore", swiftSettings: settings),
        // Movies, charts and what editors put on shelves, as records of declared types.
        .target(
            name: "MarqueePresetRecords",
            dependencies: ["MarqueeCatalogue", "MarqueePresets", "MarqueeModel", "MarqueeDiff"],
            path: "Server/MarqueePresetRecords",
            resources: [
                .embedInCode("Resources/types.yaml"), .embedInCode("Resources/movies.desc"),
                .embedInCode("Resources/programme.yaml"),
            ], swiftSettings: settings),
        .systemLibrary(
            name: "CZlib", path: "Server/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(
            name: "CCSV", path: "Server/CCSV", providers: [.apt(["libcsv-dev"])]),
        .systemLibrary(name: "CTime", path: "Server/CTime"),
        .target(
            name: "MarqueeImport",
            dependencies: [
                "MarqueePresetRecords", "MarqueeCatalogue", "MarqueePresets", "MarqueeModel", "MarqueeTypes",
                "MarqueeDiff", "MarqueeStore", "CPostgreSQL", "CZlib", "CCSV", "CTime",
                yams, .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Server/MarqueeImport", swiftSettings: settings),
        .target(
            name: "MarqueeScreens",
            dependencies: [
                "MarqueeCatalogue", "MarqueePresets", "MarqueeModel", "MarqueeDiff", "MarqueeStore", "MarqueeTypes",
                "MarqueeWire", "CICU",
                yams,
            ], path: "Server/MarqueeScreens", swiftSettings: settings),
        .systemLibrary(name: "CAllocator", path: "Server/CAllocator"),
        .target(
            name: "MarqueeServer",
            dependencies: [
                "CAllocator",
                "MarqueeCatalogue", "MarqueeModel", "MarqueeDiff", "MarqueeWire", "MarqueeStore",
                "MarqueeScreens", "MarqueeTypes", "MarqueeTLS",
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "DequeModule", package: "swift-collections", condition: programs),
                .product(name: "HeapModule", package: "swift-collections", condition: programs),
                logging,
            ], path: "Server/MarqueeServer", swiftSettings: settings),
        // Asks other servers over HTTP; tests ask ours with it.
        .target(
            name: "MarqueeHTTP",
            dependencies: [
                "MarqueeTLS",
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ], path: "Server/MarqueeHTTP", swiftSettings: settings),
        // Authentication and authorization.
        .target(
            name: "MarqueeAccess",
            dependencies: [
                "MarqueeServer", "MarqueeScreens", "MarqueeHTTP", "MarqueeTLS", "MarqueeCatalogue", "MarqueeModel",
                "MarqueeTypes",
                crypto, yams, jwtKit,
                .product(name: "X509", package: "swift-certificates", condition: programs),
            ], path: "Server/MarqueeAccess", swiftSettings: settings),
        // The operators' view of a running server, over HTTP.
        .target(
            name: "MarqueeAdmin",
            dependencies: [
                "MarqueeServer", "MarqueeScreens", "MarqueeModel", "MarqueeTLS", "MarqueeWire",
                .product(name: "Hummingbird", package: "hummingbird", condition: programs),
                .product(name: "HummingbirdCore", package: "hummingbird", condition: programs),
                crypto, logging,
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
            ], path: "Server/MarqueeAdmin", resources: [.embedInCode("Resources/page.html")], swiftSettings: settings),
        // The way in over HTTP and WebSocket.
        .target(
            name: "MarqueeWeb",
            dependencies: [
                "MarqueeServer", "MarqueeScreenJSON", "MarqueeTypes", "MarqueeWire", "MarqueeDiff", "MarqueeModel",
                "MarqueeTLS", "CZlib", crypto, yams,
                .product(name: "DequeModule", package: "swift-collections", condition: programs),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ], path: "Server/MarqueeWeb", swiftSettings: settings),
        // A server that shows what another one shows.
        .target(
            name: "MarqueeRelay",
            dependencies: [
                "MarqueeServer", "MarqueeScreens", "MarqueeStore", "MarqueeTLS", "MarqueeWire", "MarqueeDiff",
                "MarqueeModel",
                .product(name: "DequeModule", package: "swift-collections", condition: programs),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                logging,
            ], path: "Server/MarqueeRelay", swiftSettings: settings),
        .target(
            name: "MarqueePublisher",
            dependencies: [
                "MarqueeModel", "MarqueeWire", "MarqueeTLS", .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ], path: "Server/MarqueePublisher", swiftSettings: settings),
        .executableTarget(
            name: "marquee-server",
            dependencies: [
                "MarqueeCatalogue", "MarqueePresets", "MarqueeServer", "MarqueeImport", "MarqueePublisher",
                "MarqueeStore", "MarqueeScreens", "MarqueeTypes", "MarqueeTLS", "MarqueeAccess", "MarqueeAdmin",
                "MarqueeRelay", "MarqueeWeb", "MarqueeHTTP", "MarqueeModel", "MarqueeWire",
                argumentParser,
                logging,
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle", condition: programs),
            ], path: "Server/marquee-server", resources: [.embedInCode("Resources/default-programme.yaml")],
            swiftSettings: settings),

        // The client
        .target(
            name: "MarqueeMirror",
            dependencies: [
                "MarqueeModel", "MarqueeDiff", "MarqueeLocks", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Client/MarqueeMirror", resources: [.copy("PrivacyInfo.xcprivacy")], swiftSettings: settings),
        .target(
            name: "MarqueeClient",
            dependencies: [
                "MarqueeModel", "MarqueeDiff", "MarqueeLocks", "MarqueeWire", "MarqueeMirror", "MarqueeTLS",
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                // Network.framework, where it is.
                .product(
                    name: "NIOTransportServices", package: "swift-nio-transport-services",
                    condition: .when(platforms: [.iOS, .macOS, .tvOS, .watchOS, .visionOS])),
                .product(name: "Logging", package: "swift-log"),
            ], path: "Client/MarqueeClient", swiftSettings: settings),
        .target(
            name: "MarqueePresentation",
            dependencies: ["MarqueePresets", "MarqueeClient", "MarqueeLayout", "MarqueeModel"],
            path: "Client/MarqueePresentation", swiftSettings: settings),
        // Models for SwiftUI and UIKit that need neither of them.
        .target(
            name: "MarqueeScreenModels", dependencies: ["MarqueeClient"], path: "Client/MarqueeScreenModels",
            swiftSettings: settings),
        // Its views are empty where there is no UIKit; `make check-uikit` type-checks them there.
        .target(
            name: "MarqueeUIKit", dependencies: ["MarqueeScreenModels", "MarqueeClient", "MarqueeLayout"],
            path: "Client/MarqueeUIKit", swiftSettings: settings),
        // The views are empty where there is no SwiftUI; `make check-swiftui` type-checks them there.
        .target(
            name: "MarqueeSwiftUI", dependencies: ["MarqueeScreenModels", "MarqueeClient", "MarqueeLayout"],
            path: "Client/MarqueeSwiftUI", swiftSettings: settings),
        // A server for tests, by the client's side of the protocol's code.
        .target(
            name: "MarqueeTesting",
            dependencies: [
                "MarqueeClient", "MarqueeWire", "MarqueeDiff", "MarqueeModel", "MarqueeLocks",
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
            ], path: "Client/MarqueeTesting", swiftSettings: settings),
        .target(
            name: "MarqueeSwiftProtobuf",
            dependencies: [
                "MarqueeClient",
                .product(
                    name: "SwiftProtobuf", package: "swift-protobuf", condition: .when(traits: ["SwiftProtobuf"])),
            ], path: "Client/MarqueeSwiftProtobuf", swiftSettings: settings),
        .systemLibrary(
            name: "CNcurses", path: "Client/CNcurses",
            providers: [.apt(["libncurses-dev"]), .brew(["ncurses"])]),
        .executableTarget(
            name: "marquee",
            dependencies: [
                "MarqueePresets", "MarqueeClient", "MarqueePresentation", "MarqueeLayout", "MarqueeTypes", "MarqueeTLS",
                "MarqueeConformance", "MarqueeScreenJSON",
                "MarqueeModel", "CNcurses",
                argumentParser,
                .product(name: "UnixSignals", package: "swift-service-lifecycle", condition: programs),
            ], path: "Client/marquee", swiftSettings: settings),

        // The simulation
        .target(
            name: "Simulation",
            dependencies: [
                "MarqueeCatalogue", "MarqueeServer", "MarqueeRelay", "MarqueeScreens", "MarqueeStore", "MarqueeTypes",
                "MarqueeClient", "MarqueeMirror", "MarqueeWire", "MarqueeDiff", "MarqueeModel", "HubSupport",
                "SeededRandom",
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "GRDB", package: "GRDB.swift"),
            ], path: "Tests/Simulation", swiftSettings: settings),
        .executableTarget(
            name: "simulate",
            dependencies: ["Simulation", argumentParser],
            path: "Tests/simulate", swiftSettings: settings),
        // Faults to plant in a copy of the product, for the simulation to find.
        .target(name: "Mutants", path: "Tests/Mutants", exclude: ["Copy", "Faults"], swiftSettings: settings),
        .executableTarget(
            name: "plant-mutants", dependencies: ["Mutants"], path: "Tests/plant-mutants", swiftSettings: settings),

        // Puts a server process under pressure.
        .executableTarget(
            name: "siege",
            dependencies: [
                "MarqueeCatalogue", "MarqueePresetRecords", "MarqueeClient", "MarqueeStore", "MarqueeTLS",
                "MarqueeWire", "MarqueeHTTP", "MarqueeModel",
                argumentParser, crypto,
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Tests/siege", swiftSettings: settings),

        // Servers on one PostgreSQL and relays, killed one after the other under a thousand clients.
        .executableTarget(
            name: "nodes",
            dependencies: [
                "MarqueeClient", "MarqueeHTTP", "MarqueeModel", "PostgresSupport", "ProcessSupport", "SeededRandom",
                argumentParser,
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
            ], path: "Tests/nodes", exclude: ["newer-schema"], swiftSettings: settings),

        // Changes favorites until it is killed, for tests of what survives that.
        .executableTarget(
            name: "change-maker", dependencies: ["MarqueeClient", "MarqueeModel", "SeededRandom"],
            path: "Tests/ChangeMaker", swiftSettings: settings),

        // Functions of any bytes that check properties, for `make fuzz` and FuzzingTests.
        .target(
            name: "Fuzzing",
            dependencies: [
                "MarqueeCatalogue", "MarqueeServer", "MarqueeScreens", "MarqueeStore", "MarqueeImport",
                "MarqueePresetRecords", "MarqueeTypes", "MarqueeClient", "MarqueeMirror", "MarqueeWire", "MarqueeDiff",
                "MarqueeModel", "MarqueeWeb", "HubSupport", logging,
                .product(name: "NIOCore", package: "swift-nio"),
            ], path: "Tests/Fuzzing", exclude: ["run.sh"], swiftSettings: settings),

        // Tests
        .target(
            name: "SeededRandom", dependencies: ["MarqueeModel"], path: "Tests/SeededRandom", swiftSettings: settings),
        // A hub whose callers wait for its store, and stores that do something of their own.
        .target(
            name: "HubSupport",
            dependencies: [
                "MarqueeCatalogue", "MarqueeServer", "MarqueeScreens", "MarqueeStore", "MarqueeWire", "MarqueeModel",
            ],
            path: "Tests/HubSupport", swiftSettings: settings),
        // Named to pkg-config, SwiftPM would ask newcomers for a library that only tests need.
        .systemLibrary(name: "CTerminal", path: "Tests/CTerminal"),
        .testTarget(name: "LocksTests", dependencies: ["MarqueeLocks"], swiftSettings: settings),
        .testTarget(
            name: "DiffTests", dependencies: ["MarqueeDiff", "MarqueeModel", "SeededRandom"], swiftSettings: settings),
        .testTarget(
            name: "LayoutTests", dependencies: ["LayoutVectors", "MarqueeLayout", "MarqueeModel"],
            swiftSettings: settings),
        // Layouts and their frames as Proto/vectors/layout has them, and random ones: for engines in other languages.
        .target(
            name: "LayoutVectors", dependencies: ["MarqueeLayout", "MarqueeModel", "SeededRandom"],
            path: "Tests/LayoutVectors", swiftSettings: settings),
        .executableTarget(
            name: "layout-vectors", dependencies: ["LayoutVectors"], path: "Tests/layout-vectors",
            swiftSettings: settings),
        .testTarget(
            name: "TypesTests", dependencies: ["MarqueeTypes", "MarqueeModel", "MarqueeDiff", "SeededRandom"],
            exclude: ["Fixtures"], swiftSettings: settings),
        .testTarget(
            name: "WireTests",
            dependencies: [
                "SeededRandom",
                "MarqueePresets", "MarqueeWire", "MarqueeDiff", "MarqueeModel", "CMarqueePresets", "CMarqueeProto",
                .target(name: "CProtobufCLayout", condition: protobufC),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOTestUtils", package: "swift-nio"),
            ], swiftSettings: wireSettings),
        // The same layout as the installed header of libprotobuf-c has it.
        .target(name: "CProtobufCLayout", path: "Tests/CProtobufCLayout"),
        .testTarget(
            name: "StoreTests",
            dependencies: [
                "MarqueeCatalogue", "MarqueeStore", "MarqueeTypes", "MarqueeModel", "FaultyDisk", "PostgresSupport",
                "SeededRandom",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ], swiftSettings: settings),
        // Programs of this package as processes.
        .target(name: "ProcessSupport", path: "Tests/ProcessSupport", swiftSettings: settings),
        // A PostgreSQL of the tests' own.
        .target(
            name: "PostgresSupport", dependencies: ["CPostgreSQL"], path: "Tests/PostgresSupport",
            swiftSettings: settings),
        // SQLite's files on a disk that fails, fills up and loses power, for tests.
        .target(
            name: "FaultyDisk", dependencies: ["SeededRandom", .product(name: "GRDBSQLite", package: "GRDB.swift")],
            path: "Tests/FaultyDisk", swiftSettings: settings),
        .testTarget(
            name: "ImportTests",
            dependencies: [
                "PresetSupport", "MarqueePresetRecords", "MarqueeCatalogue", "MarqueePresets", "MarqueeImport",
                "MarqueeStore", "MarqueeTypes", "MarqueeModel", "MarqueeDiff",
                "SeededRandom", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: settings),
        // Reads the presets' records back, for tests.
        .target(
            name: "PresetSupport",
            dependencies: [
                "MarqueePresetRecords", "MarqueeCatalogue", "MarqueePresets", "MarqueeStore", "MarqueeTypes",
                "MarqueeModel",
            ], path: "Tests/PresetSupport", swiftSettings: settings),
        .testTarget(
            name: "AppTests",
            dependencies: [
                "PresetSupport",
                "MarqueeCatalogue", "MarqueePresets", "MarqueeServer", "MarqueeImport", "MarqueeScreens",
                "MarqueeStore", "MarqueeClient", "MarqueeLayout",
                "MarqueePresetRecords", "MarqueeTypes", "MarqueeModel",
                logging,
            ], swiftSettings: settings),
        .testTarget(
            name: "ScreensTests",
            dependencies: [
                "MarqueeCatalogue", "MarqueePresetRecords", "MarqueePresets", "MarqueeScreens", "MarqueeStore",
                "MarqueeTypes", "MarqueeDiff", "MarqueeWire", "MarqueeModel", "SeededRandom",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "MirrorTests",
            dependencies: [
                "MarqueeMirror", "MarqueeDiff", "MarqueeModel", "FaultyDisk", "SeededRandom",
                .product(name: "GRDB", package: "GRDB.swift"),
            ], swiftSettings: settings),
        .testTarget(
            name: "ServerCommandTests",
            dependencies: [
                "marquee-server", "MarqueeServer", "MarqueeImport",
                "MarqueeCatalogue", "MarqueePublisher", "MarqueeScreens", "MarqueeStore", "MarqueeWire", "MarqueeModel",
                "MarqueeTypes",
                "MarqueeAdmin", argumentParser,
                logging, .product(name: "NIOCore", package: "swift-nio"),
            ], swiftSettings: settings),
        .testTarget(
            name: "ServerTests",
            dependencies: [
                "MarqueeCatalogue", "MarqueePresetRecords", "MarqueeServer", "MarqueeRelay",
                "MarqueeScreens", "MarqueeTLS",
                "MarqueeStore", "MarqueeTypes", "MarqueeWire", "MarqueeDiff", "MarqueeModel", "HubSupport",
                "SeededRandom",
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                logging,
            ], swiftSettings: settings),
        .testTarget(
            name: "ClientTests",
            dependencies: [
                "MarqueePresets", "MarqueeClient", "MarqueeMirror", "MarqueeWire", "MarqueeDiff", "MarqueeModel",
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOEmbedded", package: "swift-nio"),
                logging,
            ], swiftSettings: settings),
        // They see what an app sees: nothing but the products.
        .testTarget(
            name: "TestingTests", dependencies: ["MarqueeTesting", "MarqueeClient"], swiftSettings: settings),
        .testTarget(
            name: "SwiftUIModelTests",
            dependencies: ["MarqueeSwiftUI", "MarqueeTesting", "MarqueeClient", "MarqueeTLS"],
            swiftSettings: settings),
        // A sample app, and the tests that its developers would write. It is a package of its own, too.
        .target(
            name: "DivesApp", dependencies: ["MarqueeUIKit", "MarqueeClient"],
            path: "Samples/UIKitApp/Sources/DivesApp", swiftSettings: settings),
        .testTarget(
            name: "DivesAppTests", dependencies: ["DivesApp", "MarqueeUIKit", "MarqueeTesting", "MarqueeClient"],
            path: "Samples/UIKitApp/Tests/DivesAppTests", swiftSettings: settings),
        .target(
            name: "PodcastsApp", dependencies: ["MarqueeSwiftUI", "MarqueeTesting", "MarqueeClient"],
            path: "Samples/SwiftUIApp/Sources/PodcastsApp", swiftSettings: settings),
        .testTarget(
            name: "PodcastsAppTests",
            dependencies: ["PodcastsApp", "MarqueeSwiftUI", "MarqueeTesting", "MarqueeClient"],
            path: "Samples/SwiftUIApp/Tests/PodcastsAppTests", swiftSettings: settings),
        .testTarget(
            name: "PresentationTests",
            dependencies: [
                "SeededRandom",
                "MarqueePresets", "MarqueePresentation", "MarqueeClient", "MarqueeLayout", "MarqueeWire",
                "MarqueeDiff", "MarqueeModel",
            ] + (hasPictures ? ["MarqueePictures", "CCairo"] : []),
            exclude: hasPictures ? ["Pictures/References"] : ["Pictures"], swiftSettings: settings),
        .testTarget(
            name: "SimulationTests",
            dependencies: [
                "MarqueeCatalogue", "Simulation", "Mutants", "MarqueeServer", "MarqueeScreens", "MarqueeStore",
                "MarqueeTypes", "MarqueeClient", "HubSupport", "SeededRandom", "MarqueeMirror",
                "MarqueeWire", "MarqueeDiff", "MarqueeModel", .product(name: "NIOCore", package: "swift-nio"),
            ], swiftSettings: settings),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "MarqueeConformance", "MarqueeWire", "MarqueeDiff", "MarqueeModel",
                .product(name: "NIOCore", package: "swift-nio"),
            ], swiftSettings: settings),
        .testTarget(name: "NodesTests", dependencies: ["nodes"], swiftSettings: settings),
        .testTarget(
            name: "FuzzingTests", dependencies: ["Fuzzing", "ProcessSupport", "SeededRandom"], swiftSettings: settings),
        .testTarget(
            name: "CLITests",
            dependencies: [
                "MarqueeCatalogue",
                "MarqueePresets", "MarqueeTesting", "marquee", "MarqueePresentation", "MarqueeClient", "MarqueeLayout",
                "MarqueeTLS",
                "MarqueeTypes", "MarqueeConformance", "MarqueeScreenJSON", "MarqueeWire",
                "MarqueeDiff", "MarqueeModel", "SeededRandom",
                argumentParser,
            ], swiftSettings: settings),
        .testTarget(
            name: "AccessTests",
            dependencies: [
                "MarqueeAccess", "MarqueeTLS", "MarqueeCatalogue", "MarqueeServer", "MarqueeScreens", "MarqueeModel",
                jwtKit,
            ], swiftSettings: settings),
        .testTarget(
            name: "AdminTests",
            dependencies: [
                "MarqueeAdmin", "MarqueeServer", "MarqueeWire", logging,
                yams,
            ], swiftSettings: settings),
        .testTarget(
            name: "WebTests",
            dependencies: [
                "MarqueeWeb", "MarqueeServer", "MarqueeConformance", "MarqueeCatalogue",
                "MarqueePresetRecords",
                "MarqueeScreens", "MarqueeStore", "MarqueeTypes", "MarqueeTLS", "MarqueeRelay", "MarqueeClient",
                "MarqueeWire", "MarqueeModel", "MarqueeDiff", "MarqueeScreenJSON", "SeededRandom", logging, crypto,
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOWebSocket", package: "swift-nio"),
            ], swiftSettings: settings),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "MarqueeCatalogue", "MarqueePresetRecords", "MarqueePresets", "MarqueeConformance", "marquee",
                "marquee-server", "change-maker", "MarqueeRelay",
                "MarqueeServer", "MarqueeAccess", "MarqueeTLS", "MarqueeImport", "MarqueePublisher", "MarqueeScreens",
                "MarqueeAdmin", "MarqueeHTTP",
                "MarqueeStore", "MarqueeClient", "MarqueeMirror", "MarqueeTypes", "MarqueeWire", "MarqueeDiff",
                "MarqueeModel", "CTerminal", "HubSupport", "PostgresSupport", "PresetSupport", "ProcessSupport",
                "SeededRandom",
                logging,
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ], swiftSettings: settings),
    ]
)

if hasPictures {
    package.products.append(.executable(name: "marquee-pictures", targets: ["marquee-pictures"]))
    package.targets += [
        .systemLibrary(
            name: "CCairo", path: "Tools/pictures/CCairo", pkgConfig: "cairo",
            providers: [.apt(["libcairo2-dev"]), .brew(["cairo"])]),
        .systemLibrary(
            name: "CPango", path: "Tools/pictures/CPango", pkgConfig: "pangocairo",
            providers: [.apt(["libpango1.0-dev"]), .brew(["pango"])]),
        .systemLibrary(
            name: "CGdkPixbuf", path: "Tools/pictures/CGdkPixbuf", pkgConfig: "gdk-pixbuf-2.0",
            providers: [.apt(["libgdk-pixbuf-2.0-dev"]), .brew(["gdk-pixbuf"])]),
        .target(
            name: "MarqueePictures",
            dependencies: ["MarqueePresentation", "MarqueeLayout", "CCairo", "CPango", "CGdkPixbuf"],
            path: "Tools/pictures/MarqueePictures", swiftSettings: settings),
        .executableTarget(
            name: "marquee-pictures", dependencies: ["MarqueePictures", "MarqueePresentation"],
            path: "Tools/pictures/marquee-pictures", swiftSettings: settings),
    ]
}
