import Foundation
import MarqueeClient
import MarqueeSwiftUI
import MarqueeTesting
import Testing

// The code of the articles about MarqueeTesting and MarqueeSwiftUI, so that it compiles and does what they say.

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
        #expect(server.members(of: .favorites, user: "tester") == ["film/alien"])    // `makeClient`'s user, by default

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

    @Test(arguments: ["MarqueeTesting", "MarqueeSwiftUI"])
    func whatTheArticlesSayIsCompiledHere(module: String) throws {
        let here = URL(filePath: #filePath)
        let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let article = root.appending(path: "Client/\(module)/\(module).docc/\(module).md")
        let text = try String(contentsOf: article, encoding: .utf8)
        let compiled = Self.lines(try String(contentsOf: here, encoding: .utf8)).joined(separator: "\n")
        let blocks = text.components(separatedBy: "```swift\n").dropFirst().map {
            Self.lines($0.components(separatedBy: "\n```")[0]).joined(separator: "\n")
        }
        // A line of a manifest is none of the app's code.
        for block in blocks where !block.hasPrefix(".testTarget") {
            #expect(compiled.contains(block), "\(module) has code that isn't compiled: \(block)")
        }
        #expect(!blocks.isEmpty)
    }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
}
