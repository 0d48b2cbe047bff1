import Foundation
import MarqueeCatalogue
import MarqueeModel
import MarqueeScreens
import MarqueeStore
import MarqueeTypes

@testable import MarqueeImport

/// A source with the files that a scaffold makes of it, and what `check` and the import make of those.
struct Scaffolded {
    let sample: Sampler.Sample
    let plan: ScaffoldPlan
    let files: ScaffoldFiles

    /// - Parameter keys: the columns of a key, where the source doesn't say.
    init(_ source: Sampler.Source, key: [String]? = nil) throws {
        let sample = try Sampler(shouldContinue: { true }, progress: { _ in }).sample(source)
        let origin = ScaffoldFiles.Origin(sample.source, into: "made")
        let keys = key.map { [sample.tables[0].name: $0] } ?? [:]
        plan = ScaffoldPlan(sample.tables, keys: keys, isFromDatabase: origin.isDatabase)
        files = ScaffoldFiles(plan, origin)
        self.sample = sample
    }

    /// A file with this content.
    static func file(_ text: String, named name: String = "rows.csv", key: [String]? = nil) throws -> Scaffolded {
        try file(Data(text.utf8), named: name, key: key)
    }

    static func file(_ data: Data, named name: String, key: [String]? = nil) throws -> Scaffolded {
        let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-scaffold-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appending(path: name)
        try data.write(to: path)
        return try Scaffolded(.file(RecordFile(path: path.path)), key: key)
    }

    /// The tables as those of a database, without one.
    init(tables: [SampledTable]) {
        sample = Sampler.Sample(source: .database(.sqlite("shop.db")), tables: tables)
        plan = ScaffoldPlan(tables, isFromDatabase: true)
        files = ScaffoldFiles(plan, ScaffoldFiles.Origin(sample.source, into: "made"))
    }

    var types: TypeSet {
        get throws { try TypeSet(files.types, file: "types.yaml", descriptors: []) }
    }

    /// The fields of the first type: `code: text`, …
    var fields: [String] { plan.types.first?.fields.map { "\($0.name): \($0.type.words)" } ?? [] }
    var notes: [String] { (sample.notes + plan.notes).map { "\($0.subject): \($0.text)" } }
    var leftOut: [String] { plan.leftOut.map { "\($0.subject): \($0.text)" } }

    /// The complaints of `check`.
    func warnings() throws -> [String] {
        try Programme.check(text: files.programme, file: "programme.yaml", types: types).warnings.map(\.description)
    }

    /// Imports the source by the mapping that was written.
    /// - Returns: the records as JSON, by id, and the outcome.
    func imported() throws -> (records: [String: String], report: ImportReport) {
        let source = try SourceFile(yaml: files.source, file: "made/source.yaml")
        let types = try types
        let store = MemoryStore()
        var report = ImportReport()
        for table in source.tables {
            var request = source.request(table)
            request.declared = types
            // The file's own path, as the one written leads there from another folder.
            if case .file(let file) = sample.source { request.file.path = file.path }
            let known = try store.snapshotTypes()
            report.add(try Importer(store: store, types: known).records(request))
        }
        var records: [String: String] = [:]
        _ = try store.snapshot { change in
            guard case .put(let id, .bytes(let bytes)) = change else { return }
            records["\(id.type)/\(id.id)"] = try? types.type(id.type)?.coder.json(of: bytes)
        }
        return (records, report)
    }
}

extension MemoryStore {
    fileprivate func snapshotTypes() throws -> TypesDocument? {
        var types: TypesDocument?
        _ = try snapshot { if case .types(let document) = $0 { types = document } }
        return types
    }
}

/// A column of a PostgreSQL table.
func column(_ name: String, _ type: String, _ values: [String] = [], kind: String = "b", element: String? = nil)
    -> SampledColumn
{
    let declared = PostgresTypes.declared(
        PostgresColumn(name: name, shown: type, base: type, kind: kind, elementKind: element, isRequired: false))
    var column = SampledColumn(name: name, declared: declared)
    for value in values {
        let cell = JSONValue.text(value)
        column.profile.add(declared == .json ? (try? JSONValue(parsing: Array(value.utf8))) ?? cell : cell)
    }
    return column
}
