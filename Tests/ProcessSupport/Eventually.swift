/// The awaited condition didn't come true.
package struct Overdue: Error, CustomStringConvertible {
    package var description: String

    package init(description: String) { self.description = description }
}

/// Waits for something that another thread or process does.
/// - Parameter limit: generous, as it only decides when to give up.
/// - Throws: `Overdue` when the limit has passed.
package func eventually(
    _ what: @autoclosure () -> String, within limit: Duration = .seconds(60),
    _ condition: () async throws -> Bool
) async throws {
    let clock = ContinuousClock()
    let deadline = clock.now + limit
    while try await !condition() {
        guard clock.now < deadline else { throw Overdue(description: "\(what()) did not happen within \(limit)") }
        try await clock.sleep(for: .milliseconds(5))
    }
}
