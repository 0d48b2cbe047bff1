package import MarqueeLayout
package import MarqueeModel

/// One thing on a screen, and where it stands.
package struct PresentedElement: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        /// Behind everything in its section.
        case background(kind: String)
        /// An item, by its place in the section.
        case card(Card, id: String, index: Int)
        /// An item that is still to come, and how it is expected to look.
        case placeholder(index: Int, style: Card.Style)
        /// On an item.
        case badge(kind: String, item: Int)
        case header(Supplementary)
        case footer(Supplementary)
        /// What stands beside the items, or has a kind of its own.
        case side(kind: String)
    }

    /// What a header or footer says.
    package struct Supplementary: Hashable, Sendable {
        package var kind: String
        package var title = ""
        package var actions: [ScreenAction] = []
        /// The orders on offer.
        package var sorts: [SortOption] = []
        /// The id of the order shown.
        package var sort = ""
        /// Why the section shows nothing.
        package var error: String?
    }

    package var content: Content
    /// The section, by its place on the screen.
    package var section: Int
    /// On the part of the screen that is shown: its top left is 0, 0.
    package var frame: LayoutRect
    /// The part of the frame that shows: what scrolls is clipped at the edges of its section.
    package var clip: LayoutRect
    /// Points from the frame's leading edge to its words, where it is wider than they are.
    package var margin: Double
}
