import Observation

/// Waits until a condition on observable models holds.
///
/// ```swift
/// let showing = Task { await model.run() }
/// try await eventually { model.phase == .live }
/// ```
///
/// Checks again whenever something that `condition` has read from a model changes, and at no other time; so in an `&&`,
/// put the conditions on models first. The outcome doesn't depend on how fast anything is; `patience` only keeps a
/// failing test from waiting forever.
///
/// - Parameters:
///   - patience: real time.
///   - file: the caller's file, for the error's text.
///   - line: the caller's line.
///   - condition: reads `@Observable` models.
/// - Throws: `ConditionTimeout` when the condition didn't hold within `patience`; `CancellationError`.
@available(iOS 17, tvOS 17, watchOS 10, *)
@MainActor public func eventually(
    within patience: Duration = .seconds(10), file: StaticString = #fileID, line: UInt = #line,
    _ condition: @MainActor () -> Bool
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
        throw ConditionTimeout(file: file, line: line)
    }
}

/// The error thrown when the condition of a test did not come true.
public struct ConditionTimeout: Error, CustomStringConvertible {
    /// A message for a test's log.
    public var description: String { "\(file):\(line): the awaited condition did not come true" }

    let file: StaticString
    let line: UInt
}
