import Foundation
import MarqueeStore

/// Runs a backup or a restore and reports its progress.
struct BackingUp {
    let place: StorePlace
    let file: String
    /// The exit code if the file to read belongs to another program.
    let foreign: CommandFailure.Code

    /// - Parameter work: does the work and reports progress to the observer.
    /// - Throws: `CommandFailure`, or `Interruption.Ended`.
    func run(
        _ work: (@escaping BackupProgress.Observer) throws(StoreError) -> BackupSummary
    ) throws -> BackupSummary {
        Console.surviveClosedPipes()
        let interruption = Interruption()
        let progress = ProgressLine()
        defer { progress.end() }
        do throws(StoreError) {
            return try work { step in
                progress.show(ProgressLine.text(step))
                return interruption.isAbsent
            }
        } catch {
            progress.end()
            throw failure(error)
        }
    }

    private func failure(_ error: StoreError) -> any Error {
        switch error.code {
        case .cancelled: Interruption.Ended()
        case .exists: CommandFailure(.cannotCreate, "\(error); --force replaces it")
        case .foreignFile: CommandFailure(foreign, error.description)
        case .invalid: CommandFailure(.cannotCreate, error.description)
        // The backup is missing, not the place to restore it to.
        case .missing where foreign == .badData && access(file, F_OK) != 0:
            CommandFailure(.noInput, error.description)
        default: CommandFailure(error, at: place)
        }
    }

    /// `revision 245, episode 95, 2 users with 7 favorites`
    static func text(_ summary: BackupSummary) -> String {
        let counts = summary.counts.summary.map { "\($0), " } ?? ""
        return "revision \(summary.revision), \(counts)\(counted(summary.users, "user")) with "
            + counted(summary.favorites, "favorite")
            + (summary.members == 0 ? "" : " and \(counted(summary.members, "member")) of other collections")
    }
}
