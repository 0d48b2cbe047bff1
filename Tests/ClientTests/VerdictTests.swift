import MarqueeModel
import MarqueeWire
import Testing

@testable import MarqueeClient

/// A server's statements about mutations: in welcome, and in its answers to them.
@Suite struct VerdictTests {
    @Test(
        arguments: [
            (.retrySame, true), (.retryOther, true), (.reauthenticate, true), (.resync, false), (.fatal, false),
        ] as [(Status.Remedy, Bool)])
    func `A change that is refused for now is kept, and rolled back if it would be refused again`(
        remedy: Status.Remedy, isKept: Bool
    ) {
        let status = Status(.unavailable, reason: "OF_A_LATER_VERSION", remedy: remedy, message: "")
        #expect(MutationVerdict(.failure(status)) == (isKept ? .later(status) : .refused(status)))
    }

    /// The last mutation that the server names, and what it means where answers up to 5 are recorded without a gap.
    @Test(
        arguments: [
            (nil, .forgotten), (4, .forgotten), (5, .known), (7, .known), (9, .known), (10, .overtaken(by: 10)),
        ] as [(UInt64?, WelcomeVerdict)])
    func `A server that repeats answered_through hasn't forgotten anything`(last: UInt64?, verdict: WelcomeVerdict) {
        var welcome = Welcome()
        welcome.lastMutation = last
        #expect(WelcomeVerdict(lastNumber: 9, lastAnswered: 5, user: nil, welcome: welcome) == verdict)
    }

    @Test func `An answer that was never recorded is no reason to take another client id`() {
        #expect(WelcomeVerdict(lastNumber: 9, lastAnswered: 0, user: nil, welcome: Welcome()) == .known)
    }
}
