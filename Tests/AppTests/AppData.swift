import Foundation
import MarqueeCatalogue
import MarqueeModel
import Testing

/// The folder of real input data, named by `MARQUEE_DATA`; it is not part of the repository.
enum AppData {
    static let folder: String? = ProcessInfo.processInfo.environment["MARQUEE_DATA"].flatMap { $0.isEmpty ? nil : $0 }
    static let isPresent = folder != nil
    static let howToSet: Comment = "skipped: MARQUEE_DATA does not name the folder of real data"

    static func read<Value: Decodable>(_ type: Value.Type, from name: String) throws -> Value {
        let file = URL(filePath: try #require(folder)).appending(path: name)
        return try JSONDecoder().decode(type, from: Data(contentsOf: file))
    }
}

extension Change {
    /// The change that a feed publishes as this JSON object.
    init(json: [String: Any]) throws { try self.init(document: Array(JSONSerialization.data(withJSONObject: json))) }

    /// `put` or `merge` of a record.
    init(_ name: String, _ type: String, _ id: String, _ record: [String: Any]) throws {
        try self.init(json: [name: ["type": type, "id": id, "record": record] as [String: Any]])
    }
}

extension SampleName {
    /// Returns the commits that `make run` publishes in a loop, each of the changes between two blank lines.
    func live() throws -> [[Change]] {
        let text = try String(contentsOfFile: file("live.ndjson"), encoding: .utf8)
        return try text.split(separator: "\n\n").map { block in
            try block.split(separator: "\n").map { try Change(document: Array($0.utf8)) }
        }
    }

    /// The subjects of all records that its catalogue holds.
    func subjects() throws -> [String] {
        let text = try String(contentsOfFile: file("catalogue.ndjson"), encoding: .utf8)
        return try text.split(separator: "\n").compactMap { line in
            guard case .put(let record, _) = try Change(document: Array(line.utf8)) else { return nil }
            return record.subject.name
        }
    }
}
