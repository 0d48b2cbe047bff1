import Testing

@testable import MarqueeServer

/// A session's index of the variants that it shows.
@Suite struct VariantIndexTests {
    private var index = VariantIndex()

    init() {
        for handle: UInt64 in [11, 12] { index.add(handle, showing: 1, of: 5) }
        index.add(21, showing: 2, of: 6)
    }

    @Test(arguments: [[1: "a"], Dictionary(uniqueKeysWithValues: (1...9).map { (UInt64($0), $0 == 1 ? "a" : "b") })])
    func `A change of a content is one of every variant that shows it`(_ changes: [UInt64: String]) {
        let shown = index.shown(of: changes).filter { $0.change == "a" }
        #expect(Set(shown.map(\.handle)) == [11, 12])
        #expect(shown.allSatisfy { $0.owner == 5 })
    }

    @Test mutating func `A failed section isn't sent before it is retried`() {
        index.changed(11)
        index.fail(11)
        index.changed(11)
        #expect(index.dirty.isEmpty)
        index.retry(11)
        index.changed(11)
        #expect(index.dirty == [11])
    }

    @Test mutating func `A variant that is no longer shown leaves nothing behind`() {
        index.changed(21)
        index.fail(11)
        for (handle, content) in [(11, 1), (12, 1), (21, 2)] as [(UInt64, UInt64)] {
            index.remove(handle, showing: content)
        }
        #expect(index.count == 0 && index.dirty.isEmpty && index.failed.isEmpty)
        #expect(index.shown(of: [1: "a", 2: "b", 3: "c"]).isEmpty)
    }
}
