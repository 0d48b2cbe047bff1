/// The observations of a section's items that the operator's programme asks clients to report.
package struct Counting: Hashable, Sendable {
    /// The rule for when an item counts as seen.
    package struct Impressions: Hashable, Sendable {
        /// The percentage of the item that has to be in view: 1 to 100.
        package var share: UInt32
        /// How long it has to be in view, in milliseconds.
        package var duration: UInt32
        /// How long before the same item counts again, in milliseconds.
        package var again: UInt32

        package init(share: UInt32 = 50, duration: UInt32 = 1_000, again: UInt32 = 1_800_000) {
            self.share = share
            self.duration = duration
            self.again = again
        }
    }

    /// `nil` if impressions aren't counted.
    package var impressions: Impressions?
    /// Whether taps and actions are counted.
    package var taps: Bool

    package init(impressions: Impressions? = nil, taps: Bool = false) {
        self.impressions = impressions
        self.taps = taps
    }

    /// Whether clients should report observations of this kind.
    package func asks(for kind: ItemEvent.Kind) -> Bool {
        switch kind {
        case .seen: impressions != nil
        case .tap, .action: taps
        }
    }
}

/// An observation of one item: a person has seen it, or has acted on it.
package struct ItemEvent: Hashable, Sendable {
    package enum Kind: UInt32, Hashable, Sendable {
        case seen = 1
        case tap = 2
        case action = 3

        /// The name shown to operators.
        package var name: String {
            switch self {
            case .seen: "seen"
            case .tap: "tap"
            case .action: "action"
            }
        }
    }

    /// Maximum number of observations in one report.
    package static let perReport = 128
    /// Maximum length of the id of an item, an action or a section, in UTF-8 bytes.
    package static let nameBytes = 512
    /// The latest valid time of an observation, in milliseconds since 1970: the end of the year 9999.
    package static let latest: UInt64 = 253_402_300_799_999

    package var kind: Kind
    /// The item's id.
    package var item: String
    /// The item's place in its section, from 1.
    package var place: UInt32
    /// The time of the observation, in milliseconds since 1970, by the client's clock.
    package var at: UInt64
    /// How long it was in view, in milliseconds; 0 unless it was seen.
    package var duration: UInt32
    /// The id of the action; empty unless one was taken.
    package var action: String
    /// The revision of the catalogue that was shown.
    package var revision: UInt64

    package init(
        _ kind: Kind, item: String, place: UInt32, at: UInt64, duration: UInt32 = 0, action: String = "",
        revision: UInt64
    ) {
        self.kind = kind
        self.item = item
        self.place = place
        self.at = at
        self.duration = duration
        self.action = action
        self.revision = revision
    }
}
