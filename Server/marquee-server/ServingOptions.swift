import ArgumentParser
import Foundation
import MarqueeServer
import MarqueeStore

/// A command that serves a store, or shows how it would.
///
/// It holds all groups of options itself: a debug build of ArgumentParser checks each four times at each level above
/// it.
protocol ServingCommand: ParsableCommand {
    var store: PlaceOptions { get }
    var service: ServiceOptions { get }
    var jwt: JWTOptions { get }
    var protection: ServerProtectionOptions { get }
    var limits: LimitOptions { get }
    var logging: LoggingOptions { get }
    var running: RunningOptions { get }
    var admin: AdminOptions { get }
    var web: WebOptions { get }
}

extension ServingCommand {
    var serving: ServingOptions {
        ServingOptions(
            store: store, service: service, jwt: jwt, protection: protection, limits: limits, logging: logging,
            running: running, admin: admin, web: web)
    }

    func validate() throws { try serving.check() }
}

/// All options of a `ServingCommand`.
@dynamicMemberLookup
struct ServingOptions {
    let store: PlaceOptions
    let service: ServiceOptions
    let jwt: JWTOptions
    let protection: ServerProtectionOptions
    let limits: LimitOptions
    let logging: LoggingOptions
    let running: RunningOptions
    let admin: AdminOptions
    let web: WebOptions

    subscript<Value>(dynamicMember option: KeyPath<ServiceOptions, Value>) -> Value { service[keyPath: option] }

    /// Checks options across groups.
    func check() throws {
        if service.allowLostCommits, store.database == nil {
            throw ValidationError("--allow-lost-commits needs --store")
        }
        if service.open, jwt.areAccepted { throw ValidationError("--open and --jwt-keys exclude each other") }
        if service.refusesAnonymous, service.tokens == nil, !jwt.areAccepted {
            throw ValidationError("--no-anonymous needs --tokens, --jwt-keys or --jwt-issuers")
        }
        if service.wantsListedCertificates, service.tokens == nil || protection.clientAuthorities == nil {
            throw ValidationError("--only-listed-certificates needs --tls-client-ca and --tokens")
        }
        try protection.check(service.listen)
        if let listen = web.listen {
            if service.open, !listen.isLoopback {
                throw ValidationError("--open listens on loopback addresses only, not on \(listen.host): --web, too")
            }
            try protection.check(listen)
        }
    }
}

/// The options of serving that belong to no other group.
struct ServiceOptions: ParsableArguments {
    private static let imageSchemes = ["https", "http"]

    @Flag(
        help: """
            With --store: serve although the database is set up so that a crash may lose commits that it has confirmed.
            """)
    var allowLostCommits = false

    @Option(
        help: ArgumentHelp(
            "Where to listen; port 0 means any free port. (default: \(ListenAddress.standard))", valueName: "host:port"),
        transform: { try ListenAddress(parsing: $0) })
    var listen = ListenAddress.standard

    @Option(
        help: ArgumentHelp(
            """
            What the screens show. It is checked, then kept in the store, and read again when it changes. Without it, \
            the programme kept there is served, or, if there is none, a home screen that says so.
            """, valueName: "file"))
    var programme: String?

    @Option(
        help: ArgumentHelp(
            """
            The types of the records that the programme shows: their declaration, which names a descriptor set beside \
            it. It is checked at the start, then kept in the store, and not read again: 'import types --to' changes them \
            while the server runs. Without it, the types kept there apply.
            """, valueName: "file"))
    var types: String?

    @Flag(
        help: """
            Accept any user name without a token, and allow favorites and publishing. For loopback addresses only, as \
            nothing verifies names. Without it, everyone may read and nobody may write.
            """)
    var open = false

    @Option(
        name: .customLong("tokens"),
        help: ArgumentHelp(
            """
            Admit clients by the tokens whose hashes are in this file, made by '\(MarqueeServerCommand.name) token'. Read \
            again when it changes and on SIGHUP. Clients without a token may read and search.
            """, valueName: "file"))
    var tokens: String?

    @Flag(
        name: .customLong("no-anonymous"), help: "With --tokens or --jwt-keys: refuse clients that have no token.")
    var refusesAnonymous = false

    @Flag(
        name: .customLong("only-listed-certificates"),
        help: """
            With --tls-client-ca and --tokens: refuse clients whose certificate the file of tokens doesn't list. Without it, \
            they are anonymous, or the user that their token names.
            """)
    var wantsListedCertificates = false

    @Option(
        name: .customLong("image-base-url"),
        help: ArgumentHelp("Where clients find images; an image's name is appended.", valueName: "url"))
    var imageBaseURL: String?

    @Option(
        name: .customLong("keep-editions"),
        help: ArgumentHelp(
            """
            Keep this many editions of each list, such as days of a chart. Older ones, by name, are removed when the server \
            starts and when a new one is published. The one in force always stays. (default: all)
            """, valueName: "n"))
    var keptEditions: Int?

    @Option(
        name: .customLong("seen-bytes"),
        help: ArgumentHelp(
            """
            The most bytes of impressions and taps that wait for 'seen'. When they are reached, clients keep theirs, as far \
            as they have room.
            """, valueName: "bytes"))
    var seenBytes = StoreLimits().observationBytes

    @Option(
        name: .customLong("rotate"),
        help: ArgumentHelp(
            """
            Choose a random item of a pool every so many seconds, the same for all readers; may be repeated.
            """, valueName: "pool=seconds"),
        transform: { try ServiceOptions.rotation($0) })
    var rotations: [Rotation] = []

    /// - Throws: `ValidationError` for anything but a pool and seconds.
    static func rotation(_ text: String) throws -> Rotation {
        guard let sign = text.lastIndex(of: "="), let seconds = Double(text[text.index(after: sign)...]),
            rotationSeconds.contains(seconds), let rotation = Rotation(pool: String(text[..<sign]), seconds: seconds)
        else {
            throw ValidationError(
                "--rotate is a pool and a number of seconds from \(rotationSeconds.lowerBound) to 1000000, such as main=30"
            )
        }
        return rotation
    }

    private static let seenRange = 1 << 20...1 << 40

    /// The bounds keep the pause between two choices sensible.
    private static let rotationSeconds = 0.1...1_000_000

    func validate() throws {
        if open, !listen.isLoopback {
            throw ValidationError("--open listens on loopback addresses only, not on \(listen.host)")
        }
        if open, tokens != nil { throw ValidationError("--open and --tokens exclude each other") }
        if let keptEditions, keptEditions < 1 { throw ValidationError("--keep-editions is a number of at least 1") }
        guard Self.seenRange.contains(seenBytes) else {
            throw ValidationError(
                "--seen-bytes is a number from \(Self.seenRange.lowerBound) to \(Self.seenRange.upperBound)")
        }
        if let imageBaseURL {
            let url = URL(string: imageBaseURL)
            guard let scheme = url?.scheme, ServiceOptions.imageSchemes.contains(scheme), url?.host() != nil else {
                throw ValidationError("--image-base-url is an address such as https://images.example/posters/")
            }
        }
    }
}

/// A data folder that must exist.
struct StoredDataOptions: ParsableArguments {
    @Option(name: .customLong("data"), help: ArgumentHelp("The data folder.", valueName: "dir"))
    var folder: String

    func validate() throws {
        guard !folder.isEmpty else { throw ValidationError("--data is empty") }
    }
}
