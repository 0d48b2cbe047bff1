import MarqueeCatalogue
import MarqueeModel
import MarqueeStore

/// The programme's definition of one variant: everything its content depends on besides the catalogue and the user's
/// collections.
struct SectionDefinition: Hashable, Sendable {
    /// Empty for a section that doesn't depend on the screen.
    var screen = ScreenTitle()
    var section: Programme.Section
    /// The order chosen by a subscriber; `nil` if the section offers none.
    var sort: RecordSort?
    var window: Int?
    /// The place of the window; `nil` for a section whose windows can't start anywhere.
    var place: WindowPlace?
    var locale: String
    /// Locales in which texts of records are looked up, in order of preference.
    var locales: [String]

    /// - Throws: `invalidArgument` if the programme doesn't have this variant, or no longer does.
    /// - Parameter locales: see the property.
    init(
        of key: VariantKey, in screen: Programme.Screen, locales: [String]
    ) throws(Status) {
        guard let section = screen.section(key.section, key.rendition), section.has(key) else {
            throw Status(
                .invalidArgument, reason: "UNKNOWN_VARIANT", remedy: .resync,
                message: "'\(key.screen)' has no section '\(key.section.prefix(64))' with these parameters")
        }
        if section.dependsOnScreen {
            self.screen = ScreenTitle(of: screen, named: key.screen, locale: key.locale)
        }
        self.section = section
        // The readership has no effect on the content.
        self.section.readership = nil
        sort = section.sorts.first { $0.id == key.sort }?.order
        window = section.windows.isEmpty ? nil : Int(key.window)
        place = key.place
        locale = key.locale
        self.locales = locales
        // A place that was valid in an older programme's order may not be valid in a newer one's.
        if let place { try section.checkAnchor(of: place, sort: sort, locales: locales) }
    }

    /// The changes that its title and its season depend on.
    var triggers: Set<Trigger> {
        Set([screen.trigger, section.season == nil ? nil : .record(.time)].compactMap { $0 })
    }

    /// Whether `triggers` contains the trigger.
    func listens(to trigger: Trigger) -> Bool {
        trigger == screen.trigger || (trigger == .record(.time) && section.season != nil)
    }

    /// Whether the section is shown at a time.
    ///
    /// - Parameter now: the catalogue's time; `nil` if it has none yet.
    func isInSeason(at now: Moment?) -> Bool { section.season.map { $0.contains(now) } ?? true }

    /// Hashes only the most distinctive fields: hashing every field of every card would cost more than it saves.
    func hash(into hasher: inout Hasher) {
        hasher.combine(screen)
        hasher.combine(section.id)
        hasher.combine(sort?.name)
        hasher.combine(window)
        hasher.combine(place)
        hasher.combine(locale)
    }

