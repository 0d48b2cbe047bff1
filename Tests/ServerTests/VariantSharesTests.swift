import MarqueeStore
import Testing

@testable import MarqueeServer

@Suite struct VariantSharesTests {
    /// Owners who take turns bringing as many variants as they may.
    private func filled(
        _ shares: inout VariantShares, _ owners: [[ShareOwner]], limit: Int
    ) -> (shown: Int, each: [Int]) {
        var shown = 0
        var each = owners.map { _ in 0 }
        var isFull = false
        while !isFull {
            isFull = true
            for (index, owners) in owners.enumerated() where shares.admits(owners, shown: shown, limit: limit) {
                shown += 1
                each[index] += 1
                shares.charge(owners, for: UInt64(shown))
                isFull = false
            }
        }
        return (shown, each)
    }

    @Test func `An owner alone gets most of the variants, and a newcomer still gets some`() {
        var shares = VariantShares()
        let (shown, _) = filled(&shares, [[.origin(1)]], limit: 1_000)
        #expect(shown == 800)
        #expect(shares.admits([.origin(2)], shown: shown, limit: 1_000))
        #expect(!shares.admits([.user("eve"), .origin(1)], shown: shown, limit: 1_000))
    }

    @Test func `Owners that want everything share it evenly, and something stays free`() {
        var shares = VariantShares()
        let (shown, each) = filled(&shares, (1...9).map { [.user("\($0)")] }, limit: 1_000)
        #expect(each.allSatisfy { (104...109).contains($0) }, "\(each)")
        #expect(shares.admits([.user("mina"), .origin(7)], shown: shown, limit: 1_000))
    }

    @Test func `A user's share counts from all addresses, and an address's for all its users`() {
        var shares = VariantShares()
        let (shown, _) = filled(&shares, [[.user("eve"), .origin(1)], [.user("eve"), .origin(2)]], limit: 1_000)
        #expect(shown == 800)
        var others = VariantShares()
        #expect(filled(&others, (1...20).map { [.user("\($0)"), .origin(1)] }, limit: 1_000).shown <= 801)
    }

    @Test func `Variants that an owner releases are available again`() {
        var shares = VariantShares()
        let (shown, _) = filled(&shares, [[.origin(1)]], limit: 10)
        for handle in 1...UInt64(shown) { shares.release(handle) }
        #expect(filled(&shares, [[.origin(1)]], limit: 10).shown == shown)
        #expect(shares.admits([], shown: 9, limit: 10) && !shares.admits([], shown: 10, limit: 10))
    }
}
