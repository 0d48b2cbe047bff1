import Foundation
import MarqueeCatalogue
import MarqueeClient
import MarqueeModel
import MarqueeScreens
import MarqueeTypes
import Testing

/// A schema that grows while clients watch: a descriptor set with one more field is published like any other change.
@Suite("A new field, live", .timeLimit(.minutes(10)))
struct NewFieldTests {
    private static let video = "https://video.example/locks"

    /// The types of the conference app under a schema that has the field `video`.
    private func grownTypes() throws -> TypeSet {
        let descriptors = SampleName.folder.deletingLastPathComponent()
            .appending(path: "Tests/TypesTests/Fixtures/conference-next.desc")
        return try TypeSet(
            String(contentsOfFile: SampleName.conference.file("types.yaml"), encoding: .utf8), file: "types.yaml",
            descriptors: [UInt8](Data(contentsOf: descriptors)))
    }

    private func record(_ update: ScreenUpdate) throws -> [UInt8] {
        try #require(try update.screen.section("detail").cards.first?.record?.bytes)
    }

    @Test func `a watcher gets the record's new field; readers of the old schema keep it byte for byte`() async throws {
        try await withApp(.conference) { app, client in
            var updates = client.screen("session/locks").makeAsyncIterator()
            let before = try record(try await updates.live())
            let (old, grown) = (try SampleName.conference.types(), try grownTypes())
            try await app.commit(.types(grown.document))
            try await app.commit(
                Change("merge", "session", "locks", ["video": Self.video]))
            let after = try record(try await updates.live { try record($0) != before })
            let reader = try #require(old.type("session")).coder
            let newReader = try #require(grown.type("session")).coder
            #expect(try newReader.json(of: after).contains(Self.video))
            // The old schema has no name for it, and loses nothing.
            #expect(try reader.record(bytes: after) == after)
            #expect(try !reader.record(bytes: before).elementsEqual(after))
            // Whoever opens the screen from a mirror sees the same bytes.
            #expect(try await client.shown("session/locks").section("detail").cards.first?.record?.bytes == after)
        }
    }

    @Test func `cards change only once the programme prints the new field`() async throws {
        try await withApp(.conference) { app, client in
            var updates = client.screen("session/locks").makeAsyncIterator()
            let facts = try await updates.live().screen.section("detail").cards.first?.facts
            let text = try String(contentsOfFile: SampleName.conference.file("programme.yaml"), encoding: .utf8)
            let printing = text.replacing(
                "value: $room.seats}", with: "value: $room.seats}\n              - {label: Video, value: $video}")
            // Of the old types nothing is called so.
            #expect(throws: (any Error).self) {
                try Programme.parse(text: printing, file: "p.yaml", types: SampleName.conference.types())
            }
            try await app.commit(.types(grownTypes().document))
            try await app.commit(.programme(printing))
            try await app.commit(
                Change("merge", "session", "locks", ["video": Self.video]))
            let shown = try await updates.live {
                try $0.screen.section("detail").cards.first?.facts.last?.value == Self.video
            }
            #expect(try shown.screen.section("detail").cards.first?.facts.dropLast() == facts?[...])
        }
    }
}
