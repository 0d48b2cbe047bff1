package import MarqueeLayout
package import MarqueeModel

/// One element on a screen, and where it is.
package struct PresentedElement: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        /// Behind everything in its section.
        case background(kind: String)
        /// An item, by its position in the section.
        case card(Card, id: String, index: Int)
        /// An item yet to arrive, and how it is expected to look.
        case placeholder(index: Int, style: Card.Style)
        /// On an item.
        case badge(kind: String, item: Int)
        case header(Supplementary)
        case footer(Supplementary)
        /// A view beside the items.
        case side(Supplementary)
    }

    /// The content of a header, footer or side view.
    package struct Supplementary: Hashable, Sendable {
        package var kind: String
        package var title = ""
        package var actions: [ScreenAction] = []
        /// The available orders.
        package var sorts: [SortOption] = []
        /// The id of the current order.
        package var sort = ""
        /// Why the section shows nothing.
        package var error: String?
        /// Whether its height is estimated, so that its text takes as many lines as it needs.
        package var isMeasured = false
        /// Whether it is pinned, and items pass behind it.
        package var isAfloat = false
    }

    package var content: Content
    /// The section, by its position on the screen.
    package var section: Int
    /// Relative to the visible part of the screen, whose top left is 0, 0.
    package var frame: LayoutRect
    /// The visible part of the frame: scrolling content is clipped at the edges of its section.
    package var clip: LayoutRect
    /// Points from the frame's leading edge to its words, if it is wider than they are.
    package var margin: Double
}

extension PresentedElement.Content {
    /// Whether it is a pinned view that items pass behind.
    package var isAfloat: Bool {
        get {
            switch self {
            case .header(let view), .footer(let view): view.isAfloat
            case .background, .card, .placeholder, .badge, .side: false
            }
        }
        set {
            switch self {
            case .header(var view):
                view.isAfloat = newValue
                self = .header(view)
            case .footer(var view):
                view.isAfloat = newValue
                self = .footer(view)
            case .background, .card, .placeholder, .badge, .side: break
            }
        }
    }
}
