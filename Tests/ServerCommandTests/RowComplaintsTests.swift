import MarqueeCatalogue
import MarqueeImport
import Testing

@testable import marquee_server

/// The words of `follow` about rows, and its way past those that a server refuses.
@Suite struct RowComplaintsTests {
    private static func id(_ number: Int, _ type: String = "product") -> RecordID {
        RecordID(type: type, id: "p\(number)")
    }

    @Test func `Each bad row is named, up to a bound, and the rest are counted`() {
        var complaints = RowComplaints()
        let lines = (0..<30).flatMap { complaints.hear("no", of: "product", Self.id($0), now: 100_000) }
        #expect(lines.count == RowComplaints.lines)
        #expect(lines.first == "product, product/p0: no")
        #expect(complaints.text == "product, product/p29: no (30 bad rows)")
        let later = complaints.hear("no", of: "product", nil, now: 100_000 + RowComplaints.period)
        #expect(later == ["10 more bad rows in the minute before", "product: no"])
    }

    @Test func `An error is over when its rows are mended, and its table goes on`() {
        var complaints = RowComplaints()
        _ = complaints.hear("no", of: "product", Self.id(1), now: 0)
        _ = complaints.hear("no", of: "product", Self.id(1), now: 0)
        #expect(complaints.text == "product, product/p1: no (1 bad row)")
        let news = (0..<2).map { _ in complaints.stop("public.category", "gone") }
        #expect(news == [true, false])
        #expect(complaints.text == "public.category has stopped: gone; product, product/p1: no (1 bad row)")
        complaints.mended(Self.id(1))
        #expect(complaints.text == "public.category has stopped: gone")
        complaints.resume("public.category")
        #expect(complaints.text == nil)
        let isNews = ["much", "more", nil].map { complaints.keeps($0) }
        #expect(isNews == [true, false, false] && complaints.text == nil)
        _ = complaints.hear("no", of: "product", Self.id(1), now: 0)
        complaints.forget("product")
        #expect(complaints.text == nil)
    }

    // MARK: - Rows that a server refuses

    private static func entries(_ count: Int, _ type: String = "product") -> [FollowedChanges.Entry] {
        (0..<count).map { (id($0, type), [UInt8($0 % 256)]) }
    }

    @Test func `Rows that break a rule that both know cost one attempt, however many they are`() {
        var rows = RowRefusals(Self.entries(500)) { $0.document[0].isMultiple(of: 2) ? "even" : nil }
        let isFound = rows.refuse(0, "even")
        #expect(isFound)
        #expect(rows.refused.count == 250 && rows.entries.count == 250)
        #expect(rows.stopped.isEmpty)
        let isElsewhere = rows.refuse(9_999, "no such")
        #expect(!isElsewhere)
    }

    @Test func `A type of which a server refuses many rows stops alone`() {
        var rows = RowRefusals(Self.entries(500) + Self.entries(3, "category")) { _ in nil }
        for _ in 0...RowRefusals.attempts { _ = rows.refuse(0, "unknown type") }
        #expect(rows.entries.map(\.id.type) == ["category", "category", "category"])
        #expect(rows.stopped["product"]?.contains("unknown type") == true && rows.stopped["category"] == nil)
    }

    // MARK: - Rows that were read again

    @Test func `What the log says of a row that was read as it is later is read again`() {
        let (id, other) = (Self.id(1), Self.id(2))
        let again = RowStep.readAgain(table: "public.product", id, key: ["p1"])
        var ahead = ReadAhead()
        func turned(_ step: RowStep, at place: UInt64) -> RowStep {
            ahead.turned(step, at: LogLocation(place)) { $0 == "product" ? "public.product" : nil }
        }
        #expect(turned(.put(id, []), at: 1) == .put(id, []))
        #expect(turned(again, at: 1) == again)
        ahead.reaches(LogLocation(9))
        #expect(turned(.put(id, []), at: 5) == again)
        #expect(turned(.remove(id), at: 5) == again)
        #expect(turned(.put(other, []), at: 5) == .put(other, []))
        #expect(turned(.put(id, []), at: 9) == .put(id, []), "the log has got there")
        #expect(turned(.put(id, []), at: 5) == .put(id, []))
    }
}
