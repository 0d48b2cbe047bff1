package import MarqueeModel

/// What one item shows: words, references and marks, without a place or a size. A picture arranges it in points, a
/// terminal in cells.
package struct Card: Hashable, Sendable {
    /// How it is meant to look.
    package enum Style: Hashable, Sendable {
        /// As wide as the screen, with words and buttons over the image.
        case hero
        /// An image with a title below, where there is room.
        case poster
        /// A poster with its place in an order.
        case ranked
        /// A name over an image.
        case tile
        /// A portrait and a name.
        case person
        /// One line of a list.
        case row
        /// All there is to say of one movie.
        case detail
        case banner
        case text
        case course
        case categories
        case place
        /// Nothing but a way to somewhere else.
        case link
    }

    /// A favorite's star.
    package enum Star: Hashable, Sendable {
        /// Nothing that could be marked.
        case none
        case off
        /// Set, and not yet confirmed: hollow.
        case pending
        /// Confirmed: filled.
        case on
    }

    /// A rating as it is written.
    package struct Rating: Hashable, Sendable {
        package var value: Double
        /// The best there is.
        package var best: Double
        package var votes: UInt32?

        package init(value: Double, best: Double, votes: UInt32?) {
            self.value = value
            self.best = best
            self.votes = votes
        }
    }

    package var style: Style
    package var image: CardImage?
    /// A second, wide image behind the first.
    package var backdrop: CardImage?
    package var title = ""
    /// Facts below the title, the most important first.
    package var lines: [String] = []
    /// The place in the order, from 1.
    package var rank: Int?
    /// `nil` where nothing is known of the list before.
    package var rankChange: ChartMovement?
    package var rating: Rating?
    /// A short word that stands out, such as a course's tag.
    package var tag: String?
    package var price: String?
    package var certification: CertificationContent?
    package var star = Star.none
    package var tagline: String?
    /// Running text, which may be long.
    package var prose: String?
    /// The part of the title that is an action.
    package var highlighted: String?
    /// Words of equal rank, such as categories.
    package var words: [String] = []
    /// What can be done, in order.
    package var actions: [ScreenAction] = []

    package init(style: Style) { self.style = style }
}

/// The image of a card. It is a reference; its bytes never travel with a screen.
package struct CardImage: Hashable, Sendable {
    /// What kind of picture it is, which decides how one is generated where there is none.
    package enum Role: String, Hashable, Sendable { case poster, backdrop, portrait, photo }

    /// The name or URL that came with the item; without one, the item's own name stands for it.
    package var name: String
    package var role: Role
    /// Width / height, as the reference says or as is usual for the role.
    package var aspect: Double
    /// To be shown until the image is there.
    package var color: Color?
    /// Whether there is an image at all.
    package var isReferenced: Bool
    /// What it shows.
    package var caption: String

    /// - Parameter fallback: stands for the name where there is no reference.
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

    /// Width / height of anything that is taken for an image.
    private static let narrowest = 0.05
}
