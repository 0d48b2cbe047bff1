import MarqueeCatalogue
import MarqueeStore

/// The changes of the last commits, for sections of a user's members that were meanwhile evaluated outside the hub.
///
/// For a record it keeps whether it existed before and exists now, but not its content.
package struct RecentEvents: Sendable {
    /// Maximum number of events.
    package static let maximumCount = 256

    private var events: [(revision: UInt64, event: SectionEvent)] = []
    /// The position after which no event is missing.
    private var start: LogHead

    init(after head: LogHead) { start = head }

    /// - Parameter revision: never less than in an earlier call.
    mutating func add(_ event: SectionEvent, at revision: UInt64) {
        if events.count == Self.maximumCount {
            let half = Self.maximumCount / 2
            start.revision = events[half - 1].revision
            events.removeFirst(half)
        }
        events.append((revision, event.withoutContents))
    }

    /// The events after a position.
    /// - Returns: `nil` if some of them may not be here.
    func events(after head: LogHead) -> [SectionEvent]? {
        guard head.epoch == start.epoch, head.revision >= start.revision else { return nil }
        return events.filter { $0.revision > head.revision }.map(\.event)
    }
}

extension SectionEvent {
    fileprivate var withoutContents: SectionEvent {
        guard case .record(let move) = self else { return self }
        return .record(RecordMove(id: move.id, old: move.old.map { _ in [] }, new: move.new.map { _ in [] }))
    }
}
