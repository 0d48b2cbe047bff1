import Foundation
import Testing

@testable import MarqueeImport

@Suite struct SpooledInputsTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "spool-\(UUID().uuidString)")

    /// A named pipe.
    private func pipe() throws -> String {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appending(path: "pipe").path
        try #require(mkfifo(path, 0o600) == 0)
        return path
    }

    /// Writes to a pipe once somebody reads it.
    private func send(_ bytes: [UInt8], to path: String) {
        Thread.detachNewThread {
            let file = FileHandle(forWritingAtPath: path)
            // The reader may have enough before the end.
            signal(SIGPIPE, SIG_IGN)
            try? file?.write(contentsOf: bytes)
        }
    }

    private func read(_ source: ImportSource) throws -> [UInt8] { try FileContent.read(source) }

    @Test func `A pipe is read once, and its copy as often as wanted, with a known size`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = try pipe()
        let bytes = [UInt8](String(repeating: "a line\n", count: 50_000).utf8)
        send(bytes, to: path)
        let copies = try SpooledInputs([path, path], in: folder.path, shouldContinue: { true })
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["pipe"], "the copy has no name")
        for _ in 0..<2 {
            let source = try ImportSource(path, copies: copies)
            #expect(source.bytesTotal == bytes.count && source.name == path)
            #expect(try read(source) == bytes)
        }
    }

    @Test func `A regular file is left where it is, and a missing one is for its reader to report`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "rows").path
        try "rows".write(toFile: file, atomically: true, encoding: .utf8)
        let copies = try SpooledInputs([file, file + "-none", folder.path], shouldContinue: { true })
        #expect(copies.descriptor(file) == nil && copies.descriptor(file + "-none") == nil)
        #expect(copies.descriptor(folder.path) == nil)
    }

    @Test func `A pipe that nobody writes to is given up on request`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = try pipe()
        var asked = 0
        let error = #expect(throws: ImportError.self) {
            try SpooledInputs(
                [path], in: folder.path,
                shouldContinue: {
                    asked += 1
                    return asked < 2
                })
        }
        #expect(error?.code == .cancelled)
    }

    @Test func `A pipe that never ends is given up at the bound`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = try pipe()
        send([UInt8](repeating: 0, count: 200_000), to: path)
        let error = #expect(throws: ImportError.self) {
            try SpooledInputs([path], in: folder.path, maximum: 100_000, shouldContinue: { true })
        }
        #expect(error?.code == .malformed && error?.message.contains("more than 100000 bytes") == true)
    }
}
