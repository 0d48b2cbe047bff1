import ArgumentParser
import Foundation
import MarqueeServer

/// How a process that serves clients runs: `serve`, `replay` and `relay`.
struct RunningOptions: ParsableArguments {
    static let threadCounts = 1...64
    /// Seconds. A shorter interval would close connections at every hitch; a longer one would keep dead ones for hours.
    static let pingIntervals = 1...3_600

    @Option(
        help: ArgumentHelp("Threads that serve connections. (default: one per processor)", valueName: "n"))
    var threads: Int?

    @Option(
        name: .customLong("ping-interval"),
        help: ArgumentHelp(
            "A client that hears nothing for this long sends a ping; one silent for three times as long is disconnected.",
            valueName: "seconds"))
    var pingInterval = 20

    @Option(
        name: .customLong("drain-delay"),
        help: ArgumentHelp(
            """
            On shutdown, /ready fails for this long before new connections are refused and clients are asked to leave: \
            as long as a load balancer takes to notice.
            """, valueName: "seconds"))
    var drainDelay = 0

    @Option(
        name: .customLong("proxy-protocol"),
        help: ArgumentHelp(
            """
            Addresses and networks of load balancers, separated by commas, that begin each connection with a PROXY \
            header of version 2: the client's address in it counts. Others that begin with one are refused. \
            (default: none)
            """, valueName: "networks"),
        transform: { try ProxyNetworks(parsing: $0) })
    var proxies: ProxyNetworks?

    /// Seconds. More than any load balancer takes.
    static let drainDelays = 0...300

    func validate() throws {
        guard Self.drainDelays.contains(drainDelay) else {
            throw ValidationError("--drain-delay is a number of seconds from 0 to \(Self.drainDelays.upperBound)")
        }
        if let threads, !Self.threadCounts.contains(threads) {
            throw ValidationError("--threads is a number from 1 to \(Self.threadCounts.upperBound)")
        }
        guard Self.pingIntervals.contains(pingInterval) else {
            throw ValidationError(
                "--ping-interval is a number of seconds from 1 to \(Self.pingIntervals.upperBound)")
        }
    }

    /// The number of serving threads.
    var threadCount: Int {
        threads ?? min(max(1, ProcessInfo.processInfo.activeProcessorCount), Self.threadCounts.upperBound)
    }

    /// Adjusts the settings that all sessions share.
    var adjustSettings: @Sendable (inout SessionSettings) -> Void {
        let interval = UInt32(clamping: pingInterval * 1_000)
        return { settings in
            settings.pingIntervalMilliseconds = interval
            // Pings sent one interval apart may arrive closer together.
            settings.pingMinimumMilliseconds = min(settings.pingMinimumMilliseconds, interval / 2)
        }
    }
}

/// The load balancers that are trusted to state a client's address: `10.0.0.0/8,192.168.1.7`.
struct ProxyNetworks: Hashable {
    /// The most networks: each new connection is compared with all of them.
    static let maximum = 64

    let all: [AddressNetwork]

    /// - Throws: `ValidationError`, which names what isn't a network.
    init(parsing text: String) throws {
        all = try text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            let part = part.trimmingCharacters(in: .whitespaces)
            guard let network = AddressNetwork(part) else {
                throw ValidationError("'\(part)' is neither an address nor a network, such as 10.0.0.7 or 10.0.0.0/8")
            }
            guard !network.isEverything else {
                throw ValidationError(
                    "'\(part)' would let every client state any address: name the load balancers' own")
            }
            return network
        }
        guard all.count <= Self.maximum else {
            throw ValidationError("--proxy-protocol takes at most \(Self.maximum) networks")
        }
    }
}
