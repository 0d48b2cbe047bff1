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

    /// The changes that the view listens to: those of its title's source.
    var triggers: Set<Trigger> { definition.title.trigger.map { [$0] } ?? [] }

    mutating func renew(in catalogue: Catalogue, _ work: inout ScreenCounters) {
        work.renewals += 1
        work.heads += 1
        version = Version(
            head: Bodies.viewHead(title: definition.title.title(in: catalogue), needsUser: definition.needsUser),
            items: definition.sections)
    }
}

/// The programme's definition of a view.
struct ViewDefinition: Hashable, Sendable {
    var title: ScreenTitle
    /// One item per section.
    var sections: [Item]
    /// Sections omitted because the connection has no user.
    var needsUser: [String]

    init(of key: ViewKey, screen: Programme.Screen) {
        title = ScreenTitle(of: screen, named: key.screen, locale: key.locale, key.title)
        let visible = screen.sections.filter { $0.readership == nil || key.targeted.contains($0.id) }
        needsUser = key.omitsPrivate ? visible.filter(\.isPrivate).map(\.id) : []
        sections = visible.filter { !key.omitsPrivate || !$0.isPrivate }.map {
            Bodies.item(ofSection: $0.id, isPrivate: $0.isPrivate, placeholders: $0.placeholders)
        }
    }
}
