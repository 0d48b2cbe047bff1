package import Logging
import Synchronization

/// The lowest level that is logged, which can change while the server runs. Thread safe.
package final class LogLevel: Sendable {
    private let index: Atomic<Int>

    package init(_ level: Logger.Level) { index = Atomic(Self.index(of: level)) }

    package var now: Logger.Level {
        get { Logger.Level.allCases[index.load(ordering: .relaxed)] }
        set { index.store(Self.index(of: newValue), ordering: .relaxed) }
    }

    /// The names of all levels, as messages list them.
    package static let names = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")

    private static func index(of level: Logger.Level) -> Int { Logger.Level.allCases.firstIndex(of: level) ?? 0 }
}
