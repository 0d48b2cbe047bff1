import MarqueeWire

// The client's subscriptions: what each of them shows, and which versions of it the client holds.

extension SessionCore {
    /// The version of a variant that the client holds: its sum, the handle under which it was sent, and the content it
    /// belongs to.
    struct Held: Hashable {
        var sum: UInt64
        var handle: UInt64
        var content: UInt64
        /// Whether it is staged and no join has carried it yet: the client knows it by this handle only.
        var isStaged = false
    }

    /// A variant that a subscription shows.
    struct ShownVariant {
        /// The section's id; empty for the view's own list.
        var section: String
        var handle: UInt64
        var current: CurrentVersion
        /// `nil` if no patch can start from it: it has to be staged.
        var held: Held?
        /// Whether the client holds a version unknown here, so that a manifest may help.
        var isUnknown = false
        /// Refusals since the client's version last changed.
        var refusals = 0
        /// The sum that the client held at the last refusal.
        var refusedAt: UInt64?
        /// Whether it was last sent as a patch from the client's manifest.
        var cameByManifest = false
        /// Set while it can't be sent; the client keeps the version it has.
        var failure: Failure?
        /// Consecutive failures.
        var failures: UInt64 = 0

        /// When a failed section is retried.
        struct Failure {
            var until: UInt64
        }

        var isBehind: Bool {
            failure == nil && (held?.sum != current.version.sum || held?.handle != handle)
        }
        var isToBeStaged: Bool { held == nil && failure == nil }
        /// Whether to stage it as a patch from the client's manifest. Once the client has refused such a patch, the
        /// variant is sent whole.
        var wantsManifest: Bool {
            isToBeStaged && isUnknown && refusals < SessionSettings.refusals - 1 && current.version.isWorthAManifest
        }
    }

    /// One subscription of the client.
    struct Subscription {
        var id: UInt32
        var generation: UInt32
        var request: OpenRequest
        /// A change of parameters that the hub has not answered yet.
        var requested: (generation: UInt32, request: OpenRequest)?
        var screen = ""
        var locale = ""
        /// The section's user, if a relay shows a variant of a private section.
        var user: String?
        /// The view's own list first, then its sections in order; empty until the hub has answered.
        var variants: [ShownVariant] = []
        /// Whether the client shows it, so that it takes part in every cut.
        var isLive = false
        /// Whether it joins, or is bound again, in the next cut.
        var needsJoin = false
        /// The generation of the last join, which is the one that the client shows.
        var joinedGeneration: UInt32 = 0
        /// The pending request to the hub; there is at most one.
        var ticket: UInt64?
        /// Whether the pending request is out of date: ask again once it is answered.
        var asksAgain = false
        /// Whether the session must stay at its position until the hub has answered.
        var blocks = false
        /// The sums that the client offered for resuming, by section, until the view joins or the section is refused.
        var offered: [String: UInt64] = [:]
        /// The staged version on its way to the client.
        var staging: Staging?

        var handles: [UInt64] { variants.map(\.handle) }
        var isStaged: Bool { !variants.isEmpty && !variants.contains(where: \.isToBeStaged) }

        /// Whether to ask the client for a manifest: not while the variant is already being staged.
        func wantsManifest(_ variant: ShownVariant) -> Bool {
            variant.wantsManifest && staging?.handle != variant.handle
        }

        /// Marks the view as joined: the client shows it once it has read the current cut.
        mutating func joined() {
            isLive = true
            needsJoin = false
            offered = [:]
            joinedGeneration = generation
            for index in variants.indices { variants[index].held?.isStaged = false }
        }

        /// - Returns: whether the client already holds this version.
        mutating func renew(_ handle: UInt64, _ current: CurrentVersion) -> Bool {
            guard let index = variants.firstIndex(where: { $0.handle == handle }),
                // A publication may arrive after a view that already contains its changes.
                !current.isOlder(than: variants[index].current)
            else { return false }
            variants[index].current = current
            // The section has become the version that the client holds, so nothing changes for the client. Staging in
            // progress continues.
            guard variants[index].isToBeStaged, staging?.handle != handle,
                offered[variants[index].section] == current.version.sum
            else { return false }
            variants[index].held = Held(sum: current.version.sum, handle: handle, content: current.content)
            return true
        }
    }

    /// A version on its way to the client, not shown there until its view joins.
    struct Staging {
        var handle: UInt64
        var target: UInt64
        var encoded: EncodedPatch
        var next = 0
    }
}
