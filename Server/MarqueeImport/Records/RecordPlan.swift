import MarqueeModel
import MarqueeTypes

/// How each row of a file becomes a record of a type: a mapping, compiled, and what follows from the columns' names.
struct RecordPlan {
    /// A field, and the source of its value.
    ///
    /// A class, as each cell of each row looks for its own, and copying one costs more than reading the cell.
    private final class PlannedField {
        enum Source {
            case column(ColumnPath)
            case constant(JSONValue)
        }

        let source: Source
        let reader: CellReader
        /// The path to the field that takes the value.
        let way: ArraySlice<String>

        init(source: Source, reader: CellReader) {
            (self.source, self.reader) = (source, reader)
            way = RecordPlan.way(to: reader.path)
        }

        /// The name of a value in messages: `column 'Minutes', field minutes`.
        var place: String {
            switch source {
            case .constant: "the value set for \(reader.path.text)"
            case .column(let column):
                ColumnName.plain(column.text) == ColumnName.plain(reader.path.text)
                    ? "column '\(column.text)'" : "column '\(column.text)', field \(reader.path.text)"
            }
        }
    }

    /// A list of messages, each made of an element of a list in a column.
    private struct PlannedList {
        struct Part {
            var column: ColumnPath
            var element: ColumnPath.ElementPath
            var reader: CellReader
            var way: ArraySlice<String>
        }

        var column: ColumnPath
        var path: FieldPath
        var parts: [Part] = []
    }

    /// The mark between a list's field and a field of its messages, in a mapping.
    private static let listMark = "[]."

    /// The most different columns of one file.
    static let columns = 4_096

    let type: TypeDeclaration
    private let schema: DescriptorSet
    private let id: [ColumnPath]
    /// The path to the field that holds the id, if the type has one.
    private let idWay: ArraySlice<String>?
    private let isKeyed: Bool
    private var cells: CellRules
    /// Texts of cells without a value.
    private let nullTexts: Set<String>
    /// Columns that fill no field by their own name.
    private let omitted: [String]
    private var fields: [PlannedField] = []
    private var lists: [PlannedList] = []
    /// The columns met, with the field that each fills by its name.
    private var automatic: [String: PlannedField?] = [:]
    /// The first column met of each field that a column fills by its name.
    private var fillers: [String: String] = [:]
    /// Fields that several columns would fill.
    private var rivalled: Set<String> = []
    /// The cells of a table without quotes that count as empty, unless the mapping names others.
    private static let usualNullText: Set<String> = ["\\N"]
    /// The columns in the order in which they were met.
    private(set) var columns: [String] = []

    /// - Parameter isKeyed: whether a row's name is its id.
    /// - Throws: `malformed` for what the type doesn't have.
    init(
        type: TypeDeclaration, schema: DescriptorSet, mapping: RecordMapping, isKeyed: Bool
    ) throws(ImportError) {
        self.type = type
        self.schema = schema
        self.isKeyed = isKeyed
        id = mapping.id.map { ColumnPath($0) }
        idWay = type.id.map { RecordPlan.way(to: $0) }
        func path(_ entry: RecordMapping.Entry, _ option: String) throws(ImportError) -> FieldPath {
            do throws(RecordError) {
                return try FieldPath(entry.field, message: type.message, set: schema)
            } catch {
                throw ImportError(.malformed, "\(option) '\(entry.field)=\(entry.value)': \(error.reason)")
            }
        }
        cells = CellRules(zone: mapping.zone, decimal: mapping.decimal ?? .point)
        (nullTexts, omitted) = (Set(mapping.nullTexts), mapping.omitted)
        for entry in mapping.separators {
            let path = try path(entry, "--split")
            guard path.field.cardinality == .repeated else {
                throw ImportError(.malformed, "--split '\(entry.field)=\(entry.value)': '\(path.text)' is not a list")
            }
            cells.separators[path.text] = entry.value
        }
        for entry in mapping.times {
            let path = try path(entry, "--time")
            guard path.target == .timestamp || path.target == .scalar(.string) else {
                throw ImportError(
                    .malformed,
                    "--time '\(entry.field)=\(entry.value)': '\(path.text)' is neither a timestamp nor a string")
            }
            do throws(TimePattern.Mistake) {
                cells.times[path.text] = try TimeFormat(entry.value, zone: mapping.zone ?? .utc)
            } catch {
                throw ImportError(
                    .malformed,
                    "--time '\(entry.field)=\(entry.value)': the form of a time is a pattern such as %d/%m/%Y, unix or "
                        + "unix-ms; \(error.reason)")
            }
        }
        for entry in mapping.unknowns {
            cells.unknowns[try path(entry, "--unknown").text, default: []].insert(entry.value)
        }
        var paths: Set<String> = []
        for (entries, option) in [(mapping.columns, "--map"), (mapping.constants, "--set")] {
            for entry in entries {
                if option == "--map", entry.field.contains(RecordPlan.listMark) {
                    try plan(list: entry, &paths)
                    continue
                }
                let path = try path(entry, option)
                guard paths.insert(path.text).inserted else {
                    throw ImportError(
                        .malformed, "\(option) '\(entry.field)=\(entry.value)': '\(path.text)' has a value already")
                }
                fields.append(
                    PlannedField(
                        source: option == "--map"
                            ? .column(ColumnPath(entry.value)) : .constant(.text(entry.value.composed)),
                        reader: cells.reader(of: path)))
            }
        }
    }

