import MarqueeModel
import MarqueeTypes
import Yams

/// Reads the file as a whole, its screens and sections.
extension ProgrammeReader {
    static let sectionKinds = SectionKind.names.filter { $0.0 != .collectionSet && $0.0 != .other }

    /// - Returns: `nil` if any error was reported.
    mutating func programme(_ root: Node) -> Programme? {
        let allowed = [
            "locales", "zone", "layouts", "audiences", "impressions", "taps", "identity", "screens", "search",
        ]
        guard let fields = fields(root, "a programme", allowed: allowed) else { return nil }
        if let node = fields["locales"], let locales = locales(node) { self.locales = locales }
        if let node = fields["zone"], let zone = timeZone(node) { self.zone = zone }
        if let node = fields["layouts"] { readLayouts(node) }
        if let node = fields["audiences"] { readAudiences(node) }
        counting = readCounting(fields)
        let namesReaders = fields["identity"].flatMap { flag($0, "word for an identity") } ?? false
        guard let node = required("screens", in: fields) else { return nil }
        guard case .mapping(let mapping) = node, !mapping.isEmpty else {
            report(node, "'screens' must map names such as 'home' or 'episode/$id' to screens")
            return nil
        }
        guard mapping.count <= ProgrammeLimits.screens else {
            report(node, "a programme has at most \(ProgrammeLimits.screens) screens, not \(mapping.count)")
            return nil
        }
        var families: Set<String> = []
        var nodes: [String: Node] = [:]
        var screens: [Programme.Screen] = []
        for (key, value) in mapping {
            guard let screen = screen(key, value) else { continue }
            if !families.insert(screen.family).inserted {
                report(key, "two screens are named '\(screen.family)'")
            }
            screens.append(screen)
            nodes[screen.family] = key
        }
        let search = fields["search"].flatMap { self.search($0) } ?? .none
        // Errors found below might only follow from those already reported.
        guard mistakes.isEmpty else { return nil }
        let programme = Programme(
            locales: locales, screens: screens, search: search, counted: counted, countdowns: countdowns,
            namesReaders: namesReaders)
        if !families.contains(ScreenID.home.family) {
            warn(
                node,
                "there is no screen 'home', which apps open with"
                    + NearestName.hint(for: ScreenID.home.family, among: families.sorted()))
        }
        if namesReaders, !programme.countsAnything, let node = fields["identity"] {
            report(node, "nothing is counted, so no 'identity' is kept: add 'impressions' or 'taps', or remove it")
        }
        checkTargets(in: programme)
        checkWaysBack(in: programme, nodes)
        checkPools(in: programme, nodes)
        warnOfUnusedAudiences()
        return mistakes.isEmpty ? programme : nil
    }

    private mutating func locales(_ node: Node) -> [String]? {
        guard let entries = list(node, "locales", atMost: ProgrammeLimits.locales) else { return nil }
        var locales: [String] = []
        for entry in entries {
            guard let locale = identifier(entry, "a locale") else { continue }
            if locales.contains(locale) { report(entry, "the locale '\(locale)' is named twice") }
            if locale.wholeMatch(of: #/[a-z]{2,3}(-[A-Za-z0-9]{2,8})*/#) == nil {
                warn(entry, "'\(locale)' is not the code of a locale, such as en or pt-BR, so no app asks for it")
            }
            locales.append(locale)
        }
        if entries.isEmpty { report(node, "a programme needs at least one locale") }
        return locales.isEmpty ? nil : locales
    }

    private mutating func readLayouts(_ node: Node) {
        guard case .mapping(let mapping) = node else {
            report(node, "'layouts' must map names to layouts")
            return
        }
        for (key, value) in mapping {
            guard let name = identifier(key, "the name of a layout") else { continue }
            // An invalid layout keeps its name, so that sections using it aren't reported as well.
            layouts[name] = layout(value) ?? ProgrammeReader.placeholderLayout
        }
    }

    private static let placeholderLayout = SectionLayout(
        group: .item(width: .fractionalWidth(1), height: .fractionalWidth(1), insets: .zero, badges: []))

    // MARK: - Screens

