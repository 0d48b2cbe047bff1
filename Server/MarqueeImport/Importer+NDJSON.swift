import Foundation
import MarqueeModel
import MarqueeStore

extension Importer {
    /// Imports changes, one JSON document per line, such as `{"movie": {"id": 27205, "title": "Inception"}}`. Empty lines are skipped.
    ///
    /// - Parameter file: path of the file, plain or .gz.
    /// - Returns: what became of the lines.
    /// - Throws: when the file can't be read or the store can't write. What was written before stays.
    package func ndjson(file: String) throws(ImportError) -> ImportReport {
        let source = try ImportSource(file)
        var counter = ProgressCounter(source: source, tell: progress)
        var batch = ImportBatch(store: store, file: file, report: ImportReport())
        let decoder = JSONDecoder()
        try LineReader(source: source).read { (line, bytes) throws(ImportError) in
            guard !bytes.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) else { return }
            counter.row()
            let change: Change
            do {
                change = try decoder.decode(Change.self, from: Data(bytes))
            } catch {
                return batch.addBad(BadRow(error, in: "change").reason, line: line)
            }
            try batch.add([change], line: line)
        }
        try batch.flush()
        counter.finish()
        return batch.report
    }
}