    /// Plans `cast[].person=credits.cast[].id`: a field of the messages of a list.
    private mutating func plan(list entry: RecordMapping.Entry, _ paths: inout Set<String>) throws(ImportError) {
        func wrong(_ reason: String) -> ImportError {
            ImportError(.malformed, "--map '\(entry.field)=\(entry.value)': \(reason)")
        }
        let names = entry.field.split(separator: RecordPlan.listMark, maxSplits: 1).map(String.init)
        guard names.count == 2 else { throw wrong("a field is missing") }
        let path: FieldPath
        let inner: FieldPath
        do throws(RecordError) {
            path = try FieldPath(names[0], message: type.message, set: schema)
            guard path.field.cardinality == .repeated, case .message(let message) = path.target else {
                throw RecordError("'\(path.text)' is not a list of messages")
            }
            inner = try FieldPath(names[1], message: message, set: schema)
        } catch {
            throw wrong(error.reason)
        }
        guard paths.insert("\(path.text)[].\(inner.text)").inserted, !paths.contains(path.text) else {
            throw wrong("'\(path.text)' has a value already")
        }
        guard let (list, element) = ColumnPath(entry.value).elements else {
            throw wrong("the column has to lead into a list, such as '\(entry.value)[].id'")
        }
        let index = lists.firstIndex { $0.path == path } ?? lists.endIndex
        if index == lists.endIndex { lists.append(PlannedList(column: list, path: path)) }
        guard lists[index].column == list else {
            throw wrong("other fields of '\(path.text)' come from another list, '\(lists[index].column.text)'")
        }
        lists[index].parts.append(
            PlannedList.Part(
                column: ColumnPath(entry.value), element: element, reader: cells.reader(ofElement: inner),
                way: RecordPlan.way(to: inner)))
    }

    // MARK: - Columns

    /// Notes the columns of a file, or of one of its rows.
    /// - Parameter isHeader: whether every row has them, so that two for one field are a mistake.
    /// - Throws: `wrongColumns` when there are too many.
    mutating func meet(
        _ names: some Sequence<String>, in file: String, isHeader: Bool = false
    ) throws(ImportError) {
        for name in names where automatic[name] == nil {
            guard columns.count < RecordPlan.columns else {
                throw ImportError(.wrongColumns, "\(file) has more than \(RecordPlan.columns) different columns")
            }
            columns.append(name)
            let field = field(calledLike: name)
            automatic.updateValue(field, forKey: name)
            guard let path = field?.reader.path.text else { continue }
            guard let other = fillers[path] else {
                fillers[path] = name
                continue
            }
            rivalled.insert(path)
            if isHeader {
                throw ImportError(.wrongColumns, "\(file) has \(RecordPlan.rivals(other, name, path))")
            }
        }
    }

