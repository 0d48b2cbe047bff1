import Foundation
import Testing

@testable import marquee_server

/// When a programme file is reread.
@Suite struct FileWatchTests {
    private func stamp(_ second: Double, size: UInt64 = 1) -> FileStamp {
        FileStamp(modified: Date(timeIntervalSince1970: second), size: size, number: 7)
    }

    /// The watch's result for each stamp in turn.
    private func changes(_ stamps: [FileStamp?]) -> [Bool] {
        var watch = FileWatch()
        return stamps.map { watch.hasChanged(now: $0) }
    }

    @Test func `A file is read once for each change that has settled`() {
        #expect(changes([stamp(1), stamp(1), stamp(1)]) == [false, true, false])
        // The file is written piece by piece.
        let writing = [stamp(1), stamp(1), stamp(2), stamp(2, size: 2), stamp(2, size: 2), stamp(2, size: 2)]
        #expect(changes(writing) == [false, true, false, false, true, false])
    }

    @Test func `A deleted file is read when another one takes its place`() {
        let gone = [stamp(1), stamp(1), nil, nil]
        #expect(
            changes(gone + [stamp(1), stamp(1)]) == [false, true, false, false, false, false], "the same as last read")
        #expect(changes(gone + [stamp(3), stamp(3)]) == [false, true, false, false, false, true])
    }

    @Test func `A file that stays away counts once, and again when it is back as it was`() {
        let away = [FileStamp?](repeating: nil, count: FileWatch.checksUntilGone + 2)
        let expected = [false, true] + away.indices.map { $0 == FileWatch.checksUntilGone - 1 } + [false, true]
        #expect(changes([stamp(1), stamp(1)] + away + [stamp(1), stamp(1)]) == expected)
    }

    @Test func `A file that can't be read any more has changed`() {
        let locked = FileStamp(modified: Date(timeIntervalSince1970: 1), size: 1, number: 7, isReadable: false)
        #expect(changes([stamp(1), stamp(1), locked, locked]) == [false, true, false, true])
    }

    @Test func `A stamp follows links and tells files apart`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-watch-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (a, b, link) = (
            folder.appending(path: "a"), folder.appending(path: "b"), folder.appending(path: "link")
        )
        #expect(FileStamp(path: a.path) == nil)
        try Data([1]).write(to: a)
        try Data([1]).write(to: b)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: a)
        #expect(FileStamp(path: link.path) == FileStamp(path: a.path))
        #expect(FileStamp(path: a.path) != FileStamp(path: b.path))
        try FileManager.default.removeItem(at: link)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: b)
        #expect(FileStamp(path: link.path) == FileStamp(path: b.path))
    }
}
