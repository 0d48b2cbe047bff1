/// The progress of a backup or a restore.
package struct BackupProgress: Hashable, Sendable {
    package enum Step: Hashable, Sendable {
        case users, catalogue, checking
        /// Reading a PostgreSQL database.
        case database
    }

    package var step: Step
    /// Rows done so far in this step.
    package var rows: Int
    /// Rows of this step in total.
    package var rowsTotal: Int

    package init(step: Step, rows: Int, rowsTotal: Int) {
        self.step = step
        self.rows = rows
        self.rowsTotal = rowsTotal
    }

    /// Called from time to time with the progress. Returning `false` stops the work and leaves nothing behind.
    package typealias Observer = (BackupProgress) -> Bool
}

/// Counts rows and reports progress to an observer from time to time.
struct RowCounter {
    /// Rows between two reports.
    private static let interval = 256

    private var progress: BackupProgress
    private let observer: BackupProgress.Observer

    init(_ step: BackupProgress.Step, rowsTotal: Int, _ observer: @escaping BackupProgress.Observer) {
        self.progress = BackupProgress(step: step, rows: 0, rowsTotal: rowsTotal)
        self.observer = observer
    }

    mutating func count() throws(StoreError) {
        progress.rows += 1
        if progress.rows % Self.interval == 0 { try report() }
    }

    /// - Throws: `cancelled` when the observer stops the work.
    func report() throws(StoreError) {
        guard observer(progress) else { throw StoreError(.cancelled, "stopped before it was done") }
    }
}

extension StoreLog {
    var backupStep: BackupProgress.Step {
        switch self {
        case .catalogue: .catalogue
        case .users: .users
        }
    }
}
