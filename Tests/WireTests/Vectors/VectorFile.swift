import Foundation
import SeededRandom
import Testing

@testable import MarqueeModel

/// A file of `Proto/vectors`: compared with the code's output or, with `MARQUEE_WRITE_VECTORS=1`, rewritten.
enum VectorFile {
    static func check(_ name: String, _ made: JSONValue) throws {
        let url = Repository.vectors.appending(path: name)
        if TestEnvironment.isOn("MARQUEE_WRITE_VECTORS") {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            try (try encoder.encode(made) + Data("\n".utf8)).write(to: url)
        }
        #expect(
            try read(name) == made, "\(name) differs from the code's output; MARQUEE_WRITE_VECTORS=1 rewrites it")
    }

    static func read(_ name: String) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: Repository.vectors.appending(path: name)))
    }
}
