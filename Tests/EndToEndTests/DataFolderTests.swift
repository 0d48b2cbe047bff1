import Foundation
import GRDB
import MarqueeCatalogue
import MarqueePresetRecords
import MarqueeStore
import Testing

/// The reactions of the programs when something happens to a data folder.
@Suite(.timeLimit(.minutes(10)))
struct DataFolderTests {
    @Test func `A server whose folder is deleted says so and ends`() async throws {
        let folder = try Faults.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try ServerProcess(in: folder)
        try await server.start()
        try FileManager.default.removeItem(at: server.data)
        #expect(try await server.running?.ended() == 74)
        #expect(server.log.contains("was deleted or moved while the store was open; nothing is stored any more"))
    }

    @Test func `verify names what is damaged, and its exit code says so`() async throws {
        let folder = try Faults.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let data = folder.appending(path: "data")
        let client = [UInt8](repeating: 1, count: MutationID.clientLength)
        let store = try SQLiteStore(folder: data.path)
        for number in 1...20 as ClosedRange<UInt64> {
            let id = MutationID(client: client, number: number, answeredThrough: 0)
            _ = try store.write([.favorite(user: "mina", subject: "movie/\(20_000 + number)", on: true, mutation: id)])
        }
        try store.close()
        let sound = try RunningProcess("marquee-server", ["verify", "--data", data.path], in: folder)
        #expect(try await sound.ended() == 0)
        #expect(sound.output.contains("is sound: "))

        // One letter of one favorite: SQLite mistakes it for content.
        let file = data.appending(path: "users.sqlite")
        var bytes = try Data(contentsOf: file)
        let place = try #require(bytes.firstRange(of: Data("movie/20007".utf8)))
        bytes[place.upperBound - 1] ^= 1
        try bytes.write(to: file)
        let damaged = try RunningProcess("marquee-server", ["verify", "--data", data.path], in: folder)
        #expect(try await damaged.ended() == 65)
        #expect(damaged.output.contains("users.sqlite: the collections of 'mina'\n"))
        #expect(damaged.errors.contains("is damaged"))

        let nowhere = try RunningProcess("marquee-server", ["verify", "--data", "nowhere"], in: folder)
        #expect(try await nowhere.ended() == 66)
    }

    @Test
    func `verify reports a damaged search index, --repair rebuilds it, and the folder is sound again`() async throws {
        let folder = try Faults.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let data = try filled(folder)
        func verify(_ options: String...) async throws -> (status: Int32?, output: String, errors: String) {
            let process = try RunningProcess("marquee-server", ["verify", "--data", data.path] + options, in: folder)
            return (try await process.ended(), process.output, process.errors)
        }
        #expect(try await verify().status == 0)

        // A movie is found by two letters that none of its titles has.
        let queue = try DatabaseQueue(path: data.appending(path: "catalogue.sqlite").path)
        try await queue.write { db in
            try db.execute(sql: "INSERT INTO title_gram (rowid, grams) SELECT label, 'zq' FROM title LIMIT 1")
        }
        try queue.close()
        let damaged = try await verify()
        #expect(damaged.status == 65)
        #expect(damaged.output.contains("catalogue.sqlite: the search index"))
        #expect(damaged.errors.contains("verify --repair --data \(data.path)"))

        let repaired = try await verify("--repair")
        #expect(repaired.status == 0, "\(repaired)")
        #expect(repaired.errors.contains("the search index was rebuilt"))
        #expect(repaired.output.contains("is sound: "))
        let again = try await verify()
        #expect(again.status == 0 && again.output.contains("is sound: ") && again.errors.isEmpty, "\(again)")
    }

    @Test
    func `check --data names, by line, what the folder lacks of a programme; mistakes end with 65`() async throws {
        let folder = try Faults.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let data = try filled(folder)
        let file = folder.appending(path: "p.yaml")
        let types = folder.appending(path: "types.yaml").path
        try PresetCatalogue.types.declarations.write(toFile: types, atomically: true, encoding: .utf8)
        try Data(PresetCatalogue.types.descriptors).write(to: folder.appending(path: "movies.desc"))
        func check(_ sections: [String]) async throws -> (status: Int32?, output: String, errors: String) {
            let head = "locales: [en]\nscreens:\n  home:\n    title: Home\n    sections:\n"
            let text = head + sections.map { "      - {\($0)}\n" }.joined()
            try Data(text.utf8).write(to: file)
            let process = try RunningProcess(
                "marquee-server", ["check", file.path, "--types", types, "--data", data.path], in: folder)
            return (try await process.ended(), process.output, process.errors)
        }

        let lacking = try await check([
            "id: hero, kind: hero, source: {pool: {name: main, records: {type: person}}}",
            "id: chart, kind: chart, source: {list: chart/boxofice}",
            "id: shelf, kind: list, source: {list: shelf/nowhere}",
            "id: day, kind: list, source: {list: {name: chart/boxoffice, edition: none}}",
            "id: top, kind: chart, source: {list: chart/boxoffice}",
        ])
        // A missing record may still be published, so this is a warning.
        #expect(lacking.status == 0)
        #expect(lacking.output.contains("ok: 1 screen, 5 sections, 4 warnings"))
        let warnings = lacking.errors.split(separator: "\n").compactMap { $0.split(separator: "p.yaml:").last }
        #expect(
            warnings == [
                "6: warning: the pool 'main' can't be filled: the catalogue has no records of 'person'",
                "7: warning: the catalogue has no list 'chart/boxofice'; did you mean 'chart/boxoffice'?",
                "8: warning: the catalogue has no list 'shelf/nowhere'",
                "9: warning: the list 'chart/boxoffice' has no edition 'none'",
            ], "\(lacking)")

        let complete = try await check(["id: top, kind: chart, source: {list: chart/boxoffice}"])
        #expect(complete.status == 0 && complete.errors.isEmpty, "\(complete)")

        let wrong = try await check(["id: top, kind: chart, source: {lst: chart/boxoffice}"])
        #expect(wrong.status == 65)
        #expect(wrong.errors.contains("p.yaml:6: ") && wrong.errors.contains("list"), "\(wrong)")

        // Types that can't replace those of the folder.
        let fewer = PresetCatalogue.types.declarations.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.contains("chart:") }.joined(separator: "\n")
        try fewer.write(toFile: types, atomically: true, encoding: .utf8)
        let refused = try await check(["id: top, kind: chart, source: {list: chart/boxoffice}"])
        #expect(refused.status == 65)
        #expect(refused.errors.contains("the list 'chart' is dropped, but it is stored"), "\(refused)")
        #expect(refused.errors.contains("p.yaml:6: the declaration of types has no list 'chart'"), "\(refused)")
        let stored = try await check(["id: hello, kind: text, source: {items: [{id: a, card: {title: A}}]}"])
        #expect(stored.status == 65)
        #expect(stored.errors.contains("\(types) can't replace the types in \(data.path)"), "\(stored)")
    }

    /// A data folder with the sample catalogue.
    private func filled(_ folder: URL) throws -> URL {
        let data = folder.appending(path: "data")
        let store = try SQLiteStore(folder: data.path)
        try Harness.fill(store)
        try store.close()
        return data
    }
}
