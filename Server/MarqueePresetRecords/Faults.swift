import MarqueeCatalogue
import MarqueeModel
import MarqueePresets

// Mistakes in values that their types allow.

extension Movie {
    /// Why it can't be imported; `nil` if it can.
    package var fault: String? {
        if title.isEmpty { return "the title is empty" }
        return Fault.number(popularity, "popularity") ?? Fault.number(voteAverage, "voteAverage", atMost: 10)
    }
}

extension Credits {
    /// Why they can't be imported; `nil` if they can.
    package var fault: String? {
        (cast.map(\.person) + crew.map(\.person)).contains(0) ? "a person's id must be above 0" : nil
    }
}

extension ChartDay.Entry {
    /// Why it can't be imported; `nil` if it can.
    package var fault: String? {
        if key.isEmpty { return "the key of an entry is empty" }
        if title.isEmpty { return "the title of '\(key)' is empty" }
        return Fault.number(share, "share of '\(key)'")
    }
}

extension ShelfItem {
    /// Why it can't be imported; `nil` if it can.
    package var fault: String? {
        switch content {
        case .text(let text): return text.text.isEmpty ? "the text is empty" : nil
        case .course(let course):
            if course.title.isEmpty { return "the title is empty" }
            if let price = course.price, !Fault.isDecimal(price) {
                return "the price is a decimal number such as 19.99, not '\(price.prefix(Fault.shown))'"
            }
            if let currency = course.currency, !CardContent.Price.isCurrency(currency) {
                return "the currency is a code of ISO 4217 such as USD, not '\(currency.prefix(Fault.shown))'"
            }
            return Fault.number(course.rating, "course.rating", atMost: 5) ?? Fault.image(course.image)
        case .place(let place): return place.title.isEmpty ? "the title is empty" : Fault.image(place.image)
        case .categories(let titles): return titles.contains("") ? "a category is empty" : nil
        case .other(let type, _): return type.isEmpty ? "the type is empty" : nil
        case .banner(let banner): return Fault.image(banner.image)
        case .movie: return nil
        }
    }
}

private enum Fault {
    /// The most characters of a wrong value that a message shows.
    static let shown = 64

    /// A number that is finite and not negative.
    static func number(_ value: Double?, _ what: String, atMost highest: Double? = nil) -> String? {
        guard let value else { return nil }
        if !value.isFinite { return "\(what) is not a finite number" }
        if let highest, !(0...highest).contains(value) {
            return "\(what) is a number from 0 to \(Int(highest)), not \(value)"
        }
        return value < 0 ? "\(what) is a number of 0 or more, not \(value)" : nil
    }

    static func image(_ image: ImageReference?) -> String? {
        guard let image else { return nil }
        if image.name.isEmpty { return "the name of the image is empty" }
        if let aspect = image.aspect, !(aspect > 0 && aspect.isFinite) {
            return "image.aspect is a number above 0, not \(aspect)"
        }
        return nil
    }

    /// Digits, with at most one point between them.
    static func isDecimal(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count <= 2 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { ("0"..."9").contains($0) } }
    }
}
