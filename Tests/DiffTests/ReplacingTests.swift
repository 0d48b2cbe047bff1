import MarqueeModel
import SeededRandom
import Testing

@testable import MarqueeDiff

/// A version built from the previous one has the sum of its content.
@Suite struct ReplacingTests {
    private func item(_ id: Int, _ body: UInt8) -> Item { Item(id: "movie/\(id)", kind: .movie, body: [8, body]) }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `random lists built from the previous one have the sum of their content`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var version = Version.empty
        var nextID = 0
        for _ in 0..<200 {
            var places = Array(version.items.indices)
            for _ in 0..<Int.random(in: 0...2, using: &random) where !places.isEmpty {
                places.remove(at: Int.random(in: 0..<places.count, using: &random))
            }
            if Int.random(in: 0..<3, using: &random) == 0, places.count > 1 {
                places.swapAt(0, Int.random(in: 0..<places.count, using: &random))
            }
            var list: [ItemOrigin] = places.map { place in
                guard Int.random(in: 0..<6, using: &random) == 0 else { return .kept(place..<place + 1) }
                var updated = version.items[place]
                updated.body = [8, UInt8.random(in: 0..<100, using: &random)]
                return .updated(place, updated, bodyHash: XXH64.hash(updated.body))
            }
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                nextID += 1
                let added = item(nextID, 1)
                let place = Int.random(in: 0...list.count, using: &random)
                list.insert(.added(added, bodyHash: XXH64.hash(added.body)), at: place)
            }
            let head: [UInt8]? = Bool.random(using: &random) ? [8, UInt8.random(in: 0..<100, using: &random)] : nil
            let next = version.replacing(head: head, list: list)
            let whole = Version(head: head ?? version.head, items: Array(next.items))
            #expect(next.sum == whole.sum)
            #expect(next.bodyHashes == whole.bodyHashes && next.idHashes == whole.idHashes)
            #expect(next.edges == whole.edges)
            #expect(next.headHash == whole.headHash && next.head == whole.head)
            #expect(next.items.count == list.count)
            version = next
        }
        #expect(!version.items.isEmpty)
    }

    @Test func `an unchanged list keeps its sum, and an emptied one has the sum of no items`() {
        let version = Version(head: [8, 1], items: [item(1, 1), item(2, 2)])
        #expect(version.replacing(head: nil, list: [.kept(0..<1), .kept(1..<2)]).sum == version.sum)
        #expect(version.replacing(head: nil, list: []).sum == Version(head: [8, 1], items: []).sum)
        #expect(Version.empty.replacing(head: [], list: []).sum == Version.empty.sum)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `random edits give the columns of their content`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var version = Version.empty
        var items: [Item] = []
        for round in 0..<200 {
            var edits: [ListEdit] = []
            for part in 0..<Int.random(in: 0...3, using: &random) {
                if !items.isEmpty, Int.random(in: 0..<3, using: &random) == 0 {
                    let place = Int.random(in: 0..<items.count, using: &random)
                    edits.append(.remove(at: place))
                    items.remove(at: place)
                } else {
                    let place = Int.random(in: 0...items.count, using: &random)
                    let added = item(round * 10 + part, UInt8.random(in: 0..<100, using: &random))
                    edits.append(.insert(added, bodyHash: XXH64.hash(added.body), at: place))
                    items.insert(added, at: place)
                }
            }
            let head: [UInt8]? = Bool.random(using: &random) ? [8, UInt8.random(in: 0..<100, using: &random)] : nil
            let whole = Version(head: head ?? version.head, items: items)
            version = version.editing(head: head, edits)
            #expect(version.sum == whole.sum && version.items == whole.items && version.head == whole.head)
            #expect(version.idHashes == whole.idHashes && version.bodyHashes == whole.bodyHashes)
            #expect(version.edges == whole.edges && version.headHash == whole.headHash)
        }
        #expect(items.count > 50)
    }
}
