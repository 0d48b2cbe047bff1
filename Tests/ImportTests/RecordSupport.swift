import Foundation
import MarqueeModel
import MarqueePresetRecords
import MarqueeStore
import MarqueeTypes

@testable import MarqueeImport

/// Records of every kind of field, imported into a folder.
struct RecordKitchen {
    let folder: ImportFolder
    let store: SQLiteStore
    let types: TypeSet

    /// - Parameters:
    ///   - id: the field that holds a record's id; `nil` for none.
    ///   - sorts: in YAML.
    init(id: String? = "a_string", sorts: String? = nil) throws {
        let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "TypesTests/Fixtures")
        types = try TypeSet(
            """
            descriptors: kitchen.desc
            types:
              dish: {message: kitchen.v1.Kitchen\(id.map { ", id: \($0)" } ?? "")\(sorts.map { ", sorts: \($0)" } ?? "")}
              tree: {message: kitchen.v1.Tree, id: name}
            lists: {top: {of: [dish]}}
            """, file: "types.yaml", descriptors: [UInt8](Data(contentsOf: fixtures.appending(path: "kitchen.desc"))))
        folder = try ImportFolder()
        store = try SQLiteStore(folder: "\(folder.path)/data")
    }

    func request(_ name: String, _ text: String, _ mapping: RecordMapping = RecordMapping()) throws -> RecordImport {
        var request = RecordImport(file: RecordFile(path: try folder.file(name, text)), type: "dish")
        request.mapping = mapping
        request.declared = types
        return request
    }

    func run(_ request: RecordImport, _ tolerance: ImportTolerance = .percent(100)) throws -> ImportRun.Result {
        let inForce = try store.types()
        return try ImportRun(tolerance: tolerance).run(in: store) { (writer) throws(ImportError) in
            try Importer(store: writer, types: inForce).records(request)
        }
    }

    /// Imports a file and returns the problems with its rows, without the folder's path.
    func problems(
        _ text: String, _ mapping: RecordMapping = RecordMapping(), named name: String = "rows.csv"
    ) throws -> [String] {
        try run(request(name, text, mapping)).report.problems.map {
            $0.description.replacing("\(folder.path)/", with: "")
        }
    }

    /// The error that stops an import, without the folder's path; empty if none does.
    func refusal(
        _ text: String, _ mapping: RecordMapping = RecordMapping(), named name: String = "rows.csv",
        _ change: (inout RecordImport) -> Void = { _ in }
    ) throws -> String {
        var request = try request(name, text, mapping)
        change(&request)
        do {
            return try run(request).refusal ?? ""
        } catch let error as ImportError {
            return error.message.replacing("\(folder.path)/", with: "")
        }
    }

    /// The records of a type, as JSON by id.
    func records(_ alias: String = "dish") throws -> [String: String] {
        let coder = types.type(alias)?.coder
        var records: [String: String] = [:]
        for change in try store.allChanges() {
            guard case .put(let id, .bytes(let bytes)) = change, id.type == alias else { continue }
            records[id.id] = try coder?.json(of: bytes)
        }
        return records
    }
}

extension RecordMapping {
    init(
        id: [String] = [], map: [String] = [], set: [String] = [], split: [String] = [], time: [String] = []
    ) {
        self.init()
        self.id = id
        columns = map.compactMap { Entry($0) }
        constants = set.compactMap { Entry($0) }
        separators = split.compactMap { Entry($0) }
        times = time.compactMap { Entry($0) }
    }
}
