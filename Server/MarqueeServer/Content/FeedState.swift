package import MarqueeDiff
package import MarqueeModel

/// A screen at a position. Readers that were sent the same state hold the same object.
package final class FeedState: Sendable {
    package struct Section: Sendable {
        /// The section's item in the list.
        package let place: Item
        /// `nil` if a reader has a version that isn't remembered here.
        package let version: Version?
    }

    package let screen: String
    package let locale: String
    package let cut: Cut
    /// The view's own list: its head, and which sections it has.
    package let list: Version
    /// In the list's order.
    package let sections: [Section]

    /// - Parameter versions: the sections' versions, by id. A section that isn't in both the list and the versions is
    ///   left out.
    init(screen: String, locale: String, cut: Cut, list: Version, versions: [String: Version?]) {
        self.screen = screen
        self.locale = locale
        self.cut = cut
        self.list = list
        sections = list.items.compactMap { item in versions[item.id].map { Section(place: item, version: $0) } }
    }
}

/// The screen that a reader claims to have: the position and the sums that it was sent.
package struct SeenScreen: Hashable, Sendable {
    package var cut: Cut
    package var list: UInt64
    /// The sums of the sections, in the list's order.
    package var sections: [UInt64]

    package init(cut: Cut, list: UInt64, sections: [UInt64]) {
        self.cut = cut
        self.list = list
        self.sections = sections
    }
}
