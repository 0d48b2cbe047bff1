package import MarqueeModel

// The messages of the protocol as values. Proto/PROTOCOL.md defines them.

/// A message, with its frame's flags where they matter.
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
    case dismiss(guest: UInt32)
    case guestEnded(guest: UInt32, Status)
    case userProgress(UserProgress)
    case replan(Replan)
}
