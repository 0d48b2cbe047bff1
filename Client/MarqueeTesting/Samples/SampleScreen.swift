public import Foundation
public import MarqueeClient
import MarqueeDiff
import MarqueeModel
import MarqueeWire

/// A screen made up by a test or a preview.
///
/// ```swift
/// let home = SampleScreen(.home, title: "Home", [
///     SampleSection("new", title: "New", items: [.card("pilot", title: "Pilot", subject: "episode/pilot")])
/// ])
/// ```
public struct SampleScreen: Identifiable, Hashable, Sendable {
    /// The id under which it is requested.
    public var id: ScreenID
    /// The title in every language.
    public var title: String
    /// The sections, with unique ids.
    public var sections: [SampleSection]

    /// - Parameters:
    ///   - id: the id under which it is requested.
    ///   - title: the title in every language.
    ///   - sections: the sections, with unique ids.
    public init(_ id: ScreenID, title: String = "", _ sections: [SampleSection]) {
        self.id = id
        self.title = title
        self.sections = sections
    }

    /// A section to read or change; setting a missing one appends it, and `nil` removes it.
    public subscript(section id: String) -> SampleSection? {
        get { sections.first { $0.id == id } }
        set {
            let index = sections.firstIndex { $0.id == id }
            switch (index, newValue) {
            case (let index?, let section?): sections[index] = section
            case (let index?, nil): sections.remove(at: index)
            case (nil, let section?): sections.append(section)
            case (nil, nil): break
            }
        }
    }

    /// The list of sections, without those in `left`.
    func list(leavingOut left: [String] = []) -> Version {
        Version(
            head: BodyCodec.encode(ViewHead(title: title, needsUser: left)),
            items: sections.filter { !left.contains($0.id) }.map(\.reference))
    }
}

extension Screen {
    /// Creates the screen as an app receives it.
    /// - Parameters:
    ///   - sample: the screen made up by the test.
    ///   - favorites: the marks of subjects that are favorites, or pending.
    ///   - locale: the language of its texts.
    ///   - asOf: when it was last known to be current.
    ///   - isLive: whether it is the server's current state.
    public init(
        _ sample: SampleScreen, favorites: [Subject: FavoriteMark] = [:], locale: String = "en", asOf: Date = Date(),
        isLive: Bool = true
    ) {
        let versions = sample.sections.map { ($0, $0.version(of: $0.items)) }
        let sums = Dictionary(versions.map { ($0.id, $1.sum) }) { first, _ in first }
        self.init(
            id: sample.id, locale: locale, title: sample.title,
            sections: versions.map { section, version in
                ScreenSection(
                    id: section.id, head: BodyCodec.decodeSectionHead(version.head) ?? section.head,
                    items: version.items.map { item in
                        ScreenItem(item: item, favorite: favorites[Subject(item.subject)] ?? .no)
                    },
                    placeholders: version.items.isEmpty ? section.placeholders : 0, sum: version.sum)
            }, revision: Cut(), sum: Sum.screen(view: sample.list(), sectionSums: sums), asOf: asOf,
            isLive: isLive)
    }
}
