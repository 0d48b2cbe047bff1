package import MarqueeModel
package import MarqueeStore

extension Screens {
    /// The view's own list: one item for each section, and the title as head.
    ///
    /// - Throws: `notFound` when the programme has no such screen (any more).
    package func evaluate(view key: ViewKey) throws(Status) -> LiveView {
        var view = LiveView(key: key, definition: try definition(of: key))
        var work = work
        view.renew(in: catalogue, &work)
        return view
    }

    /// One section variant. What can't be shown gives an empty list whose head says why.
    ///
    /// - Parameter favorites: of the key's user, in any order; ignored where the section is not private.
    /// - Throws: `notFound` or `invalidArgument` when the programme has no such variant (any more).
    package mutating func evaluate(_ key: VariantKey, favorites: [Favorite]) throws(Status) -> LiveSection {
        var section = LiveSection(key: key, definition: try definition(of: key), favorites: favorites)
        _ = section.renew(&catalogue, &maker, &work)
        return section
    }

    func definition(of key: ViewKey) throws(Status) -> ViewDefinition {
        let (screen, argument) = try findScreen(key.screen)
        return ViewDefinition(of: key, screen: screen, argument: argument)
    }

    func definition(of key: VariantKey) throws(Status) -> SectionDefinition {
        let (screen, argument) = try findScreen(key.screen)
        return try SectionDefinition(of: key, in: screen, argument: argument)
    }
}
