import Foundation
import GRDB
import MarqueeModel
import Testing

@testable import MarqueeMirror

/// Observations in a mirror.
@Suite struct ObservationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> Mirror {
        try Mirror(location: .file(folder.mirror), newClientID: { Array(repeating: 7, count: 16) })
    }

    private func entry(_ item: String, _ kind: ItemEvent.Kind = .seen) -> ObservationEntry {
        ObservationEntry(
            screen: "home", section: "row",
            observation: ItemEvent(
                kind, item: item, place: 3, at: 1_764_000_000_000, duration: 1_200,
                action: kind == .action ? "play" : "", revision: 9))
    }

    @Test func `A frozen report survives the process with its number, and is numbered once`() throws {
        var mirror = try open()
        _ = try mirror.add([entry("a"), entry("b")])
        let report = try #require(try mirror.freezeReport())
        #expect(report.observations == [entry("a"), entry("b")].map(\.observation))
        #expect(report.isNew && mirror.answeredThrough == report.number - 1)
        mirror.close()
        mirror = try open()
        var again = try #require(try mirror.freezeReport())
        #expect(!again.isNew)
        again.isNew = true
        #expect(again == report)
        try mirror.reportAnswered(number: report.number, kept: true)
        #expect(try mirror.freezeReport() == nil)
        #expect(mirror.lastAnswered == report.number && mirror.answeredThrough == report.number)
        mirror.close()
    }

    @Test func `Taps and what is seen go in separate reports`() throws {
        let mirror = try open()
        _ = try mirror.add([entry("a"), entry("b", .tap), entry("c", .action), entry("d")])
        let report = try #require(try mirror.freezeReport())
        #expect(report.observations.map(\.item) == ["a", "d"])
        try mirror.reportAnswered(number: report.number, kept: true)
        #expect(try mirror.freezeReport()?.observations.map(\.item) == ["b", "c"])
        mirror.close()
    }

    @Test func `The oldest go when there are too many, but none that is on its way`() throws {
        let mirror = try open()
        _ = try mirror.add([entry("first")])
        let report = try #require(try mirror.freezeReport())
        let dropped = try mirror.add((0..<MirrorLimit.observations).map { entry("\($0)") })
        #expect(dropped == 1)
        try mirror.reportAnswered(number: report.number, kept: true)
        #expect(try mirror.freezeReport()?.observations.first?.item == "1")
        mirror.close()
    }

    @Test func `Another user's observations are deleted, and anonymous ones aren't reported in a user's name`() throws {
        let mirror = try open()
        try mirror.bind(cluster: "c", user: nil)
        _ = try mirror.add([entry("a")])
        try mirror.adopt(user: "mia", newClientID: Array(repeating: 8, count: 16))
        #expect(try mirror.waitingReports().any == false)
        _ = try mirror.add([entry("b")])
        try mirror.forgetUser(keeping: [], newClientID: Array(repeating: 9, count: 16))
        #expect(try mirror.waitingReports().any == false)
        mirror.close()
    }

    @Test func `A mirror of the version before gets its table, and keeps what it has`() throws {
        var mirror = try open()
        try mirror.bind(cluster: "c", user: "mia")
        _ = try mirror.setFavorite(subject: "movie/1", on: true, at: 1)
        try mirror.rejected(number: 1, code: "notMember", reason: "no")
        mirror.close()
        try folder.outside { try $0.execute(sql: "DROP TABLE observation; PRAGMA user_version = 5") }
        mirror = try open()
        #expect(mirror.recovery == nil)
        #expect(try mirror.rejections().map(\.code) == ["notMember"])
        #expect(try mirror.add([entry("a")]) == 0)
        #expect(try mirror.freezeReport()?.observations.count == 1)
        mirror.close()
    }

    @Test func `A damaged observation is set aside with the file, and the others are kept`() throws {
        var mirror = try open()
        _ = try mirror.add([entry("a"), entry("b")])
        mirror.close()
        try folder.outside { try $0.execute(sql: "UPDATE observation SET item = 'x' WHERE item = 'a'") }
        mirror = try open()
        #expect(try mirror.freezeReport()?.observations.map(\.item) == ["b"])
        #expect(mirror.recovery != nil)
        mirror.close()
    }
}
