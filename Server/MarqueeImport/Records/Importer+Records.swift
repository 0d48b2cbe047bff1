package import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
package import MarqueeTypes

/// An import of records of one type.
package struct RecordImport {
    /// The operation that each row stands for.
    package enum Action: Hashable, Sendable {
        /// The record as a whole.
        case put
        /// The fields that the row has; the others stay.
        case merge
        /// Removes the record with the row's id.
        case remove
    }

    package var file: RecordFile
    /// The table of a database that is read instead of the file.
    package var table: DatabaseTable?
    /// The type's alias.
    package var type: String
    package var mapping = RecordMapping()
    package var action = Action.put
    /// Whether a merge refuses rows without an existing record, instead of creating one.
    package var updatesOnly = false
    /// The list to fill with the records, in the order of the rows.
    package var list: ListName?
    /// Whether the file has all records of the type, so that others are removed.
    package var isComplete = false
    /// The types declared by a file, for a store without any.
    package var declared: TypeSet?

    package init(file: RecordFile, type: String) {
        self.file = file
        self.type = type
    }

    package init(table: DatabaseTable, type: String) {
        self.init(file: RecordFile(path: table.name), type: type)
        self.table = table
    }

    fileprivate var rows: any RecordRows { table ?? file }
}

extension Importer {
    /// Imports the rows of a file as records of a type, each of which is judged by the type before it is kept.
    ///
    /// - Parameter first: called with the first record, as JSON.
    /// - Returns: the outcome of the rows. Columns that fill no field are among its notes.
    /// - Throws: when the file can't be read, the mapping names what isn't there, or the store can't write.
    package func records(
        _ request: RecordImport, first: (String) -> Void = { _ in }
    ) throws(ImportError) -> ImportReport {
        let types = try types(of: request)
        let type = try types.declared(request.type)
        let rows = request.rows
        let name = rows.name
        var plan = try RecordPlan(
            type: type, schema: types.schema, mapping: request.mapping, isKeyed: rows.isKeyed)
        var batch = ImportBatch(self, file: name, report: ImportReport())
        var ids = KnownIDs()
        var entries: [RecordID] = []
        var isFirst = true
        let note = try rows.read(self) { (columns) throws(ImportError) in
            try plan.meet(columns, in: name, isHeader: true)
            try plan.checkColumns(of: name, needsID: true)
            if request.action != .remove { try plan.checkSpelling(in: name) }
        } row: { (row) throws(ImportError) in
            try plan.meet(row.cells.lazy.map(\.name), in: name)
            let judged: JudgedRow
            do throws(BadRow) {
                judged = try JudgedRow(row, plan, request.action, updatesOnly: request.updatesOnly)
            } catch {
                return batch.addBad(
                    BadRow(row.placePrefix + error.reason, cause: error.cause), line: row.line, rows: row.rows)
            }
            if isFirst { first(judged.json) }
            isFirst = false
            let earlier = ids.meet(judged.id, at: row)
            let other = request.action == .put ? earlier : nil
            if let other {
                batch.note(
                    "\(row.placePrefix)the id '\(Field.shown(judged.id))' was in \(other) already; this row counts",
                    line: row.line)
            }
            if request.list != nil, earlier == nil {
                guard entries.count < CatalogueBounds.listEntries else {
                    throw ImportError(
                        .refused,
                        "\(name) has more than the \(CatalogueBounds.listEntries) rows that a list has room for")
                }
                entries.append(RecordID(type: type.alias, id: judged.id))
            }
            try batch.add([judged.change], line: row.line, place: row.placePrefix, isRepeat: other != nil)
        }
        // A JSON file's columns are known only once all rows have been read.
        if !plan.columns.isEmpty {
            try plan.checkColumns(of: name, needsID: false)
            if request.action != .remove { try plan.checkSpelling(in: name) }
        }
        try batch.flush()
        // The records of bad rows mustn't be taken for missing ones.
        if request.isComplete, batch.report.bad == 0 {
            for id in try missing(from: ids, of: type.alias, in: name) { try batch.remove(id) }
        }
        if let list = request.list {
            try batch.add(
                [.list(RecordList(list, entries: entries.map { ListEntry($0) }))], line: nil, place: "the list: ")
        }
        try batch.flush()
        if let note { batch.note(note, line: nil) }
        if let unused = plan.unused { batch.note(unused, line: nil) }
        return batch.report
    }

