import MarqueeModel
import MarqueeWire

extension ServerChecks {
    /// A limit on cuts, in bytes, as a browser on a phone states it.
    private static let smallCut: UInt64 = 4 << 20

    /// Chapter 4.
    static let limits: [ServerCheck] = [
        ServerCheck("limits-stated", .limits, "Welcome states all limits, none below its minimum.") { stage in
            let talk = try await stage.greeted()
            let limits = talk.welcome.limits
            let numbers: [(String, UInt64, UInt64)] = [
                ("frame_bytes", UInt64(limits.frameBytes), 4_096), ("part_bytes", UInt64(limits.partBytes), 4_096),
                ("elements_per_frame", UInt64(limits.elementsPerFrame), 64), ("credit_bytes", limits.creditBytes, 1),
                ("cut_bytes", limits.cutBytes, 1), ("subscriptions", UInt64(limits.subscriptions), 1),
                ("calls", UInt64(limits.calls), 1), ("answer_bytes", UInt64(limits.answerBytes), 1),
                ("list_items", UInt64(limits.listItems), 1), ("sections", UInt64(limits.sections), 1),
                ("mutations", UInt64(limits.mutations), 1),
            ]
            for (name, value, minimum) in numbers where value < minimum {
                throw talk.failure("\(name) of at least \(minimum)", "\(value)")
            }
        },
        ServerCheck("limits-too-small", .limits, "A hello with a limit below its minimum is refused.") { stage in
            let changes: [@Sendable (inout WireLimits) -> Void] = [
                { $0.frameBytes = 4_095 }, { $0.partBytes = 4_095 }, { $0.elementsPerFrame = 63 },
                { $0.creditBytes = 0 },
                { $0.cutBytes = 0 },
            ]
            for change in changes {
                let talk = try await stage.connect()
                var hello = talk.hello
                change(&hello.limits)
                await talk.send(.hello(hello))
                try await talk.expectClose("OUT_OF_RANGE")
            }
        },
        ServerCheck("cuts-in-limit", .limits, "A client that takes small cuts gets its screen, or is refused at once.")
        {
            stage in
            let talk = try await stage.connect()
            var hello = talk.hello
            hello.limits.cutBytes = smallCut
            await talk.send(.hello(hello))
            switch try await talk.next("welcome, or close LIMITS_TOO_LOW") {
            case .welcome: try await talk.joined()
            case .close(let status) where status.reason == "LIMITS_TOO_LOW":
                throw NotApplicable("the server needs more than \(smallCut) bytes for a cut")
            case let other: throw talk.failure("welcome, or close LIMITS_TOO_LOW", FrameText.describe(other))
            }
        },
        ServerCheck("parts-in-limit", .limits, "Every part of a screen is within the client's limits.") { stage in
            let talk = try await stage.greeted()
            try await talk.joined()
        },
    ]

