import ArgumentParser
import MarqueeServer

/// Options for the server's limits.
struct LimitOptions: ParsableArguments {
    private static let standard = ServerLimits()
    private static let range = 1...10_000_000
    /// The lowest bound has room for the largest publication, with the overhead counted for each change, and for a few
    /// answers.
    private static let bytes = 16 << 20...1 << 40

    @Option(
        name: .customLong("max-connections"),
        help: ArgumentHelp(
            "Connections at once; fewer if the system allows fewer open files. A new one replaces the one idle for longest.",
            valueName: "n"))
    var connections = standard.connections

    @Option(
        name: .customLong("max-connections-per-address"),
        help: ArgumentHelp(
            "Connections from one address, or one /64 of IPv6; those from this machine aren't counted.", valueName: "n")
    )
    var connectionsPerAddress = standard.connectionsPerAddress

    @Option(
        name: .customLong("max-connections-per-user"),
        help: ArgumentHelp("Connections of one user.", valueName: "n"))
    var connectionsPerUser = standard.connectionsPerUser

    @Option(
        name: .customLong("max-unauthenticated"),
        help: ArgumentHelp(
            "Unauthenticated connections. A new one replaces the oldest of them.", valueName: "n"))
    var unauthenticated = standard.unauthenticated

    @Option(
        name: .customLong("max-accepts"),
        help: ArgumentHelp("Connections accepted per second; others wait.", valueName: "n"))
    var accepts = standard.accepts

    @Option(
        name: .customLong("max-hello-seconds"),
        help: ArgumentHelp("Seconds that a connection may take to authenticate.", valueName: "s"))
    var helloSeconds = standard.helloSeconds

    @Option(
        name: .customLong("max-subscriptions"),
        help: ArgumentHelp("Screens that one connection may subscribe to; relays may have more.", valueName: "n"))
    var subscriptions = standard.subscriptions

    @Option(
        name: .customLong("max-calls"),
        help: ArgumentHelp("Unanswered calls of one connection; relays may have more.", valueName: "n"))
    var calls = standard.calls

    @Option(
        name: .customLong("max-variants-per-connection"),
        help: ArgumentHelp("Sections and lists of sections that one connection may show.", valueName: "n"))
    var variantsPerConnection = standard.variantsPerConnection

    @Option(
        name: .customLong("max-variants"),
        help: ArgumentHelp(
            "Different sections and lists of sections that all connections together may show.", valueName: "n"))
    var variants = standard.variants

    @Option(
        name: .customLong("max-renewals"),
        help: ArgumentHelp(
            "Renewals of one connection's identity per second; others wait.", valueName: "n"))
    var renewals = standard.renewals

    @Option(
        name: .customLong("max-publication-bytes"),
        help: ArgumentHelp(
            "Bytes of publications that are arriving or being committed, over all connections.",
            valueName: "bytes"))
    var publicationBytes = standard.publicationBytes

    @Option(
        name: .customLong("max-answer-bytes"),
        help: ArgumentHelp("Bytes of unsent answers, over all connections.", valueName: "bytes"))
    var answerBytes = standard.answerBytes

    @Option(
        name: .customLong("max-web-requests"),
        help: ArgumentHelp(
            "With --web: requests in progress, over all connections.", valueName: "n"))
    var webRequests = standard.webRequests

    func validate() throws {
        for (name, value, range) in [
            ("max-connections", connections, Self.range),
            ("max-connections-per-address", connectionsPerAddress, Self.range),
            ("max-connections-per-user", connectionsPerUser, Self.range),
            ("max-unauthenticated", unauthenticated, Self.range),
            ("max-accepts", accepts, Self.range), ("max-hello-seconds", helloSeconds, 1...3_600),
            ("max-subscriptions", subscriptions, 1...65_536), ("max-calls", calls, 1...1_024),
            ("max-variants-per-connection", variantsPerConnection, Self.range), ("max-variants", variants, Self.range),
            ("max-renewals", renewals, Self.range), ("max-publication-bytes", publicationBytes, Self.bytes),
            ("max-answer-bytes", answerBytes, Self.bytes), ("max-web-requests", webRequests, Self.range),
        ] where !range.contains(value) {
            throw ValidationError("--\(name) is a number from \(range.lowerBound) to \(range.upperBound)")
        }
    }

    var limits: ServerLimits {
        var limits = ServerLimits()
        limits.connections = connections
        limits.connectionsPerAddress = connectionsPerAddress
        limits.connectionsPerUser = connectionsPerUser
        limits.unauthenticated = unauthenticated
        limits.accepts = accepts
        limits.variantsPerConnection = variantsPerConnection
        limits.variants = variants
        limits.renewals = renewals
        limits.helloSeconds = helloSeconds
        limits.subscriptions = subscriptions
        limits.calls = calls
        limits.publicationBytes = publicationBytes
        limits.answerBytes = answerBytes
        limits.webRequests = webRequests
        return limits
    }
}