    private mutating func screen(_ key: Node, _ node: Node) -> Programme.Screen? {
        guard let pattern = pattern(key) else { return nil }
        let family = pattern.family
        guard let fields = fields(node, "the screen '\(family)'", allowed: ["title", "sections", "bar"])
        else { return nil }
        if let node = fields["bar"],
            choice(node, "bar", [(name: "app", value: true), (name: "header", value: false)]) == true
        {
            ownBars.insert(family)
        }
        let argument = pattern.hasArgument ? subject(of: fields["sections"]) : nil
        let titles = required("title", in: fields).map { self.titles($0, of: family, argument) }
        guard let sectionsNode = required("sections", in: fields),
            let entries = list(sectionsNode, "'sections'", atMost: ProgrammeLimits.sections)
        else { return nil }
        if entries.isEmpty { report(sectionsNode, "the screen '\(family)' needs at least one section") }
        var ids: Set<String> = []
        var sections: [Programme.Section] = []
        var pages: [Programme.PageSlot] = []
        var renditions: [String: Programme.Renditions<Programme.Section>] = [:]
        let firstTarget = targets.count
        for entry in entries {
            if case .mapping(let mapping) = entry, mapping["page"] != nil {
                guard let slot = page(entry, position: sections.count) else { continue }
                if pages.contains(where: { $0.page == slot.page }) {
                    report(entry, "the page '\(slot.page)' is in this screen twice")
                }
                pages.append(slot)
                continue
            }
            let idNode = entry.mapping?["id"]
            if let id = idNode?.scalar?.string, !ids.insert(id).inserted {
                report(idNode, "the section id '\(id)' is used twice in this screen")
            }
            let read = self.renditions(of: entry) { $0.section($1, argument: argument) }
            guard let section = read.fallback else { continue }
            renditions[section.id] = read.others
            if let others = read.others { checkPrivacy(of: section, others, at: entry) }
            sections.append(section)
        }
        if !pattern.hasArgument { checkTargets(from: firstTarget, of: family) }
        guard let title = titles?.fallback else { return nil }
        let screen = Programme.Screen(
            family: family, argument: argument, title: title, titles: titles?.others, sections: sections, pages: pages,
            renditions: renditions)
        if screen.titles != nil, let section = screen.allSections.first(where: \.showsScreenTitle) {
            report(
                fields["title"],
                "the section '\(section.id)' shows the screen's title, which can't differ by audience then; write that "
                    + "text by audience instead of '\(Programme.Header.titlePlaceholder)'")
        }
        return screen
    }

    /// The meaning of a screen's `$id`: the id of the first `record` source's record; otherwise of the record that its
    /// queries refer to by `$id`, if they agree; otherwise a text.
    private func subject(of sections: Node?) -> Programme.Argument {
        let sources = (sections?.sequence ?? []).compactMap { $0.mapping?["source"] }.flatMap { source in
            source.sequence?.compactMap { ($0.mapping?["use"] ?? $0).mapping } ?? [source.mapping].compactMap { $0 }
        }
        for record in sources.compactMap({ $0["record"]?.mapping }) {
            guard record["id"]?.scalar?.string == Programme.Argument.placeholder,
                let type = record["type"]?.scalar?.string
            else { continue }
            return .record(type: type)
        }
        let referred = Set(sources.compactMap { $0["records"]?.mapping }.flatMap { referredTypes(by: $0) })
        if referred.count == 1, let type = referred.first ?? nil { return .record(type: type) }
        return .text
    }

    /// For each field of a query that has to equal the screen's `$id`, the type that it refers to; `nil` for a field
    /// that isn't a reference.
    private func referredTypes(by query: Node.Mapping) -> [String?] {
        let type = query["type"]?.scalar.flatMap { types?.type($0.string) }
        return (query["where"]?.mapping ?? [:]).compactMap { key, value in
            guard value.scalar?.string == Programme.Argument.placeholder else { return nil }
            return .some(type?.references.first { $0.path.text == key.scalar?.string }?.type)
        }
    }

