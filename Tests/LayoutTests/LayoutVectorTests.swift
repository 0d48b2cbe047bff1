import Foundation
import LayoutVectors
import Testing

/// Holds the engine to `Proto/vectors/layout`, which every engine in another language is held to as well.
@Suite("Vectors of layouts") struct LayoutVectorTests {
    /// The files, and how many cases each of them has at least.
    private static let files = [("worked", 225), ("random", 250)]
    /// Points by which a number worked out by hand may be off.
    private static let tolerance = 0.0001

    private static let folder = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Proto/vectors/layout")

    private static func file(_ name: String) throws -> Data {
        try Data(contentsOf: folder.appending(path: "\(name).json"))
    }

    private static func cases(_ name: String) throws -> [LayoutCase] {
        try LayoutFile.decoder().decode(LayoutFile.self, from: file(name)).cases
    }

    @Test(arguments: files) func `All cases are there, each with a name of its own`(name: String, least: Int) throws {
        let cases = try Self.cases(name)
        #expect(cases.count >= least)
        #expect(cases.allSatisfy { !$0.name.isEmpty })
        #expect(Set(cases.map(\.name)).count == cases.count)
        for layoutCase in cases {
            let kinds = [layoutCase.section != nil, layoutCase.screen != nil, layoutCase.design != nil]
            #expect(kinds.filter { $0 }.count == 1, "\(layoutCase.name)")
        }
    }

    @Test func `There are no other files, which nobody would read`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(names) == Set(Self.files.map { "\($0.0).json" } + ["README.md"]))
    }

    @Test(arguments: files) func `The engine gives every answer to the last bit`(name: String, least: Int) throws {
        for layoutCase in try Self.cases(name) {
            let expected = try Self.text(layoutCase)
            #expect(expected.contains("\"answer\""), "\(layoutCase.name) has no answer")
            let actual = try Self.text(try layoutCase.answered())
            #expect(actual == expected, "\(layoutCase.name)")
        }
    }

    @Test func `The answers agree with what was worked out by hand`() throws {
        var worked = 0
        for layoutCase in try Self.cases("worked") {
            let name = layoutCase.name
            if let section = layoutCase.section {
                try Self.compare(try section.engineAnswer(), #require(section.worked, "\(name)"), name)
                worked += 1
            }
            if let screen = layoutCase.screen {
                try Self.compare(try screen.engineAnswer(), #require(screen.worked, "\(name)"), name)
                worked += 1
            }
        }
        #expect(worked >= 180)
    }

    /// Two numbers have the same text only if they are the same bits, so texts can be compared.
    private static func text(_ layoutCase: LayoutCase) throws -> String {
        String(decoding: try LayoutFile.encoder().encode(layoutCase), as: UTF8.self)
    }

    private static func compare(_ actual: SectionAnswer, _ worked: SectionAnswer, _ name: String) throws {
        var (actual, worked) = (actual, worked)
        // Only some items' frames are worked out.
        let items = Set((worked.frames ?? []).compactMap(\.first))
        let frames = (actual.frames ?? []).filter { items.contains($0[0]) }
        #expect(frames.count == items.count, "\(name): an item is missing")
        actual.frames = worked.frames.map { _ in frames }
        worked.frames?.sort { $0[0] < $1[0] }
        actual.frames?.sort { $0[0] < $1[0] }
        try compareObjects(actual, worked, name)
    }

    private static func compare(_ actual: ScreenAnswer, _ worked: ScreenAnswer, _ name: String) throws {
        try compareObjects(actual, worked, name)
    }

    private static func compareObjects(_ actual: some Encodable, _ worked: some Encodable, _ name: String) throws {
        let (actual, worked) = (try object(actual), try object(worked))
        let expected = try #require(worked as? [String: Any])
        #expect(!expected.isEmpty, "\(name): nothing was worked out")
        for (key, value) in expected {
            let found = (actual as? [String: Any])?[key]
            #expect(isNear(found, value), "\(name): \(key) is \(String(describing: found)), not \(value)")
        }
    }

    private static func object(_ value: some Encodable) throws -> Any {
        try JSONSerialization.jsonObject(with: try LayoutFile.encoder().encode(value))
    }

    private static func isNear(_ actual: Any?, _ expected: Any) -> Bool {
        if let expected = expected as? [Any] {
            guard let actual = actual as? [Any], actual.count == expected.count else { return false }
            return zip(actual, expected).allSatisfy { isNear($0, $1) }
        }
        if let expected = expected as? [String: Any] {
            return expected.allSatisfy { isNear((actual as? [String: Any])?[$0.key], $0.value) }
        }
        if let expected = expected as? String { return actual as? String == expected }
        if expected is NSNull { return actual is NSNull }
        guard let expected = expected as? NSNumber, let actual = actual as? NSNumber else { return false }
        return (actual.doubleValue - expected.doubleValue).magnitude < tolerance
    }
}
