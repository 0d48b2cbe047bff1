import Testing

@testable import MarqueeStore

@Suite struct KeptKeyTests {
    @Test func `A key matches its own changes, and a key of an earlier version matches any`() {
        let kept = KeptKey(revision: 7, fingerprint: 0x0123_4567_89AB_CDEF)
        #expect(kept.isKept(for: 0x0123_4567_89AB_CDEF))
        for other in [0, 1, UInt64.max, 0x0123_4567_89AB_CDEE, 0x0023_4567_89AB_CDEF, 0x0123_4567_89AC_CDEF] {
            #expect(!kept.isKept(for: other), "\(other)")
        }
        #expect(KeptKey(number: 7).isKept(for: 1))
    }

    @Test func `Keys are in the order of their commits, those of an earlier version first`() {
        let numbers = [
            KeptKey(number: 1), KeptKey(number: 1 << 40), KeptKey(revision: 0, fingerprint: 1),
            KeptKey(revision: 1, fingerprint: .max), KeptKey(revision: 2, fingerprint: 0),
            KeptKey(revision: .max, fingerprint: 0),
        ]
        #expect(numbers == numbers.sorted())
        #expect(numbers.allSatisfy { $0.number > 0 })
    }
}
