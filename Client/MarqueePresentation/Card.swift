package import MarqueeModel

/// The content of one item as shown: words, references and marks, without position or size. A picture arranges it in
/// points, a terminal in cells.
package struct Card: Hashable, Sendable {
    /// How it should look.
    package enum Style: Hashable, Sendable {
        /// As wide as the screen, with words and buttons over the image.
        case hero
        /// An image with a title below if there is room.
        case poster
        /// A poster with its rank.
        case ranked
        /// A name over an image.
        case tile
        /// A portrait and a name.
        case person
        /// One line of a list.
        case row
        /// Everything about one item.
        case detail
        case banner
        case text
        case course
        case categories
        case place
        /// Only a link to another screen.
        case link
    }

    /// A favorite's star.
    package enum Star: Hashable, Sendable {
        /// The item can't be a favorite.
        case none
        case off
        /// Set but not yet confirmed: hollow.
        case pending
        /// Confirmed: filled.
        case on
    }

    /// A rating as displayed.
    package struct Rating: Hashable, Sendable {
        package var value: Double
        /// The best possible value.
        package var best: Double
        package var votes: UInt64?

        package init(value: Double, best: Double, votes: UInt64?) {
            self.value = value
            self.best = best
            self.votes = votes
        }
    }

    /// A short word in a coloured box, such as a rating certificate.
    package struct Badge: Hashable, Sendable {
        package var text: String
        package var role: CardContent.Badge.Role
        /// The badge's meaning, shown if there is room.
        package var note = ""

        /// - Returns: `nil` without a word.
        init?(_ text: String, _ role: CardContent.Badge.Role, note: String = "") {
            self.text = Words.clean(text)
            self.role = role
            self.note = Words.clean(note)
            if self.text.isEmpty { return nil }
        }
    }

    package struct Progress: Hashable, Sendable {
        /// 0...1; `nil` if the total is unknown.
        package var share: Double?
        package var words: String
    }

    package struct Fact: Hashable, Sendable {
        package var label: String
        package var value: String
    }

    package var style: Style
    package var image: CardImage?
    /// A second, wide image behind the first.
    package var backdrop: CardImage?
    /// Whether rows and details go without an image rather than have one generated.
    package var omitsImage = false
    /// A short line above the title.
    package var overline: String?
    package var title = ""
    /// Facts below the title, most important first.
    package var lines: [String] = []
    /// The rank, from 1.
    package var rank: Int?
    /// `nil` if the previous list is unknown.
    package var rankChange: ChartMovement?
    package var rating: Rating?
    /// The most important first.
    package var badges: [Badge] = []
    package var price: String?
    package var progress: Progress?
    /// The most important first.
    package var facts: [Fact] = []
    package var star = Star.none
    /// Whether a row keeps room at its end for a star, because another item of its section may have one.
    package var keepsStarRoom = false
    /// More about the item as a whole; only for details.
    package var info: String?
    package var tagline: String?
    /// Running text, which may be long.
    package var prose: String?
    /// The part of the title that is an action.
    package var highlighted: String?
    /// Words of equal importance, such as categories.
    package var words: [String] = []
    /// The available actions, in order.
    package var actions: [ScreenAction] = []

    package init(style: Style) { self.style = style }

    /// The most entries drawn of an item's lists: a screen has no room for more, and setting text takes time.
    enum Limit {
        static let badges = 8
        static let facts = 40
        static let actions = 12
    }
}

/// The image of a card. It is a reference; its bytes never travel with a screen.
package struct CardImage: Hashable, Sendable {
    /// The kind of picture, which decides how a missing one is generated.
    package enum Role: String, Hashable, Sendable { case poster, backdrop, portrait, photo }

    /// The name or URL that came with the item; without one, the item's own name.
    package var name: String
    package var role: Role
    /// Width / height, from the reference, or the role's default.
    package var aspect: Double
    /// Shown until the image is loaded.
    package var color: Color?
    /// Whether the item references an image at all.
    package var isReferenced: Bool
    /// A description of the picture.
    package var caption: String

    /// - Parameter fallback: the name to use if there is no reference.
    init(_ reference: ImageReference?, _ role: Role, fallback: String, caption: String) {
        let usual =
            switch role {
            case .poster: 2.0 / 3
            case .backdrop: 16.0 / 9
            case .portrait: 3.0 / 4
            case .photo: 4.0 / 3
            }
        name = reference?.name ?? fallback
        self.role = role
        let given = reference?.aspect ?? usual
        aspect = given.isFinite && given > CardImage.narrowest && given < 1 / CardImage.narrowest ? given : usual
        color = reference?.color.flatMap { Color(hex: $0) }
        isReferenced = reference != nil
        self.caption = caption
    }

    /// Minimum width / height of anything accepted as an image.
    private static let narrowest = 0.05
}