    private static func rivals(_ column: String, _ other: String, _ path: String) -> String {
        "two columns for the field '\(path)', '\(column)' and '\(other)'; say which one fills it, such as "
            + "--map '\(path)=\(other)'"
    }

    /// The field that a column fills by its name.
    private func field(calledLike column: String) -> PlannedField? {
        guard !omitted.contains(column), !column.isEmpty else { return nil }
        let wanted = ColumnName.plain(column)
        let field = type.message.fields.first { ColumnName.plain($0.name) == wanted }
        guard let path = try? FieldPath(field?.name ?? column, message: type.message, set: schema) else { return nil }
        // A mapping takes precedence over names, for a field as for those inside it.
        let mapped = fields.map(\.reader.path.text) + lists.map(\.path.text)
        let isMapped = mapped.contains { other in
            other == path.text || other.hasPrefix(path.text + ".") || other.hasPrefix(path.text + "[")
        }
        guard !isMapped, id.isEmpty || path.text != type.id?.text else { return nil }
        return PlannedField(source: .column(ColumnPath(column)), reader: cells.reader(of: path))
    }

    /// Checks that the file has every column that the mapping names.
    /// - Parameter needsID: whether a column has to give the id.
    /// - Throws: `wrongColumns`.
    func checkColumns(of file: String, needsID: Bool) throws(ImportError) {
        let asked = asked + omitted.map { ColumnPath($0) }
        if let missing = asked.first(where: { $0.column(among: columns) == nil }) {
            throw ImportError(
                .wrongColumns,
                "\(file) has no column '\(Field.shown(missing.text))'\(NearestName.hint(for: missing.text, among: columns)); "
                    + "it has \(RecordPlan.list(columns))")
        }
        let hasID =
            !id.isEmpty || isKeyed || fields.contains { $0.reader.path.text == type.id?.text }
            || automatic.values.contains { $0.map { $0.reader.path.text == type.id?.text } ?? false }
        guard needsID, !hasID else { return }
        throw ImportError(
            .wrongColumns,
            (type.id.map { "\(file) has no column '\($0.text)', the id of \(type.alias)" }
                ?? "no field of \(type.alias) is its id")
                + "; name its column with --id, or several columns that form it together; it has "
                + RecordPlan.list(columns))
    }

    /// The columns that fill scalars of the record, one each, the id's included.
    /// - Returns: `nil` if more decides about a row than the text of each column.
    var plainFields: [(column: String, path: FieldPath)]? {
        guard !isKeyed, lists.isEmpty, rivalled.isEmpty, nullTexts.isEmpty, id.count <= 1 else { return nil }
        var found = automatic.compactMap { name, field in field.map { (name, $0.reader) } }
        for field in fields {
            guard case .column(let column) = field.source else { return nil }
            found.append((column.text, field.reader))
        }
        if let id = id.first, let path = type.id { found.append((id.text, CellReader(path: path))) }
        let isPlain = found.allSatisfy { columns.contains($0.0) && $0.1.isPlain }
        return isPlain ? found.map { ($0.0, $0.1.path) } : nil
    }

    /// Whether a column that was met fills a field, or belongs to the id.
    func uses(_ name: String) -> Bool {
        if case .some(.some) = automatic[name] { return true }
        return asked.contains { $0.column(among: [name]) != nil }
    }

    /// The columns that a mapping names for fields and the id.
    private var asked: [ColumnPath] {
        fields.compactMap { if case .column(let column) = $0.source { column } else { nil } } + lists.map(\.column) + id
    }

    /// The columns that were met and make up the id.
    var idColumns: [String] {
        if !id.isEmpty { return id.compactMap { $0.column(among: columns) } }
        let mapped = fields.first { $0.reader.path.text == type.id?.text }
        if case .column(let column)? = mapped?.source { return [column.column(among: columns)].compactMap { $0 } }
        return columns.filter { name in
            (automatic[name] ?? nil).map { $0.reader.path.text == type.id?.text } ?? false
        }
    }

    /// Columns that fill no field; `nil` if there are none.
    var unused: String? {
        let unused = unusedColumns
        guard !unused.isEmpty else { return nil }
        return "not imported: \(unused.count == 1 ? "the column" : "the columns") \(RecordPlan.list(unused))"
    }

