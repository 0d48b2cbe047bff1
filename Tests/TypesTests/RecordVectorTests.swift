import Foundation
import Testing

@testable import MarqueeTypes

/// Compares our coder with protobuf's Python package, by the vectors of `Tests/python/record_vectors.py`.
struct RecordVectorTests {
    @Test func `JSON becomes the same bytes as elsewhere`() throws {
        let vectors = try Fixtures.vectors()
        #expect(vectors.count > 50)
        for vector in vectors {
            let coder = try Fixtures.coder(vector.message)
            #expect(try coder.record(vector.json) == [UInt8](vector.bytes), "\(vector.json)")
        }
    }

    @Test func `Bytes become the same JSON as elsewhere`() throws {
        for vector in try Fixtures.vectors() where !vector.given {
            let coder = try Fixtures.coder(vector.message)
            let json = try coder.json(of: [UInt8](vector.bytes))
            let ours = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? NSDictionary
            let theirs = try JSONSerialization.jsonObject(with: Data(vector.json.utf8)) as? NSDictionary
            #expect(ours == theirs, "\(json)\n\(vector.json)")
        }
    }

    @Test func `Bytes made elsewhere become canonical`() throws {
        for vector in try Fixtures.vectors() {
            let coder = try Fixtures.coder(vector.message)
            #expect(try coder.record(bytes: [UInt8](vector.bytes)) == [UInt8](vector.bytes))
        }
    }
}
