import Testing

@testable import MarqueeDiff
@testable import MarqueeModel
@testable import MarqueeWire

/// Tests `sums.json`: hashes, and lists with their heads, edges and sums.
@Suite struct SumVectorTests {
    private static let movies = VectorLists.movies

    private func hashes() -> JSONValue {
        let inputs =
            [[], Array("abc".utf8), Array("movie/27205".utf8)]
            + [1, 3, 4, 7, 8, 31, 32, 33, 64, 100, 257].map {
                (count: Int) in (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 1) }
            }
        return .list(inputs.map { ["bytes": .hex($0), "hash": .sum(XXH64.hash($0))] })
    }

    private func list(_ name: String, head: [UInt8], items: [Item]) -> JSONValue {
        let version = Version(head: head, items: items)
        var edges: [JSONValue] = []
        var previous = ""
        for (place, item) in items.enumerated() {
            edges.append(.sum(Sum.edge(from: previous, to: item, bodyHash: version.bodyHash(at: place))))
            previous = item.id
        }
        return [
            "name": .text(name), "head": .hex(head), "items": VectorLists.json(items), "edges": .list(edges),
            "closing_edge": .sum(Sum.closingEdge(from: previous)), "head_hash": .sum(version.headHash),
            "sum": .sum(version.sum),
        ]
    }

    private func screen() -> JSONValue {
        let view = VectorLists.view
        let sum = Version(head: VectorLists.head, items: Self.movies).sum
        return [
            "name": "one section of two is held", "head": .hex(view.head),
            "items": VectorLists.json(Array(view.items)),
            "section_sums": ["rank": .sum(sum)], "view_sum": .sum(view.sum),
            "screen_sum": .sum(Sum.screen(view: view, sectionSums: ["rank": sum])),
        ]
    }

    @Test func `The committed sums match the code`() throws {
        let odd = [
            Item(id: "한국", kind: ItemKind(rawValue: .max), subject: "", body: []),
            Item(id: "é", kind: ItemKind(rawValue: 0), subject: "e\u{301}", body: [0, 255]),
        ]
        let marked = [Item(id: "\u{FEFF}a", kind: ItemKind(rawValue: 1), subject: "\u{FEFF}movie/1", body: [8, 1])]
        try VectorFile.check(
            "sums.json",
            [
                "hashes": hashes(),
                "lists": [
                    list("the empty version", head: [], items: []),
                    list("three movies", head: VectorLists.head, items: Self.movies),
                    list("the same in another order", head: VectorLists.head, items: Self.movies.reversed()),
                    list("no head, any text", head: [], items: odd),
                    list("texts that begin with U+FEFF", head: [], items: marked),
                ],
                "screens": [screen()],
            ])
    }

    /// Sums written out in Proto/PROTOCOL.md.
    @Test func `The sums in the specification match the code`() {
        let version = Version(head: VectorLists.head, items: Self.movies)
        #expect(Version.empty.sum == 0xaa79_de1f_fb39_7201)
        #expect(version.sum == 0x09e0_e855_ba77_0eeb)
        #expect(VectorLists.view.sum == 0x3f34_7155_c2fd_21ff)
        #expect(Sum.screen(view: VectorLists.view, sectionSums: ["rank": version.sum]) == 0xa0ed_65fa_d7d8_4e9f)
    }
}
