package import MarqueeStore

/// An import that is kept as a whole or not at all.
package struct ImportRun {
    private let tolerance: ImportTolerance
    private let isRehearsal: Bool

    /// - Parameters:
    ///   - tolerance: how many bad rows are accepted.
    ///   - isRehearsal: nothing is kept, whatever the result.
    package init(tolerance: ImportTolerance, isRehearsal: Bool = false) {
        self.tolerance = tolerance
        self.isRehearsal = isRehearsal
    }

    /// The result of a run.
    package struct Result {
        package var report: ImportReport
        /// Why nothing was kept; `nil` if it was, or would have been in a real run.
        package var refusal: String?
    }

    /// Why an import with this report is discarded; `nil` if it is kept.
    package func refusal(of report: ImportReport) -> String? { report.refusal(tolerance) }

    /// Runs an import into a writer that keeps nothing.
    /// - Parameter body: imports into that writer.
    /// - Throws: when the import had to stop.
    package func rehearse(
        in writer: any CatalogueWriter, _ body: (any CatalogueWriter) throws(ImportError) -> ImportReport
    ) throws(ImportError) -> Result {
        let report = try body(writer)
        return Result(report: report, refusal: refusal(of: report))
    }

    /// Runs an import in one transaction of `store`.
    /// - Parameter body: imports into the writer it receives.
    /// - Throws: when the import had to stop; nothing was kept then.
    package func run(
        in store: any TransactionalStore, _ body: (any CatalogueWriter) throws(ImportError) -> ImportReport
    ) throws(ImportError) -> Result {
        var outcome: Swift.Result<ImportReport, ImportError>?
        var refusal: String?
        do throws(StoreError) {
            try store.transaction { writer in
                do throws(ImportError) {
                    let report = try body(writer)
                    outcome = .success(report)
                    refusal = report.refusal(tolerance)
                    return refusal == nil && !isRehearsal
                } catch {
                    outcome = .failure(error)
                    return false
                }
            }
        } catch {
            // A failed import has the more specific error.
            if case .failure(let earlier) = outcome { throw earlier }
            throw ImportError(.store, "nothing was imported: \(error)", storeError: error)
        }
        guard let outcome else { throw ImportError(.store, "the store made no transaction") }
        return Result(report: try outcome.get(), refusal: refusal)
    }
}
