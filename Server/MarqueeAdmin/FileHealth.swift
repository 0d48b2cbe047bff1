package import Foundation
import Synchronization

/// Whether the files that a server uses can be read, and when their content expires. Thread safe.
package final class FileHealth: Sendable {
    package struct Figures: Hashable, Sendable {
        /// When the file became unusable; `nil` if it can be used.
        package var unusableSince: Date?
        /// How often reading it has failed.
        package var failures: UInt64 = 0
        /// Its expiry, such as a certificate's; `nil` for never.
        package var ends: Date?
        /// Why it can't be used.
        var reason: String?
        /// Whether no earlier content is in force instead.
        var nothingHolds = false

        /// How long the file has been unusable; `nil` if it can be used.
        func unusableSeconds(now: Date) -> UInt64? {
            unusableSince.map { UInt64(max(0, now.timeIntervalSince($0))) }
        }
    }

    private let files = Mutex<[String: Figures]>([:])

    package init() {}

    /// Records that a file's content is in force.
    /// - Parameters:
    ///   - name: what the file is for, such as `tokens`.
    ///   - ends: when the content expires; `nil` for never.
    package func isFine(_ name: String, ends: Date? = nil) {
        files.withLock { files in
            var figures = files[name] ?? Figures()
            (figures.unusableSince, figures.reason, figures.nothingHolds, figures.ends) = (nil, nil, false, ends)
            files[name] = figures
        }
    }

    /// Records that a file can't be used now.
    /// - Parameter nothingHolds: whether no earlier content is in force instead, so that the node should not be sent
    ///   clients.
    /// - Returns: whether that is news: whether it could be used before, or the reason was different.
    @discardableResult
    package func isUnusable(
        _ name: String, _ reason: String, nothingHolds: Bool = false, now: Date = Date()
    ) -> Bool {
        files.withLock { files in
            var figures = files[name] ?? Figures()
            defer { files[name] = figures }
            figures.failures += 1
            let isNews = figures.reason != reason
            figures.unusableSince = figures.unusableSince ?? now
            figures.reason = reason
            figures.nothingHolds = nothingHolds
            return isNews
        }
    }

    /// The figures of each file, by its purpose.
    package var figures: [String: Figures] { files.withLock { $0 } }

    /// Whether this file can't be used now.
    package func isUnusable(_ name: String) -> Bool { files.withLock { $0[name]?.unusableSince != nil } }
}
