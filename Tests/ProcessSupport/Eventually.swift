/// The awaited condition didn't come true.
package struct Overdue: Error, CustomStringConvertible {
    package var description: String

    package init(description: String) { self.description = description }
}

/// Looks for what happens without a word.
package enum Looks {
    /// The pause until the next look, by how long has been waited.
    ///
    /// Hundreds of tests wait at once, and each look takes time from what they wait for. A pause makes a wait longer by
    /// a sixteenth, and by a tenth of a second at most.
    package static func pause(after waited: Duration) -> Duration {
        min(max(waited / 16, .milliseconds(5)), .milliseconds(100))
    }
}

/// Waits for something that another thread or process does.
/// - Parameter limit: generous, as it only decides when to give up.
/// - Throws: `Overdue` when the limit has passed.
package func eventually(
    _ what: @autoclosure () -> String, within limit: Duration = .seconds(60),
    _ condition: () async throws -> Bool
) async throws {
    let clock = ContinuousClock()
    let began = clock.now
    let deadline = began + limit
    while try await !condition() {
        guard clock.now < deadline else { throw Overdue(description: "\(what()) did not happen within \(limit)") }
        try await clock.sleep(for: Looks.pause(after: clock.now - began))
    }
}
