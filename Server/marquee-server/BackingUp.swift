import MarqueeStore

/// Runs a backup or a restore, and says how it goes.
struct BackingUp {
    /// The data folder.
    let folder: String
    let file: String
    /// What it ends with when the file that is read belongs to another program.
    let foreign: CommandFailure.Code

    /// - Parameter work: does it, and calls the observer meanwhile.
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
        default: CommandFailure(error, folder: folder)
        }
    }

    /// `revision 245, 95 movies, 2 users with 7 favorites`
    static func text(_ summary: BackupSummary) -> String {
        "revision \(summary.revision), \(counted(summary.movies, "movie")), \(counted(summary.users, "user")) with "
            + counted(summary.favorites, "favorite")
    }
}
