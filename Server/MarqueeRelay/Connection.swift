import DequeModule
import MarqueeDiff
import MarqueeModel
import MarqueeServer
import MarqueeWire
import NIOCore

extension RelayCore {
    /// The state of one connection upstream. It ends with the connection, as one value.
    struct Connection {
        var watch: ServerWatch
        /// When to renew the relay's identity; `nil` if it doesn't expire, or is being renewed.
        var renewsAt: UInt64?
        /// The bytes that use up credit.
        var taken = ReceivedBytes()
        var subscriptions = Subscriptions()
        var arrivals = Arrivals()
        /// The views and variants that have to arrive again before anything is published.
        var returning = Returning()
        var introductions = Introductions()
        var calls = Calls()

        init(now: UInt64) { watch = ServerWatch(now: now) }
    }

    /// The variants that are subscribed to, and those that wait for their turn.
    struct Subscriptions {
        /// The most unanswered subscriptions: as many as the server upstream opens at once for one connection before it
        /// stops reading.
        static let atOnce = 16

        /// The variant's handle, by subscription.
        private(set) var handles: [UInt32: UInt64] = [:]
        /// Variants that guests want and that aren't subscribed to yet.
        var waiting = GuestTurns<UInt64>()
        /// Subscriptions that were sent and that upstream hasn't begun to answer.
        private(set) var unanswered: Set<UInt32> = []
        private(set) var next: UInt32 = 1

        /// - Returns: the new subscription.
        mutating func add(_ handle: UInt64) -> UInt32 {
            defer { next += 1 }
            handles[next] = handle
            return next
        }

        /// Removes and returns the next waiting variant, unless too many subscriptions are unanswered.
        mutating func takeWaiting() -> UInt64? { unanswered.count < Self.atOnce ? waiting.popFirst() : nil }

        mutating func awaitAnswer(_ subscription: UInt32) { unanswered.insert(subscription) }

        /// - Returns: whether an answer was expected, so that another variant may have its turn.
        mutating func answered(_ subscription: UInt32) -> Bool { unanswered.remove(subscription) != nil }

        mutating func end(_ subscription: UInt32) {
            handles[subscription] = nil
            unanswered.remove(subscription)
        }
    }

    /// Content that has arrived and isn't published yet.
    struct Arrivals {
        /// The position up to which upstream's content has arrived.
        var cut = Cut()
        /// The versions to publish next, by the variant's handle.
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

    /// The introductions of guests upstream.
    struct Introductions {
        /// The guests, by their number on this connection.
        private(set) var guests: [UInt32: UInt32] = [:]
        private(set) var next: UInt32 = 1
        /// Guests who have yet to be introduced, in order.
        var outstanding: Deque<UInt32> = []
        /// Guests that upstream couldn't look up, and when to introduce them again.
        private var again: [UInt32: UInt64] = [:]
        /// Since when upstream has been behind what was shown to some user; `nil` if it isn't.
        var behindSince: UInt64?

        /// - Returns: a new number, for one introduction of the guest.
        mutating func number(_ guest: UInt32) -> UInt32 {
            defer { next += 1 }
            guests[next] = guest
            return next
        }

        /// Forgets an introduction. It may be one on an earlier connection, with a number that is another guest's now.
        mutating func forget(number: UInt32, of guest: UInt32) {
            if guests[number] == guest { guests[number] = nil }
        }

        mutating func introduceAgain(_ guest: UInt32, at time: UInt64) { again[guest] = time }

        mutating func forget(guest: UInt32) { again[guest] = nil }

        /// - Returns: the guests to introduce again now, in order.
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

        /// Removes all calls.
        /// - Returns: the removed calls, sent ones first.
        mutating func removeAll() -> [Call] { sent.removeAll().map(\.call) + waiting.removeAll() }
    }
}