    /// Stops at a column that fills no field and is called nearly like one that nothing fills: the records would lose
    /// that field's values.
    /// - Throws: `wrongColumns`.
    func checkSpelling(in file: String) throws(ImportError) {
        let unused = unusedColumns
        guard !unused.isEmpty else { return }
        let filling = fields + automatic.values.compactMap { $0 }
        var filled = Set(filling.map { $0.reader.path.field.number } + lists.map { $0.path.field.number })
        if let own = type.id, !id.isEmpty || isKeyed { filled.insert(own.field.number) }
        let free = type.message.fields.filter { !filled.contains($0.number) }.map(\.name)
        // A column named like a field that another column fills isn't misspelt.
        let named = Set(type.message.fields.map { ColumnName.plain($0.name) })
        for name in unused where !named.contains(ColumnName.plain(name)) {
            guard let field = NearestName.typo(for: name, among: free) else { continue }
            let shown = Field.shown(name)
            throw ImportError(
                .wrongColumns,
                "\(file) has a column '\(shown)', which is no field of \(type.alias), but none for its field '\(field)'"
                    + "; did you mean --map '\(field)=\(shown)'? --omit '\(shown)' leaves the column out")
        }
    }

    private var unusedColumns: [String] {
        columns.filter { !$0.isEmpty && !omitted.contains($0) && !uses($0) }
    }

    /// The most columns that a message lists.
    private static let listed = 24

    private static func list(_ columns: [String]) -> String {
        guard !columns.isEmpty else { return "no columns" }
        return columns.prefix(listed).map { "'\(Field.shown($0))'" }.joined(separator: ", ")
            + (columns.count > listed ? ", …" : "")
    }

    // MARK: - Rows

    /// The record that a row makes, in JSON with names of the schema.
    func record(of row: RecordRow) throws(BadRow) -> JSONValue {
        if let flaw = row.flaw { throw flaw }
        let row = withoutNothings(row)
        var record = JSONValue.object([])
        var filled: [String: String] = [:]
        for cell in row.cells {
            guard let field = automatic[cell.name] ?? nil else { continue }
            let path = field.reader.path.text
            if rivalled.contains(path), cell.value != .null,
                let other = filled.updateValue(cell.name, forKey: path)
            {
                throw BadRow("the row has \(RecordPlan.rivals(other, cell.name, path))", cause: .value(path))
            }
            try set(field, cell.value, in: &record)
        }
        for field in fields {
            switch field.source {
            case .constant(let value): try set(field, value, in: &record)
            case .column(let column):
                let value = try RecordPlan.placed(field.place) { () throws(BadRow) in try column.value(in: row) }
                if let value { try set(field, value, in: &record) }
            }
        }
        for list in lists {
            if let values = try messages(of: list, in: row) { record.set(values, at: RecordPlan.way(to: list.path)) }
        }
        if let idWay, let path = type.id, let text = try id(of: row) {
            let id = try RecordPlan.placed("the id") { () throws(BadRow) in
                try CellReader(path: path).value(.text(text))
            }
            if let id { record.set(id, at: idWay) }
        }
        return record
    }

    /// - Returns: `nil` if the row doesn't have the list.
    private func messages(of list: PlannedList, in row: RecordRow) throws(BadRow) -> JSONValue? {
        let place = "column '\(list.column.text)', field \(list.path.text)"
        let value = try RecordPlan.placed(place) { () throws(BadRow) in try list.column.value(in: row) }
        guard case .list(let elements)? = value else { return nil }
        var messages: [JSONValue] = []
        for element in elements {
            var message = JSONValue.object([])
            for part in list.parts {
                let place = "column '\(part.column.text)', field \(list.path.text)[].\(part.reader.path.text)"
                let value = try RecordPlan.placed(place) { () throws(BadRow) -> JSONValue? in
                    guard let cell = try ColumnPath.value(part.element, in: element) else { return nil }
                    return try part.reader.value(cell)
                }
                if let value { message.set(value, at: part.way) }
            }
            if message != .object([]) { messages.append(message) }
        }
        return .list(messages)
    }

