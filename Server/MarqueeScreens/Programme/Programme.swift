package import MarqueeModel

/// The definitions of all screens: which sections, from which source, in which layout.
package struct Programme: Hashable, Sendable {
    /// What a screen's name carries behind the slash.
    package enum Argument: String, Hashable, Sendable, CaseIterable { case movie, genre, item }

    package struct Screen: Hashable, Sendable {
        /// The name up to the slash.
        package var family: String
        package var argument: Argument?
        package var title: LocalizedText
        /// In the order shown, with unique ids.
        package var sections: [Section]
        /// Where sections of the catalogue's pages stand, see `Programme.expanded`.
        package var pages: [PageSlot] = []

        /// `home`, `detail/<movie>`.
        package var pattern: String {
            argument.map { "\(family)/<\($0.rawValue)>" } ?? family
        }
    }

    package struct Section: Hashable, Sendable {
        package var id: String
        package var kind: SectionKind
        package var header: Header?
        package var footer: Footer?
        package var layout: SectionLayout?
        /// The orders on offer, the default first; empty when the source alone decides.
        package var sorts: [Sort]
        /// How many items each step shows, ascending, the default first; empty when all are shown.
        package var windows: [UInt32]
        /// Items to expect before data arrives.
        package var placeholders: UInt32
        package var source: Source

        /// Whether the section shows something of the user's own.
        package var isPrivate: Bool {
            switch source {
            case .favorites, .favoriteSet: true
            default: false
            }
        }
    }

    package struct Sort: Hashable, Sendable {
        package var order: MovieSort
        package var title: LocalizedText
    }

    package struct Action: Hashable, Sendable {
        package var id: String
        package var title: LocalizedText
        package var target: String
    }

    package struct Header: Hashable, Sendable {
        package var title: LocalizedText
        package var actions: [Action]
    }

    package enum Footer: Hashable, Sendable {
        case fixed(Header)
        /// `more` while a larger window has more to show, else `close` while a smaller window would do.
        case toggle(more: LocalizedText, close: LocalizedText)
    }

    /// Where a section's items come from.
    package enum Source: Hashable, Sendable {
        case movies(MovieQuery)
        /// These movies, in this order unless the section has sorts.
        case fixedMovies([UInt64])
        case chart(id: String, limit: Int)
        case items([InlineItem])
        /// One movie of the query: the one chosen for `name`, else the first.
        case pool(name: String, MovieQuery)
        /// The items of a shelf of the catalogue.
        case shelf(String)
        /// One item of a shelf: the one chosen for `name`, else the first.
        case shelfPool(name: String, shelf: String)
        /// The item of the screen's name.
        case item
        case genres([UInt64])
        /// The movie of the screen's name.
        case detail
        /// Directors, then at most `limit` of the cast of the movie of the screen's name.
        case credits(limit: Int)
        case favorites
        /// Built in, see `Programme.favoriteSet`.
        case favoriteSet
    }

    package struct MovieQuery: Hashable, Sendable {
        package enum Filter: Hashable, Sendable {
            case all
            case genre(UInt64)
            /// The genre of the screen's name.
            case argument
        }

        package var filter: Filter
        package var sort: MovieSort
        package var limit: Int
    }

    package struct InlineItem: Hashable, Sendable {
        package var id: String
        package var content: InlineContent
    }

    package enum InlineContent: Hashable, Sendable {
        case banner(
            title: LocalizedText, caption: LocalizedText?, description: LocalizedText?, image: ImageReference?,
            link: String?, actions: [Action])
        case text(LocalizedText, highlighted: LocalizedText?, action: Action?)
        case course(
            title: LocalizedText, author: String?, rating: Double?, reviews: UInt32?, price: String?,
            tag: LocalizedText?, image: ImageReference?)
        case categories([LocalizedText])
        case place(title: LocalizedText, distance: LocalizedText?, image: ImageReference?)
        case movie(UInt64)
    }

    /// What is served, the default first; never empty.
    package var locales: [String]
    package var screens: [Screen]

    /// The locale that a client's wish is served in: the same one, else one of the same language, else the default.
    ///
    /// - Parameter wish: such as `ko` or `ko-KR`.
    package func locale(for wish: String?) -> String {
        let wish = wish?.lowercased().replacing("_", with: "-") ?? ""
        if let same = locales.first(where: { $0.lowercased() == wish }) { return same }
        let language = wish.prefix { $0 != "-" }
        return locales.first { $0.lowercased().prefix { $0 != "-" } == language } ?? locales.first ?? "en"
    }

    /// The screen of that name, with the number behind its slash if its pattern has one. An item is no number: its name
    /// is what stands there.
    ///
    /// - Returns: `nil` when no pattern fits. Whether the movie or genre exists is not judged here.
    package func screen(named name: String) -> (screen: Screen, argument: UInt64?)? {
        let id = ScreenID(name)
        if id == .favoriteSet { return (Programme.favoriteSet, nil) }
        guard let screen = screens.first(where: { $0.family == id.family }) else { return nil }
        switch (screen.argument, id.argument) {
        case (nil, nil): return (screen, nil)
        case (.item?, let text?): return ItemName(text).map { _ in (screen, nil) }
        // Only one spelling of a number, so that one screen has one name.
        case (_?, let text?): return UInt64(text).flatMap { String($0) == text ? (screen, $0) : nil }
        default: return nil
        }
    }

    /// The private set of favorite subjects, which every programme has.
    package static let favoriteSet = Screen(
        family: ScreenID.favoriteSet.name, argument: nil, title: LocalizedText(""),
        sections: [
            Section(
                id: "set", kind: .favoriteSet, header: nil, footer: nil, layout: nil, sorts: [], windows: [],
                placeholders: 0, source: .favoriteSet)
        ])
}
