package import MarqueeDiff
import MarqueeModel

/// A view's own list with its content: one item per section, with the title as the head.
package struct LiveView: Sendable {
    package let key: ViewKey
    /// The content as of the last renewal.
    package private(set) var version = Version.empty
    var definition: ViewDefinition

    init(key: ViewKey, definition: ViewDefinition) {
        self.key = key
        self.definition = definition
    }

    /// What it listens to: the source of its title.
    var triggers: Set<Trigger> { definition.title.trigger.map { [$0] } ?? [] }

    mutating func renew(in catalogue: Catalogue, _ work: inout ScreenCounters) {
        work.renewals += 1
        work.heads += 1
        version = Version(
            head: Bodies.viewHead(title: definition.title.title(in: catalogue), needsUser: definition.needsUser),
            items: definition.sections)
    }
}

/// What the programme says about a view.
struct ViewDefinition: Hashable, Sendable {
    var title: ScreenTitle
    /// One item per section.
    var sections: [Item]
    /// Sections that are left out for readers without a user.
    var needsUser: [String]

    init(of key: ViewKey, screen: Programme.Screen) {
        title = ScreenTitle(of: screen, named: key.screen, locale: key.locale)
        needsUser = key.omitsPrivate ? screen.sections.filter(\.isPrivate).map(\.id) : []
        sections = screen.sections.filter { !key.omitsPrivate || !$0.isPrivate }.map {
            Bodies.item(ofSection: $0.id, isPrivate: $0.isPrivate, placeholders: $0.placeholders)
        }
    }
}
