@testable import MarqueeDiff
@testable import MarqueeModel
@testable import MarqueeWire

/// Items as an app's own types give them, about 200 bytes each, the same in every run.
enum Sample {
    static let sections = 10
    static let itemsPerSection = 200
    static var items: Int { sections * itemsPerSection }
    static let head: [UInt8] = [8, 1]

    static func title(_ number: Int, edition: Int) -> String {
        "The \(number)th house at the end of the road, \(edition)"
    }
    static func subtitle(_ number: Int) -> String { "Season \(number % 9 + 1), episode \(number % 24 + 1)" }
    static func image(_ number: Int) -> String { "/t/p/w500/\(1_000_003 &* (number + 1)).jpg" }
    static func length(_ number: Int) -> String { "\(40 + number % 80) min" }

    /// - Parameter edition: another one has another title.
    static func item(_ number: Int, edition: Int = 0) -> Item {
        var card = CardContent(title: title(number, edition: edition))
        card.subtitle = subtitle(number)
        card.image = ImageReference(name: image(number), aspect: 2.0 / 3, color: "#1d2b3a")
        card.facts = [CardContent.Fact(label: "Length", value: length(number))]
        card.actions = [ScreenAction(id: "open", title: "Open", target: "episode/\(number)")]
        return Item(
            id: "\(270_000 + number)", kind: .card, subject: "episode/\(270_000 + number)",
            body: BodyCodec.encode(.card(card)))
    }

    static func section(_ section: Int) -> Version {
        let first = section * itemsPerSection
        return Version(head: head, items: (first..<first + itemsPerSection).map { item($0) })
    }

    static func list(_ sections: Int) -> Version {
        Version(head: [], items: (0..<sections).map { Item(id: "section-\($0)", kind: .section, body: []) })
    }
}
