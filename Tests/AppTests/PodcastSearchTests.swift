import Foundation
import MarqueeCatalogue
import MarqueeClient
import MarqueeModel
import Testing

@Suite("Podcasts: search", .timeLimit(.minutes(10)))
struct PodcastSearchTests {
    private func cards(_ page: SearchPage) -> [CardContent] {
        page.items.compactMap { if case .card(let card) = $0.content { card } else { nil } }
    }

    @Test func `whole words first, shows and episodes take turns, as cards with their show's name`() async throws {
        try await withApp(.podcasts) { _, client in
            let page = try await client.searchPage("LINE")
            #expect((page.total, page.page, page.pages, page.isTotalCapped) == (5, 1, 1, false))
            #expect(
                page.items.map(\.id) == [
                    "show/line-and-wash", "episode/cold-signal-06", "episode/plain-text-06", "show/fault-lines",
                    "episode/line-and-wash-04",
                ])
            #expect(page.items.map(\.subject?.name) == page.items.map(\.id))
            #expect(cards(page)[3].subtitle == "Yuki Sato" && cards(page)[3].image != nil)
            #expect(cards(page)[1].title == "The comet line")
            #expect(cards(page)[1].subtitle?.hasPrefix("Cold Signal · ") == true)
            #expect(cards(page)[1].actions.map(\.target) == ["episode/cold-signal-06"])
            // A show is found by who makes it, too.
            #expect(try await client.search("marchetti").items.map(\.id) == ["show/crumb"])
        }
    }

    @Test func `texts are found in every language, and shown in the reader's`() async throws {
        try await withApp(.podcasts, locale: "ko") { _, client in
            for query in ["빵", "crumb"] {
                let page = try await client.searchPage(query)
                #expect(page.items.first?.id == "show/crumb")
                #expect(cards(page).first?.title == "빵 부스러기")
            }
        }
    }

    @Test func `pages follow each other, and each subject comes once`() async throws {
        try await withApp(.podcasts) { _, client in
            let first = try await client.searchPage("the")
            #expect(first.items.count == 20 && first.total > 40 && first.pages == (first.total + 19) / 20)
            var all = first.items.map(\.id)
            for page in 2...first.pages { all += try await client.searchPage("the", page: page).items.map(\.id) }
            #expect(all.count == Int(first.total) && Set(all).count == all.count)
            #expect(all.prefix(3) == ["show/ledger", "episode/cold-signal-06", "episode/cold-signal-03"])
        }
    }

    @Test func `a published record is found at once, and a favorite has its star`() async throws {
        try await withApp(.podcasts, user: "mina") { app, client in
            _ = try await client.shown(.home)
            let merge = #"{"merge": {"type": "show", "id": "ledger", "record": {"title": {"en": "Zzyzx"}}}}"#
            try await app.commit(try Change(document: Array(merge.utf8)))
            try await client.setFavorite(true, for: "show/ledger")
            let page = try await client.searchPage("zzyzx")
            #expect(page.items.map(\.id) == ["show/ledger"])
            #expect(page.items.first?.favorite.isFavorite == true)
            try await app.commit(try Change(document: Array(#"{"remove": {"type": "show", "id": "ledger"}}"#.utf8)))
            #expect(try await client.searchPage("zzyzx").total == 0)
        }
    }
}
