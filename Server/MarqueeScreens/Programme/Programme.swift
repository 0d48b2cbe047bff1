package import MarqueeModel
import MarqueeTypes

/// The definitions of all screens: their sections, with their sources and layouts.
package struct Programme: Hashable, Sendable {
    /// The argument in a screen's name, after the slash.
    package enum Argument: Hashable, Sendable {
        /// The id of a record of this type.
        case record(type: String)
        /// A text that the screen's sections interpret.
        case text

        /// Its placeholder in patterns.
        static let placeholder = "$id"
    }

    package struct Screen: Hashable, Sendable {
        /// The name before the slash.
        package var family: String
        package var argument: Argument?
        /// The title; of a screen whose title differs by audience that for everybody else.
        package var title: ScreenTitleText
        /// Titles by audience.
        package var titles: Renditions<ScreenTitleText>?
        /// In the order shown, with unique ids.
        package var sections: [Section]
        /// The places for sections from the catalogue's pages; see `Programme.expanded`.
        package var pages: [PageSlot] = []
        /// Sections that aren't the same for all their readers, by id. The section itself is the fallback.
        package var renditions: [String: Renditions<Section>] = [:]

        /// The name as written in the programme: `home`, `episode/$id`.
        package var pattern: String { argument == nil ? family : "\(family)/\(Argument.placeholder)" }

        /// The pattern described to clients, with the type of the screen's record in brackets: `episode/<episode>`.
        package var offeredPattern: String {
            if case .record(let type)? = argument { "\(family)/<\(type)>" } else { pattern }
        }
    }

    package struct ScreenTitleText: Hashable, Sendable {
        package var text: LocalizedText
        /// The title, if it is made from the screen's argument or record.
        package var template: TitleTemplate?
    }

    package struct TitleTemplate: Hashable, Sendable {
        var text: LocalizedTemplate
        /// The locale for localized texts that lack the requested one.
        var fallbackLocale: String
    }

    package struct Section: Hashable, Sendable {
        package var id: String
        package var kind: SectionKind
        package var header: Header?
        package var footer: Footer?
        package var layout: SectionLayout?
        /// The available orders, the default first; empty if the source decides.
        package var sorts: [Sort]
        /// Number of items shown by each step, ascending, the default first; empty if all are shown.
        package var windows: [UInt32]
        /// The most rows of a window that can start anywhere in the list; `nil` if windows begin at the first item.
        package var anywhere: UInt32?
        /// The number of items to expect before data arrives.
        package var placeholders: UInt32
        package var source: Source
        /// Bodies of the section's records by type.
        package var bodies: [String: RecordBody] = [:]
        /// The texts of the layout's other views, by kind.
        package var supplements: [String: Header] = [:]
        /// Whether it is hidden entirely while it has no items: no header, no footer and no space.
        package var hidesWhenEmpty = false
        /// The fewest items with which it is shown; with fewer it is hidden entirely, and has none.
        package var minimum: UInt32 = 0
        /// The readers who may see the section; `nil` for all.
        package var readership: Readership?
        /// The period in which it is shown; `nil` for always.
        package var season: Season?
        /// The observations of its items that clients report; `nil` for none.
        package var counting: Counting?

        /// Whether the section shows the user's own data.
        package var isPrivate: Bool {
            switch source {
            case .collection, .collectionSet: true
            case .records(let query): query.membership != nil
            default: false
            }
        }

        /// The user's collections that its content depends on.
        var collections: Set<CollectionName> {
            switch source {
            case .collection(let query):
                bodies.values.reduce(into: [query.name]) { $0.formUnion($1.collections) }
            case .collectionSet(let collection): [collection.name]
            case .records(let query): Set([query.membership?.collection].compactMap { $0 })
            default: []
            }
        }
    }

    package struct Sort: Hashable, Sendable {
        /// The sort's name in parameters and actions.
        package var id: String
        package var order: RecordSort
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
        /// Shows `more` while a larger window would show more items, otherwise `close` if there is a smaller window.
        case toggle(more: LocalizedText, close: LocalizedText)
    }

    /// The source of a section's items.
    package enum Source: Hashable, Sendable {
        case items([InlineItem])
        case records(RecordQuery)
        case record(type: String, RecordReference)
        case nested(NestedQuery)
        case list(ListQuery)
        /// One entry of the list: the one chosen for the pool `name`, otherwise the first.
        case listPool(name: String, ListQuery)
        case facet(FacetQuery)
        /// One record of the query: the one chosen for the pool `name`, otherwise the first.
        case recordPool(name: String, RecordQuery)
        case collection(CollectionQuery)
        /// Built in; see `Programme.collectionSet`.
        case collectionSet(UserCollection)
    }

    package struct InlineItem: Hashable, Sendable {
        package var id: String
        package var content: InlineContent
        /// The period in which it is shown; `nil` for always.
        package var season: Season?
    }

    package enum InlineContent: Hashable, Sendable {
        case banner(
            title: LocalizedText, caption: LocalizedText?, description: LocalizedText?, image: ImageReference?,
            link: String?, actions: [Action])
        case text(LocalizedText, highlighted: LocalizedText?, action: Action?)
        case course(
            title: LocalizedText, author: String?, rating: Double?, reviews: UInt32?, price: String?,
            currency: String?, tag: LocalizedText?, image: ImageReference?)
        case categories([LocalizedText])
        case place(title: LocalizedText, distance: LocalizedText?, image: ImageReference?)
        case card(CardMapping)
    }

    /// The served locales, the default first; never empty.
    package var locales: [String]
    package var screens: [Screen]
    package var search: Search = .none
    /// The families of orders in which templates count records: `$count(episode by show)`.
    var counted: Set<RecordFamily> = []
    /// The records in the orders of the fields until whose values templates print the time left.
    var countdowns: Set<RecordFamily> = []
    /// Whether observations are stored with the user's name.
    package var namesReaders = false
    /// The collections that the current types declare, favorites first.
    package var collections: [UserCollection] = [.favorites]

    /// The locale served for a requested one: the same one, otherwise one of the same language, otherwise the default.
    ///
    /// - Parameter requested: such as `ko` or `ko-KR`.
    package func locale(for requested: String?) -> String {
        let requested = requested?.lowercased().replacing("_", with: "-") ?? ""
        if let same = locales.first(where: { $0.lowercased() == requested }) { return same }
        let language = requested.prefix { $0 != "-" }
        return locales.first { $0.lowercased().prefix { $0 != "-" } == language } ?? locales.first ?? "en"
    }

    /// The screen with this name.
    ///
    /// - Returns: `nil` if no pattern matches. Doesn't check whether the screen's record exists.
    package func screen(named name: String) -> Screen? {
        let id = ScreenID(name)
        if id == .collectionSet { return collectionSet }
        guard let screen = screens.first(where: { $0.family == id.family }) else { return nil }
        // A name has a slash only if the pattern has an argument, which must not be empty.
        return (screen.argument == nil) == (id.argument == nil) && id.argument?.isEmpty != true ? screen : nil
    }
}
