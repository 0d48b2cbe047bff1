import MarqueeTypes

/// Writes the screens of a plan: a home, one for each type of records, and one for the values of a tile.
struct ScaffoldProgramme {
    /// The most other types of which the home screen has a list.
    private static let otherTypes = 5
    /// The most lists of records that refer to a record, on its screen.
    private static let backLists = 4
    /// The most facts and actions of a card.
    private static let facts = 16
    private static let actions = 6

    private let plan: ScaffoldPlan
    private let origin: ScaffoldFiles.Origin
    private var lines: [String] = []

    init(_ plan: ScaffoldPlan, _ origin: ScaffoldFiles.Origin) {
        self.plan = plan
        self.origin = origin
        write()
    }

    var text: String { lines.joined(separator: "\n") + "\n" }

    private mutating func write() {
        lines = ["# The screens of \(origin.place)."]
        let locales = self.locales
        if !locales.isEmpty { lines.append("locales: \(YAMLText.list(locales))") }
        lines.append("screens:")
        writeHome()
        for type in plan.types { writeScreen(of: type) }
        for type in plan.types { writeTileScreen(of: type) }
        let found = plan.types.filter { !$0.roles.search.isEmpty }.prefix(16)
        guard !found.isEmpty else { return }
        lines += ["search:", "  of: \(YAMLText.list(found.map(\.alias)))", "  body:"]
        for type in found { lines.append("    \(type.alias): \(body(of: type))") }
    }

    /// The most locales that a programme has room for.
    private static let localeCount = 16

    /// The locales of the localized texts, in the order in which they were met.
    private var locales: [String] {
        var found: [String] = []
        for field in plan.types.flatMap(\.fields) where field.type.form == .byLocale {
            for part in field.profile.parts where !found.contains(part.name) { found.append(part.name) }
        }
        return Array(found.prefix(Self.localeCount))
    }

    // MARK: - Home

    private mutating func writeHome() {
        lines += ["  home:", "    title: \(YAMLText.quoted(ScaffoldNames.label(origin.name)))", "    sections:"]
        guard let main = plan.main else { return }
        let roles = main.roles
        if let date = roles.date {
            writeList("newest", "Newest", main, sort: "-\(date)", limit: 10)
        }
        if let number = roles.number, let field = main.field(number) {
            let label = ScaffoldNames.labelInside(field.column)
            let card = card(of: main, besides: [number], facts: [(field.label, value(of: field, in: main))])
            writeList("top", "Top by \(label)", main, kind: "rank", sort: "-\(number)", limit: 10, body: card)
        }
        writeTiles(of: main)
        let order = roles.title.flatMap { roles.sorts.contains($0) ? $0 : nil }
        writeList("all", "All \(main.title.lowercasedFirst)", main, sort: order, limit: nil)
        var ids: Set = ["newest", "top", "all", "tiles"]
        // Rows of a join have neither a name nor a time of their own.
        let others = plan.types.filter { $0.alias != main.alias && ($0.roles.title ?? $0.roles.date) != nil }
        for type in others.prefix(Self.otherTypes) {
            let sort = type.roles.date.map { "-\($0)" } ?? type.roles.title
            let id = ScaffoldNames.free(type.screen, "-", &ids) { $0 }
            writeList(id, type.title, type, sort: sort, limit: 6)
        }
    }

    private mutating func writeTiles(of type: PlannedType) {
        guard let tile = type.roles.tile, type.roles.facets.contains(tile), let field = type.field(tile) else { return }
        let source = "{facet: {type: \(type.alias), field: \(tile), limit: \(ScaffoldRoles.tiles)}}"
        var card = [("title", YAMLText.quoted("$value"))]
        if let other = referred(type, tile) {
            card = [("title", YAMLText.quoted(title(of: other, behind: "value")))]
        }
        card.append(("subtitle", YAMLText.quoted("$count")))
        if referred(type, tile) == nil {
            card.append(
                ("actions", "[{id: open, title: Open, target: \(YAMLText.quoted("\(tileScreen(type, tile))/$value"))}]")
            )
        }
        writeSection(
            "tiles", "genres", label(of: field, in: type), source,
            "{card: \(YAMLText.mapping(card))}")
    }

    /// - Parameter limit: `nil` for all of them, which clients read piece by piece.
    private mutating func writeList(
        _ id: String, _ header: String, _ type: PlannedType, kind: String = "list", sort: String?, limit: Int?,
        body: String? = nil, where condition: String = ""
    ) {
        let sort = sort.map { ", sort: \($0)" } ?? ""
        let bound = limit.map { ", limit: \($0)" } ?? ""
        writeSection(
            id, kind, header, "{records: {type: \(type.alias)\(condition)\(sort)\(bound)}}",
            body ?? self.body(of: type), isAnywhere: limit == nil)
    }

