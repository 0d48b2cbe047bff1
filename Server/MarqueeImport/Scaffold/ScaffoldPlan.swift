import MarqueeModel
import MarqueeTypes

/// Everything that is decided about a source: which types its tables become, and what was left out.
package struct ScaffoldPlan: Hashable, Sendable {
    /// The most fields of a type.
    static let fields = 200

    /// A note for the reader: its subject and its text.
    package struct Note: Hashable, Sendable {
        package var subject: String
        package var text: String

        package init(subject: String, text: String) {
            self.subject = subject
            self.text = text
        }
    }

    /// A table without a recognizable key.
    package struct KeyQuestion: Hashable, Sendable {
        package var table: String
        package var columns: [String]
    }

    let types: [PlannedType]
    /// Columns that are kept despite a doubt.
    package private(set) var notes: [Note] = []
    /// Tables and columns that are not part of the result, and why.
    package private(set) var leftOut: [Note] = []
    /// Tables that can't be part of it until their key is named.
    package private(set) var questions: [KeyQuestion] = []

    /// - Parameters:
    ///   - tables: in the order of the source.
    ///   - keys: the columns that make the key of a table, as a person gave them.
    ///   - isFromDatabase: whether the tables are a database's.
    package init(_ tables: [SampledTable], keys: [String: [String]] = [:], isFromDatabase: Bool) {
        var drafts: [(type: PlannedType, table: SampledTable)] = []
        var aliases: Set<String> = []
        var notes: [Note] = []
        var leftOut: [Note] = []
        var questions: [KeyQuestion] = []
        for table in tables {
            let found = Self.fields(of: table, isFromDatabase: isFromDatabase)
            guard !found.fields.isEmpty else {
                leftOut.append(Note(subject: table.name, text: "no column of it can be a field"))
                continue
            }
            guard let key = Self.key(of: table, found.fields, keys[table.name]) else {
                questions.append(
                    KeyQuestion(table: table.name, columns: found.fields.filter { Self.canBePart($0) }.map(\.column)))
                continue
            }
            notes += found.notes + key.notes
            leftOut += found.leftOut
            let alias = ScaffoldNames.alias(table.name, taken: &aliases)
            let own = Self.idRenamed(found.fields, besides: key.columns, alias)
            let id = key.columns.count == 1 ? own.first { $0.column == key.columns[0] }?.name : nil
            var type = PlannedType(
                alias: alias, title: ScaffoldNames.title(table.name), table: table.name, size: table.size,
                key: key.columns, id: id, fields: own)
            type.omitted = found.omitted
            drafts.append((type, table))
            if drafts.count == TypeLimits.types { break }
        }
        let byTable = Dictionary(drafts.map { ($0.table.name, $0.type) }) { first, _ in first }
        types = drafts.map { draft in
            var type = draft.type
            let references = Self.references(of: draft.table, type, byTable, &notes)
            type.references = ScaffoldRoles.references(references)
            type.roles = ScaffoldRoles(type)
            return type
        }
        (self.notes, self.leftOut, self.questions) = (notes, leftOut, questions)
    }

    // MARK: - Fields

    private struct Fields {
        var fields: [PlannedField] = []
        var notes: [Note] = []
        var leftOut: [Note] = []
        /// Columns that fill no field.
        var omitted: [String] = []
    }

    private static func fields(of table: SampledTable, isFromDatabase: Bool) -> Fields {
        var result = Fields()
        var taken: Set<String> = []
        for (index, column) in table.columns.enumerated() where !column.name.isEmpty {
            func subject(_ part: String) -> String { isFromDatabase ? "\(table.name).\(part)" : part }
            func add(_ path: String, _ reading: FieldChoice.Reading, _ profile: ColumnProfile) {
                let name = ScaffoldNames.field(path, at: index + 1, taken: &taken)
                result.fields.append(
                    PlannedField(
                        name: name, label: ScaffoldNames.label(path.replacing(".", with: " ")), column: path,
                        reading: reading,
                        profile: profile))
                if let note = reading.note { result.notes.append(Note(subject: subject(path), text: note)) }
            }
            func leaveOut(_ reason: String) {
                result.leftOut.append(Note(subject: subject(column.name), text: reason))
                result.omitted.append(column.name)
            }
            guard result.fields.count < fields else {
                leaveOut("a type has at most \(fields) fields here")
                continue
            }
            switch FieldChoice(column, isFromDatabase: isFromDatabase) {
            case .field(let reading): add(column.name, reading, column.profile)
            case .leftOut(let reason): leaveOut(reason)
            case .parts(let parts, let others):
                for part in parts { add("\(column.name).\(part.name)", part.reading, part.profile) }
                for other in others {
                    result.leftOut.append(
                        Note(
                            subject: subject("\(column.name).\(other)"),
                            text: "no plain value; a message of a .proto file can hold it"))
                }
            }
        }
        return result
    }

    /// In templates `$id` is the record's id, so no other field can have that name.
    private static func idRenamed(_ fields: [PlannedField], besides key: [String], _ alias: String) -> [PlannedField] {
        guard let place = fields.firstIndex(where: { $0.name == "id" && key != [$0.column] }) else { return fields }
        var fields = fields
        var taken = Set(fields.map { ColumnName.plain($0.name) })
        let name = "\(alias.replacing("-", with: "_"))_id"
        fields[place].name = ScaffoldNames.free(name, "_", &taken) { ColumnName.plain($0) }
        return fields
    }

    // MARK: - Keys

    private struct Key {
        var columns: [String]
        var notes: [Note] = []
    }

    /// Names of keys, the likeliest first.
    static let keyNames = [
        "id", "key", "code", "sku", "slug", "uuid", "guid", "isbn", "ean", "iata", "icao", "number", "name",
    ]

    /// The most characters of a text that may be a key without other evidence.
    private static let shortKey = 24

    /// Whether it may be one of several columns that make a key.
    private static func canBePart(_ field: PlannedField) -> Bool {
        canBeKey(field) || field.type == InlineFieldType(.time) || field.type == InlineFieldType(.boolean)
    }

    static func canBeKey(_ field: PlannedField) -> Bool {
        (field.type == InlineFieldType(.text) || field.type == InlineFieldType(.integer)
            || field.type == InlineFieldType(.date))
            && field.profile.longest <= TypeLimits.idBytes / 4
    }

    /// - Parameter given: the columns that a person named.
    /// - Returns: `nil` if nothing tells rows apart.
    private static func key(of table: SampledTable, _ fields: [PlannedField], _ given: [String]?) -> Key? {
        if let given { return Key(columns: given) }
        let names = Set(fields.map(\.column))
        if !table.primaryKey.isEmpty {
            let isUsable = table.primaryKey.allSatisfy { column in
                names.contains(column)
                    && fields.first { $0.column == column }.map { canBeKey($0) || table.primaryKey.count > 1 } ?? false
            }
            return isUsable ? Key(columns: table.primaryKey) : nil
        }
        let candidates = fields.filter { field in
            canBeKey(field) && field.profile.isDistinct && field.profile.count == table.sampled && table.sampled > 0
                && field.profile.amounts == 0
        }
        let sure = candidates.filter { field in table.columns.first { $0.name == field.column }?.isUnique ?? false }
        let pool = sure.isEmpty ? candidates : sure
        let isFirst = { (field: PlannedField) in fields.first == field }
        // A text that only happens to differ in a few rows isn't a key.
        let named = pool.filter { field in
            !sure.isEmpty || field.rank(in: keyNames) != nil || isFirst(field) || field.words.last == "id"
        }
        let likely = named.isEmpty ? pool.filter { $0.profile.longest <= shortKey } : named
        guard
            let best = likely.min(by: { a, b in
                let ranks = (
                    a.rank(in: keyNames) ?? (isFirst(a) ? 2 : keyNames.count),
                    b.rank(in: keyNames) ?? (isFirst(b) ? 2 : keyNames.count)
                )
                return ranks.0 < ranks.1
            })
        else { return nil }
        guard sure.isEmpty, !table.isWhole else { return Key(columns: [best.column]) }
        return Key(
            columns: [best.column],
            notes: [
                Note(
                    subject: best.column,
                    text:
                        "the key, as it differs in all \(table.sampled) rows that were looked at; --key names another"
                )
            ])
    }

    // MARK: - References

    private static func references(
        of table: SampledTable, _ type: PlannedType, _ types: [String: PlannedType], _ notes: inout [Note]
    ) -> [PlannedType.Reference] {
        var references: [PlannedType.Reference] = []
        for key in table.foreignKeys {
            guard key.columns.count == 1, let column = key.columns.first else {
                notes.append(
                    Note(
                        subject: "\(table.name) (\(key.columns.joined(separator: ", ")))",
                        text: "refers to \(key.table) by several columns, which no single field can"))
                continue
            }
            // Where the other table is left out, its own note says so.
            guard let other = types[key.table], let field = type.fields.first(where: { $0.column == column }) else {
                continue
            }
            guard other.key == key.otherColumns, other.id != nil else {
                notes.append(
                    Note(
                        subject: "\(table.name).\(column)",
                        text: "refers to \(key.table) by something other than its key, so it isn't a link"))
                continue
            }
            guard !references.contains(where: { $0.field == field.name }) else { continue }
            references.append(PlannedType.Reference(field: field.name, type: other.alias))
        }
        return references
    }

    /// The type that a home screen is about: the one with most to show.
    var main: PlannedType? {
        types.max { a, b in
            func weight(_ type: PlannedType) -> (Int, Int) {
                let roles = type.roles
                let parts = [roles.title, roles.title, roles.image, roles.date, roles.number, roles.tile].compactMap {
                    $0
                }
                return (parts.count, type.size)
            }
            return weight(a) < weight(b)
        }
    }

    package var isEmpty: Bool { types.isEmpty }

    /// For people, what each table becomes: `airports → airport: id iata, title name, newest by opened …`
    package var decisions: [String] {
        types.map { type in
            let roles = type.roles
            var parts = ["id \(type.id ?? type.key.joined(separator: RecordMapping.idJoint))"]
            func add(_ what: String, _ names: [String]) {
                if !names.isEmpty { parts.append("\(what) \(names.joined(separator: ", "))") }
            }
            add("title", [roles.title].compactMap { $0 })
            add("image", [roles.image].compactMap { $0 })
            add("newest by", [roles.date].compactMap { $0 })
            add("top by", [roles.number].compactMap { $0 })
            add("tiles by", [roles.tile].compactMap { $0 })
            add("search in", roles.search)
            add("links to", type.references.map(\.type))
            return "\(type.table) → \(type.alias): \(parts.joined(separator: " · "))"
        }
    }
}
