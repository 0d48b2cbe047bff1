package import MarqueeDiff
package import MarqueeModel

// The messages of the protocol as values. What each means is said in Proto/PROTOCOL.md.

/// What one side of a connection accepts; the other keeps to it.
package struct WireLimits: Hashable, Sendable {
    package var frameBytes: UInt32
    package var partBytes: UInt32
    package var elementsPerFrame: UInt32
    package var unknownFields: UInt32
    package var subscriptions: UInt32
    package var calls: UInt32
    package var answerBytes: UInt32
    package var listItems: UInt32
    package var sections: UInt32
    package var creditBytes: UInt64
    package var mutations: UInt32
    package var cutBytes: UInt64

    package init(
        frameBytes: UInt32, partBytes: UInt32, elementsPerFrame: UInt32, unknownFields: UInt32, subscriptions: UInt32,
        calls: UInt32, answerBytes: UInt32, listItems: UInt32, sections: UInt32, creditBytes: UInt64,
        mutations: UInt32, cutBytes: UInt64
    ) {
        self.frameBytes = frameBytes
        self.partBytes = partBytes
        self.elementsPerFrame = elementsPerFrame
        self.unknownFields = unknownFields
        self.subscriptions = subscriptions
        self.calls = calls
        self.answerBytes = answerBytes
        self.listItems = listItems
        self.sections = sections
        self.creditBytes = creditBytes
        self.mutations = mutations
        self.cutBytes = cutBytes
    }

    /// What a server accepts from a client that has said who it is.
    package static let server = WireLimits(
        frameBytes: 64 << 10, partBytes: 64 << 10, elementsPerFrame: 8_192, unknownFields: 32, subscriptions: 64,
        calls: 16, answerBytes: 1 << 20, listItems: 65_536, sections: 256, creditBytes: 1 << 20, mutations: 64,
        cutBytes: 64 << 20)
    /// What a client accepts from a server.
    package static let client = WireLimits(
        frameBytes: 1 << 20, partBytes: 64 << 10, elementsPerFrame: 65_536, unknownFields: 32, subscriptions: 64,
        calls: 16, answerBytes: 1 << 20, listItems: 65_536, sections: 256, creditBytes: 1 << 20, mutations: 64,
        cutBytes: 64 << 20)
    /// Bytes of a frame before a client has said who it is.
    package static let unauthenticatedFrameBytes: UInt32 = 4 << 10
    /// What a peer must accept in a frame or part, in bytes; a hello or welcome that states less is refused.
    package static let minimumFrameBytes: UInt32 = 4 << 10
    /// Repeated elements that a peer must accept in a frame.
    package static let minimumElements: UInt32 = 64
}

package struct Hello: Hashable, Sendable {
    /// Bytes of a client id.
    package static let clientIDBytes = 16

    package var protocolMinimum: UInt32 = 1
    package var protocolMaximum: UInt32 = 1
    package var limits: WireLimits = .client
    package var user: String?
    package var token: String?
    package var clientID: [UInt8] = []
    package var agent: String = ""
    package var cluster: String?
    package var seen: Cut?
    package var answeredThrough: UInt64 = 0
    package var pingIntervalMilliseconds: UInt32?

    package init() {}
}

package struct Welcome: Hashable, Sendable {
    package var protocolVersion: UInt32 = 1
    package var cluster: String = ""
    package var user: String?
    package var node: String = ""
    package var limits: WireLimits = .server
    package var cut = Cut()
    package var pingIntervalMilliseconds: UInt32 = 20_000
    package var pingMinimumMilliseconds: UInt32 = 5_000
    package var progressIntervalMilliseconds: UInt32 = 15_000
    package var imageBaseURL: String?
    package var locales: [String] = []
    package var lastMutation: UInt64?
    package var agent: String = ""

    package init() {}
}

package struct SectionParameters: Hashable, Sendable {
    package var section: String
    package var sort: String?
    package var window: UInt32?

    package init(section: String, sort: String? = nil, window: UInt32? = nil) {
        self.section = section
        self.sort = sort
        self.window = window
    }
}

package struct Resume: Hashable, Sendable {
    package var cut: Cut
    package var viewSum: UInt64
    /// Section ids with the sums that are held, in the view's order.
    package var sections: [HeldSection]

    package init(cut: Cut, viewSum: UInt64, sections: [HeldSection]) {
        self.cut = cut
        self.viewSum = viewSum
        self.sections = sections
    }
}

package struct HeldSection: Hashable, Sendable {
    package var section: String
    package var sum: UInt64

    package init(section: String, sum: UInt64) {
        self.section = section
        self.sum = sum
    }
}

package struct Subscribe: Hashable, Sendable {
    package var subscription: UInt32
    package var generation: UInt32
    package var screen: String
    package var locale: String?
    package var sections: [SectionParameters]
    package var resume: Resume?

    package init(
        subscription: UInt32, generation: UInt32 = 0, screen: String, locale: String? = nil,
        sections: [SectionParameters] = [], resume: Resume? = nil
    ) {
        self.subscription = subscription
        self.generation = generation
        self.screen = screen
        self.locale = locale
        self.sections = sections
        self.resume = resume
    }
}

package struct SubscriptionError: Hashable, Sendable {
    package var subscription: UInt32
    package var generation: UInt32
    package var status: Status
    package var section: String?

    package init(subscription: UInt32, generation: UInt32, status: Status, section: String? = nil) {
        self.subscription = subscription
        self.generation = generation
        self.status = status
        self.section = section
    }
}