    /// Chapter 5.
    static let greeting: [ServerCheck] = [
        ServerCheck("welcome", .greeting, "Welcome names the protocol, a cluster, the position and no user.") { stage in
            let talk = try await stage.greeted()
            let welcome = talk.welcome
            guard welcome.protocolVersion == 1 else {
                throw talk.failure("protocol 1", "protocol \(welcome.protocolVersion)")
            }
            guard !welcome.cluster.isEmpty, welcome.cut.catalogueEpoch != 0 else {
                throw talk.failure("a cluster and a catalogue epoch", FrameText.describe(.welcome(welcome)))
            }
            guard welcome.pingIntervalMilliseconds >= welcome.pingMinimumMilliseconds else {
                throw talk.failure(
                    "a ping interval of at least \(welcome.pingMinimumMilliseconds) ms, the least time between pings",
                    "\(welcome.pingIntervalMilliseconds) ms")
            }
            guard welcome.progressIntervalMilliseconds <= welcome.pingIntervalMilliseconds else {
                throw talk.failure(
                    "a progress interval of at most the ping interval, since acks show that a client is alive",
                    "\(welcome.progressIntervalMilliseconds) ms")
            }
            guard welcome.user != nil || (welcome.cut.userEpoch == 0 && welcome.cut.userRevision == 0) else {
                throw talk.failure("user epoch and revision 0 without a user", "\(welcome.cut)")
            }
        },
        ServerCheck("welcome-names-user", .greeting, "Welcome names the user, and a position in the user's log.") {
            stage in
            let talk = try await stage.greetedAsUser()
            guard talk.welcome.user == stage.subject.user, talk.welcome.cut.userEpoch != 0 else {
                throw talk.failure("the user and a user epoch", FrameText.describe(.welcome(talk.welcome)))
            }
        },
        ServerCheck(
            "same-cluster", .greeting, "Every connection is told the same cluster, and no earlier position."
        ) {
            stage in
            let first = try await stage.greeted().welcome
            let second = try await stage.greeted()
            guard second.welcome.cluster == first.cluster else {
                throw second.failure("cluster \(first.cluster)", second.welcome.cluster)
            }
            guard !second.welcome.cut.isBehind(first.cut) else {
                throw second.failure(
                    "a position not behind \(FrameText.cut(first.cut))", FrameText.cut(second.welcome.cut))
            }
        },
        ServerCheck("hello-first", .greeting, "Anything but hello as the first message ends the connection.") { stage in
            let messages: [Message] = [
                .ping(nonce: 1), .subscribe(Subscribe(subscription: 1, screen: "home")),
                .request(Request(call: 1, method: .health)), .unsubscribe(1),
            ]
            for message in messages {
                let talk = try await stage.connect()
                await talk.send(message)
                try await talk.expectClose("HELLO_EXPECTED")
            }
        },
        ServerCheck("hello-once", .greeting, "A second hello ends the connection.") { stage in
            let talk = try await stage.greeted()
            await talk.send(.hello(talk.hello))
            try await talk.expectClose("HELLO_REPEATED")
        },
        ServerCheck("hello-in-time", .greeting, "Without a hello the connection ends.", isSlow: true) { stage in
            let talk = try await stage.connect()
            try await talk.expectClose("HELLO_TIMEOUT", within: .seconds(10) + stage.deadlines.timer)
        },
        ServerCheck(
            "hello-fields", .greeting, "A hello without a field that it needs, or with a wrong one, is refused."
        ) {
            stage in
            let identity = FrameBytes.field(8, [UInt8](repeating: 7, count: 16))
            let bodies: [([UInt8], String)] = [
                ([0x08, 1, 0x10, 1], "MISSING_FIELD"), ([0x08, 1] + identity, "MISSING_FIELD"),
                ([0x10, 1] + identity, "MISSING_FIELD"), ([0x08, 2, 0x10, 1] + identity, "OUT_OF_RANGE"),
                ([0x08, 1, 0x10, 1] + FrameBytes.field(8, [UInt8](repeating: 7, count: 15)), "OUT_OF_RANGE"),
            ]
            for (body, reason) in bodies {
                let talk = try await stage.connect()
                await talk.send(kind: 1, body)
                try await talk.expectClose(reason)
            }
        },
        ServerCheck("version-in-common", .greeting, "The highest version in common is used.") { stage in
            let talk = try await stage.connect()
            var hello = talk.hello
            (hello.protocolMinimum, hello.protocolMaximum) = (0, 9)
            try await talk.greet(hello)
            guard talk.welcome.protocolVersion == 1 else {
                throw talk.failure("protocol 1", "protocol \(talk.welcome.protocolVersion)")
            }
        },
        ServerCheck("no-version-in-common", .greeting, "Without a version in common the connection ends.") { stage in
            let talk = try await stage.connect()
            var hello = talk.hello
            (hello.protocolMinimum, hello.protocolMaximum) = (1_000, 1_001)
            await talk.send(.hello(hello))
            try await talk.expectClose("PROTOCOL_UNSUPPORTED")
        },
        ServerCheck("other-cluster", .greeting, "A mirror of another cluster is refused.") { stage in
            let talk = try await stage.connect()
            var hello = talk.hello
            hello.cluster = "conformance-of-another"
            await talk.send(.hello(hello))
            try await talk.expectClose("OTHER_CLUSTER")
        },
        ServerCheck("own-cluster", .greeting, "A mirror of this cluster that has seen its position is accepted.") {
            stage in
            let welcome = try await stage.greeted().welcome
            let talk = try await stage.connect()
            var hello = talk.hello
            hello.cluster = welcome.cluster
            hello.seen = welcome.cut
            try await talk.greet(hello)
        },
        ServerCheck("node-behind", .greeting, "A client that has seen a later position is refused.") { stage in
            let welcome = try await stage.greeted().welcome
            let talk = try await stage.connect()
            var hello = talk.hello
            hello.cluster = welcome.cluster
            hello.seen = Cut(
                catalogueEpoch: welcome.cut.catalogueEpoch, catalogueRevision: welcome.cut.catalogueRevision.advancedFar
            )
            await talk.send(.hello(hello))
            try await talk.expectClose("NODE_BEHIND", within: stage.deadlines.timer)
        },
        ServerCheck(
            "unknown-epoch", .greeting, "A client that has seen an epoch that this server never had is accepted."
        ) {
            stage in
            let welcome = try await stage.greeted().welcome
            let talk = try await stage.connect()
            var hello = talk.hello
            hello.seen = Cut(catalogueEpoch: welcome.cut.catalogueEpoch ^ 0x55, catalogueRevision: 1 << 40)
            try await talk.greet(hello)
        },
        ServerCheck("user-name", .greeting, "An invalid user name is refused.") { stage in
            let names = ["a\u{7}b", String(repeating: "a", count: 129), "e\u{301}"]
            for name in names {
                let talk = try await stage.connect()
                var hello = talk.hello
                hello.user = name
                await talk.send(.hello(hello))
                // A server may first ask for a token, or may not admit users at all.
                try await talk.expectClose("USER_INVALID", "TOKEN_NEEDED", "TOKEN_OF_ANOTHER", "USERS_NOT_ADMITTED")
            }
        },
    ]
}
