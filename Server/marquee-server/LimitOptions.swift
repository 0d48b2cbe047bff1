import ArgumentParser
import MarqueeServer

/// What the server bounds.
struct LimitOptions: ParsableArguments {
    private static let standard = ServerLimits()
    private static let range = 1...10_000_000

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
        name: .customLong("max-strangers"),
        help: ArgumentHelp(
            "Connections that haven't said who they are yet. A new one replaces the oldest of them.", valueName: "n"))
    var strangers = standard.strangers

    @Option(
        name: .customLong("max-accepts"),
        help: ArgumentHelp("Connections accepted a second; others wait.", valueName: "n"))
    var accepts = standard.accepts

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
            "Renewals of its identity that one connection may make a second; others wait.", valueName: "n"))
    var renewals = standard.renewals

    func validate() throws {
        for (name, value) in [
            ("max-connections", connections), ("max-connections-per-address", connectionsPerAddress),
            ("max-connections-per-user", connectionsPerUser), ("max-strangers", strangers), ("max-accepts", accepts),
            ("max-variants-per-connection", variantsPerConnection), ("max-variants", variants),
            ("max-renewals", renewals),
        ] where !Self.range.contains(value) {
            throw ValidationError("--\(name) is a number from 1 to \(Self.range.upperBound)")
        }
    }

    var limits: ServerLimits {
        var limits = ServerLimits()
        limits.connections = connections
        limits.connectionsPerAddress = connectionsPerAddress
        limits.connectionsPerUser = connectionsPerUser
        limits.strangers = strangers
        limits.accepts = accepts
        limits.variantsPerConnection = variantsPerConnection
        limits.variants = variants
        limits.renewals = renewals
        return limits
    }
}
