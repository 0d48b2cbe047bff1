import Foundation
import MarqueeTypes

/// The tests' schemas and vectors, from files. `make check-generated` checks the descriptor sets against their sources.
enum Fixtures {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
    static let root = folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appending(path: name)))
    }

    static func set(_ name: String) throws -> DescriptorSet { try DescriptorSet(try bytes("\(name).desc")) }

    static func coder(_ message: String, name: String = "record") throws -> RecordCoder {
        let file = String(message.prefix { $0 != "." })
        return try RecordCoder(set: set(file), message: message, name: name)
    }

    struct Vector: Decodable {
        /// Whether the document was written by hand.
        var given: Bool
        var message: String
        var json: String
        var bytes: Data
    }

    static func vectors() throws -> [Vector] {
        try JSONDecoder().decode([Vector].self, from: Data(contentsOf: folder.appending(path: "vectors.json")))
    }
}

extension RecordCoder {
    func record(_ json: String) throws -> [UInt8] { try record(json: Array(json.utf8)) }

    /// The error for a document; empty if there is none.
    func refusal(_ json: String) -> String {
        do throws(RecordError) {
            _ = try record(json: Array(json.utf8))
            return ""
        } catch {
            return "\(error)"
        }
    }

    /// The error for bytes; empty if there is none.
    func refusal(bytes: [UInt8]) -> String {
        do throws(RecordError) {
            _ = try record(bytes: bytes)
            return ""
        } catch {
            return "\(error)"
        }
    }
}
