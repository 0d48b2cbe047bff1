import Foundation
import MarqueeClient
import MarqueeModel
import Testing

/// Collections of the podcast app, from the client's call to what arrives on every device.
@Suite("Collections, over a real socket", .timeLimit(.minutes(10)))
struct CollectionTests {
    private static let home = ScreenID("home")

    @Test func `a value reaches the cards on its user's devices, newest first, and nobody else's`() async throws {
        try await withApp(.podcasts, user: "mina") { app, client in
            let other = try app.client(user: "mina")
            let jun = try app.client(user: "jun")
            var updates = other.screen(Self.home).makeAsyncIterator()
            _ = try await updates.live()
            try await client.set("episode/crumb-01", in: "progress", value: 5)
            try await client.set("episode/tide-tables-01", in: "progress", value: 12)
            let both = try await updates.live { try $0.screen.section("continue").items.count == 2 }
            #expect(
                try both.screen.section("continue").items.map(\.id) == ["episode/tide-tables-01", "episode/crumb-01"])
            #expect(try both.screen.section("continue").progress == ["12.0 of 26.0", "5.0 of 42.0"])
            try await client.set("episode/crumb-01", in: "progress", value: 40)
            let moved = try await updates.live {
                try $0.screen.section("continue").items.first?.id == "episode/crumb-01"
            }
            #expect(try moved.screen.section("continue").progress.first == "40.0 of 42.0")
            try await client.remove("episode/crumb-01", from: "progress")
            _ = try await updates.live { try $0.screen.section("continue").items.count == 1 }
            #expect(try await client.waitForConfirmation(within: .seconds(60)))
            #expect(try await other.members(of: "progress").map(\.value) == [12])
            #expect(try await jun.shown(Self.home).section("continue").items.isEmpty)
            #expect(try await jun.members(of: "progress").isEmpty)
            #expect(try await client.favorites().isEmpty)
            await other.close()
            await jun.close()
        }
    }

    @Test func `a refused change is rolled back, and the event says what, where and why`() async throws {
        try await withApp(.podcasts, user: "mina") { _, client in
            let events = client.events
            try await client.set("episode/crumb-01", in: "progres", value: 5)
            try await client.set("show/crumb", in: "progress", value: 5)
            try await client.set("episode/crumb-01", in: "progress", value: CollectionValue(json: "\"far\""))
            // A change that is not sent yet would be replaced by the next one of the same member.
            #expect(try await client.waitForConfirmation(within: .seconds(60)))
            try await client.set("episode/crumb-01", in: "progress")
            try await client.set("episode/crumb-01", in: .favorites, value: 1)
            try await client.set("genre/1", in: "progress", value: 1)
            #expect(try await client.waitForConfirmation(within: .seconds(60)))
            #expect(try await client.members(of: "progress").isEmpty)
            let rejected = try await client.outboxStatus().rejected
            await client.close()
            var heard: [String] = []
            for await event in events {
                if case .changeRejected(let collection, let subject, let reason) = event {
                    heard.append("\(collection) \(subject): \(reason)")
                }
            }
            let expected = [
                "progres episode/crumb-01: there is no collection 'progres'; did you mean 'progress'?",
                "progress show/crumb: 'progress' holds episode/<id>, not 'show/crumb'",
                "progress episode/crumb-01: 'progress' keeps a uint32, not \"far\": ",
                "progress episode/crumb-01: 'progress' keeps a uint32 with a member; give one",
                "favorites episode/crumb-01: 'favorites' keeps no value with a member",
                "progress genre/1: 'progress' holds episode/<id>, not 'genre/1'",
            ]
            #expect(heard.count == expected.count)
            for (line, beginning) in zip(heard, expected) { #expect(line.hasPrefix(beginning), "\(line)") }
            let members = Set(rejected.map { "\($0.collection) \($0.subject)" })
            #expect(members == Set(expected.map { String($0.prefix { $0 != ":" }) }))
        }
    }

    @Test func `a reader without a user gets the rest of the screen, and is told what is missing`() async throws {
        try await withApp(.podcasts) { _, client in
            let screen = try await client.shown(Self.home)
            #expect(screen.needsUser == ["continue"])
            #expect(screen.sections.map(\.id) == ["new", "shows", "history", "science"])
            #expect(try await client.fetchScreen(Self.home).needsUser == ["continue"])
            await #expect(throws: ClientError.self) { try await client.set("episode/e1", in: "progress", value: 1) }
            await #expect(throws: ClientError.self) { _ = try await client.fetchScreen(.favorites) }
        }
    }

    @Test func `offline: stored, shown, sent later`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await withApp(.podcasts, user: "mina") { app, online in
            var configuration = ClientConfiguration(
                host: "127.0.0.1", port: 1, user: "mina", locale: "en", mirror: .memory)
            configuration.mirror = .file("\(folder)/mirror.sqlite")
            let offline = MarqueeClient(configuration)
            try await offline.set("episode/crumb-01", in: "progress", value: 5)
            try await offline.set("episode/crumb-01", in: "progress", value: 6)
            let pending = try await offline.members(of: "progress")
            #expect(pending.map(\.subject) == ["episode/crumb-01"])
            #expect(pending.map(\.value) == [6])
            #expect(pending.map(\.isPending) == [true])
            await offline.close()
            configuration = ClientConfiguration(
                host: "127.0.0.1", port: app.server.summary.port, user: "mina", locale: "en")
            configuration.callTimeout = .seconds(60)
            configuration.mirror = .file("\(folder)/mirror.sqlite")
            let again = MarqueeClient(configuration)
            #expect(try await again.members(of: "progress").map(\.value) == [6])
            _ = try await again.shown(Self.home)
            #expect(try await again.waitForConfirmation(within: .seconds(60)))
            #expect(try await online.shown(Self.home).section("continue").progress == ["6.0 of 42.0"])
            await again.close()
        }
    }

    @Test func `a new set of types brings another collection to connected clients`() async throws {
        try await withApp(.podcasts, user: "mina") { app, client in
            _ = try await client.shown(Self.home)
            let types = try SampleName.podcasts.types()
            var document = types.document
            document.declarations += "  later: {of: [episode], value: string}\n"
            try await app.commit(.types(document))
            try await client.set("episode/crumb-01", in: "later", value: CollectionValue(json: "\"tonight\""))
            #expect(try await client.waitForConfirmation(within: .seconds(60)))
            #expect(try await client.members(of: "later").map(\.value?.json) == ["\"tonight\""])
            #expect(try await client.outboxStatus().rejected.isEmpty)
            // It has members now.
            await #expect(throws: (any Error).self) { try await app.commit(.types(types.document)) }
        }
    }

    @Test func `the page about collections says what happens`() async throws {
        let root = SampleName.folder.deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "Docs/users-data.md"), encoding: .utf8)
        let collections = try #require(page.components(separatedBy: "\n## ").first { $0.hasPrefix("Collections\n") })
        var blocks: [(kind: String, text: String)] = []
        for (index, part) in collections.components(separatedBy: "```").enumerated() where !index.isMultiple(of: 2) {
            let lines = part.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            blocks.append((String(lines[0]), String(lines[1])))
        }
        for (kind, file) in [("yaml types", "types.yaml"), ("yaml programme", "programme.yaml")] {
            let sample = try String(contentsOfFile: SampleName.podcasts.file(file), encoding: .utf8)
            let shown = blocks.filter { $0.kind == kind }.map(\.text)
            #expect(!shown.isEmpty && shown.allSatisfy { sample.contains($0) })
        }
        try await withApp(.podcasts, user: "mina") { _, client in
            var checked = 0
            for block in blocks {
                if block.kind == "sh" { try await run(block.text, client) }
                guard block.kind == "text home/continue" else { continue }
                #expect(try await client.waitForConfirmation(within: .seconds(60)))
                let section = try await client.fetchScreen(Self.home).section("continue")
                let lines = zip(section.titles, section.progress).map { "\($0) | \($1.replacing(".0", with: ""))\n" }
                #expect(lines.joined() == block.text)
                checked += 1
            }
            #expect(checked == 2)
            #expect(try await client.favorites().map(\.subject) == ["episode/crumb-01"])
        }
    }

    /// `marquee collection set|add|remove COLLECTION SUBJECT [VALUE] --user mina`
    private func run(_ commands: String, _ client: MarqueeClient) async throws {
        for line in commands.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            try #require(words.count >= 7 && words[0...1] == ["marquee", "collection"])
            let (collection, subject) = (CollectionName(words[3]), Subject(words[4]))
            switch words[2] {
            case "remove": try await client.remove(subject, from: collection)
            case "set": try await client.set(subject, in: collection, value: CollectionValue(json: words[5]))
            default: try await client.set(subject, in: collection)
            }
        }
    }
}

extension ScreenSection {
    private var shownCards: [CardContent] {
        items.compactMap { if case .card(let card) = $0.content { card } else { nil } }
    }
    fileprivate var titles: [String] { shownCards.map(\.title) }
    fileprivate var progress: [String] {
        shownCards.compactMap(\.progress).map { "\($0.value) of \($0.total ?? -1)" }
    }
}
