import MarqueeModel
import MarqueeStore
package import MarqueeWire

extension RecordCatalogue {
    /// An argument for which a section of the screen finds records.
    ///
    /// - Parameter locales: in order of preference.
    fileprivate func example(for screen: Programme.Screen, _ locales: [String]) -> String? {
        for section in screen.allSections {
            guard case .records(let query) = section.source, query.group?.value == .argument else { continue }
            let sort = (query.sort ?? section.sorts.first?.order)?.shown(in: locales)
            if let text = values(of: query.family(sort: sort)).compactMap(\.plainText).min() { return text }
        }
        return nil
    }
}

extension Programme {
    /// The description that a server with this programme and no records gives, in the default locale.
    package var offer: DescribeAnswer {
        Screens(snapshot: [], head: LogHead(epoch: 0, revision: 0), programmeFallback: self).describe(locale: nil)
    }
}

extension Screens {
    /// Describes the screens that can be subscribed to, with the sections that a reader may see.
    package func describe(locale: String?, user: String? = nil, claims: Claims = .none) -> DescribeAnswer {
        let served = programme.locale(for: locale)
        let screens = programme.screens.map { screen in
            let example: String? =
                switch screen.argument {
                case nil: screen.family
                case .record(let type)?:
                    catalogue.records.id(in: RecordOrder(family: RecordFamily(type: type), value: nil), at: 0)
                        .map { "\(screen.family)/\($0)" }
                case .text?:
                    catalogue.records.example(for: screen, programme.preference(for: served)).map {
                        "\(screen.family)/\($0)"
                    }
                }
            let sections = screen.sections(for: claims, user: user).map { section in
                let section = screen.rendition(of: section, for: claims, user: user).section
                return SectionDescription(
                    id: section.id, kind: section.kind,
                    sorts: section.sorts.map { SortOption(id: $0.id, title: $0.title.text(in: served)) },
                    windows: section.windows, placeholders: section.placeholders, anywhere: section.anywhere ?? 0)
            }
            return ScreenDescription(
                pattern: screen.offeredPattern, title: screen.title.text.text(in: served), example: example,
                sections: sections)
        }
        return DescribeAnswer(screens: screens, locales: programme.locales)
    }
}
