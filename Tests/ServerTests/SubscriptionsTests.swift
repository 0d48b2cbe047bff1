import MarqueeDiff
import MarqueeModel
import MarqueeWire
import Testing

@testable import MarqueeServer

/// The subscriptions of a session with work left to do.
@Suite struct SubscriptionsTests {
    private static func subscription(_ id: UInt32, user: String? = nil) -> SessionCore.Subscription {
        var subscription = SessionCore.Subscription(
            id: id, generation: 0, request: OpenRequest(GetScreenRequest(screen: "home"), user: nil))
        let current = CurrentVersion(version: .empty, since: CutChange(), content: 1)
        subscription.variants = [SessionCore.ShownVariant(section: "", handle: UInt64(id), current: current)]
        subscription.user = user
        return subscription
    }

    @Test func `A subscription is staged, joins and is settled`() {
        var subscriptions = Subscriptions()
        for id in [3, 1, 2] as [UInt32] { subscriptions[id] = Self.subscription(id) }
        #expect(!subscriptions.areJoining && subscriptions.areSettled)
        for id in [3, 1] as [UInt32] { subscriptions[id]?.needsJoin = true }
        #expect(subscriptions.arriving.ids == [1, 3] && subscriptions.stagingOrder == [1, 3])
        #expect(subscriptions.areJoining && subscriptions.areSettled)
        subscriptions[3]?.variants[0].held = SessionCore.Held(sum: Version.empty.sum, handle: 3, content: 1)
        #expect(subscriptions.joinable.ids == [3] && subscriptions.arriving.ids == [1])
        subscriptions[3]?.joined()
        #expect(subscriptions.joinable.isEmpty && subscriptions.areSettled)
        subscriptions[3]?.variants[0].held = nil
        #expect(subscriptions.incomplete.ids == [3] && !subscriptions.areSettled)
        // It holds up the others.
        #expect(subscriptions.stagingOrder == [3, 1])
        #expect(subscriptions.remove(3)?.id == 3 && subscriptions.remove(3) == nil)
        #expect(subscriptions.areSettled && subscriptions.ids == [1, 2])
    }

    @Test func `A subscription that waits for the hub is settled once the hub has answered`() {
        var subscriptions = Subscriptions()
        subscriptions[1] = Self.subscription(1)
        subscriptions[1]?.blocks = true
        #expect(subscriptions.blocking.ids == [1] && subscriptions.areSettled)
        subscriptions[1]?.isLive = true
        #expect(!subscriptions.areSettled)
        subscriptions[1]?.blocks = false
        subscriptions[1]?.variants[0].held = SessionCore.Held(sum: Version.empty.sum, handle: 1, content: 1)
        #expect(subscriptions.blocking.isEmpty && subscriptions.areSettled)
    }

    @Test func `A user's subscriptions are found without the others`() {
        var subscriptions = Subscriptions()
        for (id, user) in [(1, "a"), (2, nil), (3, "b"), (4, "a")] as [(UInt32, String?)] {
            subscriptions[id] = Self.subscription(id, user: user)
        }
        #expect(subscriptions.ids(of: "a") == [1, 4] && subscriptions.ids(of: "c") == [])
        subscriptions[4]?.user = "b"
        _ = subscriptions.remove(1)
        #expect(subscriptions.ids(of: "a") == [] && subscriptions.ids(of: "b") == [3, 4])
    }
}
