import FaultyDisk
import Foundation
import GRDB
import MarqueeDiff
import MarqueeModel
import Testing

@testable import MarqueeMirror

/// The part of the file that opening reads, and the consequences of damage elsewhere.
@Suite("The structure of the file")
struct StructureTests {
    private let folder: TemporaryFolder
    private let wide = version((0..<2_000).map { item($0, body: String(repeating: "w", count: 40)) })

    init() throws { folder = try TemporaryFolder() }

    private func open() throws(MirrorError) -> Mirror { try openMirror(.file(folder.mirror)) }

    /// A mirror with one wide section and two pending favorites.
    private func fill() throws {
        let mirror = try open()
        try mirror.bind(cluster: "c", user: "mia")
        try mirror.commitRank(base: nil, target: wide)
        for number in 1...2 { _ = try mirror.setFavorite(subject: "movie/\(number)", on: true, at: 1) }
        mirror.close()
    }

    /// The page on which a table or an index begins, and the size of a page.
    private func root(of name: String) throws -> (page: Int, size: Int) {
        try folder.outside { db in
            let page = try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_master WHERE name = ?", arguments: [name])
            return (try #require(page), try #require(try Int.fetchOne(db, sql: "PRAGMA page_size")))
        }
    }

    /// Overwrites the page on which a table or an index begins.
    private func overwrite(_ name: String) throws {
        let (page, size) = try root(of: name)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder.mirror))
        try file.seek(toOffset: UInt64((page - 1) * size))
        try file.write(contentsOf: Data(repeating: 0xA5, count: size))
        try file.close()
    }

    /// Changes the only index entry that contains some bytes, and nothing else in the file.
    private func rot(_ index: String, _ old: String, to new: String) throws {
        let (page, size) = try root(of: index)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: folder.mirror))
        let place = try #require(bytes.range(of: Data(old.utf8), in: (page - 1) * size..<page * size))
        bytes.replaceSubrange(place, with: Data(new.utf8))
        try bytes.write(to: URL(fileURLWithPath: folder.mirror))
    }

    /// The result of the structure check.
    private func damage(_ mirror: Mirror) async -> MirrorError {
        await withCheckedContinuation { continuation in mirror.checkStructure { continuation.resume(returning: $0) } }
    }

    private func settings(_ mirror: Mirror) throws -> (String?, Int?) {
        try mirror.opened().read {
            (try String.fetchOne($0, sql: "PRAGMA journal_mode"), try Int.fetchOne($0, sql: "PRAGMA synchronous"))
        }
    }

    // MARK: - Opening

    @Test func `Opening a mirror of many megabytes reads no more pages than opening a small one`() throws {
        let disk = FaultyDisk(folder: folder.path + "/state")
        func pagesRead() throws -> Int {
            let before = disk.reads(of: folder.mirror)
            let mirror = try open()
            let count = disk.reads(of: folder.mirror) - before
            mirror.close()
            return count
        }
        try fill()
        let small = try pagesRead()
        var mirror = try open()
        let tall = version((0..<40).map { item($0, body: String(repeating: "x", count: 400)) })
        for screen in 0..<100 {
            let names = (0..<4).map { "s\($0)" }
            try mirror.commit(
                MirrorTransaction(
                    cut: cut(2), savedAt: 2,
                    views: [
                        ViewWrite(
                            id: ViewID(screen: "genre/\(screen)", locale: "en"),
                            list: (nil, version(names.map { Item(id: $0, kind: .section, body: []) })),
                            sections: names.map { ($0, nil, tall) })
                    ]))
        }
        mirror.close()
        let size = try #require(FileManager.default.contents(atPath: folder.mirror)).count
        #expect(size > 6_000_000)
        let large = try pagesRead()
        // The trees of the tables are a level or two deeper.
        #expect(large <= small + 8, "\(small) pages of a small one, \(large) of \(size / 4_096)")
        #expect(large < 64)
        mirror = try open()
        #expect(mirror.recovery == nil)
        print("pages read by opening: \(small) of a small mirror, \(large) of one with \(size / 4_096)")
    }

    // MARK: - The check

    @Test func `The check finds damage that opening misses, and the next opening recovers the mirror`() async throws {
        try fill()
        try overwrite("item_subject")
        var mirror = try open()
        #expect(mirror.recovery == nil)
        let outbox = try mirror.outbox()
        let problem = await damage(mirror)
        #expect(problem.code == .corrupt)
        // The process ends here.
        mirror.close()
        mirror = try open()
        #expect(mirror.recovery?.reason == problem.message)
        #expect(mirror.recovery?.rescuedMutations == 2)
        #expect(try mirror.outbox() == outbox)
        #expect(hasSameContent(try mirror.view(home)?.sections["rank"], wide))
        #expect(try mirror.verify().isEmpty)
        mirror.close()
        #expect(try open().recovery == nil, "it is no longer marked")
    }

    @Test
    func `A mirror in use is recovered while it runs, with its client, outbox and readable content`() async throws {
        try fill()
        // Nothing in the file names the owner any more, but it was read at opening.
        try overwrite("item_subject")
        let mirror = try open()
        let outbox = try mirror.outbox()
        var told: [MirrorRecovery] = []
        mirror.whenRecovered { told.append($0) }
        let problem = await damage(mirror)
        try folder.outside { try $0.execute(sql: "DELETE FROM mirror; DELETE FROM owner") }
        try mirror.recover(because: problem)
        #expect(told.count == 1)
        #expect(told.first == mirror.recovery)
        #expect(told.first?.keptIdentity == true)
        #expect(mirror.identity == MirrorIdentity(cluster: "c", user: "mia", clientID: clientID))
        #expect(mirror.seen == cut(1))
        #expect(try mirror.outbox() == outbox)
        #expect(try mirror.setFavorite(subject: "movie/3", on: true, at: 1).number == 3)
        #expect(hasSameContent(try mirror.view(home)?.sections["rank"], wide))
        #expect(try settings(mirror) == ("wal", 2))
        #expect(throws: MirrorError.self, "it has not let go of its ownership") { try open() }
        mirror.close()
        #expect(try open().recovery == nil)
    }

    @Test(arguments: [false, true])
    func `An intact mirror isn't reported as damaged, and closing it ends its check`(_ waits: Bool) async throws {
        try fill()
        let mirror = try open()
        mirror.checkStructure { Issue.record("found \($0)") }
        if waits { try await Task.sleep(for: .milliseconds(200)) }
        mirror.close()
        #expect(try folder.names() == ["mirror.sqlite", "mirror.sqlite.lock"], "nobody has the file open any more")
        #expect(try open().recovery == nil)
    }

    @Test func `Memory, and a reader that owns nothing, are not checked`() throws {
        try fill()
        let owner = try open()
        try overwrite("item_subject")
        let reader = try Mirror(readOnlyAt: folder.mirror)
        reader.checkStructure { _ in Issue.record("a reader is checked") }
        #expect(throws: MirrorError.self) { try reader.recover(because: MirrorError(.corrupt, "damaged")) }
        let memory = try openMirror()
        memory.checkStructure { _ in Issue.record("memory is checked") }
        #expect(throws: MirrorError.self) { try memory.recover(because: MirrorError(.corrupt, "damaged")) }
        reader.close()
        owner.close()
        #expect(try !folder.names().contains { $0.contains("corrupt") || $0.contains("suspect") })
    }

    // MARK: - Damage that a call meets

    @Test func `Whichever page is overwritten while the file is closed, every call of the next run ends`() throws {
        var mirror = try open()
        let rank = version((0..<60).map { item($0, body: String(repeating: "w", count: 40)) })
        try mirror.commitRank(base: nil, target: rank)
        for number in 1...2 { _ = try mirror.setFavorite(subject: "movie/\(number)", on: true, at: 1) }
        mirror.close()
        let whole = try #require(FileManager.default.contents(atPath: folder.mirror))
        let next = version(rank.items.dropLast() + [item(99)])
        for page in 1..<whole.count / 4_096 {
            var bytes = whole
            bytes.replaceSubrange(page * 4_096..<(page + 1) * 4_096, with: Data(repeating: 0xA5, count: 4_096))
            try bytes.write(to: URL(fileURLWithPath: folder.mirror))
            mirror = try open()
            // Nothing of the file is read before it is written.
            try mirror.commitRank(base: rank, target: next, at: 2)
            let entry = try mirror.setFavorite(subject: "movie/3", on: true, at: 1)
            #expect(try mirror.outbox().contains(entry))
            _ = try mirror.bestBody(of: "movie/5")
            if let shown = try mirror.view(home)?.sections["rank"] { #expect(hasSameContent(shown, next)) }
            mirror.close()
            mirror = try open()
            #expect(try mirror.outbox().contains(entry), "page \(page)")
            #expect(mirror.seen == cut(2), "page \(page)")
            mirror.close()
        }
    }

    @Test func `A rotten index never shows or changes one place's content in another`() throws {
        let other = ViewID(screen: "cove", locale: "en")
        func make() throws {
            try? FileManager.default.removeItem(atPath: folder.path + "/state")
            let mirror = try open()
            for (number, id) in [home, other].enumerated() {
                let sections = ["aa", "ba"].map {
                    ($0, Version?.none, version([item(number, body: "\(id.screen) \($0)")]))
                }
                try mirror.commit(
                    MirrorTransaction(
                        cut: cut(1), savedAt: 1,
                        views: [ViewWrite(id: id, list: (nil, list("aa", "ba")), sections: sections)]))
            }
            _ = try mirror.setFavorite(subject: "movie/1", on: true, at: 1)
            mirror.close()
        }
        for (index, old, new) in [
            ("sqlite_autoindex_view_1", "cove", "home"), ("sqlite_autoindex_view_1", "home", "cove"),
            ("sqlite_autoindex_section_1", "aa", "ba"), ("sqlite_autoindex_section_1", "ba", "aa"),
            ("item_subject", "movie/0", "movie/1"), ("outbox_subject", "movie/1", "movie/2"),
        ] {
            try make()
            try rot(index, old, to: new)
            let mirror = try open()
            for id in [home, other] {
                for (name, section) in try mirror.view(id)?.sections ?? [:] {
                    let body = try #require(section.items.first).body
                    #expect(String(decoding: body, as: UTF8.self).hasPrefix("\(id.screen) \(name)"), "\(index): \(old)")
                }
            }
            if let best = try mirror.bestBody(of: "movie/1") {
                #expect(String(decoding: best.body, as: UTF8.self).hasPrefix("cove"), "\(index): \(old)")
            }
            _ = try mirror.setFavorite(subject: "movie/2", on: false, at: 1)
            #expect(try mirror.outbox().map(\.subject) == ["movie/1", "movie/2"], "\(index): \(old)")
            mirror.close()
        }
    }

    @Test func `Recoveries in a row become rarer: a broken disk isn't copied endlessly`() throws {
        try fill()
        let mirror = try open()
        var tried: [Int] = []
        for call in 1...31 {
            do {
                try mirror.recover(because: MirrorError(.corrupt, "damaged"))
                tried.append(call)
            } catch { #expect(error.code == .corrupt) }
        }
        #expect(tried == [1, 3, 7, 15, 31])
        mirror.close()
    }

    @Test func `A recovery that finds no room changes nothing, and the next opening makes up for it`() throws {
        let disk = FaultyDisk(folder: folder.path + "/state")
        try fill()
        var mirror = try open()
        let outbox = try mirror.outbox()
        disk.arm(.full, after: 0)
        let error = #expect(throws: MirrorError.self) { try mirror.recover(because: MirrorError(.corrupt, "damaged")) }
        #expect(error?.code == .diskFull)
        #expect(mirror.recovery == nil)
        #expect(try mirror.outbox() == outbox)
        disk.disarm()
        mirror.close()
        mirror = try open()
        #expect(mirror.recovery?.reason == "damaged")
        #expect(try mirror.outbox() == outbox)
    }
}