    /// Reads the title of a screen, or titles by audience.
    private mutating func titles(
        _ node: Node, of family: String, _ argument: Programme.Argument?
    ) -> (fallback: Programme.ScreenTitleText?, others: Programme.Renditions<Programme.ScreenTitleText>?) {
        renditions(of: .mapping(Node.Mapping([(Node("title"), node)])), in: ["title"]) { reader, node in
            guard let node = node.mapping?["title"] else { return nil }
            // Descriptions of the screen, which have no record, use its name as the title.
            if argument != nil, let template = reader.screenTitle(node, argument) {
                return Programme.ScreenTitleText(text: LocalizedText(family), template: template)
            }
            return reader.localized(node, "the title of a screen", showing: []).map {
                Programme.ScreenTitleText(text: $0)
            }
        }
    }

    /// Reads the title of a screen whose name contains `$id`.
    private mutating func screenTitle(_ node: Node, _ argument: Programme.Argument?) -> Programme.TitleTemplate? {
        var scope = TemplateScope()
        if case .record(let alias)? = argument {
            // An unknown type is reported where the record is named.
            guard let type = types?.type(alias) else { return nil }
            scope = self.scope(of: type)
            scope.othersRefusal = "a screen's title can show its own record, but no other ones"
        }
        return template(node, "the title of a screen", scope).map {
            Programme.TitleTemplate(text: $0, fallbackLocale: fallbackLocale)
        }
    }

    /// Reads a screen's name: `home`, `episode/$id`.
    private mutating func pattern(_ key: Node) -> (family: String, hasArgument: Bool)? {
        guard let name = text(key, "the name of a screen", atMost: ProgrammeLimits.idBytes) else { return nil }
        let parts = name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts[0] != ScreenID.collectionSet.name else {
            report(key, "the screen '\(name)' is built in")
            return nil
        }
        let isPlain =
            !parts[0].isEmpty
            && parts[0].unicodeScalars.allSatisfy { ("a"..."z").contains($0) || ("0"..."9").contains($0) || $0 == "-" }
        guard isPlain, parts.count == 1 || parts[1] == Programme.Argument.placeholder else {
            report(
                key,
                "'\(name)' isn't a screen name: lower-case letters, digits and '-', then nothing or "
                    + "/\(Programme.Argument.placeholder)")
            return nil
        }
        return (String(parts[0]), parts.count == 2)
    }

    // MARK: - Sections

    private mutating func section(_ node: Node, argument: Programme.Argument?) -> Programme.Section? {
        guard
            let fields = fields(
                node, "a section",
                allowed: [
                    "id", "kind", "header", "footer", "supplements", "layout", "sorts", "windows", "placeholders",
                    "empty", "min", "audience", "visible", "zone", "source", "body", "impressions", "taps",
                ])
        else { return nil }
        let id = required("id", in: fields).flatMap { identifier($0, "the id of a section") }
        let kinds = ProgrammeReader.sectionKinds.map { (name: $0.1, value: $0.0) }
        let kind = required("kind", in: fields).flatMap { choice($0, "section kind", kinds) }
        let header = fields["header"].flatMap { self.header($0, "the header") }
        let footer = fields["footer"].flatMap { self.footer($0) }
        let layout = fields["layout"].flatMap { self.sectionLayout($0) }
        let supplements = fields["supplements"].flatMap { self.supplements($0, of: layout) } ?? [:]
        let placeholders =
            fields["placeholders"].flatMap {
                integer($0, "placeholders", in: 0...UInt32(ProgrammeLimits.queryLimit))
            } ?? 0
        let hidesWhenEmpty = fields["empty"].map { self.hidesWhenEmpty($0) } ?? false
        let minimum = fields["min"].flatMap { self.minimum($0) } ?? 0
        let readership = fields["audience"].flatMap { self.readership($0) }
        let season = fields["visible"].flatMap { self.season($0) }
        let counting = readCounting(fields)
        let outerZone = zone
        defer { zone = outerZone }
        if let node = fields["zone"], let own = timeZone(node) { zone = own }
        let source = required("source", in: fields).flatMap {
            self.source($0, section: id ?? "", argument: argument)
        }
        let sorts = fields["sorts"].flatMap { self.sorts($0, of: source) } ?? []
        let windows = fields["windows"].flatMap { self.windows($0, of: source, sorts, in: fields) } ?? .all
        let bodies = source.map { self.bodies(fields["body"], for: $0) } ?? [:]
        if case .toggle? = footer, windows.steps.count < 2 {
            report(fields["footer"], "a footer with 'more' and 'close' needs at least two 'windows'")
        }
        guard let id, let kind, let source, let bodies else { return nil }
        return Programme.Section(
            id: id, kind: kind, header: header, footer: footer, layout: layout, sorts: sorts, windows: windows.steps,
            anywhere: windows.anywhere, placeholders: placeholders, source: source,
            bodies: bodies.mapValues { shared($0) },
            supplements: supplements, hidesWhenEmpty: hidesWhenEmpty, minimum: minimum, readership: readership,
            season: season, counting: counting)
    }

