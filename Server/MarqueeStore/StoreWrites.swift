extension [StoreWrite] {
    /// Commits the writes of each log separately: a log that can't be written doesn't hold up the other.
    /// - Parameter commit: makes the writes of one log durable, and returns one outcome for each.
    /// - Returns: one outcome for each write, and whether the catalogue has changed.
    /// - Throws: if none was applied.
    func committed(
        by commit: (_ writes: [StoreWrite], _ log: StoreLog) throws(StoreError) -> [StoreOutcome]
    ) throws(StoreError) -> (outcomes: [StoreOutcome], hasChangedCatalogue: Bool) {
        var outcomes: [Int: StoreOutcome] = [:]
        var failure: (error: StoreError, writes: Int)?
        for log in StoreLog.allCases {
            let indices = indices.filter { self[$0].log == log }
            if indices.isEmpty { continue }
            do throws(StoreError) {
                let done = try commit(indices.map { self[$0] }, log)
                for (index, outcome) in zip(indices, done) { outcomes[index] = outcome }
            } catch {
                for index in indices { outcomes[index] = .failed(error) }
                failure = (error, (failure?.writes ?? 0) + indices.count)
            }
        }
        if let failure, failure.writes == count { throw failure.error }
        let hasChanged = outcomes.contains { index, outcome in self[index].log == .catalogue && outcome.hasChanged }
        return (indices.compactMap { outcomes[$0] }, hasChanged)
    }
}
