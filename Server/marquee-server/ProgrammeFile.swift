import Foundation
import Logging
import MarqueeServer
import MarqueeStore

/// Keeps a programme file in force while a server runs: reads it again when it has changed, or when somebody asks.
///
/// A programme that is read is a commit of the catalogue's log, as everything that screens are made of; the same one
/// again makes none. A wrong one is reported, line by line, and changes nothing.
struct ProgrammeFile: Sendable {
    /// Why the file is read.
    enum Occasion: Sendable {
        /// Somebody wants to know what becomes of it.
        case asked
        case changed
    }

    /// How often is looked for a change.
    private static let interval = Duration.seconds(1)

    let path: String

    /// Asks for the file to be read, until the task is cancelled, each time that it has changed.
    func watch(_ occasions: AsyncStream<Occasion>.Continuation) async {
        var watch = FileWatch()
        while !Task.isCancelled {
            try? await Task.sleep(for: ProgrammeFile.interval)
            if watch.hasChanged(now: FileStamp(path: path)) { occasions.yield(.changed) }
        }
    }

    /// Reads the file whenever there is an occasion.
    func load(at occasions: AsyncStream<Occasion>, into committer: Committer) async {
        var known: FileStamp?
        for await occasion in occasions {
            let stamp = FileStamp(path: path)
            // Somebody may have asked just before the change was noticed.
            if case .changed = occasion, stamp == known { continue }
            known = stamp
            await load(occasion, into: committer)
        }
    }

    private func load(_ occasion: Occasion, into committer: Committer) async {
        do {
            let source = try ProgrammeSource(file: path, wrong: .configuration)
            // The store makes no commit of a programme that it already holds.
            let outcome = try await committer.commit(
                .catalogue(key: nil, changes: [.programme(source.text)], mutation: nil))
            switch outcome {
            case .done(let revision, true): Console.say("\(path): in force, revision \(revision)")
            case .done: if case .asked = occasion { Console.say("\(path): in force already") }
            case .refused(let reason): complain(reason)
            case .failed(let error): complain("\(path) can't be stored: \(error)")
            case .repeated, .cloned, .forgotten: break
            }
        } catch let failure as CommandFailure {
            for line in failure.details { Console.show(line + "\n") }
            complain(failure.message)
        } catch {
            complain("\(path) can't be put in force: \(error)")
        }
    }

    private func complain(_ reason: String) {
        Console.complain("\(reason); the programme before stays in force")
    }
}

/// Tells one state of a file from another without reading it.
struct FileStamp: Hashable {
    private var modified: Date
    private var size: UInt64
    private var number: UInt64

    init(modified: Date, size: UInt64, number: UInt64) {
        self.modified = modified
        self.size = size
        self.number = number
    }

    /// - Returns: `nil` where there is no such file.
    init?(path: String) {
        // A link may be set to another file.
        let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let modified = attributes[.modificationDate] as? Date
        else { return nil }
        self.init(
            modified: modified, size: (attributes[.size] as? NSNumber)?.uint64Value ?? 0,
            number: (attributes[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0)
    }
}

/// Decides when a file that is looked at again and again has changed.
struct FileWatch {
    /// What was read last; nothing at first, as the file may have changed since somebody else read it.
    private var read: FileStamp?
    private var seen: FileStamp?

    /// Whether to read the file now: it is another one than was read, and looks as it did before, so nobody is just
    /// writing it.
    ///
    /// A file that is gone is none to read; it counts when it comes back.
    mutating func hasChanged(now stamp: FileStamp?) -> Bool {
        let hasSettled = stamp == seen
        seen = stamp
        guard let stamp, hasSettled, stamp != read else { return false }
        read = stamp
        return true
    }
}
