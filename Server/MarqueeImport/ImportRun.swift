package import MarqueeStore

/// An import that is kept whole or not at all.
package struct ImportRun {
    private let tolerance: ImportTolerance
    private let isRehearsal: Bool

    /// - Parameters:
    ///   - tolerance: how many bad rows it may have.
    ///   - isRehearsal: nothing is kept, whatever comes out.
    package init(tolerance: ImportTolerance, isRehearsal: Bool = false) {
        self.tolerance = tolerance
        self.isRehearsal = isRehearsal
    }

    /// What came out.
    package struct Result {
        package var report: ImportReport
        /// Why nothing was kept; `nil` when it was, or would have been but for the rehearsal.
        package var refusal: String?
    }

    /// Runs an import in one transaction of `store`.
    /// - Parameter body: imports into the writer that it is given.
    /// - Throws: when the import had to stop; then nothing was kept.
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
            // An import that failed has said more about it.
            if case .failure(let earlier) = outcome { throw earlier }
            throw ImportError(.store, "nothing was imported: \(error)", storeError: error)
        }
        guard let outcome else { throw ImportError(.store, "the store made no transaction") }
        return Result(report: try outcome.get(), refusal: refusal)
    }
}