    /// Reads whether a section without items is visible: `show` or `hide`.
    mutating func hidesWhenEmpty(_ node: Node) -> Bool {
        choice(node, "word for an empty section", [(name: "show", value: false), (name: "hide", value: true)]) ?? false
    }

    /// Reads the fewest items with which a section is shown.
    mutating func minimum(_ node: Node) -> UInt32? {
        integer(node, "min", in: 1...UInt32(ProgrammeLimits.queryLimit))
    }

    /// The placeholders that a header or footer may have.
    static let sectionTexts = [Programme.Header.titlePlaceholder, Programme.Header.editionPlaceholder]

    /// Reads a text, or `{title, actions}`.
    /// - Parameter placeholders: the placeholders that the text may contain.
    mutating func header(
        _ node: Node, _ what: String, showing placeholders: [String] = ProgrammeReader.sectionTexts
    ) -> Programme.Header? {
        if case .mapping(let mapping) = node, mapping["title"] != nil || mapping["actions"] != nil {
            guard let fields = fields(node, what, allowed: ["title", "actions"]),
                let title = required("title", in: fields).flatMap({
                    localized($0, "the title of \(what)", showing: placeholders)
                })
            else { return nil }
            let actions = fields["actions"].map { self.actions($0) } ?? []
            return actions.map { Programme.Header(title: title, actions: $0) }
        }
        return localized(node, what, showing: placeholders).map { Programme.Header(title: $0, actions: []) }
    }

    /// Reads the same as a header, or `{more, close}`.
    mutating func footer(
        _ node: Node, showing placeholders: [String] = ProgrammeReader.sectionTexts
    ) -> Programme.Footer? {
        guard case .mapping(let mapping) = node, mapping["more"] != nil || mapping["close"] != nil else {
            return header(node, "the footer", showing: placeholders).map { .fixed($0) }
        }
        guard let fields = fields(node, "the footer", allowed: ["more", "close"]) else { return nil }
        let more = required("more", in: fields).flatMap { localized($0, "'more' of the footer", showing: []) }
        let close = required("close", in: fields).flatMap { localized($0, "'close' of the footer", showing: []) }
        guard let more, let close else { return nil }
        return .toggle(more: more, close: close)
    }

    /// Reads the texts of a layout's views other than header and footer: `{letter-index: A–Z}`.
    mutating func supplements(_ node: Node, of layout: SectionLayout?) -> [String: Programme.Header]? {
        guard let entries = entries(node, "'supplements'", atMost: ProgrammeLimits.supplementaries) else { return nil }
        let kinds = (layout?.supplementaries ?? []).map(\.kind).filter { $0 != "header" && $0 != "footer" }
        var supplements: [String: Programme.Header] = [:]
        for (key, value) in entries {
            guard let kind = identifier(key, "the kind of a view") else { continue }
            // A layout with mistakes has been reported.
            if layout != ProgrammeReader.placeholderLayout, !kinds.contains(kind) {
                reportUnknown(key, "view", of: "the section's layout", kinds)
            }
            supplements[kind] = localized(value, "the text of '\(kind)'").map {
                Programme.Header(title: $0, actions: [])
            }
        }
        return supplements
    }

    /// Reads the name of a layout, or a layout.
    mutating func sectionLayout(_ node: Node) -> SectionLayout? {
        guard case .scalar = node else { return layout(node) }
        guard let name = identifier(node, "the name of a layout") else { return nil }
        if let layout = layouts[name] { return layout }
        reportUnknown(node, "layout", of: "the programme", layouts.keys.sorted())
        return nil
    }
}
