import MarqueeDiff
import MarqueeModel
import MarqueeServer
import MarqueeWire

extension RelayCore {
    /// A variant that is subscribed upstream, or was before the connection was lost.
    struct Variant {
        /// What it shows.
        struct Name: Hashable, CustomStringConvertible {
            var screen: String
            /// Empty for a view's own list.
            var section: String
            var locale: String

            var description: String { "section '\(section)' of \(screen)" }
        }

        let name: Name
        /// Whose it is, if it is private.
        let user: String?
        /// The view that named it last.
        var plan: PlanKey
        /// The newest version that has arrived.
        var held: Version?
        /// The version that is published; `nil` before it first is.
        var current: CurrentVersion?
        var subscribers = 0
        /// Its subscription on this connection.
        var subscription: UInt32?
        /// What the server upstream was told by a manifest.
        var described: Version?
        /// What is held was refused, and isn't offered again.
        var offersNothing = false

        init(_ name: Name, user: String?, plan: PlanKey) {
            self.name = name
            self.user = user
            self.plan = plan
        }

        /// The connection is gone.
        mutating func left() {
            subscription = nil
            described = nil
        }
    }

    /// What must have come again after a connection was lost before anything is published.
    struct Returning {
        var plans: Set<PlanKey> = []
        /// What views showed before.
        var before: [PlanKey: PlanAnswer] = [:]
        var variants: Set<UInt64> = []
        /// Families of screens of which views can't be shown as they were.
        var lost: Set<String> = []
        /// Users whose logs may have moved meanwhile.
        var users: Set<String> = []
        /// Whether it has begun.
        var isComplete = false

        var isOver: Bool { isComplete && plans.isEmpty && variants.isEmpty }
    }
}