    /// The records of a type that a file doesn't have.
    private func missing(from known: KnownIDs, of type: String, in file: String) throws(ImportError) -> [RecordID] {
        guard !known.isFull else {
            throw ImportError(.refused, "\(file) has more rows than --complete can compare, \(KnownIDs.limit)")
        }
        var missing: [RecordID] = []
        do throws(StoreError) {
            _ = try store.snapshot { change in
                if case .put(let id, _) = change, id.type == type, !known.contains(id.id) { missing.append(id) }
            }
        } catch {
            throw ImportError(.store, "the catalogue can't be read: \(error)", storeError: error)
        }
        return missing
    }

    /// The types in force, or else the declared ones, which are put in force first.
    private func types(of request: RecordImport) throws(ImportError) -> TypeSet {
        if let types {
            do throws(FileMistakes) {
                return try TypeSet(types, file: "types")
            } catch {
                throw ImportError(.malformed, "the types in force can't be read: \(error)")
            }
        }
        guard let declared = request.declared else {
            throw ImportError(
                .malformed,
                "the types aren't known: name the file that declares them, such as --types types.yaml")
        }
        let outcome: StoreOutcome?
        do throws(StoreError) {
            outcome = try store.write([.catalogue(key: nil, changes: [.types(declared.document)], mutation: nil)]).first
        } catch {
            throw ImportError(.store, "the types can't be stored: \(error)", storeError: error)
        }
        if case .refused(let reason)? = outcome { throw ImportError(.malformed, "the types can't be used: \(reason)") }
        return declared
    }
}

/// A row that makes a record of its type.
struct JudgedRow {
    let id: String
    let change: Change
    /// Canonical bytes, of as much as the row has.
    let record: [UInt8]
    private let type: TypeDeclaration

    /// - Parameter updatesOnly: whether a merge refuses a row without an existing record.
    init(
        _ row: RecordRow, _ plan: RecordPlan, _ action: RecordImport.Action, updatesOnly: Bool = false
    ) throws(BadRow) {
        type = plan.type
        let json = try action == .remove ? plan.identity(of: row) : plan.record(of: row)
        let own: String?
        do throws(RecordError) {
            record =
                action == .put ? try type.coder.record(json: json) : try type.coder.patch(json: json).record
            own = try type.id(of: record)
            if action != .remove { try type.checkDates(in: record) }
        } catch {
            throw plan.reason(error)
        }
        id = if let own { own } else { try plan.name(of: row) }
        let name = RecordID(type: type.alias, id: id)
        change =
            switch action {
            case .put: .put(name, .bytes(record))
            case .merge: .merge(name, .json(json), clear: [], creates: !updatesOnly)
            case .remove: .remove(name)
            }
    }

    /// The record in JSON, as stored.
    var json: String { (try? type.coder.json(of: record)) ?? "{}" }
}

/// The ids met in a file, to notice one that occurs twice.
private struct KnownIDs {
    /// The most ids remembered; one beyond that may occur twice unnoticed.
    static let limit = 1_000_000

    private var places: [String: String] = [:]

    var isFull: Bool { places.count >= KnownIDs.limit }

    func contains(_ id: String) -> Bool { places[id] != nil }

    /// - Returns: where the id occurred before, if it did.
    mutating func meet(_ id: String, at row: RecordRow) -> String? {
        if places.count >= KnownIDs.limit, places[id] == nil { return nil }
        return places.updateValue(row.line.map { "line \($0)" } ?? row.place ?? "another row", forKey: id)
    }
}
