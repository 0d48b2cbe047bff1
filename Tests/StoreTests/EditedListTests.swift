import MarqueeCatalogue
import MarqueeModel
import SeededRandom
import Testing

@testable import MarqueeStore

@Suite struct EditedListTests {
    private let name = ListName("standings")

    private func entry(_ key: Int, _ points: UInt8 = 0) -> ListEntry {
        ListEntry(key: "team/\(key)", place: .bytes([8, points]))
    }

    private func edit(_ random: inout SeededGenerator) -> EntryEdit {
        let key = Int.random(in: 0..<30, using: &random)
        guard Int.random(in: 0..<4, using: &random) > 0 else { return EntryEdit(name, removing: "team/\(key)") }
        let rank = Bool.random(using: &random) ? Int.random(in: 1...40, using: &random) : nil
        return EntryEdit(name, putting: entry(key, UInt8.random(in: 0...9, using: &random)), at: rank)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `Edits of a whole list and of its places have the same result as one by one`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var plain = RecordList(name, entries: (0..<10).map { entry($0) })
        var edited = EditedList(plain)
        var places = ListPlaces()
        for (rank, entry) in plain.entries.enumerated() {
            places.append(entry.key, number: PlaceNumber.whole(rank: rank))
        }
        let edits = (0..<300).map { _ in edit(&random) }
        #expect(plain.applying(edits) == edits.reduce(into: plain) { $0.apply($1) })
        for edit in edits.prefix(30) {
            plain.apply(edit)
            edited.apply(edit)
            #expect(edited.list == plain && edited.count == plain.entries.count)
            #expect(edited[edit.key] == plain.entries.first { $0.key == edit.key })
            #expect(edited.key(at: 3) == plain.entries[2].key && edited.key(at: 99) == nil)
            let touched = places.apply([edit])
            #expect(touched?.keys.first == edit.key)
            #expect(
                plain.entries.map(\.key) == plain.entries.map(\.key).sorted { places[$0] ?? 0 < places[$1] ?? 0 })
        }
    }
}
