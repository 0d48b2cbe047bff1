import Observation

/// Waits until something about observable models is so.
///
/// ```swift
/// let showing = Task { await model.run() }
/// try await eventually { model.phase == .live }
/// ```
///
/// Looks again whenever something changes that `condition` has read of a model, and at no other time; so in an `&&`,
/// what is read of a model comes first. The outcome doesn't depend on how fast anything is; `patience` only keeps a
/// test that fails from waiting for ever.
///
/// - Parameters:
///   - patience: real time.
///   - condition: reads `@Observable` models.
/// - Throws: `NeverHappened` when that took longer than `patience`; `CancellationError`.
@available(iOS 17, tvOS 17, watchOS 10, *)
@MainActor public func eventually(
    within patience: Duration = .seconds(10), _ condition: @MainActor () -> Bool
) async throws {
    let (changes, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let alarm = Task {
        try? await Task.sleep(for: patience)
        signal.finish()
    }
    defer { alarm.cancel() }
    var iterator = changes.makeAsyncIterator()
    func holds() -> Bool {
        withObservationTracking {
            condition()
        } onChange: {
            signal.yield()
        }
    }
    while !holds() {
        guard await iterator.next(isolation: MainActor.shared) == nil else { continue }
        try Task.checkCancellation()
        throw NeverHappened()
    }
}

/// The error thrown when the condition that a test waited for did not come true.
public struct NeverHappened: Error, CustomStringConvertible {
    /// For a test's log.
    public var description: String { "what was waited for did not happen" }
}
