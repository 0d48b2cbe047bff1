import MarqueeCatalogue
import MarqueeImport
import Testing

@testable import marquee_server

@Suite struct GatheredChangesTests {
    private static let start = FollowedPosition(system: "7", timeline: 1, shape: "a", end: LogLocation(16))

    private static func changes(_ ids: [String]) -> FollowedChanges {
        var changes = FollowedChanges()
        _ = changes.add(ids.map { (.init(type: $0 == "s" ? "shop" : "product", id: $0), Array($0.utf8)) })
        return changes
    }

    @Test func `A piece says how many rows are in it and before it, and where all pieces end`() {
        var gathered = GatheredChanges(from: Self.start)
        gathered.wait([1, 2])
        gathered.wait([3])
        #expect(gathered.waitingBytes == 3)
        #expect(gathered.takeWaiting() == [[1, 2], [3]])
        #expect(gathered.takeWaiting().isEmpty && gathered.waitingBytes == 0)
        (gathered.changes, gathered.rows) = (Self.changes(["a", "b"]), 3)
        let first = gathered.takePiece(until: LogLocation(32), isIncomplete: false)
        #expect(first.entries.count == 2 && first.position.description == "pg1 7 1 a 0/10 until=0/20 rows=2")
        #expect(gathered.changes.isEmpty && gathered.isInPieces)
        gathered.rows = 5
        let second = gathered.takePiece(until: LogLocation(32), isIncomplete: true)
        #expect(second.position.description == "pg1 7 1 a 0/10 until=0/20 rows=4 incomplete")
        let third = gathered.takePiece(until: LogLocation(32), isIncomplete: false)
        #expect(third.position.isIncomplete, "what is missing stays missing")
    }

    @Test func `Rows that were in a piece before count from the beginning`() {
        var start = Self.start
        (start.until, start.rows) = (LogLocation(32), 100)
        var gathered = GatheredChanges(from: start)
        gathered.rows = 7
        #expect(gathered.takePiece(until: LogLocation(32), isIncomplete: false).position.rows == 100)
    }

    @Test func `Of a type that stops, nothing is left`() {
        var changes = Self.changes(["a", "s", "b"])
        changes.leaveOut(["product"])
        #expect(changes.ids.map(\.id) == ["s"])
        let isNew = changes.add([(.init(type: "shop", id: "s"), [1])])
        #expect(isNew)
        #expect(changes.documents == [[1]])
    }
}
