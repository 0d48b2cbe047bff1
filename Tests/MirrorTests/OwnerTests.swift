import Foundation
import MarqueeDiff
import MarqueeModel
import Testing

@testable import MarqueeMirror

@Suite("A mirror's user")
struct OwnerTests {
    private static func id(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 16) }

    private let path = FileManager.default.temporaryDirectory
        .appending(path: "owner-\(UUID().uuidString)/m.sqlite").path

    /// Mina's mirror: a shared screen, a private one, and a change that waits.
    private func minas() throws -> Mirror {
        let mirror = try Mirror(location: .file(path)) { Self.id(1) }
        try mirror.bind(cluster: "c", user: "mina")
        let secret = Item(id: "movie/1", kind: ItemKind(rawValue: 1), subject: "movie/1", body: Array("secret".utf8))
        let list = Version(head: [], items: [Item(id: "row", kind: .section, body: [])])
        func write(_ screen: String, _ items: [Item]) -> ViewWrite {
            ViewWrite(
                id: ViewID(screen: screen, locale: "en"), parameters: [],
                list: (base: nil, target: list),
                sections: [(id: "row", base: nil, target: Version(head: [0x08, 1], items: items))])
        }
        let cut = Cut(catalogueEpoch: 7, catalogueRevision: 5, userEpoch: 8, userRevision: 3)
        try mirror.commit(
            MirrorTransaction(cut: cut, savedAt: 1, views: [write("home", []), write("favorites", [secret])]))
        _ = try mirror.setMember("movie/9", of: .favorites, on: true, value: nil, at: 1)
        return mirror
    }

    @Test func `Forgetting the user leaves what looks the same to everybody, and overwrites the rest`() throws {
        let mirror = try minas()
        let home = ViewID(screen: "home", locale: "en")
        try mirror.forgetUser(keeping: [home], newClientID: Self.id(2))
        #expect(try mirror.views().map(\.id) == [home])
        #expect(try mirror.outbox().isEmpty && mirror.rejections().isEmpty)
        #expect(mirror.identity == MirrorIdentity(cluster: "c", user: nil, clientID: Self.id(2)))
        #expect(mirror.seen == Cut(catalogueEpoch: 7, catalogueRevision: 5) && mirror.lastNumber == 0)
        #expect(try mirror.view(home)?.cut == Cut(catalogueEpoch: 7, catalogueRevision: 5))
        for suffix in ["", "-wal"] {
            let bytes = FileManager.default.contents(atPath: path + suffix) ?? Data()
            #expect(bytes.range(of: Data("secret".utf8)) == nil && bytes.range(of: Data("movie/9".utf8)) == nil)
        }
        mirror.close()
        let again = try Mirror(location: .file(path)) { Self.id(3) }
        #expect(again.identity.user == nil && again.identity.clientID == Self.id(2))
        try again.adopt(user: "jun", newClientID: Self.id(4))
        #expect(again.identity == MirrorIdentity(cluster: "c", user: "jun", clientID: Self.id(4)))
        let error = #expect(throws: MirrorError.self) { try again.adopt(user: "mina", newClientID: Self.id(5)) }
        #expect(error?.code == .belongsToOtherUser)
        try again.erase()
    }

    @Test func `Erasing leaves nothing but the files of locks`() throws {
        let mirror = try minas()
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        _ = FileManager.default.createFile(atPath: path + ".corrupt-1", contents: Data("old".utf8))
        let inUse = #expect(throws: MirrorError.self) { try Mirror.erase(at: path) }
        #expect(inUse?.code == .ownedByOther)
        try mirror.erase()
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["m.sqlite.gate", "m.sqlite.lock"])
        #expect(throws: MirrorError.self) { try mirror.views() }
    }

    @Test func `A mirror that nobody has open can be erased by its path; another file can't`() throws {
        let mirror = try minas()
        mirror.close()
        try Mirror.erase(at: path)
        #expect(!FileManager.default.fileExists(atPath: path))
        try Mirror.erase(at: path)
        let other = path + ".txt"
        _ = FileManager.default.createFile(atPath: other, contents: Data("a letter".utf8))
        let error = #expect(throws: MirrorError.self) { try Mirror.erase(at: other) }
        #expect(error?.code == .foreignFile)
        #expect(FileManager.default.fileExists(atPath: other))
    }
}
