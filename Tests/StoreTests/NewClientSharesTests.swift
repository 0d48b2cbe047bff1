import Testing

@testable import MarqueeStore

@Suite struct NewClientSharesTests {
    private let now: UInt64 = 1_700_000_000_000

    private func taken(_ shares: inout NewClientShares, _ owners: [ShareOwner], _ now: UInt64) -> UInt64 {
        (0..<100_000 as Range<UInt64>).first { _ in !shares.take(owners, now: now) } ?? 100_000
    }

    @Test func `A user's new clients are bounded, without affecting other users`() {
        var shares = NewClientShares()
        let (clients, pause) = NewClientShares.share(of: .user("eve"))
        #expect(taken(&shares, [.user("eve")], now) == clients)
        #expect(shares.take([.user("mina")], now: now) == true)
        #expect(shares.take([.user("eve")], now: now + pause - 1) == false)
        #expect(shares.take([.user("eve")], now: now + pause) == true)
        #expect(taken(&shares, [.user("eve")], now + pause * clients * 2) == clients)
    }

    @Test func `Clients of an address that has used up its share don't use their users' shares`() {
        var shares = NewClientShares()
        let all = NewClientShares.share(of: .origin(7)).clients
        for user in 0..<all { #expect(shares.take([.user("\(user)"), .origin(7)], now: now) == true) }
        #expect(shares.take([.user("mina"), .origin(7)], now: now) == false)
        #expect(shares.take([.user("mina"), .origin(8)], now: now) == true)
        #expect(taken(&shares, [.user("mina")], now) == NewClientShares.share(of: .user("mina")).clients - 1)
    }

    @Test func `A clock that goes back doesn't refuse clients for long`() {
        var shares = NewClientShares()
        let (clients, pause) = NewClientShares.share(of: .user("eve"))
        #expect(taken(&shares, [.user("eve")], now) == clients)
        #expect(shares.take([.user("eve")], now: 5) == false)
        #expect(shares.take([.user("eve")], now: 5 + pause - 1) == false)
        #expect(shares.take([.user("eve")], now: 5 + pause) == true)
    }
}
