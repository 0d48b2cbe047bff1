public import MarqueeClient
import MarqueeModel

// Parts of cards and screens, for tests and previews.

extension CardContent.Badge {
    /// A badge with its text and role.
    public static func sample(_ text: String, role: Role = .neutral) -> Self { Self(text: text, role: role) }
}

extension CardContent.Rating {
    /// A rating of `value` points out of `scale`, given by `count` people.
    public static func sample(_ value: Double, of scale: Double = 10, by count: UInt64? = nil) -> Self {
        Self(value: value, scale: scale, count: count)
    }
}

extension CardContent.Price {
    /// A price in a currency, or an amount without one.
    public static func sample(_ amount: String, _ currency: String? = nil) -> Self {
        Self(amount: amount, currency: currency)
    }
}

extension CardContent.Rank {
    /// A place in a ranking, and the item's previous place.
    public static func sample(_ place: UInt32? = nil, previous: UInt32? = nil, isNew: Bool = false) -> Self {
        Self(place: place, previous: previous, isNew: isNew)
    }
}

extension CardContent.Progress {
    /// `value` of `total`, both in `unit`.
    public static func sample(_ value: Double, of total: Double? = nil, unit: String? = nil) -> Self {
        Self(value: value, total: total, unit: unit)
    }
}

extension CardContent.Fact {
    /// A fact with its name.
    public static func sample(_ label: String, _ value: String) -> Self { Self(label: label, value: value) }
}

extension ScreenAction {
    /// An action, with the screen or URL that it leads to.
    public static func sample(_ id: String, title: String, target: String = "") -> Self {
        Self(id: id, title: title, target: target)
    }
}

extension ImageReference {
    /// A picture by its name or URL.
    public static func sample(_ name: String, aspect: Double? = nil, color: String? = nil) -> Self {
        Self(name: name, aspect: aspect, color: color)
    }
}

extension ClientError {
    /// An error that a client throws.
    public static func sample(_ code: Code, _ message: String = "") -> Self { Self(code, message) }
}
