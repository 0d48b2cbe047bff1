import MarqueeDiff
import MarqueeModel
import MarqueeWire

/// After any break, on any node, at a cost of what changed, never more than a snapshot. Counts the tier by which each
/// section was resumed.
struct G5Resumable: Validator {
    /// The versions that a client offered for a view.
    private struct Offer {
        /// By section; empty for the view's own list.
        var sums: [String: UInt64]
        /// The newest revisions when the server received it; `nil` if the node may have been behind them.
        var position: Move.Position?
    }

    private struct Arrival {
        /// The node's minimum position.
        var node: Move.Position?
        var offers: [UInt32: Offer] = [:]
        /// Bytes by handle not yet accounted for.
        var bytes: [UInt64: Int] = [:]
        var manifests: Set<UInt64> = []
        /// Joins of the incoming cut.
        var joins: [Join] = []
        var targets: [UInt64: (base: UInt64?, target: UInt64)] = [:]
    }

    /// Maximum overhead of a whole section's frames: per frame, and per item.
    private static let frameOverhead = 160
    private static let itemOverhead = 48

    private var arrivals: [Int: Arrival] = [:]
    /// Sections resumed, by tier.
    private(set) var tiers = [0, 0, 0, 0]

    mutating func judge(_ event: Event, _ scene: Scene, _ truth: Truth) throws(Violation) {
        switch event {
        case .connected(let number, _, _): arrivals[number] = Arrival()
        case .ended: break
        case .toServer(let number, .subscribe(let subscribe)):
            guard let resume = subscribe.resume, let device = scene.device(of: number) else { return }
            var sums = ["": resume.viewSum]
            for section in resume.sections { sums[section.section] = section.sum }
            let logs = truth.current
            let newest = Move.Position(
                revision: logs.newest, userRevision: logs.newest(of: scene.devices[device].user))
            let position = arrivals[number]?.node == newest ? newest : nil
            arrivals[number]?.offers[subscribe.subscription] = Offer(sums: sums, position: position)
        case .toServer(let number, .nack(let nack)):
            // The server's knowledge of a client is right and what it sends fits: if nothing was damaged, nothing is
            // refused.
            guard let connection = scene.connections[number], !connection.isDamaged,
                !scene.devices[connection.device].isRotten
            else { return }
            throw violation("connection \(number): nothing was damaged, and the client refuses: \(nack.status.message)")
        case .toClient(let number, .welcome(let welcome), _, _):
            arrivals[number]?.node = Move.Position(
                revision: welcome.cut.catalogueRevision, userRevision: welcome.cut.userRevision)
        case .toServer(let number, .manifest(let manifest)): arrivals[number]?.manifests.insert(manifest.handle)
        case .toClient(let number, let message, let flags, let bytes):
            guard var arrival = arrivals[number], let device = scene.device(of: number) else { return }
            try receive(message, flags, bytes, &arrival, scene.devices[device].user, truth)
            arrivals[number] = arrival
        default: break
        }
    }

    private mutating func receive(
        _ message: Message, _ flags: FrameFlags, _ bytes: Int, _ arrival: inout Arrival, _ user: String?,
        _ truth: Truth
    ) throws(Violation) {
        switch message {
        case .stage(let part): arrival.bytes[part.handle, default: 0] += bytes
        case .join(let join): arrival.joins.append(join)
        case .data(let part):
            arrival.bytes[part.handle, default: 0] += bytes
            arrival.targets[part.handle] = (part.base, part.target)
        default: break
        }
        guard flags.contains(.last), [.join, .data, .repair].contains(message.kind) else { return }
        let position = Move.Position(revision: truth.current.newest, userRevision: truth.current.newest(of: user))
        for join in arrival.joins {
            // A later join is no longer a resume.
            guard let offer = arrival.offers.removeValue(forKey: join.subscription) else { continue }
            let isStill = offer.position == position
            try classify(Binding(section: "", handle: join.viewHandle, sum: join.viewSum), offer, isStill, arrival)
            for binding in join.sections { try classify(binding, offer, isStill, arrival) }
        }
        for join in arrival.joins {
            arrival.bytes[join.viewHandle] = nil
            for binding in join.sections { arrival.bytes[binding.handle] = nil }
        }
        for handle in arrival.targets.keys { arrival.bytes[handle] = nil }
        arrival.joins = []
        arrival.targets = [:]
    }

    /// - Parameter isStill: whether the node has learnt nothing new since the offer.
    private mutating func classify(
        _ binding: Binding, _ offer: Offer, _ isStill: Bool, _ arrival: Arrival
    ) throws(Violation) {
        guard let offered = offer.sums[binding.section], let bound = binding.sum else { return }
        let change = arrival.targets[binding.handle]
        let bytes = arrival.bytes[binding.handle] ?? 0
        let result = change?.target ?? bound
        if isStill, result == offered, bytes > 0 {
            throw violation("section '\(binding.section)' is what the client offered, but \(bytes) bytes were sent")
        }
        let tier: Int
        if arrival.manifests.contains(binding.handle) {
            tier = 2
        } else if bound == offered {
            tier = change == nil ? 0 : change?.base == nil ? 3 : 1
        } else {
            tier = 3
        }
        tiers[tier] += 1
    }

    private func violation(_ message: String) -> Violation { Violation(guarantee: .resumable, message: message) }
}