    /// The row without cells that have no value.
    private func withoutNothings(_ row: RecordRow) -> RecordRow {
        let nullTexts = nullTexts.isEmpty && row.isPlain ? RecordPlan.usualNullText : nullTexts
        guard !nullTexts.isEmpty else { return row }
        var row = row
        row.cells.removeAll { if case .text(let text) = $0.value { nullTexts.contains(text) } else { false } }
        return row
    }

    /// The id of a record whose type has no field for it.
    func name(of row: RecordRow) throws(BadRow) -> String {
        if let id = try id(of: withoutNothings(row)) { return id }
        throw BadRow("the id is missing", cause: .noID)
    }

    /// Nothing but the id of a row.
    func identity(of row: RecordRow) throws(BadRow) -> JSONValue {
        let record = try record(of: row)
        var identity = JSONValue.object([])
        if let idWay, let id = record.value(at: idWay) { identity.set(id, at: idWay) }
        return identity
    }

    /// The id that the row gives outside its fields.
    private func id(of row: RecordRow) throws(BadRow) -> String? {
        guard !id.isEmpty else { return row.key }
        var parts: [String] = []
        for column in id {
            switch try column.value(in: row) {
            case .text(let text)? where Field.text(text) != nil: parts.append(Field.trimmed(text))
            case .number(let digits)?: parts.append(digits)
            case nil, .text?, .null?:
                throw BadRow("column '\(column.text)' is empty, and the id is made of it", cause: .noID)
            case let other?: throw BadRow("column '\(column.text)': an id can't be \(other.found)", cause: .noID)
            }
        }
        return parts.joined(separator: RecordMapping.idJoint)
    }

    private func set(_ field: PlannedField, _ cell: JSONValue, in record: inout JSONValue) throws(BadRow) {
        let value = try RecordPlan.placed(field.place) { () throws(BadRow) in try field.reader.value(cell) }
        if let value { record.set(value, at: field.way) }
    }

    private static func placed<Value>(
        _ place: @autoclosure () -> String, _ read: () throws(BadRow) -> Value
    ) throws(BadRow) -> Value {
        do throws(BadRow) {
            return try read()
        } catch {
            let place = place()
            throw BadRow("\(place): \(error.reason)", cause: .value(place))
        }
    }

    /// Returns the fault of a record, in terms of its row.
    func reason(_ error: RecordError) -> BadRow {
        let path =
            error.path.hasPrefix(type.alias + ".") ? String(error.path.dropFirst(type.alias.count + 1)) : error.path
        if path == type.id?.text, error.reason == "the id is missing" {
            return BadRow("\(path): \(error.reason)", cause: .noID)
        }
        let all = fields + automatic.values.compactMap { $0 }
        guard let field = all.first(where: { path == $0.reader.path.text || path.hasPrefix($0.reader.path.text + "[") })
        else { return BadRow("\(error)", cause: path.isEmpty ? nil : .value(path)) }
        return BadRow("\(field.place): \(error.reason)", cause: .value(field.place))
    }

    /// The names on the path to a field, the key of a map's entry last.
    private static func way(to path: FieldPath) -> ArraySlice<String> {
        let bracket = path.text.firstIndex(of: "[") ?? path.text.endIndex
        let names = path.text[..<bracket].split(separator: ".").map(String.init)
        let key = path.text[bracket...].dropFirst().dropLast()
        return (bracket == path.text.endIndex ? names : names + [String(key)])[...]
    }
}

extension JSONValue {
    /// Sets the value at a path through objects, which are created if missing.
    fileprivate mutating func set(_ value: JSONValue, at path: ArraySlice<String>) {
        guard let name = path.first else {
            self = value
            return
        }
        var members: [Member] = []
        if case .object(let own) = self { members = own }
        // The members are changed in place, not copied.
        self = .null
        let index = members.firstIndex { $0.name == name } ?? members.endIndex
        if index == members.endIndex { members.append(Member(name: name, value: .null)) }
        members[index].value.set(value, at: path.dropFirst())
        self = .object(members)
    }

    fileprivate func value(at path: ArraySlice<String>) -> JSONValue? {
        guard let name = path.first else { return self }
        return self[name]?.value(at: path.dropFirst())
    }
}