    private mutating func writeSection(
        _ id: String, _ kind: String, _ header: String, _ source: String, _ body: String, isAnywhere: Bool = false
    ) {
        lines += [
            "      - id: \(id)", "        kind: \(kind)", "        header: \(YAMLText.quoted(header))",
            "        empty: hide",
        ]
        if isAnywhere { lines.append("        windows: anywhere") }
        lines += ["        source: \(source)", "        body: \(body)"]
    }

    // MARK: - Other screens

    private mutating func writeScreen(of type: PlannedType) {
        lines += [
            "  \(type.screen)/$id:", "    title: \(YAMLText.quoted(screenTitle(of: type)))", "    sections:",
            "      - id: detail", "        kind: detail",
            "        source: {record: {type: \(type.alias), id: $id}}", "        body:", "          card:",
        ]
        let roles = type.roles
        var shown = [roles.title, roles.image, roles.text].compactMap { $0 }
        func line(_ key: String, _ value: String) { lines.append("            \(key): \(value)") }
        line("title", YAMLText.quoted(title(of: type)))
        let subtitle = roles.subtitle.filter { type.field($0) != nil }
        if !subtitle.isEmpty {
            line("subtitle", YAMLText.quoted(subtitle.map { "$\($0)" }.joined(separator: " · ")))
            shown += subtitle
        }
        if let image = roles.image { line("image", "$\(image)") }
        if let text = roles.text { line("text", "$\(text)") }
        let facts = type.fields.filter { !shown.contains($0.name) }.prefix(Self.facts)
        if !facts.isEmpty {
            lines.append("            facts:")
            for field in facts {
                var value = self.value(of: field, in: type)
                if let other = referred(type, field.name) { value = title(of: other, behind: field.name) }
                lines.append(
                    "              - {label: \(YAMLText.quoted(label(of: field, in: type))), value: \(YAMLText.quoted(value))}"
                )
            }
        }
        if !type.references.isEmpty {
            lines.append("            actions:")
            for reference in type.references.prefix(Self.actions) {
                guard let other = plan.types.first(where: { $0.alias == reference.type }) else { continue }
                let id = reference.field.replacing("_", with: "-")
                lines.append(
                    "              - {id: \(id), title: \(YAMLText.quoted(title(of: other, behind: reference.field))), target: "
                        + "\(other.screen)/$\(reference.field)}")
            }
        }
        line("record", "true")
        writeBackLists(to: type)
    }

    /// Records that refer to the screen's own.
    private mutating func writeBackLists(to type: PlannedType) {
        var ids: Set<String> = ["detail"]
        var count = 0
        for other in plan.types {
            for reference in other.references where reference.type == type.alias && count < Self.backLists {
                count += 1
                let isOnly = other.references.count { $0.type == type.alias } == 1
                let label = other.field(reference.field).map { self.label(of: $0, in: other) } ?? reference.field
                let id = ScaffoldNames.free(other.screen, "-", &ids) { $0 }
                let sort = other.roles.date.map { "-\($0)" } ?? other.roles.number.map { "-\($0)" }
                writeList(
                    id, isOnly ? other.title : "\(other.title) (\(label))", other, sort: sort, limit: 20,
                    body: body(of: other, besides: [reference.field]),
                    where: ", where: {\(reference.field): $id}")
            }
        }
    }

    /// The records with one value of the tile's field.
    private mutating func writeTileScreen(of type: PlannedType) {
        guard type.alias == plan.main?.alias, let tile = type.roles.tile, type.roles.facets.contains(tile),
            referred(type, tile) == nil, let field = type.field(tile)
        else { return }
        lines += [
            "  \(tileScreen(type, tile))/$id:", "    title: \(YAMLText.quoted("\(field.label): $id"))", "    sections:",
        ]
        let sort = type.roles.date.map { "-\($0)" } ?? type.roles.number.map { "-\($0)" } ?? type.roles.title
        writeList(
            "records", type.title, type, sort: sort, limit: nil, body: body(of: type, besides: [tile]),
            where: ", where: {\(tile): $id}")
    }

    private func tileScreen(_ type: PlannedType, _ tile: String) -> String {
        let name = tile.replacing("_", with: "-")
        return plan.types.contains { $0.screen == name } || name == "home" ? "\(type.screen)-by-\(name)" : name
    }

