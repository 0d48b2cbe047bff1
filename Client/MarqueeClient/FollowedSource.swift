public import Foundation
import MarqueeWire

/// A source that publishes at a server what happens elsewhere, such as in a database.
@_spi(Admin) public struct FollowedSource: Hashable, Sendable {
    /// The source's own words, as the server heard them last.
    public struct Report: Hashable, Sendable {
        /// For people: `follows`.
        public var state: String
        /// For people; `nil`: none.
        public var error: String?
        /// How far it is behind; `nil`: unknown.
        public var lag: Duration?
        public var age: Duration
    }

    /// That it is silent, behind or failing.
    public struct Trouble: Hashable, Sendable {
        /// One sentence for operators, the same as in `/ready`.
        public var reason: String
        /// Since when.
        public var age: Duration
    }

    public var name: String
    /// Up to where it has published, in a form of its own; `nil`: nowhere yet.
    public var position: String?
    /// When the position was committed.
    public var moved: Date?
    public var report: Report?
    /// `nil`: it is as it should be.
    public var trouble: Trouble?
}

extension FollowedSource {
    init(_ state: SourceState) {
        func duration(_ milliseconds: UInt64) -> Duration { .milliseconds(Int64(clamping: milliseconds)) }
        self.init(
            name: state.source, position: state.position,
            moved: state.movedMilliseconds.map { Date(timeIntervalSince1970: Double($0) / 1_000) },
            report: state.report.map {
                Report(
                    state: $0.state, error: $0.error, lag: $0.lagMilliseconds.map(duration),
                    age: duration(state.reportAgeMilliseconds ?? 0))
            },
            trouble: state.trouble.map { Trouble(reason: $0.reason, age: duration($0.ageMilliseconds)) })
    }
}
