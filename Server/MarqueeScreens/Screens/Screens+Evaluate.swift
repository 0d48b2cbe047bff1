import MarqueeDiff
package import MarqueeModel
package import MarqueeStore

extension Screens {
    /// The view's own list: one item for each section, and the title as head.
    ///
    /// - Throws: `notFound` when the programme has no such screen (any more).
    package func evaluate(view: ViewKey) throws(Status) -> Evaluation {
        let (screen, argument) = try findScreen(view.screen)
        var dependencies = Dependencies()
        let title = title(
            of: screen, named: view.screen, argument: argument, locale: view.locale, noting: &dependencies)
        let items = screen.sections.map { section in
            Bodies.item(ofSection: section.id, isPrivate: section.isPrivate, placeholders: section.placeholders)
        }
        let version = Version(head: Bodies.viewHead(title: title), items: items)
        return Evaluation(version: version, dependencies: dependencies)
    }

    /// One section variant. What can't be shown gives an empty list whose head says why.
    ///
    /// - Parameter favorites: of the key's user, in any order; ignored where the section is not private.
    /// - Throws: `notFound` or `invalidArgument` when the programme has no such variant (any more).
    package mutating func evaluate(_ key: VariantKey, favorites: [Favorite]) throws(Status) -> Evaluation {
        let (screen, argument) = try findScreen(key.screen)
        guard let section = screen.sections.first(where: { $0.id == key.section }), section.has(key) else {
            throw Status(
                .invalidArgument, reason: "UNKNOWN_VARIANT", remedy: .resync,
                message: "'\(key.screen)' has no section '\(key.section.prefix(64))' with these parameters")
        }
        var draft = SectionDraft(
            screen: key.screen, locale: key.locale, window: section.windows.isEmpty ? nil : Int(key.window))
        fill(&draft, of: section, sort: MovieSort(rawValue: key.sort), argument: argument, favorites: favorites)
        let title = title(
            of: screen, named: key.screen, argument: argument, locale: key.locale, noting: &draft.dependencies)
        let head = section.head(of: draft, key: key, screenTitle: title)
        let version = Version(head: Bodies.sectionHead(head), items: draft.items)
        return Evaluation(version: version, dependencies: draft.dependencies)
    }

    /// The title of a movie, genre or item where the screen shows one, else the programme's.
    private func title(
        of screen: Programme.Screen, named name: String, argument: UInt64?, locale: String,
        noting dependencies: inout Dependencies
    ) -> String {
        if screen.argument == .item, let title = itemTitle(of: name, noting: &dependencies) {
            return title.clipped(to: TextBounds.title)
        }
        guard let argument, let kind = screen.argument else { return screen.title.text(in: locale) }
        let title: String?
        switch kind {
        case .movie:
            dependencies.keys.insert(.movie(argument))
            title = catalogue.movies[argument]?.localizedTitle(in: locale)
        case .genre:
            dependencies.keys.insert(.genre(argument))
            title = catalogue.genres[argument]?.localizedName(in: locale)
        case .item: title = nil
        }
        return (title ?? screen.title.text(in: locale)).clipped(to: TextBounds.title)
    }
}

extension Programme.Section {
    /// Whether the key's parameters are among those of this section.
    fileprivate func has(_ key: VariantKey) -> Bool {
        let hasSort = sorts.isEmpty ? key.sort.isEmpty : sorts.contains { $0.order.rawValue == key.sort }
        let hasWindow = windows.isEmpty ? key.window == 0 : windows.contains(key.window)
        return hasSort && hasWindow && isPrivate == (key.user != nil)
    }

    fileprivate func head(of draft: SectionDraft, key: VariantKey, screenTitle: String) -> SectionHead {
        var head = SectionHead(kind: kind)
        head.header = header?.supplement(locale: key.locale, screenTitle: screenTitle)
        // The orders on offer are actions of the header.
        head.header?.actions += sorts.map {
            ScreenAction(id: "sort", title: $0.title.text(in: key.locale), target: $0.order.rawValue)
        }
        head.layout = layout
        head.sorts = sorts.map { SortOption(id: $0.order.rawValue, title: $0.title.text(in: key.locale)) }
        head.sort = key.sort
        head.windows = windows
        head.window = key.window
        head.total = UInt32(clamping: draft.total)
        head.hasMore = draft.total > draft.items.count
        head.error = draft.error
        head.errorReason = draft.errorReason
        head.footer = footerSupplement(hasMore: head.hasMore, key: key, screenTitle: screenTitle)
        return head
    }

    private func footerSupplement(hasMore: Bool, key: VariantKey, screenTitle: String) -> Supplement? {
        switch footer {
        case nil: return nil
        case .fixed(let footer): return footer.supplement(locale: key.locale, screenTitle: screenTitle)
        case .toggle(let more, let close):
            let canGrow = hasMore && key.window != windows.last
            let canShrink = key.window != windows.first
            guard canGrow || canShrink else { return nil }
            let title = (canGrow ? more : close).text(in: key.locale)
            return Supplement(title: title, actions: [ScreenAction(id: canGrow ? "more" : "close", title: title)])
        }
    }
}

extension Programme.Header {
    /// What stands for the screen's title in a header or footer.
    private static let titlePlaceholder = "$title"

    fileprivate func supplement(locale: String, screenTitle: String) -> Supplement {
        let text = title.text(in: locale).replacing(Programme.Header.titlePlaceholder, with: screenTitle)
        return Supplement(
            title: text.clipped(to: TextBounds.title), actions: actions.map { $0.screenAction(locale: locale) })
    }
}

extension Programme.Action {
    func screenAction(locale: String) -> ScreenAction {
        ScreenAction(id: id, title: title.text(in: locale), target: target)
    }
}
