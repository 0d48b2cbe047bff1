import Foundation
import Testing

@testable import marquee_server

/// When a programme file is read again.
@Suite struct FileWatchTests {
    private func stamp(_ second: Double, size: UInt64 = 1) -> FileStamp {
        FileStamp(modified: Date(timeIntervalSince1970: second), size: size, number: 7)
    }

    @Test func aFileIsReadOnceForEachChangeThatHasSettled() {
        var watch = FileWatch()
        #expect(!watch.hasChanged(now: stamp(1)))
        #expect(watch.hasChanged(now: stamp(1)))
        #expect(!watch.hasChanged(now: stamp(1)))
        // Somebody writes it, piece by piece.
        #expect(!watch.hasChanged(now: stamp(2)))
        #expect(!watch.hasChanged(now: stamp(2, size: 2)))
        #expect(watch.hasChanged(now: stamp(2, size: 2)))
        #expect(!watch.hasChanged(now: stamp(2, size: 2)))
    }

    @Test func aFileThatIsGoneIsReadWhenItComesBackAsAnotherOne() {
        var watch = FileWatch()
        for _ in 0..<2 { _ = watch.hasChanged(now: stamp(1)) }
        #expect(!watch.hasChanged(now: nil))
        #expect(!watch.hasChanged(now: nil))
        #expect(!watch.hasChanged(now: stamp(1)))
        #expect(!watch.hasChanged(now: stamp(1)), "the same as was read")
        #expect(!watch.hasChanged(now: stamp(3)))
        #expect(watch.hasChanged(now: stamp(3)))
    }

    @Test func aStampFollowsLinksAndTellsFilesApart() throws {
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
