import MarqueeModel
import MarqueeWire

/// Verifies each frame that a client sends, whatever the check: order, acks, ids, limits.
struct ClientWitness {
    /// Kinds that only a server sends.
    private static let serverKinds: Set<FrameKind> = [
        .welcome, .progress, .goAway, .subscriptionError, .join, .repair, .rebase, .data, .stage, .answer,
        .guestEnded, .userProgress, .replan,
    ]

    var welcome: Welcome?
    private(set) var hello: Hello?
    /// Bytes of data and stage frames sent.
    var sentBytes: UInt64 = 0
    private(set) var acknowledged: UInt64 = 0
    private var lastSubscription: UInt32 = 0
    private var generations: [UInt32: UInt32] = [:]
    private var lastNack: UInt32 = 0
    private var lastCall: UInt32 = 0
    /// Handles whose manifests were asked for and haven't arrived, in order.
    private var awaitedManifests: [UInt64] = []
    /// The last part of a manifest that has more parts to come.
    private var openManifest: Manifest?

    /// Called when a rebase is sent: the client has to answer with these manifests.
    mutating func asked(for handles: [UInt64]) { awaitedManifests += handles }

    mutating func received(_ frame: Frame, _ message: Message?) throws(Deviation) {
        guard let message else {
            if frame.flags.contains(.critical) {
                throw Deviation(
                    expected: "only kinds of version 1 with the critical flag (2)",
                    actual: "kind \(frame.kind.rawValue)")
            }
            return
        }
        if ClientWitness.serverKinds.contains(frame.kind) {
            throw Deviation(expected: "kinds that a client sends (2)", actual: FrameText.describe(message))
        }
        if frame.flags.contains(.critical) {
            throw Deviation(expected: "no critical flag on a known kind (2)", actual: FrameText.describe(message))
        }
        try judgeLength(of: frame, message)
        if case .hello(let hello) = message {
            guard self.hello == nil else { throw Deviation(expected: "one hello (5)", actual: "a second one") }
            self.hello = hello
            return
        }
        if case .close = message { return }
        guard hello != nil else {
            throw Deviation(expected: "hello as the first message (5)", actual: FrameText.describe(message))
        }
        guard welcome != nil else {
            throw Deviation(expected: "nothing between hello and welcome (5)", actual: FrameText.describe(message))
        }
        try receivedAfterWelcome(message)
    }

    private func judgeLength(of frame: Frame, _ message: Message) throws(Deviation) {
        let length = frame.wireBytes - Frame.lengthBytes
        let limit: UInt32
        if let limits = welcome?.limits {
            if case .manifest = message {
                limit = min(limits.frameBytes, limits.partBytes)
            } else {
                limit = limits.frameBytes
            }
        } else {
            limit = WireLimits.unauthenticatedFrameBytes
        }
        guard length > limit else { return }
        throw Deviation(expected: "frames of at most \(limit) bytes (4)", actual: "one of \(length) bytes")
    }

    private mutating func receivedAfterWelcome(_ message: Message) throws(Deviation) {
        switch message {
        case .ack(let bytes, _): try receivedAck(bytes)
        case .subscribe(let subscribe): try received(subscribe)
        case .unsubscribe(let subscription):
            guard generations[subscription] != nil else {
                throw Deviation(
                    expected: "an unsubscribe of an open subscription (9)", actual: FrameText.describe(message))
            }
        case .nack(let nack):
            guard nack.number == lastNack + 1 else {
                throw Deviation(expected: "nack {\(lastNack + 1)} (14)", actual: FrameText.describe(message))
            }
            guard nack.held.contains(where: \.refused) else {
                throw Deviation(
                    expected: "at least one refused handle in a nack (14)", actual: FrameText.describe(message))
            }
            lastNack = nack.number
        case .manifest(let manifest): try received(manifest)
        case .request(let request):
            guard request.call > lastCall else {
                throw Deviation(expected: "a call id above \(lastCall) (17)", actual: FrameText.describe(message))
            }
            lastCall = request.call
        default: break
        }
    }

    private mutating func receivedAck(_ bytes: UInt64) throws(Deviation) {
        guard bytes <= sentBytes else {
            throw Deviation(
                expected: "an ack of at most the \(sentBytes) bytes sent (16)", actual: "ack {bytes \(bytes)}")
        }
        guard bytes >= acknowledged else {
            throw Deviation(
                expected: "an ack of at least the \(acknowledged) bytes of the last one (16)",
                actual: "ack {bytes \(bytes)}"
            )
        }
        acknowledged = bytes
    }

    private mutating func received(_ subscribe: Subscribe) throws(Deviation) {
        if let generation = generations[subscribe.subscription] {
            guard subscribe.generation > generation, subscribe.resume == nil else {
                throw Deviation(
                    expected: "a new id, or a generation above \(generation) without a resume (9)",
                    actual: FrameText.describe(.subscribe(subscribe)))
            }
        } else {
            guard subscribe.subscription > lastSubscription else {
                throw Deviation(
                    expected: "a subscription id above \(lastSubscription) (9)",
                    actual: FrameText.describe(.subscribe(subscribe)))
            }
            lastSubscription = subscribe.subscription
        }
        generations[subscribe.subscription] = subscribe.generation
        let offered = subscribe.resume?.sections.map(\.section) ?? []
        guard Set(offered).count == offered.count else {
            throw Deviation(expected: "each section at most once in a resume (9)", actual: "\(offered)")
        }
    }

    private mutating func received(_ manifest: Manifest) throws(Deviation) {
        guard let awaited = awaitedManifests.first, manifest.handle == awaited else {
            throw Deviation(
                expected: awaitedManifests.isEmpty
                    ? "no manifest that wasn't asked for (15)"
                    : "the manifest of handle \(awaitedManifests[0]), in the order asked (15)",
                actual: FrameText.describe(.manifest(manifest)))
        }
        if let last = openManifest {
            guard last.sum == manifest.sum, last.headHash == manifest.headHash, !manifest.pairs.isEmpty else {
                throw Deviation(
                    expected: "parts of a manifest that agree, none of them empty (15)",
                    actual: FrameText.describe(.manifest(manifest)))
            }
        }
        openManifest = manifest.more ? manifest : nil
        if !manifest.more { awaitedManifests.removeFirst() }
    }
}
