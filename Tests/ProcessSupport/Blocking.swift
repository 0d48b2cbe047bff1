import Foundation

/// Runs work that blocks on a thread of its own. The threads of Swift's pool are as few as processors: a server in this
/// process needs them to answer what the work waits for.
package func blocking<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
    }
}
