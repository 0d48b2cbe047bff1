import Foundation

@testable import MarqueeDiff
@testable import MarqueeMirror
@testable import MarqueeModel

/// A home of 2,000 items in ten sections, as a client has stored it.
final class StoredHome {
    private static let sectionCount = 10
    private static let itemsPerSection = 200
    private static let head: [UInt8] = [8, 1]
    private static let id = ViewID(screen: "home", locale: "en")

    private let folder: URL
    private let mirror: Mirror
    private let lists: [[Item]]

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("codec-\(UUID().uuidString)")
        mirror = try Mirror(location: .file(folder.appendingPathComponent("mirror.sqlite").path)) {
            [UInt8](repeating: 1, count: MirrorLimit.clientIDBytes)
        }
        lists = (0..<Self.sectionCount).map { section in
            let first = section * Self.itemsPerSection
            return (first..<first + Self.itemsPerSection).map(CodecSamples.item)
        }
        let names = lists.indices.map { "section-\($0)" }
        let list = Version(head: [], items: names.map { Item(id: $0, kind: .section, body: []) })
        try mirror.commit(
            MirrorTransaction(
                cut: Cut(catalogueEpoch: 1, catalogueRevision: 1), savedAt: 0,
                views: [
                    ViewWrite(
                        id: Self.id, list: (base: nil, target: list),
                        sections: zip(names, lists).map { name, items in
                            (id: name, base: nil, target: Version(head: Self.head, items: items))
                        })
                ]))
    }

    deinit {
        mirror.close()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Bytes of all items: ids, subjects and bodies.
    private var bytes: Int {
        lists.reduce(0) { sum, items in
            items.reduce(sum) { $0 + $1.id.utf8.count + $1.subject.utf8.count + $1.body.count }
        }
    }

    /// Reading it back, and the part of it that recomputes all hashes and sums.
    var cases: [CodecCase] {
        [
            CodecCase(name: "read a home of 2,000 items from a mirror's file, verified", bytes: bytes) {
                try self.mirror.view(Self.id)?.sections.values.reduce(0) { $0 + $1.items.count } ?? 0
            },
            CodecCase(name: "verify 2,000 items that are read", bytes: bytes) {
                self.lists.reduce(0) { $0 &+ Int(Version(head: Self.head, items: $1).sum & 0xFFFF) }
            },
        ]
    }
}
