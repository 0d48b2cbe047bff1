import Foundation
package import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import MarqueeTypes

extension Importer {
    /// Imports changes, one JSON document per line, such as `{"remove": {"type": "episode", "id": "e1"}}`. Empty
    /// lines are skipped.
    ///
    /// - Parameters:
    ///   - file: path of the file.
    ///   - fault: why a well-formed change can't be used, such as a programme with a mistake in it.
    /// - Returns: the outcome of the lines.
    /// - Throws: when the file can't be read or the store can't write.
    package func ndjson(
        file: String, fault: (Change) -> String? = { _ in nil }
    ) throws(ImportError) -> ImportReport {
        let source = try self.source(file)
        var counter = ProgressCounter(source: source, self)
        var batch = ImportBatch(self, file: source.name, report: ImportReport())
        try LineReader(source: source).read { (line, bytes) throws(ImportError) in
            guard !bytes.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) else { return }
            try counter.row()
            guard String(validating: bytes, as: UTF8.self) != nil else {
                return batch.addBad(BadRow("the line is not UTF-8", cause: .encoding), line: line)
            }
            let change: Change
            do throws(RecordError) {
                change = try Change(document: bytes)
            } catch {
                return batch.addBad(BadRow(error.description), line: line)
            }
            if let reason = fault(change) { return batch.addBad(BadRow(reason), line: line) }
            try batch.add([change], line: line)
        }
        try batch.flush()
        counter.finish()
        return batch.report
    }

    /// Imports one change.
    ///
    /// - Parameter file: its source, for messages.
    /// - Returns: the outcome, as that of one row.
    /// - Throws: when the store can't write.
    package func change(_ change: Change, file: String) throws(ImportError) -> ImportReport {
        var batch = ImportBatch(self, file: file, report: ImportReport())
        try batch.add([change], line: 1)
        try batch.flush()
        return batch.report
    }
}
