import Foundation
import Testing

@Suite("The table of complaints")
struct ComplaintTableTests {
    @Test func `Each listed report is cited by a test, and each named test exists`() throws {
        let root = Harness.samples.deletingLastPathComponent().deletingLastPathComponent()
        let table = try String(contentsOf: root.appending(path: "Docs/complaints.md"), encoding: .utf8)
        let tests = try sources(in: root.appending(path: "Tests"))
        var (reports, functions) = (0, 0)
        for line in table.split(separator: "\n") where line.hasPrefix("| [") {
            let cells = line.split(separator: "|")
            for report in cells[0].matches(of: /\[[^\]]*(#\d+)\]/) {
                #expect(tests.contains { $0.contains("\(report.1)") }, "no test is named \(report.1)")
                reports += 1
            }
            var suite = ""
            for name in try #require(cells.last).matches(of: /`([A-Za-z]*)\.?([^`]*)`/) {
                if !name.1.isEmpty { suite = String(name.1) }
                let function = name.2.contains(" ") ? "func `\(name.2)`(" : "func \(name.2)("
                let isThere = tests.contains { $0.contains("struct \(suite)") && $0.contains(function) }
                #expect(isThere, "there is no test \(suite).\(name.2)")
                functions += 1
            }
        }
        #expect(reports > 25 && functions > 35, "the table could not be read: \(reports) reports, \(functions) tests")
    }

    private func sources(in folder: URL) throws -> [String] {
        let files = FileManager.default.enumerator(
            at: folder, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
        return try (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
            .map { try String(contentsOf: $0, encoding: .utf8) }.filter { $0.contains("@Test") }
    }
}
