package import Foundation
import Synchronization

/// Whether the files that a server goes by can be used, and how long what is in them holds. Thread safe.
package final class FileHealth: Sendable {
    package struct Figures: Hashable, Sendable {
        /// Since when the file can't be used; `nil` if it can.
        package var unusableSince: Date?
        /// How often reading it has failed.
        package var failures: UInt64 = 0
        /// Its expiry, such as a certificate's; `nil` for never.
        package var ends: Date?
        /// Why it can't be used.
        var reason: String?
        /// Whether nothing is in force instead.
        var nothingHolds = false

        /// For how long it can't be used; `nil` if it can.
        func unusableSeconds(now: Date) -> UInt64? {
            unusableSince.map { UInt64(max(0, now.timeIntervalSince($0))) }
        }
    }

    private let files = Mutex<[String: Figures]>([:])

    package init() {}

    /// Notes that a file's content is in force.
    /// - Parameters:
    ///   - name: what the file is for, such as `tokens`.
    ///   - ends: when it ends; `nil` for never.
    package func isFine(_ name: String, ends: Date? = nil) {
        files.withLock { files in
            var figures = files[name] ?? Figures()
            (figures.unusableSince, figures.reason, figures.nothingHolds, figures.ends) = (nil, nil, false, ends)
            files[name] = figures
        }
    }

    /// A file can't be used now.
    /// - Parameter nothingHolds: whether nothing is in force instead: the node should not be sent clients then.
    /// - Returns: whether that is news: it could be used before, or there was another reason.
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

    /// By what each file is for.
    package var figures: [String: Figures] { files.withLock { $0 } }

    /// Whether this file can't be used now.
    package func isUnusable(_ name: String) -> Bool { files.withLock { $0[name]?.unusableSince != nil } }
}
