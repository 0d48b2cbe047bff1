import MarqueeDiff
import MarqueeModel
import Testing

/// The constants were computed from the definition with another implementation of XXH64.
@Suite struct SumTests {
    private let items = [
        Item(id: "a", kind: .movie, subject: "movie/1", body: [8, 1]),
        Item(id: "b", kind: .credit, body: []),
        Item(id: "영화", kind: .section, subject: "movie/27205", body: [0x12, 3, 0x61, 0x62, 0x63]),
    ]

    @Test func `the empty version has a fixed sum`() {
        #expect(Version.empty.sum == 0xAA79_DE1F_FB39_7201)
        #expect(Version.empty.head.isEmpty && Version.empty.items.isEmpty)
    }

    @Test func `a head alone and a list of three have the sums of the definition`() {
        #expect(Version(head: [8, 2], items: []).sum == 0x79F7_DFE4_46B1_259B)
        #expect(Version(head: [8, 2], items: items).sum == 0xA809_B7BF_8C57_0B8E)
    }

    @Test func `a screen's sum uses its sections' sums in place of body hashes, and 0 for an absent one`() {
        let view = Version(head: [8, 2], items: items)
        #expect(Sum.screen(view: view, sectionSums: ["a": 5, "영화": .max]) == 0x723B_24B2_2FBF_EC1C)
    }

    @Test func `order, id, kind, subject, body and head each change the sum`() {
        let sum = Version(head: [8, 2], items: items).sum
        #expect(Version(head: [8, 2], items: items.reversed()).sum != sum)
        #expect(Version(head: [8, 3], items: items).sum != sum)
        #expect(Version(head: [8, 2], items: Array(items.dropLast())).sum != sum)
        let edits: [(inout Item) -> Void] = [
            { $0.id = "c" }, { $0.kind = .genre }, { $0.subject = "movie/2" }, { $0.body = [8, 2] },
        ]
        for edit in edits {
            var changed = items
            edit(&changed[0])
            #expect(Version(head: [8, 2], items: changed).sum != sum)
        }
    }

    @Test func `bytes moving between adjacent strings change the sum`() {
        let one = Version(head: [], items: [Item(id: "ab", kind: .movie, subject: "c", body: [])])
        let other = Version(head: [], items: [Item(id: "a", kind: .movie, subject: "bc", body: [])])
        #expect(one.sum != other.sum)
    }

    @Test func `two spellings of one text are different ids`() {
        let composed = Version(head: [], items: [Item(id: "\u{E9}", kind: .movie, body: [])])
        let decomposed = Version(head: [], items: [Item(id: "e\u{301}", kind: .movie, body: [])])
        #expect(composed.sum != decomposed.sum)
        #expect(ExactString("\u{E9}") != ExactString("e\u{301}"))
        let both = Version(head: [], items: composed.items + Array(decomposed.items))
        for (base, target) in [(composed, decomposed), (composed, both), (both, decomposed)] {
            let result = try? base.applying(Differ.patch(from: base, to: target))
            #expect(result.map { same($0, target) } == true)
        }
    }
}
