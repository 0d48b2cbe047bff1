import MarqueeModel
import MarqueePresets
import MarqueeStore
import MarqueeTypes
import MarqueeWire
import Testing

@testable import MarqueeScreens

/// Checks the examples of searches in `Docs/users-data.md`, and of bodies in `Docs/cards-and-lists.md`.
@Suite struct SearchPageTests {
    private func search() throws -> String { try Podcasts.page("users-data", part: "Search") }

    private func bodies() throws -> String { try Podcasts.page("cards-and-lists", part: "Bodies of your own") }

    /// A card in the notation of the pages.
    private func line(_ item: Item) -> String {
        guard case .card(let card) = BodyCodec.decode(kind: item.kind, bytes: item.body) else { return "no card" }
        return card.title + (card.subtitle.map { " | \($0)" } ?? "") + "\n"
    }

    @Test func `The examples in the page on search are correct`() throws {
        let blocks = try DocumentBlock.all(in: search())
        let types = try Podcasts.types(try #require(blocks.first { $0.kind == "yaml types" }).text)
        let text = try #require(blocks.first { $0.kind == "yaml programme" }).text
        let programme = try Programme.parse(text: text, file: "p.yaml", types: types.set)
        var journal = RecordJournal(types)
        let store = MemoryStore()
        _ = try store.write([.catalogue(key: nil, changes: [.types(types.document)], mutation: nil)])
        var searches = 0
        for block in blocks {
            if block.kind == "json changes" {
                let changes = try journal.changes(ndjson: block.text)
                _ = try store.write([.catalogue(key: nil, changes: changes, mutation: nil)])
            }
            guard block.kind.hasPrefix("text search ") else { continue }
            let request = SearchRequest(query: String(block.kind.dropFirst("text search ".count)), queryID: 1)
            let answer = try Search.answer(request, programme: programme, in: store)
            #expect(answer.items.map(line).joined() == block.text, "\(block.kind)")
            searches += 1
        }
        #expect(searches == 5)
        let bare = try Podcasts.types(types.set.declaration.replacing(#/    search: .*facets: .show.}\n/#, with: ""))
        do {
            _ = try Programme.parse(text: text, file: "programme.yaml", types: bare.set)
            Issue.record("it was taken")
        } catch {
            #expect(try search().contains(error.mistakes[0].description), "\(error.mistakes)")
        }
    }

    @Test func `The examples in the page on bodies are correct`() throws {
        let blocks = try DocumentBlock.all(in: bodies())
        let proto = try Podcasts.text("podcast.proto")
        for block in blocks where block.kind == "proto" { #expect(proto.contains(block.text)) }
        let types = try Podcasts.types()
        let record = try #require(blocks.first { $0.kind == "json record" }).text
        let show = #"{"slug": "crumb", "title": {"en": "Crumb"}, "author": "Ada", "cover": "c.jpg", "followers": "12"}"#
        let changes = [try types.put("show", "crumb", show), try types.put("episode", "c1", record)]
        let bodies = blocks.filter { $0.kind == "yaml body" }
        #expect(bodies.count == 2)
        var items: [Item] = []
        for body in bodies {
            let lines = body.text.split(separator: "\n").map { "          \($0)" }.joined(separator: "\n")
            let programme = """
                locales: [en, ko]
                screens:
                  episode/$id:
                    title: $title
                    sections: [{id: d, kind: detail, source: {record: {type: episode, id: $id}}}]
                  home:
                    title: H
                    sections:
                      - id: a
                        kind: list
                        source: {records: {type: episode}}
                        body:

                """
            var screens = try Screens(changes, types: types, programme: programme + lines)
            items.append(try #require(try screens.section("a").items.first))
        }
        let message = "podcast.v1.EpisodeRow"
        let row = try RecordCoder(set: types.set.schema, message: message, name: "row").json(of: items[0].body)
        #expect(blocks.first { $0.kind == "json \(message)" }?.text == row + "\n")
        var banner = BannerContent(title: "Rye")
        banner.caption = "34 min"
        banner.image = ImageReference(name: "c.jpg")
        banner.actions = [ScreenAction(id: "open", title: "Open", target: "episode/c1")]
        #expect(items[1].kind == .banner && items[1].body == PresetContent.banner(banner).encoded())
        let kinds = PresetSchema.kinds.map { "`\($0.name)`" }.joined(separator: ", ")
        #expect(try self.bodies().contains(kinds))
    }
}
