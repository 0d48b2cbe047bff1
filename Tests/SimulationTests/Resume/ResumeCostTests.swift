import Foundation
import MarqueeDiff
import MarqueeModel
import MarqueeWire
import Testing

@testable import MarqueeClient

/// The cost of a resume, in bytes of whole frames: a home of 40 sections with 50 items each, after a number of changes.
///
/// `Docs/resume.md` has the table; `MARQUEE_WRITE_TABLES=1` rewrites it.
@Suite struct ResumeCostTests {
    private static let sections = 40
    private static let items = 50
    private static let changes = [0, 1, 20, 500]

    /// A movie of about 230 bytes, as in a row of posters. Each edit changes its popularity.
    private static func movie(_ number: Int, edits: Int) -> Item {
        var body = RecordWriter()
        body.number(1, UInt64(100_000 + number))
        body.text(2, "A title of some length, number \(number)")
        body.text(4, "2014-07-\(10 + number % 20)")
        body.number(5, 90 + UInt64(number % 60))
        body.text(6, "Science Fiction")
        body.double(7, 7.25)
        body.double(9, 100 + Double(edits))
        body.text(10, "/poster/of/the/movie/with/the/number/\(number).jpg")
        body.text(13, "What it is about, in not many words, but in more than a few of them.")
        return Item(id: "\(number)", kind: .card, subject: "movie/\(number)", body: body.bytes)
    }

    /// The home after a number of single-movie edits spread over it.
    private static func home(after edits: Int) -> [(section: String, version: Version)] {
        var count = [Int](repeating: 0, count: sections * items)
        // 1,237 is coprime to the number of movies: no movie gets its second edit before each has had its first.
        for edit in 0..<edits { count[edit * 1_237 % count.count] += 1 }
        return (0..<sections).map { section in
            let movies = (0..<items).map { movie(section * items + $0, edits: count[section * items + $0]) }
            return ("section-\(section)", Version(head: [0x08, 0x03], items: movies))
        }
    }

    /// - Parameter tier: 1: the server remembers; 2: it has restarted; 3: the client has nothing.
    private static func cost(tier: Int, changes: Int) -> CorePair.Cost {
        let pair = CorePair()
        pair.set("home", home(after: 0))
        pair.show("home")
        pair.disconnect()
        if tier == 2 { pair.restart() }
        if tier == 3 {
            pair.forgetClient()
            pair.want("home", stored: nil)
        }
        if changes > 0 { pair.set("home", home(after: changes)) }
        let cost = pair.connect()
        #expect(pair.isShown("home"))
        #expect(cost.nacks == 0)
        return cost
    }

    @Test func `The document's table states the actual costs`() throws {
        var table = ["| changes | known base (1) | unknown base (2) | nothing held (3) |", "| --- | --- | --- | --- |"]
        var costs: [Int: [CorePair.Cost]] = [:]
        for changes in Self.changes {
            let row = (1...3).map { Self.cost(tier: $0, changes: changes) }
            costs[changes] = row
            let cells = row.map { "\($0.down.grouped) down, \($0.up.grouped) up" }
            table.append("| \(changes) | \(cells.joined(separator: " | ")) |")
        }
        // Nothing changed: tier 0, whatever the server remembers.
        for cost in costs[0]?.prefix(2) ?? [] {
            #expect(cost.patches + cost.wholes + cost.described + cost.rebases == 0)
        }
        for changes in Self.changes {
            let total = try #require(costs[changes]).map { $0.down + $0.up }
            #expect(total[0] <= total[1])
            #expect(total[1] < total[2])
        }
        let one = try #require(costs[1])
        #expect(one[0].down + one[0].up < 6_000)
        #expect(one[1].down + one[1].up < 8_000)
        try Self.check(table)
    }

    private static func check(_ table: [String]) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Docs/resume.md")
        var lines = try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false
        ).map(String.init)
        let start = try #require(lines.firstIndex { $0.hasPrefix("| changes |") }, "the table is missing")
        let end = lines[start...].firstIndex { !$0.hasPrefix("|") } ?? lines.endIndex
        if ProcessInfo.processInfo.environment["MARQUEE_WRITE_TABLES"] == "1" {
            lines.replaceSubrange(start..<end, with: table)
            try lines.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(
            Array(lines[start..<min(start + table.count, lines.count)]) == table,
            "Docs/resume.md differs; MARQUEE_WRITE_TABLES=1 rewrites it")
    }
}

/// Writes canonical records by hand.
private struct RecordWriter {
    private(set) var bytes: [UInt8] = []

    private mutating func varint(_ value: UInt64) {
        var rest = value
        while rest > 0x7f {
            bytes.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func number(_ field: UInt64, _ value: UInt64) {
        varint(field << 3)
        varint(value)
    }

    mutating func text(_ field: UInt64, _ value: String) {
        varint(field << 3 | 2)
        varint(UInt64(value.utf8.count))
        bytes += Array(value.utf8)
    }

    mutating func double(_ field: UInt64, _ value: Double) {
        varint(field << 3 | 1)
        withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes += Array($0) }
    }
}

extension Int {
    /// With thousands separators.
    fileprivate var grouped: String {
        self < 1_000
            ? "\(self)"
            : "\((self / 1_000).grouped),\(String(repeating: "0", count: 3 - "\(self % 1_000)".count))\(self % 1_000)"
    }
}
