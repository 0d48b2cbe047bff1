import Foundation
import MarqueeClient
import MarqueeTesting
import Testing

@Suite struct SampleTests {
    @Test func aMadeUpScreenEqualsTheOneAClientGets() async throws {
        let client = MarqueeClient.preview([Films.home()], favorites: ["film/brazil"])
        var updates = client.screen(.home).makeAsyncIterator()
        let received = try #require(try await updates.next()?.screen)
        let made = Screen(Films.home(), favorites: ["film/brazil": .yes])
        #expect(made.sum == received.sum && made.title == received.title)
        #expect(made.sections.map(\.items) == received.sections.map(\.items))
        #expect(made.sections.map(\.head) == received.sections.map(\.head))
    }

    @Test func theChangesOfAMadeUpUpdateAreTheClients() async throws {
        let old = Screen(Films.home())
        let new = Screen(Films.home(["casablanca", "alien", "dune"]), favorites: ["film/alien": .pendingYes])
        let update = ScreenUpdate(new, after: old)
        let batch = try #require(update.changes.batches.first)
        #expect(batch.deletedItems == [ItemPosition(section: 0, item: 1)])
        #expect(batch.insertedItems == [ItemPosition(section: 0, item: 2)])
        #expect(batch.movedItems.count == 1)
        #expect(update.changes.reconfiguredItems == [ItemPosition(section: 0, item: 1)])
        #expect(!update.isFirst && update.animatesDifferences)
        #expect(ScreenUpdate(new).isFirst)
    }

    @Test func aPreviewShowsAFileThatWasExported() async throws {
        let card = try #require(Bundle.samples)
        let client = MarqueeClient.preview(file: card)
        var updates = client.screen(.home).makeAsyncIterator()
        let screen = try #require(try await updates.next()?.screen)
        #expect(screen.ids() == ["alien", "brazil"] && screen.marks() == [.no, .yes])
    }

    @Test func aFileThatCantBeReadSaysWhere() async throws {
        let error = #expect(throws: SampleFileError.self) {
            try SampleFile(Data("\n{\"screen\":\"home\",\"sections\":[{\"id\":\"new\"}]}\n".utf8))
        }
        #expect(error?.description == "line 2: there is no 'items'")
        let client = MarqueeClient.preview(file: URL(filePath: "/nowhere/Samples.ndjson"))
        var updates = client.screen(.home).makeAsyncIterator()
        let refusal = await #expect(throws: ClientError.self) { _ = try await updates.next() }
        #expect(refusal?.message.hasPrefix("Samples.ndjson: ") == true)
    }

    @Test func whatLoadsIsShownAsLoading() async throws {
        let client = MarqueeClient.preview([Films.home()], network: .silent)
        #expect(try await client.status(of: .home) == nil)
    }
}

extension Bundle {
    /// A file as `marquee get home --bodies --output ndjson` writes it, in short.
    fileprivate static var samples: URL? {
        let text = """
            {"screen":"home","state":"connecting","type":"state"}
            {"screen":"home","title":"Home","type":"snapshot","sections":[{"id":"new","kind":"list","title":"New","items":[
            {"id":"alien","kind":"card","subject":"film/alien","favorite":"no","content":{"title":"Alien"}},
            {"id":"brazil","kind":"card","subject":"film/brazil","favorite":"yes","content":{"title":"Brazil"}}]}]}
            """.replacingOccurrences(of: "[\n", with: "[").replacingOccurrences(of: ",\n", with: ",")
        let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).ndjson")
        return (try? Data(text.utf8).write(to: url)).map { url }
    }
}
