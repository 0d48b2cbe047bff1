import Foundation
import Logging
import MarqueeServer
import MarqueeStore
import MarqueeTypes

/// Keeps a programme file in force while a server runs: reads it again when it has changed, or on request.
///
/// Applying a programme is a commit to the catalogue's log, like everything that screens are made of; applying the same
/// one again makes no commit. A programme with mistakes is reported line by line and changes nothing.
struct ProgrammeFile: Sendable {
    /// Why the file is read.
    enum Occasion: Sendable {
        /// A person asked for it and wants to know the outcome.
        case asked
        case changed
    }

    /// How often the file is checked for a change.
    private static let interval = Duration.seconds(1)

    let path: String
    /// The record types that it may name.
    let types: TypeSet?
    /// Is told when a read that somebody asked for begins and ends.
    let manager: ServiceManager?

    /// Requests a read each time the file has changed, until the task is cancelled.
    func watch(_ occasions: AsyncStream<Occasion>.Continuation) async {
        var watch = FileWatch()
        while !Task.isCancelled {
            try? await Task.sleep(for: ProgrammeFile.interval)
            if watch.hasChanged(now: FileStamp(path: path)) { occasions.yield(.changed) }
        }
    }

    /// Reads the file on every request.
    func load(at occasions: AsyncStream<Occasion>, into committer: Committer) async {
        var known: FileStamp?
        for await occasion in occasions {
            let stamp = FileStamp(path: path)
            // A person may have asked just before the change was noticed.
            if case .changed = occasion, stamp == known { continue }
            known = stamp
            if case .asked = occasion { manager?.tell(.reloading) }
            await load(occasion, into: committer)
            if case .asked = occasion { manager?.tell(.reloaded) }
        }
    }

    private func load(_ occasion: Occasion, into committer: Committer) async {
        do {
            let source = try ProgrammeSource(file: path, types: types, wrong: .configuration)
            // The store makes no commit for a programme that it already holds.
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
            Console.explain(failure.details)
            complain(failure.message)
        } catch {
            complain("\(path) can't be put in force: \(error)")
        }
    }

    private func complain(_ reason: String) {
        Console.complain("\(reason); the previous programme stays in force")
    }
}

/// Distinguishes versions of a file without reading it.
struct FileStamp: Hashable {
    private var modified: Date
    private var size: UInt64
    private var number: UInt64

    init(modified: Date, size: UInt64, number: UInt64) {
        self.modified = modified
        self.size = size
        self.number = number
    }

    /// - Returns: `nil` if there is no such file.
    init?(path: String) {
        // A symbolic link may come to point to another file.
        let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let modified = attributes[.modificationDate] as? Date
        else { return nil }
        self.init(
            modified: modified, size: (attributes[.size] as? NSNumber)?.uint64Value ?? 0,
            number: (attributes[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0)
    }
}

/// Decides when a file that is polled has changed.
struct FileWatch {
    /// The version read last; none at first, as the file may have changed since it was read at startup.
    private var read: FileStamp?
    private var seen: FileStamp?

    /// - Parameter stamp: of the version that has been read; `nil` if that isn't known.
    init(readNow stamp: FileStamp? = nil) { (read, seen) = (stamp, stamp) }

    /// Whether to read the file now: it differs from the version read last, and looks the same as at the last check, so
    /// it isn't being written at the moment.
    ///
    /// A deleted file is not read; it counts again once it is back.
    mutating func hasChanged(now stamp: FileStamp?) -> Bool {
        let hasSettled = stamp == seen
        seen = stamp
        guard let stamp, hasSettled, stamp != read else { return false }
        read = stamp
        return true
    }
}
