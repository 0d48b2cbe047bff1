import MarqueeDiff
import MarqueeModel
import MarqueeWire

/// Clients that deviate: ours, behind a relay that changes what it hears or says.
enum ClientDeviants {
    static let all: [Deviant] = saying + hearing + counting

    private static let saying: [Deviant] = [
        .saying("never acknowledges", finds: ["progress-acknowledged": "ack {bytes"]) {
            if case .ack = $0 { [] } else { nil }
        },
        .saying("acknowledges more than it was sent", finds: ["progress-acknowledged": "an ack of at most"]) {
            if case .ack(let bytes, let cut) = $0 { [.ack(bytes: bytes + 1, cut: cut)] } else { nil }
        },
        .saying("counts bytes without headers", finds: ["progress-acknowledged": "ack {bytes"]) {
            if case .ack(let bytes, let cut) = $0 { [.ack(bytes: bytes - min(bytes, 12), cut: cut)] } else { nil }
        },
        .saying("never sends a nack", finds: ["nack": "nack {1}", "missing-version": "nack {1}"]) {
            if case .nack = $0 { [] } else { nil }
        },
        .saying("numbers all its nacks 1", finds: ["nack-after-nack": "nack {2}"]) {
            guard case .nack(var nack) = $0 else { return nil }
            nack.number = 1
            return [.nack(nack)]
        },
        .saying("says in a nack only what failed", finds: ["nack": "held under handle"]) {
            guard case .nack(var nack) = $0 else { return nil }
            nack.held.removeAll { !$0.refused }
            return [.nack(nack)]
        },
        .saying("refuses nothing in its nacks", finds: ["nack": "at least one refused handle"]) {
            guard case .nack(var nack) = $0 else { return nil }
            for index in nack.held.indices { nack.held[index].refused = false }
            return [.nack(nack)]
        },
        .saying("forgets staged versions in its nacks", finds: ["staged-is-named": "handle 3 alone in staged"]) {
            guard case .nack(var nack) = $0 else { return nil }
            nack.staged = []
            return [.nack(nack)]
        },
        .saying("offers nothing after a break", finds: ["offers-what-it-holds": "a resume of what is held"]) {
            guard case .subscribe(var subscribe) = $0 else { return nil }
            subscribe.resume = nil
            return [.subscribe(subscribe)]
        },
        .saying("offers sums that it hasn't computed", finds: ["offers-what-it-holds": "'cards' offered with sum"]) {
            guard case .subscribe(var subscribe) = $0, let count = subscribe.resume?.sections.count else { return nil }
            for index in 0..<count { subscribe.resume?.sections[index].sum ^= 1 }
            return [.subscribe(subscribe)]
        },
        .saying("makes up a client id for each connection", finds: ["hello-again": "the same client id"]) {
            guard case .hello(var hello) = $0 else { return nil }
            hello.clientID = (0..<16).map { _ in .random(in: .min ... .max) }
            return [.hello(hello)]
        },
        .saying("forgets the cluster", finds: ["hello-again": "cluster conformance-"]) {
            guard case .hello(var hello) = $0 else { return nil }
            hello.cluster = nil
            return [.hello(hello)]
        },
        .saying("forgets what it has seen", finds: ["hello-again": "seen (", "position-of-cuts": "seen ("]) {
            guard case .hello(var hello) = $0 else { return nil }
            hello.seen = nil
            return [.hello(hello)]
        },
        .saying("describes itself as empty", finds: ["describes": "sum "]) {
            guard case .manifest(var manifest) = $0 else { return nil }
            (manifest.sum, manifest.pairs) = (Version.empty.sum, [])
            return [.manifest(manifest)]
        },
        .saying("describes its items in another order", finds: ["describes": "the hashes of"]) {
            guard case .manifest(var manifest) = $0 else { return nil }
            let pairs = stride(from: 0, to: manifest.pairs.count, by: 16).map { Array(manifest.pairs[$0..<$0 + 16]) }
            manifest.pairs = pairs.reversed().flatMap { $0 }
            return [.manifest(manifest)]
        },
        .saying("forgets that more of a manifest follows", finds: ["manifest-in-limit": "hashes of 'cards'"]) {
            guard case .manifest(var manifest) = $0 else { return nil }
            manifest.more = false
            return [.manifest(manifest)]
        },
        .saying("never answers a ping", finds: ["ping-pong": "pong {0}"]) {
            if case .pong = $0 { [] } else { nil }
        },
        .saying("closes for other reasons", finds: ["welcome-once": "for WRONG_DIRECTION"]) {
            guard case .close(var status) = $0 else { return nil }
            status.reason = "OUT_OF_RANGE"
            return [.close(status)]
        },
        .saying("uses one subscription id again and again", finds: ["ids-not-reused": "a new id, or a generation"]) {
            guard case .subscribe(var subscribe) = $0 else { return nil }
            subscribe.subscription = 1
            return [.subscribe(subscribe)]
        },
        .saying("subscribes before welcome", finds: ["hello": "nothing between hello and welcome"]) {
            guard case .hello = $0 else { return nil }
            return [$0, .subscribe(Subscribe(subscription: 1, screen: "home"))]
        },
        .saying("never pings", finds: ["pings-when-silent": "ping", "leaves-the-dead": "ping"]) {
            if case .ping = $0 { [] } else { nil }
        },
    ]

