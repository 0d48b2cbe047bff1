/// The limits that one side of a connection states and the other respects.
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

    /// The limits of a server for a client that has identified itself.
    package static let server = WireLimits(
        frameBytes: 64 << 10, partBytes: 64 << 10, elementsPerFrame: 8_192, unknownFields: 32, subscriptions: 64,
        calls: 16, answerBytes: 1 << 20, listItems: 65_536, sections: 256, creditBytes: 1 << 20, mutations: 64,
        cutBytes: 64 << 20)
    /// The limits of a client for a server.
    package static let client = WireLimits(
        frameBytes: 1 << 20, partBytes: 64 << 10, elementsPerFrame: 65_536, unknownFields: 32, subscriptions: 64,
        calls: 16, answerBytes: 1 << 20, listItems: 65_536, sections: 256, creditBytes: 1 << 20, mutations: 64,
        cutBytes: 64 << 20)
    /// Maximum bytes of a frame before a client has identified itself: room for the largest JWT that HTTP servers
    /// accept, 8 to 12 KiB, and the rest of hello.
    package static let unauthenticatedFrameBytes: UInt32 = 16 << 10
    /// Maximum bytes of a token.
    package static let tokenBytes = 12 << 10
    /// The numbers that a mutation may have.
    package static let mutationNumbers: ClosedRange<UInt64> = 1...UInt64(Int64.max)
    /// Minimum for `frameBytes` and `partBytes`; a hello or welcome that states less is refused.
    package static let minimumFrameBytes: UInt32 = 4 << 10
    /// Minimum for `elementsPerFrame`.
    package static let minimumElements: UInt32 = 64
}
