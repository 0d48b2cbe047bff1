import DequeModule
import MarqueeDiff
import MarqueeModel
import MarqueeServer
import MarqueeWire
import NIOCore

extension RelayCore {
    /// All that belongs to one connection upstream. It ends with the connection, as one value.
    struct Connection {
        var watch: ServerWatch
        /// When the relay's identity is renewed; `nil` if it doesn't end.
        var renewsAt: UInt64?
        var taken = TakenBytes()
        var subscriptions = Subscriptions()
        var arrivals = Arrivals()
        /// The views and variants that have to come again before anything is published.
        var returning = Returning()
        var introductions = Introductions()
        var calls = Calls()

        init(now: UInt64) { watch = ServerWatch(now: now) }
    }

    /// The variants that are subscribed to, and those that wait for that.
    struct Subscriptions {
        /// The most that upstream hasn't answered: as many as it opens for one connection before it stops reading.
        static let atOnce = 16

        /// The variant of each.
        private(set) var handles: [UInt32: UInt64] = [:]
        /// Variants to subscribe to, of the guests who want them.
        var waiting = GuestTurns<UInt64>()
        /// Those that had their turn, and that upstream hasn't begun to answer.
        private(set) var unanswered: Set<UInt32> = []
        private(set) var next: UInt32 = 1

        /// - Returns: the new subscription.
        mutating func add(_ handle: UInt64) -> UInt32 {
            defer { next += 1 }
            handles[next] = handle
            return next
        }

        /// Takes the next variant that waits, unless upstream has enough to answer.
        mutating func takeWaiting() -> UInt64? { unanswered.count < Self.atOnce ? waiting.popFirst() : nil }

        mutating func awaitAnswer(_ subscription: UInt32) { unanswered.insert(subscription) }

        /// - Returns: whether its answer was awaited, so that another one may have its turn.
        mutating func answered(_ subscription: UInt32) -> Bool { unanswered.remove(subscription) != nil }

        mutating func end(_ subscription: UInt32) {
            handles[subscription] = nil
            unanswered.remove(subscription)
        }
    }

    /// Content that has arrived and isn't published.
    struct Arrivals {
        /// The position upstream as far as it has arrived.
        var cut = Cut()
        var versions: [UInt64: CurrentVersion] = [:]
        /// The cut that is arriving.
        var incoming: IncomingFrames?
        var staged = StagedVersions()
        /// The bodies of the frames of a staged patch that is arriving.
        var stagedBodies: [ByteBuffer] = []

        mutating func drop(_ handle: UInt64) {
            versions[handle] = nil
            staged.drop(handle)
        }
    }

    /// The guests as upstream knows them.
    struct Introductions {
        /// Guests by what they are called on this connection.
        private(set) var guests: [UInt32: UInt32] = [:]
        private(set) var next: UInt32 = 1
        /// Those who have yet to be introduced, in order.
        var outstanding: Deque<UInt32> = []
        /// Those whom upstream couldn't look up, and when they are introduced again.
        private var again: [UInt32: UInt64] = [:]
        /// Since when upstream has been behind what was shown to some user; `nil` unless it is.
        var behindSince: UInt64?

        /// - Returns: the number for an introduction of the guest; each has one of its own.
        mutating func number(_ guest: UInt32) -> UInt32 {
            defer { next += 1 }
            guests[next] = guest
            return next
        }

        mutating func forget(number: UInt32) { guests[number] = nil }

        mutating func introduceAgain(_ guest: UInt32, at time: UInt64) { again[guest] = time }

        mutating func forget(guest: UInt32) { again[guest] = nil }

        /// - Returns: those who are introduced again now, in order.
        mutating func takeDue(at now: UInt64) -> [UInt32] {
            let due = again.filter { $0.value <= now }.keys.sorted()
            for guest in due { again[guest] = nil }
            return due
        }
    }

    /// Calls upstream: those that were sent, and those that wait for their turn.
    struct Calls {
        var sent = OpenCalls<Call>()
        var waiting = GuestTurns<Call>()

        /// Ends all of them.
        /// - Returns: them, those that were sent first.
        mutating func removeAll() -> [Call] { sent.removeAll().map(\.call) + waiting.removeAll() }
    }
}
