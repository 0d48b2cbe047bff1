package import MarqueeModel
package import MarqueeStore

extension Screens {
    /// Evaluates a view's own list: one item per section, with the title as the head.
    ///
    /// - Throws: `notFound` if the programme doesn't have this screen, or no longer does.
    package func evaluate(view key: ViewKey) throws(Status) -> LiveView {
        var view = LiveView(key: key, definition: try definition(of: key))
        var work = work
        view.renew(in: catalogue, &work)
        return view
    }

    /// Evaluates one section variant. If it can't be shown, the list is empty and the head states the reason.
    ///
    /// - Parameter members: members of the user's collections, in any order; ignored if the section isn't private.
    /// - Throws: `notFound` or `invalidArgument` if the programme doesn't have this variant, or no longer does.
    package mutating func evaluate(_ key: VariantKey, members: [StoredMember]) throws(Status) -> LiveSection {
        var section = LiveSection(key: key, definition: try definition(of: key), members: members)
        _ = section.renew(&catalogue, &maker, &work)
        return section
    }

    func definition(of key: ViewKey) throws(Status) -> ViewDefinition {
        ViewDefinition(of: key, screen: try findScreen(key.screen))
    }

    func definition(of key: VariantKey) throws(Status) -> SectionDefinition {
        try SectionDefinition(
            of: key, in: try findScreen(key.screen), locales: programme.preference(for: key.locale))
    }
}
