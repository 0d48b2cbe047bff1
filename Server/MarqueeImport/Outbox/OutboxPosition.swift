/// How far an outbox has been published, as it is committed with its changes: the last claim.
///
/// Rows are claimed before they are published, and deleted afterwards. Of rows that are still there, those with this
/// claim are published, and no others: neither their ids nor their transactions have to be compared, which a restored
/// database gives out again.
package struct OutboxPosition: Hashable, Sendable, CustomStringConvertible {
    /// The database's server, by the identifier that it was made with.
    package var system: String
    /// Rises whenever a standby is promoted or a backup restored.
    package var timeline: UInt32
    /// A random number of this publication's own.
    package var claim: Int64

    package init(system: String, timeline: UInt32, claim: Int64 = .random(in: 1...Int64.max)) {
        (self.system, self.timeline, self.claim) = (system, timeline, claim)
    }

    private static let form = "outbox1"

    /// `outbox1 7234… 1 5520…`
    package var description: String { "\(Self.form) \(system) \(timeline) \(claim)" }

    /// - Returns: `nil` for a text that is no such position, such as one of another kind of source.
    package init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 4, words[0] == Self.form, let timeline = UInt32(words[2]), let claim = Int64(words[3]),
            claim > 0
        else { return nil }
        self.init(system: String(words[1]), timeline: timeline, claim: claim)
    }

    /// The position of the next publication.
    package var next: OutboxPosition { OutboxPosition(system: system, timeline: timeline) }
}

/// Decides how following an outbox begins.
package struct OutboxStart: Hashable, Sendable {
    /// Of rows that are still there, those with this claim are published.
    package var published: Int64?
    /// Why rows may be published that were published before, for a person.
    package var warning: String?

    /// - Parameter stored: where the catalogue says that the source is.
    package init(stored: String?, system: String, timeline: UInt32) {
        guard let stored else { return }
        guard let position = OutboxPosition(stored) else {
            warning = "its position '\(Field.shown(stored))' is of another kind"
            return
        }
        published = position.claim
        if position.system != system {
            warning = "the database is another one"
        } else if position.timeline != timeline {
            warning =
                "the database was restored, or another server took over (timeline \(timeline), not \(position.timeline))"
        }
    }
}
