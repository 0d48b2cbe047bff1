import Testing

@testable import MarqueeScreens

@Suite struct SparseTableTests {
    @Test func `A table returns the memory of removed entries`() {
        var table = Dictionary(uniqueKeysWithValues: (0..<20_000).map { ($0, $0) })
        let left = (0..<19_990).compactMap { table.removeValueAndRoom(forKey: $0) }
        #expect(left == Array(0..<19_990))
        #expect(table == Dictionary(uniqueKeysWithValues: (19_990..<20_000).map { ($0, $0) }))
        #expect(table.capacity <= 1_024)
        #expect(table.removeValueAndRoom(forKey: 0) == nil)
    }

    @Test func `A table that is half full isn't copied`() {
        var table = Dictionary(uniqueKeysWithValues: (0..<20_000).map { ($0, $0) })
        let room = table.capacity
        for key in 0..<10_000 { table.removeValueAndRoom(forKey: key) }
        #expect(table.capacity == room)
    }
}
