package import MarqueeModel

/// Evidence of a wrong patch: enough to find the cause, without the content.
package struct RefusedPatch: Hashable, Sendable, CustomStringConvertible {
    package var handle: UInt64
    /// Screen and section, for people; empty if unknown.
    package var place: String
    /// The sum of the patch's base, if known.
    package var base: UInt64?
    /// The sum of the patch's target, if known.
    package var target: UInt64?
    /// The sum of the actual result, if there was one.
    package var computed: UInt64?
    /// The last good position before the patch.
    package var cut: Cut
    /// The reason, for people.
    package var message: String

    package init(
        handle: UInt64, place: String = "", base: UInt64?, target: UInt64?, computed: UInt64? = nil, cut: Cut = Cut(),
        message: String
    ) {
        self.handle = handle
        self.place = place
        self.base = base
        self.target = target
        self.computed = computed
        self.cut = cut
        self.message = message
    }

    package var description: String {
        func name(_ sum: UInt64?) -> String {
            guard let sum else { return "–" }
            let digits = String(sum, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        let location = place.isEmpty ? "handle \(handle)" : "\(place), handle \(handle)"
        return "\(location), base \(name(base)), target \(name(target)), computed \(name(computed)), after "
            + "(\(cut.catalogueRevision),\(cut.userRevision)): \(message)"
    }
}

/// The most recently refused patches, oldest first.
package struct EvidenceRing: Sendable {
    /// Maximum number of entries.
    package static let capacity = 64

    package private(set) var entries: [RefusedPatch] = []
    /// The number of refused patches ever appended.
    package private(set) var total: UInt64 = 0

    package init() {}

    package mutating func append(_ entry: RefusedPatch) {
        if entries.count == Self.capacity { entries.removeFirst() }
        entries.append(entry)
        total += 1
    }
}
