import Foundation
import MarqueeClient
import MarqueeSwiftUI
import MarqueeTesting
import Testing

// The code of the articles about MarqueeTesting and MarqueeSwiftUI, so that it compiles and does what they say. That of
// the other articles is in DocumentedArticles.swift.

struct Film: Sendable {
    var title: String

    init(_ item: ScreenItem) {
        if case .card(let card) = item.content { title = card.title } else { title = item.id }
    }
}

@MainActor @Suite struct DocumentedTests {
    let home = SampleScreen(
        .home, title: "Home",
        [
            SampleSection(
                "new", title: "New",
                items: [
                    .card("alien", title: "Alien", subject: "film/alien") { $0.subtitle = "1979" },
                    .card("brazil", title: "Brazil", subject: "film/brazil"),
                ])
        ])

    @Test func aTestOfAnApp() async throws {
        let server = ScriptedServer([home])
        let client = server.makeClient()
        var updates = client.screen(.home).makeAsyncIterator()
        let first = try #require(try await updates.next())
        #expect(first.status.isLive && first.screen.title == "Home")

        server.move("brazil", to: 0, in: "new", of: .home)
        let second = try #require(try await updates.next())
        #expect(second.listUpdate(from: first.screen).steps.first?.movedItems.count == 1)

        server.network = .slow(.seconds(2))
        try await client.setFavorite(true, for: "film/alien")
        #expect(try await client.members(of: .favorites).first?.isPending == true)
        server.advance(by: .seconds(2))
        #expect(try await client.members(of: .favorites).first?.isPending == false)
        #expect(server.members(of: .favorites, user: "tester") == ["film/alien"])

        server.network = .offline
        #expect(try await updates.next()?.status.isLive == false)
        server.network = .online
        server.advance(by: .seconds(30))
        #expect(try await updates.next()?.status.isLive == true)
    }

    @Test func aTestOfAModel() async throws {
        let client = ScriptedServer([home]).makeClient()
        let model = ScreenModel(.home, of: client)
        let showing = Task { await model.run() }
        try await eventually { model.phase == .live }
        await model.toggleFavorite(model.sections[0].items[0])
        try await eventually { model.sections[0].items[0].favorite == .yes }
        showing.cancel()
    }

    @Test func aCard() {
        let card = SampleItem.card("dune", title: "Dune") {
            $0.image = .sample("dune.jpg")
            $0.badges = [.sample("New", role: .good)]
            $0.facts = [.sample("Length", "155 min")]
            $0.rating = .sample(8.1)
        }
        #expect(card.id == "dune")
    }

    @Test func aPreview() async throws {
        let preview = MarqueeClient.preview([home], favorites: ["film/brazil"])
        let loading = MarqueeClient.preview([home], network: .silent)
        #expect(try await preview.favorites().count <= 1)
        #expect(try await loading.favorites().isEmpty)
    }

    @Test func aModel() async throws {
        let client = ScriptedServer([home], collections: [.favorites, "watchlist"]).makeClient()
        let model = ScreenModel(.home, of: client) { Film($0) }
        model.perform = { update, show in
            print(update.animatesDifferences)
            show()
        }
        let showing = Task { await model.run() }
        try await eventually { model.phase == .live }
        let item = model.sections[0].items[0]
        #expect(item.content.title == "Alien")
        await model.toggleFavorite(item)
        await model.set(item, in: "watchlist")
        await model.setSort("title", of: "new")
        await model.showMore(of: "new")
        #expect(try await client.members(of: "watchlist").map(\.subject) == ["film/alien"])
        showing.cancel()
    }

    private nonisolated static let catalogue = "Client/MarqueeClient/MarqueeClient.docc/"

    @Test(
        arguments: [
            "Client/MarqueeTesting/MarqueeTesting.docc/MarqueeTesting",
            "Client/MarqueeSwiftUI/MarqueeSwiftUI.docc/MarqueeSwiftUI", "Docs/users-data", catalogue + "MarqueeClient",
        ]
            + [
                "Collections", "Errors", "LiveSearching", "Offline", "OwnTypes", "ReadingScreens", "Security", "UIKit",
                "Widgets",
            ].map { catalogue + "Articles/" + $0 })
    func whatTheArticlesSayIsCompiledHere(page: String) throws {
        let here = URL(filePath: #filePath).deletingLastPathComponent()
        let compiled = try ["DocumentedTests.swift", "DocumentedArticles.swift"].map {
            Self.lines(try String(contentsOf: here.appending(path: $0), encoding: .utf8)).joined(separator: "\n")
        }
        let article = here.appending(path: "../../\(page).md")
        let text = try String(contentsOf: article, encoding: .utf8)
        let blocks = text.components(separatedBy: "```swift\n").dropFirst()
            .map { $0.components(separatedBy: "\n```")[0] }
        for block in blocks where !Self.compiledElsewhere.contains(where: { block.contains($0) }) {
            let code = Self.lines(block).filter { !$0.hasPrefix("import ") }.joined(separator: "\n")
            #expect(compiled.contains { $0.contains(code) }, "\(page) has code that isn't compiled: \(block)")
        }
        #expect(!blocks.isEmpty)
    }

    /// A line of a manifest, what only Apple's systems have, and what needs a trait.
    private static let compiledElsewhere = [".testTarget(", "UICollectionView", "import MarqueeSwiftProtobuf"]

    /// The lines of code, without comments.
    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { line in
            let code = line.hasPrefix("//") ? "" : line.components(separatedBy: " // ")[0]
            return code.trimmingCharacters(in: .whitespaces)
        }.filter { !$0.isEmpty }
    }
}
