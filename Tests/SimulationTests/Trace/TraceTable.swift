import Foundation
import MarqueeModel

/// The trace table from the protocol document.
struct TraceTable {
    struct Row {
        var number: Int
        /// `A→S`, `S→B`; empty for an event.
        var who: String
        /// The frame's kind with its flags, such as `data FL`; empty for an event.
        var frame: String
        var fields: String
        /// (catalogue revision, user revision) of A and B after the row, which the table has where they change; `nil`
        /// before welcome.
        var positions: [String: (UInt64, UInt64)]
    }

    let rows: [Row]

    /// Reads `Proto/PROTOCOL.md`.
    init() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Proto/PROTOCOL.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let chapter = text.components(separatedBy: "\n## 24. A trace\n").last ?? ""
        var newest: [String: (UInt64, UInt64)] = [:]
        rows = chapter.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard cells.count == 9, let number = Int(cells[1]) else { return nil }
            for (client, cell) in [("A", cells[6]), ("B", cells[7])] where !cell.isEmpty {
                newest[client] = Self.position(cell)
            }
            return Row(
                number: number, who: cells[2] == "—" ? "" : cells[2], frame: cells[3], fields: cells[4],
                positions: newest)
        }
    }

    /// Parses `(10,3) 1,790`.
    private static func position(_ cell: String) -> (UInt64, UInt64)? {
        let numbers = cell.prefix { $0 != " " }.split { !$0.isNumber }.compactMap { UInt64($0) }
        return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
    }
}
