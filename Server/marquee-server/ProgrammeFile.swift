import Foundation
import Logging
import MarqueeAdmin
import MarqueeServer
import MarqueeStore
import MarqueeTypes

/// Keeps a programme file in force while a server runs: reads it again when it has changed, or on request.
///
/// Applying a programme is a commit to the catalogue's log, like everything that screens are made of; applying the same
/// one again makes no commit. A programme with mistakes is reported line by line and changes nothing.
struct ProgrammeFile: Sendable {
    /// The reason for reading the file.
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
    /// Told when a requested read begins and ends.
    let manager: ServiceManager?
    let health: FileHealth
    private static let name = "programme"

    /// Requests a read each time the file has changed, until the task is cancelled.
    func watch(_ occasions: AsyncStream<Occasion>.Continuation) async {
        var watch = FileWatch()
        while !Task.isCancelled {
            try? await Task.sleep(for: ProgrammeFile.interval)
            if watch.hasChanged(now: FileStamp(path: path)) { occasions.yield(.changed) }
        }
    }

    /// Reads the file on every request.
    func load(at occasions: AsyncStream<Occasion>, into hub: HubSource) async {
        var known: FileStamp?
        for await occasion in occasions {
            let stamp = FileStamp(path: path)
            // A person may have asked just before the change was noticed.
            if case .changed = occasion, stamp == known { continue }
            known = stamp
            if case .asked = occasion { manager?.tell(.reloading) }
            await load(occasion, into: hub)
            if case .asked = occasion { manager?.tell(.reloaded) }
        }
    }

    private func load(_ occasion: Occasion, into hub: HubSource) async {
        do {
            let source = try ProgrammeSource(file: path, types: types, wrong: .configuration)
            // The store makes no commit for a programme that it already holds.
            hub.expect(programme: source.text)
            let outcome = try await hub.committer.commit(
                .catalogue(key: nil, changes: [.programme(source.text)], mutation: nil))
            if case .done = outcome { health.isFine(Self.name) }
            switch outcome {
            case .done(let revision, true): Console.say("\(path): in force, revision \(revision)")
            case .done: if case .asked = occasion { Console.say("\(path): in force already") }
            case .refused(let reason): complain(reason)
            case .failed(let error): complain("\(path) can't be stored: \(error)")
            case .repeated, .cloned, .forgotten, .keyReused, .tooManyClients, .elsewhere: break
            }
        } catch let failure as CommandFailure {
            Console.explain(failure.details)
            complain(failure.message)
        } catch {
            complain("\(path) can't be put in force: \(error)")
        }
    }

    private func complain(_ reason: String) {
        health.isUnusable(Self.name, reason)
        Console.complain("\(reason); the previous programme stays in force", .error)
    }
}
