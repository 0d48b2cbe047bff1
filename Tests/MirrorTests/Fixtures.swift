import Foundation
import GRDB
import MarqueeDiff
import MarqueeModel

@testable import MarqueeMirror

/// A folder that is removed when the test ends.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("mirror-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// A path for a mirror; its folder doesn't exist yet.
    var mirror: String { path + "/state/mirror.sqlite" }

    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path + "/state").sorted()
    }

    /// Changes the file as another program would.
    func outside<Value>(_ body: (Database) throws -> Value) throws -> Value {
        let queue = try DatabaseQueue(path: mirror)
        let value = try queue.write(body)
        try queue.close()
        return value
    }
}

let home = ViewID(screen: "home", locale: "en")
let clientID = [UInt8](0..<16)

func openMirror(_ location: MirrorLocation = .memory) throws(MirrorError) -> Mirror {
    try Mirror(location: location) { clientID }
}

/// Kinds of a preset; a mirror doesn't look into bodies.
extension ItemKind {
    static let movie = ItemKind(rawValue: 1)
    static let detail = ItemKind(rawValue: 8)
}

func item(_ number: Int, body: String = "body", kind: ItemKind = .movie, subject: String? = nil) -> Item {
    Item(id: "m\(number)", kind: kind, subject: subject ?? "movie/\(number)", body: Array("\(body) \(number)".utf8))
}

func version(_ items: [Item], head: String = "head") -> Version {
    Version(head: Array(head.utf8), items: items)
}

/// The list of a view with these sections.
func list(_ sections: String...) -> Version {
    version(sections.map { Item(id: $0, kind: .section, body: []) }, head: "view")
}

func cut(_ revision: UInt64, user: UInt64 = 0) -> Cut {
    Cut(catalogueEpoch: 7, catalogueRevision: revision, userEpoch: 9, userRevision: user)
}

extension Mirror {
    /// Stores `home` with one section, `rank`.
    func commitRank(base: Version?, target: Version, at revision: UInt64 = 1) throws {
        try commit(
            MirrorTransaction(
                cut: cut(revision), savedAt: Double(revision),
                views: [
                    ViewWrite(
                        id: home, list: base == nil ? (nil, list("rank")) : nil, sections: [("rank", base, target)])
                ], currentViews: [home]))
    }

    /// The rows that `body` wrote.
    func rowsWritten(_ body: () throws -> Void) throws -> Int {
        func total() throws -> Int { try opened().read { $0.totalChangesCount } }
        let before = try total()
        try body()
        return try total() - before
    }
}

/// Whether both hold the same bytes.
func hasSameContent(_ a: Version?, _ b: Version?) -> Bool {
    guard let a, let b else { return a == nil && b == nil }
    return a.sum == b.sum && a.head == b.head && a.items.count == b.items.count
        && a.items.indices.allSatisfy { a.bodyHash(at: $0) == b.bodyHash(at: $0) }
        && zip(a.items, b.items).allSatisfy {
            $0.id.hasSameBytes(as: $1.id) && $0.subject.hasSameBytes(as: $1.subject) && $0.kind == $1.kind
                && $0.body == $1.body
        }
}

extension Database {
    /// The rows of a table.
    func count(of table: String) throws -> Int {
        try Int.fetchOne(self, sql: "SELECT count(*) FROM \(table)") ?? 0
    }
}
