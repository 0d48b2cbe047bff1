import Foundation
import GRDB
import Glibc
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

    @Test func `It holds no lock on any of its files, though it did before`() throws {
        let mirror = try open()
        try mirror.commitRank(base: nil, target: version([item(1)]))
        let files = try folder.names().map { try ProbedFile(folder.path + "/state/" + $0) }
        func locked() -> [String] { files.filter(\.isLocked).map(\.path) }
        #expect(!locked().isEmpty)
        mirror.suspend()
        #expect(locked() == [])
        try mirror.resume { clientID }
        #expect(!locked().isEmpty)
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

    @Test func `Its file is created again, under a new client id, if it is gone`() throws {
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

/// A file that asks the kernel whether anybody else holds a lock on it.
///
/// It stays open until it is released: closing a file drops this process's `fcntl` locks on it, SQLite's too.
private final class ProbedFile {
    /// `F_OFD_GETLK` of Linux's fcntl.h, which Glibc's module leaves out.
    private static let getLock: CInt = 36

    let path: String
    private let descriptor: CInt

    init(_ path: String) throws {
        self.path = path
        descriptor = Glibc.open(path, O_RDWR)
        try #require(descriptor >= 0, "\(path): \(String(cString: strerror(errno)))")
    }

    deinit { close(descriptor) }

    /// Whether anybody holds a lock by `flock` or `fcntl`, this process included: these probes belong to the open file,
    /// not to the process.
    var isLocked: Bool {
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return true }
        _ = flock(descriptor, LOCK_UN)
        var lock = Glibc.flock()
        lock.l_type = Int16(F_WRLCK)
        guard fcntl(descriptor, Self.getLock, &lock) == 0 else { return true }
        return lock.l_type != Int16(F_UNLCK)
    }
}
