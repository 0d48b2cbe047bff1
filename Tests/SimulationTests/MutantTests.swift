import Foundation
import Testing

@testable import Mutants

@Suite struct MutantTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test func `Each mutant can be planted, its snippets occurring exactly once in the product`() throws {
        let mutants = try Mutant.all(in: Self.root)
        #expect(mutants.count >= 100)
        #expect(Planting(mutants).problems(in: Self.root) == [])
        let table = try String(
            contentsOf: Self.root.appending(path: "Tests/Mutants/Faults/found-by.tsv"), encoding: .utf8)
        let rows = table.split(separator: "\n").dropFirst()
            .map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        #expect(rows.map { String($0[0]) } == mutants.map(\.name).sorted())
        #expect(rows.allSatisfy { $0.count == 4 && !$0[3].isEmpty })
    }

    @Test func `The copy has every folder that a target of the package names`() throws {
        let package = try String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
        let paths = package.matches(of: /path: "([^"]+)"/).map { String($0.1) }
        #expect(paths.count > 10)
        for path in paths {
            #expect(PlantedTree.parts.contains { path == $0 || path.hasPrefix($0 + "/") }, "\(path)")
        }
    }

    @Test func `No mutant is left in the product itself`() throws {
        for room in ["Sources", "Server", "Client"] {
            let folder = Self.root.appending(path: room)
            for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where path.hasSuffix(".swift")
            {
                let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
                #expect(!text.contains("planted(") && !text.contains("MARQUEE_MUTANTS"), "\(room)/\(path)")
            }
        }
    }

    private static let text = """
        The sky falls.

        A.swift
        - let a = 1
        - let b = 2
        + let a = PLANTED ? 0 : 1
        + let b = 2
        - let c
        + let PLANTED
        B.swift
        - d
        +   PLANTED

        """

    @Test func `A mutant has a sentence, and places to change in one or more files`() throws {
        let mutant = try Mutant(name: "sky", text: Self.text)
        #expect(mutant.summary == "The sky falls.")
        #expect(
            mutant.edits == [
                .init(
                    file: "A.swift", snippet: "let a = 1\nlet b = 2", replacement: "let a = PLANTED ? 0 : 1\nlet b = 2"),
                .init(file: "A.swift", snippet: "let c", replacement: "let PLANTED"),
                .init(file: "B.swift", snippet: "d", replacement: "  PLANTED"),
            ])
    }

    @Test(arguments: ["", "A sentence.", "A sentence.\n\nA.swift\n- a\n+ b\n", "A sentence.\n\nA.swift\n+ PLANTED\n"])
    func `A mutant that changes nothing, or is always on, is refused`(_ text: String) {
        #expect(throws: Mutant.Malformed.self) { try Mutant(name: "m", text: text) }
    }

    @Test func `Planted mutants check their own number, even several in one file`() throws {
        let other = try Mutant(name: "other", text: "Other.\n\nA.swift\n- let e\n+ if PLANTED { e }\n")
        let planting = Planting([try Mutant(name: "sky", text: Self.text), other])
        let (text, problems) = planting.plant(in: "A.swift", "let a = 1\nlet b = 2\nlet c\nlet e\n")
        #expect(problems == [])
        #expect(
            text == "import MarqueeModel\nlet a = planted(0) ? 0 : 1\nlet b = 2\nlet planted(0)\nif planted(1) { e }\n")
        #expect(planting.switchFile.contains("(\"other\", \"Other.\"),"))
        #expect(planting.switchFile.contains("getenv(\"MARQUEE_MUTANT\")"))
    }

    @Test(arguments: [("Server/A.swift", "import MarqueeModel\n"), ("Sources/MarqueeModel/A.swift", "")])
    func `A planted file can see the switch`(_ file: String, _ added: String) throws {
        let planting = Planting([try Mutant(name: "other", text: "Other.\n\n\(file)\n- let e\n+ if PLANTED { e }\n")])
        #expect(planting.plant(in: file, "let e\n").text == added + "if planted(0) { e }\n")
        let importing = "package import MarqueeModel\nlet e\n"
        #expect(planting.plant(in: file, importing).text == "package import MarqueeModel\nif planted(0) { e }\n")
    }

    @Test(arguments: ["", "let e let e"])
    func `A missing or duplicated snippet is reported with its mutant and file`(_ source: String) throws {
        let mutant = try Mutant(name: "other", text: "Other.\n\nA.swift\n- let e\n+ if PLANTED { e }\n")
        let problems = Planting([mutant]).plant(in: "A.swift", source).problems
        #expect(problems.count == 1)
        #expect(problems.first?.contains("other.mutant") == true && problems.first?.contains("A.swift") == true)
    }
}
