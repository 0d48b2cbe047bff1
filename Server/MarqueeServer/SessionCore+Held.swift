import MarqueeWire

// What a session knows of its client's subscriptions: what each shows, and what the client holds of that.

extension SessionCore {
    /// What the client holds of a variant: a sum, the handle under which that version was sent, and the content that
    /// it was a version of.
    struct Held: Hashable {
        var sum: UInt64
        var handle: UInt64
        var content: UInt64
        /// Staged, and not yet named by a join: the client finds it under this very handle only.
        var isStaged = false
    }

    /// A variant that a subscription shows.
    struct ShownVariant {
        /// Of the section; empty for the view's own list.
        var section: String
        var handle: UInt64
        var current: CurrentVersion
        /// `nil`: nothing that a patch could start from; it has to be staged.
        var held: Held?
        /// The client holds something of it that is not known here: a manifest may help.
        var isUnknown = false
        /// How often it was refused while the client held the same.
        var refusals = 0
        /// What the client held when it was last refused.
        var refusedAt: UInt64?
        /// Whether a patch from its manifest was what it was sent last.
        var cameByManifest = false
        /// It could not be brought to the client, which goes on with what it has.
        var failure: Failure?
        /// How often in a row that came to pass.
        var failures: UInt64 = 0

        /// When a section that failed is tried again.
        struct Failure {
            var until: UInt64
        }

        var isBehind: Bool {
            failure == nil && (held?.sum != current.version.sum || held?.handle != handle)
        }
        var isToBeStaged: Bool { held == nil && failure == nil }
        /// Whether it is staged as a patch of what the client describes. One that was refused like that comes whole.
        var wantsManifest: Bool {
            isToBeStaged && isUnknown && refusals < SessionSettings.refusals - 1 && current.version.isWorthAManifest
        }
    }

    /// One subscription of the client.
    struct Subscription {
        var id: UInt32
        var generation: UInt32
        var request: OpenRequest
        /// A change of parameters that the hub has not answered.
        var wished: (generation: UInt32, request: OpenRequest)?
        var screen = ""
        var locale = ""
        /// The view's own list first, then its sections in order; empty until the hub has answered.
        var variants: [ShownVariant] = []
        /// The client shows it: it takes part in every cut.
        var isLive = false
        /// It joins, or is bound anew, in the next cut.
        var needsJoin = false
        /// The generation of the last join that was laid out; what the client shows.
        var joinedGeneration: UInt32 = 0
        /// The question to the hub that is under way; there is one at a time.
        var ticket: UInt64?
        /// What it was about is out of date: ask again once it is answered.
        var asksAgain = false
        /// The session may not move before the hub has answered.
        var blocks = false
        /// What the client said it holds, by section, until the view joins or the section is refused.
        var offered: [String: UInt64] = [:]
        /// The part of the staged version that comes next.
        var staging: Staging?

        var handles: [UInt64] { variants.map(\.handle) }
        var isStaged: Bool { !variants.isEmpty && !variants.contains(where: \.isToBeStaged) }

        /// Whether the client is to be asked what it holds of a variant.
        ///
        /// What has begun to be staged goes on: to find out about it now would be of no use.
        func wantsManifest(_ variant: ShownVariant) -> Bool {
            variant.wantsManifest && staging?.handle != variant.handle
        }

        /// The client shows the view once it has read the cut that is laid out now.
        mutating func joined() {
            isLive = true
            needsJoin = false
            offered = [:]
            joinedGeneration = generation
            for index in variants.indices { variants[index].held?.isStaged = false }
        }

        /// - Returns: whether the client turns out to hold it.
        mutating func renew(_ handle: UInt64, _ current: CurrentVersion) -> Bool {
            guard let index = variants.firstIndex(where: { $0.handle == handle }) else { return false }
            variants[index].current = current
            // It has become what the client holds, for whom nothing has changed then. What is on its way already goes
            // on.
            guard variants[index].isToBeStaged, staging?.handle != handle,
                offered[variants[index].section] == current.version.sum
            else { return false }
            variants[index].held = Held(sum: current.version.sum, handle: handle, content: current.content)
            return true
        }
    }

    /// A version on its way to the client, invisible there until its view joins.
    struct Staging {
        var handle: UInt64
        var target: UInt64
        var encoded: EncodedPatch
        var next = 0
    }
}
