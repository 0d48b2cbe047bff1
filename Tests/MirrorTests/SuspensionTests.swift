import Foundation
import GRDB
import MarqueeDiff
import MarqueeModel
import Testing

@testable import MarqueeMirror

/// An app that is suspended while it holds a lock in a shared container is ended by iOS (0xdead10cc).
@Suite("A suspended mirror")
struct SuspensionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open() throws(MirrorError) -> Mirror { try openMirror(.file(folder.mirror)) }

    /// The locks that this process holds on the mirror's files, as the kernel lists them.
    private func locks() throws -> [String] {
        let inodes = try folder.names().map { name in
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/state/" + name)
            return try #require(attributes[.systemFileNumber] as? NSNumber).uint64Value
        }
        let process = ProcessInfo.processInfo.processIdentifier
        return try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n").map(String.init).filter
        {
            let fields = $0.split(separator: " ")
            // "1: POSIX ADVISORY READ 4711 08:01:131 128 128"; one that waits has an arrow in second place.
            guard fields.count >= 6, fields[4] == "\(process)" else { return false }
            return fields[5].split(separator: ":").last.flatMap { UInt64($0) }.map(inodes.contains) ?? false
        }
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/locks")))
    func `It holds no lock on any of its files, though it did before`() throws {
        let mirror = try open()
        try mirror.commitRank(base: nil, target: version([item(1)]))
        #expect(try !locks().isEmpty)
        mirror.suspend()
        #expect(try locks() == [])
        try mirror.resume { clientID }
        #expect(try !locks().isEmpty)
        mirror.close()
    }

    @Test func `Another connection can lock its file exclusively, and another owner can change it`() throws {
        let mirror = try open()
        try mirror.commitRank(base: nil, target: version([item(1)]))
        mirror.suspend()
        var exclusive = Configuration()
        exclusive.prepareDatabase { try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
        let outsider = try DatabaseQueue(path: folder.mirror, configuration: exclusive)
        try outsider.inDatabase { try $0.execute(sql: "BEGIN EXCLUSIVE; COMMIT") }
        try outsider.close()
        let other = try open()
        try other.commitRank(base: version([item(1)]), target: version([item(1), item(2)]), at: 2)
        _ = try other.setFavorite(subject: "movie/2", on: true, at: 1)
        other.close()
        try mirror.resume { clientID }
        #expect(try mirror.view(home)?.sections["rank"]?.sum == version([item(1), item(2)]).sum)
        #expect(mirror.seen == cut(2))
        #expect(mirror.lastNumber == 1)
        mirror.close()
    }

    @Test func `It resumes only when nobody else owns it`() throws {
        let mirror = try open()
        _ = try mirror.setFavorite(subject: "movie/1", on: true, at: 1)
        mirror.suspend()
        let other = try open()
        let error = #expect(throws: MirrorError.self) { try mirror.resume { clientID } }
        #expect(error?.code == .ownedByOther)
        let reading = #expect(throws: MirrorError.self) { try mirror.outbox() }
        #expect(reading?.code == .suspended)
        other.close()
        try mirror.resume { clientID }
        #expect(try mirror.outbox().map(\.subject) == ["movie/1"])
        mirror.close()
    }

    @Test func `Its file is made anew, under a new client id, if it is gone`() throws {
        let mirror = try open()
        try mirror.bind(cluster: "c", user: "mia")
        mirror.suspend()
        try Mirror.erase(at: folder.mirror)
        let fresh = [UInt8](repeating: 9, count: 16)
        try mirror.resume { fresh }
        #expect(mirror.identity == MirrorIdentity(cluster: nil, user: nil, clientID: fresh))
        mirror.close()
    }

    @Test func `A mirror in memory is the same as before, and a closed one stays closed`() throws {
        let memory = try openMirror()
        _ = try memory.setFavorite(subject: "movie/1", on: true, at: 1)
        memory.suspend()
        try memory.resume { clientID }
        #expect(try memory.outbox().count == 1)
        let file = try open()
        file.suspend()
        file.close()
        try file.resume { clientID }
        let error = #expect(throws: MirrorError.self) { try file.outbox() }
        #expect(error?.code == .closed)
    }
}