    // MARK: - Cards

    private func body(of type: PlannedType, besides hidden: Set<String> = []) -> String {
        card(of: type, besides: hidden, facts: [])
    }

    /// The card of a row.
    private func card(of type: PlannedType, besides hidden: Set<String>, facts: [(String, String)]) -> String {
        let roles = type.roles
        var entries = [("title", YAMLText.quoted(title(of: type)))]
        let hidden = hidden.union(type.roles.title == nil ? type.keyFields.map(\.name) : [])
        var parts = type.references.filter { !hidden.contains($0.field) }.prefix(2).compactMap { reference in
            plan.types.first { $0.alias == reference.type }.map { title(of: $0, behind: reference.field) }
        }
        parts += roles.subtitle.filter { !hidden.contains($0) }.map { "$\($0)" }
        for name in [roles.date, roles.number].compactMap({ $0 }) where !hidden.contains(name) && parts.count < 4 {
            guard let field = type.field(name) else { continue }
            let value = value(of: field, in: type, isShort: true)
            parts.append(field.isDay ? value : "\(ScaffoldNames.labelInside(field.column)) \(value)")
        }
        if !parts.isEmpty { entries.append(("subtitle", YAMLText.quoted(parts.joined(separator: " · ")))) }
        if let image = roles.image { entries.append(("image", "$\(image)")) }
        if !facts.isEmpty {
            let list = facts.map { "{label: \(YAMLText.quoted($0.0)), value: \(YAMLText.quoted($0.1))}" }
            entries.append(("facts", "[\(list.joined(separator: ", "))]"))
        }
        return "{card: \(YAMLText.mapping(entries))}"
    }

    /// A record's name.
    private func title(of type: PlannedType) -> String {
        if let title = type.roles.title {
            let rows = type.fields.map(\.profile.count).max() ?? 0
            let isAlwaysThere = type.field(title).map { $0.profile.count >= rows } ?? true
            return isAlwaysThere ? "$\(title)" : "{$\(title) ?? $id}"
        }
        let key = type.keyFields.map { field in
            referred(type, field.name).map { title(of: $0, behind: field.name) } ?? value(of: field, in: type)
        }
        return key.isEmpty ? "\(ScaffoldNames.label(type.alias)) $id" : key.joined(separator: " · ")
    }

    /// A field's name for people: that of a record, where it refers to one by its id.
    private func label(of field: PlannedField, in type: PlannedType) -> String {
        guard let other = referred(type, field.name), let last = other.id?.split(separator: "_").last,
            field.words.count > 1, field.words.last == String(last)
        else { return field.label }
        return ScaffoldNames.label(field.words.dropLast().joined(separator: " "))
    }

    /// The name of a record that a field refers to, or of a tile's value.
    private func title(of type: PlannedType, behind field: String) -> String {
        guard let title = type.roles.title else { return "\(ScaffoldNames.label(type.alias)) $\(field)" }
        return "$\(field).\(title)"
    }

    private func screenTitle(of type: PlannedType) -> String {
        guard let title = type.roles.title else { return "\(ScaffoldNames.label(type.alias)) $id" }
        return "$\(title)"
    }

    private func referred(_ type: PlannedType, _ field: String) -> PlannedType? {
        type.references.first { $0.field == field }.flatMap { reference in
            plan.types.first { $0.alias == reference.type }
        }
    }

    /// A value in the reader's form.
    private func value(of field: PlannedField, in type: PlannedType, isShort: Bool = false) -> String {
        let isMeasure = ScaffoldRoles.isMeasure(field) && field.name != type.id && referred(type, field.name) == nil
        // A time that tells records apart is shown whole.
        let isDay = isShort && !type.key.contains(field.column)
        switch (field.type.form, field.type.value) {
        case (.single, .time): return "{$\(field.name) | \(isDay ? "date" : "datetime")}"
        case (.single, .duration): return "{$\(field.name) | duration}"
        case (.single, .number) where field.isMoney: return "{$\(field.name) | number: 2}"
        case (.single, .integer) where isMeasure && field.profile.largest >= 1_000,
            (.single, .number) where isMeasure && field.profile.largest >= 10_000:
            return "{$\(field.name) | number}"
        default: return "$\(field.name)"
        }
    }
}

extension String {
    /// `All order items`
    fileprivate var lowercasedFirst: String { self == uppercased() ? self : prefix(1).lowercased() + dropFirst() }
}
