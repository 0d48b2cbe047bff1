import Foundation
import MarqueeModel
import MarqueeScreenJSON
import Testing

@testable import MarqueeClient
@testable import marquee

struct NDJSONTests {
    private func object(_ value: marquee.JSONValue) throws -> [String: Any] {
        let line = value.line()
        #expect(!line.contains("\n"))
        return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    @Test(arguments: [
        #"{"a":-9007199254740993,"b":18446744073709551615,"c":-0.5}"#, #"{"list":[1,null,"x",null]}"#, #"{"a":null}"#,
    ])
    func `A value's JSON is printed as it is`(json: String) throws {
        #expect(marquee.JSONValue(json: json)?.line() == json)
    }

    @Test func `No value is printed as none`() {
        #expect(marquee.JSONValue(json: "null") == nil)
    }

    @Test func `A snapshot holds the whole screen`() throws {
        let screen = Screens.screen(
            [
                Screens.section(
                    "rank", .rank, title: "Popular", total: 9,
                    [Screens.movie(1, "Inception", rating: 8.1, mark: .pendingYes)])
            ], revision: 124)
        let line = try object(
            NDJSONWriter.snapshot(screen, status: ScreenStatus(isLive: false, asOf: Date(timeIntervalSince1970: 17.5))))
        #expect(line["type"] as? String == "snapshot")
        #expect(line["screen"] as? String == "home")
        #expect(line["revision"] as? Int == 124)
        #expect(line["sum"] as? String == "0000000000000abc")
        #expect(line["origin"] as? String == "store")
        #expect(line["asOf"] as? Double == 17.5)
        #expect(line["lastError"] == nil)
        #expect(line["pendingFavorites"] == nil)
        #expect(line["userRevision"] == nil)
        let section = try #require((line["sections"] as? [[String: Any]])?.first)
        #expect(section["kind"] as? String == "rank")
        #expect(section["total"] as? Int == 9)
        let item = try #require((section["items"] as? [[String: Any]])?.first)
        #expect(item["id"] as? String == "movie/1")
        #expect(item["subject"] as? String == "movie/1")
        #expect(item["favorite"] as? String == "pending-yes")
        let content = try #require(item["content"] as? [String: Any])
        #expect(content["title"] as? String == "Inception")
        #expect(content["voteAverage"] as? Double == 8.1)
        #expect(content["runtime"] == nil)
    }

    @Test func `An update lists its operations`() throws {
        let old = Screens.screen([
            Screens.section("c", .chart, [Screens.entry("a", "A"), Screens.entry("b", "B"), Screens.entry("x", "X")])
        ])
        let new = Screens.screen(
            [
                Screens.section(
                    "c", .chart, [Screens.entry("x", "X", gross: 5), Screens.entry("a", "A"), Screens.entry("n", "N")])
            ], revision: 2)
        let difference = ScreenDifference(from: old, to: new, changes: Screens.changes(from: old, to: new))
        let line = try object(NDJSONWriter.update(difference, to: new, status: ScreenStatus(isLive: true)))
        #expect(line["type"] as? String == "update")
        let operations = try #require(line["operations"] as? [[String: Any]])
        let short = operations.map { operation in
            let from = (operation["from"] as? Int).map { " \($0)" } ?? ""
            let to = (operation["to"] as? Int).map { " → \($0)" } ?? ""
            return "\(operation["op"] as? String ?? "") \(operation["id"] as? String ?? "")\(from)\(to)"
        }
        #expect(short == ["delete b 1", "move x 2 → 0", "update x → 0", "insert n → 2"])
        #expect(operations.allSatisfy { $0["section"] as? String == "c" })
    }

    @Test func `A screen comes with how far it can be relied on`() throws {
        let refused = ClientError(
            Status(.notFound, reason: "UNKNOWN_SORT", remedy: .fatal, message: "no such sort"))
        let status = ScreenStatus(
            isLive: false, asOf: Date(timeIntervalSince1970: 9), pendingFavorites: 2,
            lastError: ClientError(.unavailable, "connection refused"),
            sectionErrors: ["rank": refused], damagedSections: ["chart"])
        let item = ScreenItem(
            item: Item(id: "movie/1", kind: .movie, subject: "movie/1", body: []), favorite: .no,
            favoriteError: ClientError(.changeRefused, "at most 10,000 favorites"))
        let section = ScreenSection(
            id: "rank", head: SectionHead(kind: .rank), items: [item], placeholders: 0, sum: 1)
        let line = try object(NDJSONWriter.snapshot(Screens.screen([section]), status: status))
        #expect(line["pendingFavorites"] as? Int == 2)
        #expect((line["lastError"] as? [String: String]) == ["message": "connection refused"])
        #expect(
            (line["sectionErrors"] as? [String: [String: String]])
                == ["rank": ["message": "no such sort", "code": "NOT_FOUND", "reason": "UNKNOWN_SORT"]])
        #expect(line["damagedSections"] as? [String] == ["chart"])
        let items = (line["sections"] as? [[String: Any]])?.first?["items"] as? [[String: Any]]
        #expect(items?.first?["favoriteError"] as? String == "at most 10,000 favorites")
    }

    @Test func `A stored screen names the sections that are damaged`() throws {
        let screen = Screen(id: .home, sections: [], isLive: false, damagedSections: ["chart"])
        let line = try object(NDJSONWriter.snapshot(screen, status: nil, isStored: true))
        #expect(line["damagedSections"] as? [String] == ["chart"])
    }

    @Test func `States and errors name the screen`() throws {
        let waiting = try object(
            NDJSONWriter.state(
                .waiting(ClientError(.unavailable, "refused"), pause: .milliseconds(250)), screen: .home, shown: nil))
        #expect(waiting["type"] as? String == "state")
        #expect(waiting["state"] as? String == "waiting")
        #expect(waiting["pauseMilliseconds"] as? Int == 250)
        let error = try object(
            NDJSONWriter.error("no such screen", reason: "SCREEN_UNKNOWN", screen: .home, shown: nil))
        #expect(error["message"] as? String == "no such screen")
        let cut = Cut(catalogueEpoch: 1, catalogueRevision: 9, userEpoch: 2, userRevision: 3)
        let progress = try object(NDJSONWriter.progress(cut, screen: .home, shown: Screens.screen([])))
        #expect(progress["revision"] as? Int == 9)
        #expect(progress["userRevision"] as? Int == 3)
        #expect(progress["sum"] as? String == "0000000000000abc")
    }

    @Test func `Terminal control characters are escaped and kept`() throws {
        let text = "\u{1B}[31m\u{9B}\u{202E}\u{7F}\u{E0041}\u{2028}기생충"
        let value = JSONValue.object(["text": .string(text)])
        let line = value.line()
        #expect(line.unicodeScalars.allSatisfy(TerminalText.isHarmless))
        #expect(line.contains("기생충"))
        #expect(try object(value)["text"] as? String == text)
    }

    @Test func `Numbers that JSON lacks are text`() throws {
        #expect(try object(.object(["a": .number(.nan), "b": .number(.infinity)]))["a"] as? String == "nan")
    }
}
