import MarqueeDiff
import MarqueeMirror
import MarqueeWire

extension SyncCore {
    /// The state of one connection. It ends with the connection, as one value.
    struct Link {
        /// When the connection was established.
        let began: UInt64
        var watch: ServerWatch
        /// The server's limits, as announced in its welcome.
        var serverLimits = WireLimits.server
        var subscriptions = Subscriptions()
        var incoming: IncomingCut?
        var staged = StagedVersions()
        var repairs = Repairs()
        var taken = ReceivedBytes()
        var calls = OpenCalls<Void>()

        init(now: UInt64) {
            began = now
            watch = ServerWatch(now: now)
        }
    }

    /// The subscriptions of a connection, and the places where they show content.
    struct Subscriptions {
        private(set) var views: [UInt32: ViewID] = [:]
        private var next: UInt32 = 1
        var places: [UInt64: Place] = [:]
        /// The versions described to the server, by place; staged patches may start from them.
        var described: [Place: Described] = [:]

        subscript(subscription: UInt32) -> ViewID? { views[subscription] }

        /// - Returns: the new subscription.
        mutating func add(_ id: ViewID) -> UInt32 {
            defer { next += 1 }
            views[next] = id
            return next
        }

        /// Ignores whatever still arrives for the subscription.
        mutating func forget(_ subscription: UInt32) {
            views[subscription] = nil
            for (handle, place) in places where place.subscription == subscription { places[handle] = nil }
            forgetDescribed(by: subscription)
        }

        /// Forgets the versions described for a subscription: staged patches can no longer start from them.
        mutating func forgetDescribed(by subscription: UInt32) {
            for place in described.keys where place.subscription == subscription { described[place] = nil }
        }
    }

    /// The cuts that were refused on a connection.
    struct Repairs {
        private var last: UInt32 = 0
        /// The refusal whose repair is awaited: cuts before it build on the refused one.
        private(set) var awaited: UInt32?

        /// - Returns: the number of a new refusal.
        mutating func ask() -> UInt32 {
            last += 1
            awaited = last
            return last
        }

        /// Called when the repair has arrived.
        mutating func settle() { awaited = nil }
    }
}
