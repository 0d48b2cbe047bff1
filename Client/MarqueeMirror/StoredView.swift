package import MarqueeDiff
package import MarqueeModel

/// Identifies a stored view: there is one for each screen and locale.
package struct ViewID: Hashable, Sendable, CustomStringConvertible {
    package var screen: String
    package var locale: String

    package init(screen: String, locale: String) {
        self.screen = screen
        self.locale = locale
    }

    package var description: String { "\(screen) (\(locale))" }
}

extension ViewID: Comparable {
    /// An arbitrary but fixed order.
    package static func < (a: ViewID, b: ViewID) -> Bool { (a.screen, a.locale) < (b.screen, b.locale) }
}

/// The parameters that a section of a stored view was shown with.
package struct StoredParameters: Hashable, Sendable, Codable {
    package var section: String
    package var sort: String?
    package var window: UInt32?
    package var place: WindowPlace?

    package init(section: String, sort: String? = nil, window: UInt32? = nil, place: WindowPlace? = nil) {
        self.section = section
        self.sort = sort
        self.window = window
        self.place = place
    }
}

/// A stored view, with every sum recomputed from its bytes (G4).
package struct StoredView: Sendable {
    package var id: ViewID
    package var parameters: [StoredParameters]
    /// The view's own list of sections.
    package var list: Version
    /// By section id.
    package var sections: [String: Version]
    package var cut: Cut
    /// When the view was saved, in seconds since 1970, as given by the caller.
    package var savedAt: Double
    /// Ids of sections that are missing, or whose bytes no longer match their sum. They aren't in `sections`.
    package var damaged: [String]
    /// The items of damaged sections that are certainly as stored, by section.
    package var proven: [String: Version]

    package init(
        id: ViewID, parameters: [StoredParameters], list: Version, sections: [String: Version], cut: Cut,
        savedAt: Double, damaged: [String], proven: [String: Version] = [:]
    ) {
        self.id = id
        self.parameters = parameters
        self.list = list
        self.sections = sections
        self.cut = cut
        self.savedAt = savedAt
        self.damaged = damaged
        self.proven = proven
    }
}

/// The content that a mirror holds for a view.
package struct StoredContent: Sendable {
    /// The part that may be shown: all of it matches its sums. `nil` when the view's own list, or its position, is
    /// damaged.
    package var shown: StoredView?
    /// Versions that can't be shown, because their bytes have changed, the view's list doesn't name them, or the list
    /// is damaged; by section, with the view's own list under the empty name. They are offered to the server by the
    /// sums of their current bytes, so that little has to be sent again.
    package var bases: [String: Version]

    package init(shown: StoredView?, bases: [String: Version]) {
        self.shown = shown
        self.bases = bases
    }
}

/// Figures for a stored view.
package struct ViewSummary: Hashable, Sendable {
    package var id: ViewID
    package var cut: Cut
    /// Seconds since 1970.
    package var savedAt: Double
    package var sections: Int
    /// Items in all sections.
    package var items: Int
    /// Bytes of all bodies and heads.
    package var bytes: Int

    package init(id: ViewID, cut: Cut, savedAt: Double, sections: Int, items: Int, bytes: Int) {
        self.id = id
        self.cut = cut
        self.savedAt = savedAt
        self.sections = sections
        self.items = items
        self.bytes = bytes
    }
}

/// Stored bytes that have changed since they were stored.
package struct DamageReport: Hashable, Sendable, CustomStringConvertible {
    /// Empty when the damage is in the database file itself rather than in a view.
    package var screen: String
    package var locale: String
    /// Empty for the view's own list of sections.
    package var section: String
    /// The sum stored with the section.
    package var expected: UInt64
    /// The sum of the stored bytes; `nil` when they can't be assembled.
    package var found: UInt64?
    /// A description of the damage, for people; names the items whose bodies have changed.
    package var detail: String

    package init(
        screen: String, locale: String, section: String, expected: UInt64, found: UInt64?, detail: String
    ) {
        self.screen = screen
        self.locale = locale
        self.section = section
        self.expected = expected
        self.found = found
        self.detail = detail
    }

    package var description: String {
        if screen.isEmpty { return detail }
        let place = section.isEmpty ? "the list of sections" : "section \(section)"
        return "\(screen) (\(locale)), \(place): \(detail)"
    }
}