package struct Binding: Hashable, Sendable {
    package var section: String
    package var handle: UInt64
    /// `nil`: the section stays what it is; it could not be brought up to date.
    package var sum: UInt64?

    package init(section: String, handle: UInt64, sum: UInt64?) {
        self.section = section
        self.handle = handle
        self.sum = sum
    }
}

package struct Join: Hashable, Sendable {
    package var subscription: UInt32
    package var generation: UInt32
    package var viewHandle: UInt64
    package var viewSum: UInt64
    package var sections: [Binding]
    package var cut: CutChange
    package var screen: String
    package var locale: String

    package init(
        subscription: UInt32, generation: UInt32, viewHandle: UInt64, viewSum: UInt64, sections: [Binding],
        cut: CutChange, screen: String, locale: String
    ) {
        self.subscription = subscription
        self.generation = generation
        self.viewHandle = viewHandle
        self.viewSum = viewSum
        self.sections = sections
        self.cut = cut
        self.screen = screen
        self.locale = locale
    }
}

/// One part of a patch. The parts of a patch follow each other; `PatchAssembler` joins them.
package struct Part: Hashable, Sendable {
    package var handle: UInt64
    /// `nil`: the empty version.
    package var base: UInt64?
    package var target: UInt64
    package var script: [UInt8]
    package var adds: [Item]
    package var updates: [FieldChange]
    package var head: FieldChange?
    package var count: UInt32
    package var more: Bool
    package var cut: CutChange

    package init(
        handle: UInt64, base: UInt64?, target: UInt64, script: [UInt8] = [], adds: [Item] = [],
        updates: [FieldChange] = [], head: FieldChange? = nil, count: UInt32 = 0, more: Bool = false,
        cut: CutChange = CutChange()
    ) {
        self.handle = handle
        self.base = base
        self.target = target
        self.script = script
        self.adds = adds
        self.updates = updates
        self.head = head
        self.count = count
        self.more = more
        self.cut = cut
    }
}

package struct HeldVersion: Hashable, Sendable {
    package var handle: UInt64
    /// `nil`: nothing is held.
    package var sum: UInt64?
    /// What came for it was wrong.
    package var refused: Bool

    package init(handle: UInt64, sum: UInt64?, refused: Bool = false) {
        self.handle = handle
        self.sum = sum
        self.refused = refused
    }
}

package struct Nack: Hashable, Sendable {
    package var number: UInt32
    package var good: Cut
    package var held: [HeldVersion]
    /// Complete staged versions that no join has named yet.
    package var staged: [HeldVersion]
    package var status: Status

    package init(number: UInt32, good: Cut, held: [HeldVersion], staged: [HeldVersion] = [], status: Status) {
        self.number = number
        self.good = good
        self.held = held
        self.staged = staged
        self.status = status
    }
}

/// A section of which a manifest is wanted.
package struct RebaseSection: Hashable, Sendable {
    /// Empty: the view's own list.
    package var section: String
    /// Under which the manifest is sent, and the patch that answers it.
    package var handle: UInt64

    package init(section: String, handle: UInt64) {
        self.section = section
        self.handle = handle
    }
}

/// What the client holds of these sections is not known to the server: a manifest of each is wanted.
package struct Rebase: Hashable, Sendable {
    package var subscription: UInt32
    package var sections: [RebaseSection]

    package init(subscription: UInt32, sections: [RebaseSection]) {
        self.subscription = subscription
        self.sections = sections
    }
}

package struct Manifest: Hashable, Sendable {
    /// Bytes of one item's pair of hashes.
    package static let pairBytes = 16

    package var handle: UInt64
    package var sum: UInt64
    package var headHash: UInt64
    /// 16 bytes an item: XXH64 of its id, XXH64 of its body, little endian.
    package var pairs: [UInt8]
    package var more: Bool

    package init(handle: UInt64, sum: UInt64, headHash: UInt64, pairs: [UInt8], more: Bool) {
        self.handle = handle
        self.sum = sum
        self.headHash = headHash
        self.pairs = pairs
        self.more = more
    }
}

package struct Request: Hashable, Sendable {
    package var call: UInt32
    package var method: Method
    package var deadlineMilliseconds: UInt32?
    package var body: [UInt8]

    package init(
        call: UInt32, method: Method, deadlineMilliseconds: UInt32? = nil, body: [UInt8] = []
    ) {
        self.call = call
        self.method = method
        self.deadlineMilliseconds = deadlineMilliseconds
        self.body = body
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
    package static let favorite = Method(rawValue: 5)
    package static let publish = Method(rawValue: 6)
}

package struct Answer: Hashable, Sendable {
    package var call: UInt32
    /// `nil`: OK. Said in the last part.
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

/// A message with the flags of its frame where they matter.
package enum Message: Hashable, Sendable {
    case hello(Hello)
    case welcome(Welcome)
    case ping(nonce: UInt64)
    case pong(nonce: UInt64)
    case progress(CutChange)
    case ack(bytes: UInt64, cut: Cut?)
    case goAway(Status, reconnectMilliseconds: ClosedRange<UInt32>)
    case close(Status)
    case subscribe(Subscribe)
    case unsubscribe(UInt32)
    case subscriptionError(SubscriptionError)
    case join(Join)
    case data(Part)
    case stage(Part)
    case nack(Nack)
    case repair(number: UInt32)
    case rebase(Rebase)
    case manifest(Manifest)
    case request(Request)
    case answer(Answer)
    case cancel(call: UInt32)
}
