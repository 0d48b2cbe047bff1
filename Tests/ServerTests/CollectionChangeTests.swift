import Foundation
import MarqueeModel
import MarqueeStore
import MarqueeTypes
import MarqueeWire
import Testing

@testable import MarqueeServer

/// Which subjects a collection takes.
struct CollectionChangeTests {
    private static func types(_ aliases: String...) throws -> TypeSet {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "TypesTests/Fixtures/podcast.desc")
        let types = aliases.map { "  \($0): {message: podcast.v1.Episode, id: guid}" }.joined(separator: "\n")
        return try TypeSet(
            "descriptors: podcast.desc\ntypes:\n\(types)\ncollections:\n  later: {of: [\(aliases[0])]}\n",
            file: "types.yaml", descriptors: [UInt8](try Data(contentsOf: file)))
    }

    /// - Returns: the reason of a refusal.
    private func refusal(_ subject: String, in collection: CollectionName, _ types: TypeSet?) -> String? {
        guard Subject(subject).isCollectable else { return "no member" }
        let request = CollectionRequest(
            number: 1, answeredThrough: 0, collection: collection, subject: subject, isMember: true)
        do {
            #expect(try request.change(by: types).subject == subject)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test(arguments: [
        ("movie/155", true), ("movie/007", false), ("movie/0", false), ("movie/heat", false), ("item/row/x", true),
        ("movie/+7", false), ("movie/7 ", false),
        ("movie/99999999999999999999", false), ("genre/28", false), ("person/1", false), ("episode/e1", true),
        ("show/x", false), ("heat", false),
    ])
    func `Without a type of that name, a movie is one of the catalogue's own`(subject: String, isTaken: Bool) throws {
        let types = try Self.types("episode")
        #expect((refusal(subject, in: .favorites, types) == nil) == isTaken)
        #expect((refusal(subject, in: .favorites, nil) == nil) == (isTaken && !subject.hasPrefix("episode")))
        #expect((refusal(subject, in: "later", types) == nil) == (subject == "episode/e1"))
    }

    @Test func `Where types are called so, movies, genres and people are records`() throws {
        let types = try Self.types("movie", "genre", "person", "credit", "release")
        for subject in ["movie/155", "movie/heat", "movie/007", "genre/28", "person/1", "credit/5", "release/2"] {
            #expect(refusal(subject, in: .favorites, types) == nil, "\(subject)")
        }
        #expect(refusal("movie/heat", in: "later", types) == nil)
        #expect(refusal("genre/28", in: "later", types) == "SUBJECT_INVALID")
    }
}