    private static let hearing: [Deviant] = [
        Deviant("skips the check of frames", finds: ["each-byte-damaged": "the end of the connection"]) {
            Tampering(fromRunner: { .pass($0.madeAnew) })
        },
        Deviant(
            "ignores frames with the critical flag",
            finds: ["unknown-critical-kind": "the end of the connection", "known-critical-kind": "pong {7}"]
        ) {
            Tampering(fromRunner: { $0.flags.contains(.critical) ? .drop : .pass($0) })
        },
        Deviant("closes on an unknown kind before welcome", finds: ["unknown-kind-first": "subscribe to"]) {
            Tampering(fromRunner: { $0.kind.rawValue == 900 ? .pass($0.with(flags: .critical)) : .pass($0) })
        },
        Deviant("waits for the rest of a frame for ever", finds: ["frame-unfinished": "the end of the connection"]) {
            // The relay doesn't pass on a part of a frame, and something is always heard.
            Tampering(fromPeer: { frame in
                guard case .ping(let nonce)? = frame.message else { return .pass(frame) }
                return Passage(on: [], back: [PassingFrame(.pong(nonce: nonce))])
            })
        },
        .hearing("leaves a server that wants to be asked all the time", finds: ["ping-interval-0": "subscribe to"]) {
            guard case .welcome(let welcome) = $0, welcome.pingIntervalMilliseconds == 0 else { return nil }
            return [.close(Status(.unavailable, reason: "SILENT", remedy: .fatal, message: ""))]
        },
        .hearing("closes on an answer that it never asked for", finds: ["answer-to-nobody": "pong {"]) {
            guard case .answer(let answer) = $0, answer.call == 9_999 else { return nil }
            return [.close(Status(.invalidArgument, reason: "CALL_REUSED", remedy: .fatal, message: ""))]
        },
        .hearing("takes any subscription for its own", finds: ["never-opened": "no nack"]) {
            guard case .join(var join) = $0, join.subscription > 50 else { return nil }
            join.subscription -= 50
            return [.join(join)]
        },
        .hearing("takes generations that it never sent", finds: ["unknown-generation": "nack {1}"]) {
            guard case .join(var join) = $0, join.generation > 0 else { return nil }
            join.generation = 0
            return [.join(join)]
        },
        .hearing("takes a handle for two sections", finds: ["bound-twice": "nack {1}"]) {
            guard case .join(var join) = $0 else { return nil }
            for index in join.sections.indices { join.sections[index].handle = UInt64(index) + 2 }
            return [.join(join)]
        },
        .hearing("skips bodies that are too large", finds: ["body-too-large": "nack {1}"]) {
            guard case .data(let part) = $0, part.adds.contains(where: { $0.body.count > 65_536 }) else { return nil }
            return []
        },
        Deviant(
            "ignores messages that break the guard's rules",
            finds: ["malformed": "the end of the connection", "invalid-utf8": "the end of the connection"]
        ) {
            Tampering(fromRunner: { frame in
                frame.message == nil && frame.kind.rawValue < 900 ? .drop : .pass(frame)
            })
        },
        .hearing("ignores that it is asked to describe itself", finds: ["describes": "the manifest of handle"]) {
            if case .rebase = $0 { [] } else { nil }
        },
        .hearing("doesn't go away when it is told", finds: ["go-away": "the end of the connection"]) {
            if case .goAway = $0 { [] } else { nil }
        },
        Deviant("shows what is staged at once", finds: ["invisible-until-join": "sum "]) {
            var joined: Set<UInt64> = []
            return Tampering(fromRunner: { frame in
                switch frame.message {
                case .join(let join)?: joined.formUnion(join.sections.map(\.handle))
                case .stage(let part)? where joined.contains(part.handle):
                    return .pass(PassingFrame(.data(part), flags: [.first, .last]))
                default: break
                }
                return .pass(frame)
            })
        },
        Deviant("applies each frame of a cut when it comes", finds: ["whole-or-nothing": "sum "]) {
            Tampering(fromRunner: { $0.kind == .data ? .pass($0.with(flags: [.first, .last])) : .pass($0) })
        },
        Deviant("takes any repair for its own", finds: ["waits-for-repair": "no nack"]) {
            var nacks: UInt32 = 0
            return Tampering(
                fromPeer: { frame in
                    if case .nack? = frame.message { nacks += 1 }
                    return .pass(frame)
                },
                fromRunner: { frame in
                    guard case .repair? = frame.message else { return .pass(frame) }
                    return .pass(PassingFrame(.repair(number: nacks), flags: frame.flags))
                })
        },
        Deviant("changes unknown fields", finds: ["bytes-as-received": "sum "]) {
            var sums: [UInt64: UInt64] = [:]
            return Tampering(fromRunner: { frame in
                switch frame.message {
                case .stage(var part)?:
                    // Handle 1 is the view's own list.
                    guard part.handle > 1, let whole = version(of: part) else { return .pass(frame) }
                    part.adds = part.adds.map { item in
                        var item = item
                        item.body = withOtherUnknownField(item.body)
                        return item
                    }
                    let target = version(of: part)?.sum ?? part.target
                    sums[whole.sum] = target
                    part.target = target
                    return .pass(PassingFrame(.stage(part), flags: frame.flags))
                case .join(var join)?:
                    for index in join.sections.indices {
                        join.sections[index].sum = join.sections[index].sum.map { sums[$0] ?? $0 }
                    }
                    return .pass(PassingFrame(.join(join), flags: frame.flags))
                default: return .pass(frame)
                }
            })
        },
    ]

