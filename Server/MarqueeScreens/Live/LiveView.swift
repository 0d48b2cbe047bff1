package import MarqueeDiff
import MarqueeModel

/// A view's own list with its content: one item for each section, and the title as head.
package struct LiveView: Sendable {
    package let key: ViewKey
    /// The content as of the last renewal.
    package private(set) var version = Version.empty
    var definition: ViewDefinition

    init(key: ViewKey, definition: ViewDefinition) {
        self.key = key
        self.definition = definition
    }

    /// What it listens to: that which its title is taken from.
    var triggers: Set<Trigger> { definition.title.trigger.map { [$0] } ?? [] }

    mutating func renew(in catalogue: Catalogue, _ work: inout ScreenCounters) {
        work.renewals += 1
        work.heads += 1
        version = Version(
            head: Bodies.viewHead(title: definition.title.title(in: catalogue)), items: definition.sections)
    }
}

/// What the programme says about a view.
struct ViewDefinition: Hashable, Sendable {
    var title: ScreenTitle
    /// One item for each section.
    var sections: [Item]

    init(of key: ViewKey, screen: Programme.Screen, argument: UInt64?) {
        title = ScreenTitle(of: screen, named: key.screen, argument: argument, locale: key.locale)
        sections = screen.sections.map {
            Bodies.item(ofSection: $0.id, isPrivate: $0.isPrivate, placeholders: $0.placeholders)
        }
    }
}
