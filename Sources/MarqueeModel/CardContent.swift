/// The parts of a record that a viewer can draw without knowing the record's type. Any field may be missing.
///
/// Texts are in the screen's language and are shown unchanged; the viewer formats numbers and amounts.
public struct CardContent: Hashable, Sendable {
    /// A short line above the title, such as a time or a series.
    public var overline: String?
    /// The main line.
    public var title: String
    /// The line below the title.
    public var subtitle: String?
    /// One more line, less important than the subtitle.
    public var caption: String?
    /// A picture; see `ImageReference`.
    public var image: ImageReference?
    /// Short words that stand out, the most important first.
    public var badges: [Badge]
    /// How people rated it.
    public var rating: Rating?
    /// Its price.
    public var price: Price?
    /// Its place in a ranking.
    public var rank: Rank?
    /// How far along it is.
    public var progress: Progress?
    /// The most important first: if they don't all fit, the last ones are left out.
    public var facts: [Fact]
    /// The actions that a person can take on it, the most important first.
    public var actions: [ScreenAction]
    /// Running text, which may be long.
    public var text: String?
    /// The record itself, for an app that knows its type. Generic viewers don't draw it.
    package var record: Record?

    /// A card with a title and nothing else; set the other fields.
    package init(title: String) {
        self.title = title
        badges = []
        facts = []
        actions = []
    }

    /// A short word in a coloured box.
    public struct Badge: Hashable, Sendable {
        /// The meaning of the word, which decides its colour. Roles unknown to this build are neutral.
        public enum Role: String, Hashable, Sendable, CaseIterable {
            case neutral, accent, good, warning, bad, highlight
        }

        /// The word, in the screen's language.
        public var text: String
        /// The meaning of the word.
        public var role: Role

        /// A badge with a text and a role.
        package init(text: String, role: Role = .neutral) {
            self.text = text
            self.role = role
        }
    }

    /// A score out of the best possible score.
    public struct Rating: Hashable, Sendable {
        /// The score, from 0 to `scale`.
        public var value: Double
        /// The best possible score.
        public var scale: Double
        /// How many people rated it.
        public var count: UInt64?

        /// A rating of `value` points out of `scale`, by `count` people.
        package init(value: Double, scale: Double = Rating.defaultScale, count: UInt64? = nil) {
            self.value = value
            self.scale = scale
            self.count = count
        }

        /// The scale of a rating that doesn't give one.
        package static let defaultScale = 10.0
    }

    /// An amount of money.
    public struct Price: Hashable, Sendable {
        /// A decimal number with a point, as text; any other text is shown unchanged.
        public var amount: String
        /// An ISO 4217 code; `nil` shows the amount without a currency.
        public var currency: String?

        /// Whether a text has the form of an ISO 4217 code.
        package static func isCurrency(_ text: String) -> Bool {
            text.utf8.count == 3 && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
        }

        /// A price in a currency, or an amount without one.
        package init(amount: String, currency: String? = nil) {
            self.amount = amount
            self.currency = currency
        }
    }

    /// A place in a ranking.
    public struct Rank: Hashable, Sendable {
        /// From 1; `nil` to use the item's place in its section.
        public var place: UInt32?
        /// The place in the previous ranking; `nil` if unknown or if it had none.
        public var previous: UInt32?
        /// Whether it is missing from the previous ranking.
        public var isNew: Bool

        /// A place, and where the item was before.
        package init(place: UInt32? = nil, previous: UInt32? = nil, isNew: Bool = false) {
            self.place = place
            self.previous = previous
            self.isNew = isNew
        }
    }

    /// How much of something is done.
    public struct Progress: Hashable, Sendable {
        /// In `unit`, as is `total`.
        public var value: Double
        /// `nil` if unknown; then no bar is drawn.
        public var total: Double?
        /// The unit, such as `min`, in the screen's language.
        public var unit: String?

        /// `value` of `total`, both in `unit`.
        package init(value: Double, total: Double? = nil, unit: String? = nil) {
            self.value = value
            self.total = total
            self.unit = unit
        }
    }

    /// A label and a value, both shown to people.
    public struct Fact: Hashable, Sendable {
        /// The label, such as "Length".
        public var label: String
        /// The value, such as "148 min".
        public var value: String

        /// A fact with its label.
        package init(label: String, value: String) {
            self.label = label
            self.value = value
        }
    }

    /// The record that a card was made from.
    package struct Record: Hashable, Sendable {
        /// The full name of its protobuf message, such as `podcast.v1.Episode`.
        package var message: String
        /// The encoded message, or some of its fields.
        package var bytes: [UInt8]

        /// A record and the name of its message.
        package init(message: String, bytes: [UInt8]) {
            self.message = message
            self.bytes = bytes
        }
    }
}
