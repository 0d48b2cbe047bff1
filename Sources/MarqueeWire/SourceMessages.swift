/// The new position of a source, which takes effect only if the old one is as expected.
package struct SourceMove: Hashable, Sendable {
    package var source: String
    /// `nil`: it stays where it is.
    package var position: String?
    /// `nil`: the source has no position yet.
    package var expected: String?

    package init(source: String, position: String?, expected: String?) {
        self.source = source
        self.position = position
        self.expected = expected
    }
}

/// A source's own report of its state.
package struct SourceReport: Hashable, Sendable {
    /// The most bytes of each text.
    package static let textBytes = 512

    /// For people: "follows", "copies public.product".
    package var state: String
    /// For people; `nil`: none.
    package var error: String?
    /// How far it is behind, in milliseconds; `nil`: unknown.
    package var lagMilliseconds: UInt64?

    package init(state: String, error: String? = nil, lagMilliseconds: UInt64? = nil) {
        self.state = state
        self.error = error
        self.lagMilliseconds = lagMilliseconds
    }
}

/// Asks for the positions of sources.
package struct SourceRequest: Hashable, Sendable {
    /// `nil`: all that the client may publish for.
    package var source: String?
    /// Of `source`.
    package var report: SourceReport?

    package init(source: String? = nil, report: SourceReport? = nil) {
        self.source = source
        self.report = report
    }
}

/// The position and state of a source.
package struct SourceState: Hashable, Sendable {
    package var source: String
    /// `nil`: none yet.
    package var position: String?
    /// When the position was committed, in milliseconds since 1970.
    package var movedMilliseconds: UInt64?
    /// The latest report that the server has received.
    package var report: SourceReport?
    package var reportAgeMilliseconds: UInt64?
    /// `nil`: it is as it should be.
    package var trouble: SourceTrouble?

    package init(
        source: String, position: String? = nil, movedMilliseconds: UInt64? = nil, report: SourceReport? = nil,
        reportAgeMilliseconds: UInt64? = nil, trouble: SourceTrouble? = nil
    ) {
        self.source = source
        self.position = position
        self.movedMilliseconds = movedMilliseconds
        self.report = report
        self.reportAgeMilliseconds = reportAgeMilliseconds
        self.trouble = trouble
    }
}

/// That a source is silent, behind or failing. Clients are served what it published before.
package struct SourceTrouble: Hashable, Sendable {
    /// One sentence for operators, with the source's name.
    package var reason: String
    /// Since when.
    package var ageMilliseconds: UInt64

    package init(reason: String, ageMilliseconds: UInt64) {
        self.reason = reason
        self.ageMilliseconds = ageMilliseconds
    }
}

package struct SourceAnswer: Hashable, Sendable {
    package var sources: [SourceState]

    package init(sources: [SourceState]) { self.sources = sources }
}

/// Asks for the ids and sums of a type's records.
package struct RecordSumsRequest: Hashable, Sendable {
    /// The most records in one answer.
    package static let records = 4_096

    /// The type's alias.
    package var type: String
    /// Those with ids that follow this one; `nil`: from the first.
    package var after: String?

    package init(type: String, after: String? = nil) {
        self.type = type
        self.after = after
    }
}

package struct RecordSumsAnswer: Hashable, Sendable {
    /// Ascending by their bytes.
    package var ids: [String]
    /// XXH64 of each record's bytes.
    package var sums: [UInt64]
    package var more: Bool

    package init(ids: [String], sums: [UInt64], more: Bool) {
        self.ids = ids
        self.sums = sums
        self.more = more
    }
}