    /// The query that finds the section's members.
    ///
    /// - Parameter members: members of the user's collections; ignored if the section isn't private.
    func query(members: [StoredMember]) -> any SectionQuery {
        let records = RecordPresentation(bodies: section.bodies, locale: locale)
        switch section.source {
        case .items(let items): return InlineItems(items, locale: locale)
        case .records(let query):
            let anchor = place.flatMap { try? section.anchor(of: $0, in: query, sort: sort, locales: locales) }
            if let membership = query.membership, membership.isIn {
                let whole = MemberRecords(
                    query, in: membership.collection, members, sort: sort, locales: locales, scope: screen.scope,
                    presentation: records)
                if let place, let anchor { return PlacedMemberRecords(whole, at: place, anchor) }
                return whole
            }
            if let place, let anchor {
                if query.membership != nil || !query.excluded.isEmpty {
                    return PlacedRemainder(
                        query, members, at: place, anchor, sort: sort, locales: locales, scope: screen.scope,
                        presentation: records)
                }
                return PlacedRecords(
                    query, at: place, anchor, sort: sort, locales: locales, scope: screen.scope, presentation: records)
            }
            return RankedRecords(
                query, members, sort: sort, locales: locales, scope: screen.scope, presentation: records)
        case .record(let type, let reference):
            return RecordDetail(record: reference.record(of: type, in: screen.scope), presentation: records)
        case .nested(let nested):
            guard let body = section.bodies[nested.type] else { return InlineItems([], locale: locale) }
            let record = nested.id.record(of: nested.type, in: screen.scope)
            let isOptional = nested.id == .argument && screen.scope.record.map { $0 != record } ?? false
            return NestedItems(
                record: record, isOptional: isOptional, source: nested, body: body, locale: locale, locales: locales)
        case .list(let query):
            if let place, let anchor = try? section.entryAnchor(of: place) {
                return PlacedEntries(query, at: place, anchor, scope: screen.scope, presentation: records)
            }
            return ListPlaces(query, pool: nil, scope: screen.scope, presentation: records)
        case .listPool(let name, let query):
            return ListPlaces(query, pool: name, scope: screen.scope, presentation: records)
        case .facet(let query):
            guard let body = section.bodies[query.type] else { return InlineItems([], locale: locale) }
            return FacetTiles(query, body: body, locale: locale, locales: locales)
        case .recordPool(let name, let query):
            return PoolRecord(pool: name, query, locales: locales, presentation: records)
        case .collection(let query):
            if let place, let anchor = try? section.memberAnchor(of: place) {
                return PlacedMembers(query, at: place, anchor, members, presentation: records)
            }
            return CollectionItems(query, members, presentation: records)
        case .collectionSet(let collection): return CollectionSubjects(collection, members)
        }
    }
}

/// The title of a screen, or its source.
struct ScreenTitle: Hashable, Sendable {
    /// The part after the slash in the screen's name, and the record with that id.
    let scope: RecordScope
    private let template: Programme.TitleTemplate?
    private let text: String
    private let locale: String

    /// An empty title.
    init() { (scope, template, text, locale) = (RecordScope(), nil, "", "") }

    /// - Parameter rendition: the title of a screen whose title differs by audience.
    init(
        of screen: Programme.Screen, named name: String, locale: String, _ rendition: RenditionName = .fallback
    ) {
        var scope = RecordScope()
        if let argument = screen.argument {
            scope.argument = ScreenID(name).argument
            if case .record(let type) = argument { scope.record = scope.argument.map { RecordID(type: type, id: $0) } }
        }
        self.scope = scope
        let title = screen.titles?.contents[rendition] ?? screen.title
        template = title.template
        text = title.text.text(in: locale)
        self.locale = locale
    }

    /// The record that the title depends on, if any.
    var trigger: Trigger? { scope.record.map { .record(.typed($0)) } }

    /// The title made from the screen's argument or record if it has one, otherwise the programme's title.
    func title(in catalogue: Catalogue) -> String {
        (scope.argument.map { self.text(of: $0, in: catalogue) } ?? text).clipped(to: TextBounds.title)
    }
}

extension ScreenTitle {
    /// The title of a screen whose name contains `argument`; `argument` itself if the template gives no text.
    private func text(of argument: String, in catalogue: Catalogue) -> String {
        guard let template else { return text }
        var reader = RecordReader(
            id: argument, bytes: scope.record.flatMap { catalogue.records[$0] } ?? [], locale: locale,
            fallbackLocale: template.fallbackLocale, in: catalogue.records)
        return template.text.text(of: &reader) ?? argument
    }
}

extension Programme.RecordReference {
    fileprivate func record(of type: String, in scope: RecordScope) -> RecordID {
        RecordID(type: type, id: id(in: scope) ?? "")
    }
}

extension Programme.Section {
    /// Whether this section has the key's parameters.
    fileprivate func has(_ key: VariantKey) -> Bool {
        let hasSort = sorts.isEmpty ? key.sort.isEmpty : sorts.contains { $0.id == key.sort }
        let hasWindow = windows.isEmpty ? key.window == 0 : windows.contains(key.window)
        let hasPlace = anywhere.map { key.place?.rows ?? .max <= UInt64($0) } ?? (key.place == nil)
        return hasSort && hasWindow && hasPlace && isPrivate == (key.user != nil)
    }
}