    /// Those that need to know what came before.
    private static let counting: [Deviant] = [
        Deviant("acknowledges every cut", finds: ["acks-are-few": "one ack, with progress"]) {
            var bytes: UInt64 = 0
            return Tampering(fromRunner: { frame in
                guard [.data, .stage].contains(frame.kind) else { return .pass(frame) }
                bytes += UInt64(Frame.headerBytes + frame.body.readableBytes)
                let ack = PassingFrame(.ack(bytes: bytes, cut: nil))
                return Passage(on: [frame], back: frame.flags.contains(.last) ? [ack] : [])
            })
        },
        Deviant("describes its sections in any order", finds: ["describes": "in the order asked"]) {
            var first: PassingFrame?
            return Tampering(fromPeer: { frame in
                guard frame.kind == .manifest else { return .pass(frame) }
                guard let held = first else {
                    first = frame
                    return .drop
                }
                first = nil
                return Passage(on: [frame, held])
            })
        },
        Deviant("says hello twice", finds: ["hello": "one hello"]) {
            Tampering(fromPeer: { $0.kind == .hello ? Passage(on: [$0, $0]) : .pass($0) })
        },
    ]

    /// Returns the version that a whole patch in one part leads to.
    private static func version(of part: Part) -> Version? {
        guard part.base == nil, !part.more else { return nil }
        return Version(head: part.head?.records ?? [], items: part.adds)
    }

    /// The body with another value of its last record, which is of a field that no schema has.
    private static func withOtherUnknownField(_ body: [UInt8]) -> [UInt8] { body.dropLast() + [0x7A] }
}
