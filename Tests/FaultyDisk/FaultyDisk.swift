import Foundation
import GRDBSQLite
import SeededRandom
import Synchronization

/// Stands between SQLite and the files in one folder, so that one of its operations can fail, or the power.
///
/// Its flushes are only noted, never done: tests that need thousands of them stay quick.
package final class FaultyDisk: Sendable {
    /// A fault at the chosen operation.
    package enum Fault: Hashable, Sendable {
        /// This operation fails, later ones work.
        case once(Int32)
        /// From here on, everything that needs room fails.
        case full
        /// The power fails: of what was not flushed each write is there, or not, or some of its sectors are, and
        /// nothing works any more.
        case powerCut(seed: UInt64)

        /// Whether it makes a difference that it comes right before this operation.
        fileprivate func concerns(_ operation: Operation) -> Bool {
            switch self {
            case .once: true
            case .full: operation.needsRoom
            case .powerCut: !operation.leavesFilesAsTheyAre
            }
        }
    }

    fileprivate enum Change {
        case write(offset: Int, bytes: [UInt8])
        case truncate(Int)

        /// The number of bytes that disks write as a whole, or not at all.
        private static let sectorBytes = 512

        /// Returns the part that is left of it if it was not flushed: all, nothing, or, of a write, any sectors.
        func survivors(using random: inout SeededGenerator) -> [Change] {
            switch (self, random.int(0...2)) {
            case (_, 0): return []
            case (.write(let offset, let bytes), 1):
                return stride(from: 0, to: bytes.count, by: Self.sectorBytes).filter { _ in
                    Bool.random(using: &random)
                }.map { start in
                    .write(
                        offset: offset + start,
                        bytes: Array(bytes[start..<min(start + Self.sectorBytes, bytes.count)]))
                }
            default: return [self]
            }
        }
    }

    /// The bytes of a file that surely survive a power cut, and the changes that may.
    private struct Content {
        var durable: [UInt8]
        var pending: [Change] = []
    }

    private struct State {
        var fault: Fault?
        var left = 0
        var hasFailed = false
        var files: [String: Content] = [:]
        /// The bytes that the power cut left, by path.
        var remains: [String: [UInt8]] = [:]
        var flushes = 0
        var reads: [String: Int] = [:]
    }

    package let folder: String
    private let state = Mutex(State())

    /// - Parameter folder: an absolute path; need not exist yet.
    package init(folder: String) {
        self.folder = folder
        FaultyVFS.add(self)
    }

    deinit { FaultyVFS.remove(folder) }

    /// Makes the operation after `count` others fail.
    package func arm(_ fault: Fault, after count: Int) {
        state.withLock { state in
            state.fault = fault
            state.left = count
            state.hasFailed = false
            state.remains = [:]
            // The present content was flushed long ago.
            for path in state.files.keys { state.files[path] = Content(durable: Self.bytes(path)) }
        }
    }

    package func disarm() {
        state.withLock { $0.fault = nil }
    }

    /// How often SQLite has flushed a file of this disk.
    package var flushes: Int { state.withLock { $0.flushes } }

    /// How often SQLite has read from a file, which it does page by page.
    package func reads(of path: String) -> Int { state.withLock { $0.reads[path] ?? 0 } }

    /// Whether the operation that was to fail has come.
    package var hasFailed: Bool { state.withLock { $0.hasFailed } }

    /// Replaces the folder's files by what the power cut left. Nobody may have them open.
    package func comeBackAfterPowerCut() throws {
        let remains = state.withLock { state in
            state.fault = nil
            state.files = [:]
            return state.remains
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix("-shm") {
            try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
        for (path, bytes) in remains { try Data(bytes).write(to: URL(filePath: path)) }
    }

    // MARK: - Called by the VFS

    enum Operation {
        case read, open, delete, map
        case write(offset: Int, bytes: UnsafeRawBufferPointer)
        case truncate(Int)
        case flush

        fileprivate var needsRoom: Bool {
            switch self {
            case .write, .map: true
            default: false
            }
        }

        fileprivate var leavesFilesAsTheyAre: Bool {
            switch self {
            case .read, .open, .map: true
            default: false
            }
        }
    }

    /// - Returns: the code to fail with; `nil` when the operation may go on.
    func refuses(_ operation: Operation, on path: String) -> Int32? {
        state.withLock { state in
            if let code = Self.failure(of: operation, in: &state) { return code }
            switch operation {
            case .open where state.files[path] == nil: state.files[path] = Content(durable: Self.bytes(path))
            case .read: state.reads[path, default: 0] += 1
            case .delete: state.files[path] = nil
            case .write(let offset, let bytes):
                state.files[path]?.pending.append(.write(offset: offset, bytes: Array(bytes)))
            case .truncate(let length): state.files[path]?.pending.append(.truncate(length))
            case .flush:
                state.flushes += 1
                for change in state.files[path]?.pending ?? [] { state.files[path]?.durable.apply(change) }
                state.files[path]?.pending = []
            default: break
            }
            return nil
        }
    }

    private static func failure(of operation: Operation, in state: inout State) -> Int32? {
        guard let fault = state.fault, state.hasFailed || fault.concerns(operation) else { return nil }
        if state.left > 0 {
            state.left -= 1
            return nil
        }
        switch fault {
        case .once(let code):
            if state.hasFailed { return nil }
            state.hasFailed = true
            return code
        case .full:
            guard operation.needsRoom else { return nil }
            state.hasFailed = true
            return SQLITE_FULL
        case .powerCut(let seed):
            if !state.hasFailed { cutPower(seed, &state) }
            state.hasFailed = true
            return SQLITE_IOERR
        }
    }

    private static func cutPower(_ seed: UInt64, _ state: inout State) {
        var random = SeededGenerator(seed: seed)
        for path in state.files.keys.sorted() {
            guard var content = state.files[path] else { continue }
            for change in content.pending {
                for part in change.survivors(using: &random) { content.durable.apply(part) }
            }
            state.remains[path] = content.durable
        }
    }

    private static func bytes(_ path: String) -> [UInt8] {
        FileManager.default.contents(atPath: path).map(Array.init) ?? []
    }
}

extension [UInt8] {
    fileprivate mutating func apply(_ change: FaultyDisk.Change) {
        switch change {
        case .write(let offset, let bytes):
            let end = offset + bytes.count
            if count < end { self += [UInt8](repeating: 0, count: end - count) }
            // As a whole; in a debug build `replaceSubrange` goes byte by byte, which took a minute of all tests' time.
            withUnsafeMutableBytes { content in
                UnsafeMutableRawBufferPointer(rebasing: content[offset..<end]).copyBytes(from: bytes)
            }
        case .truncate(let length): if count > length { removeLast(count - length) }
        }
    }
}
