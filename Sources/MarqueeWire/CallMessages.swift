package import MarqueeModel

package struct Request: Hashable, Sendable {
    package var call: UInt32
    package var method: Method
    package var deadlineMilliseconds: UInt32?
    package var body: [UInt8]
    /// The trace that the call is part of.
    package var trace: TraceParent?
    /// The guest on whose behalf a relay calls; `nil` for a call of the relay itself, or of any other sender.
    package var guest: UInt32?

    package init(
        call: UInt32, method: Method, deadlineMilliseconds: UInt32? = nil, body: [UInt8] = [],
        trace: TraceParent? = nil, guest: UInt32? = nil
    ) {
        self.call = call
        self.method = method
        self.deadlineMilliseconds = deadlineMilliseconds
        self.body = body
        self.trace = trace
        self.guest = guest
    }
}

/// A unary method. An open set.
package struct Method: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let health = Method(rawValue: 1)
    package static let describe = Method(rawValue: 2)
    package static let getScreen = Method(rawValue: 3)
    package static let search = Method(rawValue: 4)
    package static let collection = Method(rawValue: 5)
    package static let publish = Method(rawValue: 6)
    package static let renew = Method(rawValue: 7)
    package static let introduce = Method(rawValue: 8)
    package static let plan = Method(rawValue: 9)
    package static let source = Method(rawValue: 10)
    package static let recordSums = Method(rawValue: 11)
    package static let report = Method(rawValue: 12)
    package static let drafts = Method(rawValue: 13)

    /// The name for people.
    package var name: String {
        switch self {
        case .health: "health"
        case .describe: "describe"
        case .getScreen: "screen"
        case .search: "search"
        case .collection: "collection"
        case .publish: "publish"
        case .renew: "renew"
        case .introduce: "introduce"
        case .plan: "plan"
        case .source: "source"
        case .recordSums: "record sums"
        case .report: "report"
        case .drafts: "drafts"
        default: "method \(rawValue)"
        }
    }
}

package struct Answer: Hashable, Sendable {
    package var call: UInt32
    /// `nil`: OK. Present only in the last part.
    package var status: Status?
    package var body: [UInt8]
    package var more: Bool

    package init(call: UInt32, status: Status? = nil, body: [UInt8] = [], more: Bool = false) {
        self.call = call
        self.status = status
        self.body = body
        self.more = more
    }
}
