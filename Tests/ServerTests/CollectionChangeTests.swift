import Foundation
import MarqueeModel
import MarqueeStore
import MarqueeTypes
import MarqueeWire
import Testing

@testable import MarqueeServer

/// The subjects that a collection takes.
struct CollectionChangeTests {
    private static func types(_ aliases: String...) throws -> TypeSet {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "TypesTests/Fixtures/podcast.desc")
        let types = aliases.map { "  \($0): {message: podcast.v1.Episode, id: guid}" }.joined(separator: "\n")
        return try TypeSet(
            "descriptors: podcast.desc\ntypes:\n\(types)\ncollections:\n  later: {of: [\(aliases[0])]}\n",
            file: "types.yaml", descriptors: [UInt8](try Data(contentsOf: file)))
    }

    /// - Returns: the reason of a refusal; `nil` if there is none.
    private func refusal(_ subject: String, in collection: CollectionName, _ types: TypeSet?) -> String? {
        guard Subject(subject).record != nil else { return "no member" }
        let request = CollectionRequest(
            number: 1, answeredThrough: 0, collection: collection, subject: subject, isMember: true)
        do {
            #expect(try request.change(by: types).subject == subject)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test(arguments: ["episode/e1", "show/x", "movie/heat", "movie/007", "genre/28", "heat"])
    func `A favorite is a record of a declared type`(subject: String) throws {
        let (types, isDeclared) = (try Self.types("episode"), subject == "episode/e1")
        #expect((refusal(subject, in: .favorites, types) == nil) == isDeclared)
        #expect((refusal(subject, in: "later", types) == nil) == isDeclared)
        #expect(refusal(subject, in: .favorites, nil) != nil)
    }

    @Test func `With types of those names, movies, genres and people are records`() throws {
        let types = try Self.types("movie", "genre", "person", "credit", "release")
        for subject in ["movie/155", "movie/heat", "movie/007", "genre/28", "person/1", "credit/5", "release/2"] {
            #expect(refusal(subject, in: .favorites, types) == nil, "\(subject)")
        }
        #expect(refusal("movie/heat", in: "later", types) == nil)
        #expect(refusal("genre/28", in: "later", types) == "SUBJECT_INVALID")
    }
}
