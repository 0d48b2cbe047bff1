package import Foundation

/// Plants mutants in source files. Mutants are switched on at run time, so one build contains them all.
package struct Planting {
    package let mutants: [Mutant]
    /// The room that holds the switch, and so is imported by every planted file.
    private static let switchFolder = "Sources/MarqueeModel/"
    package static let switchPath = switchFolder + "Planted.swift"

    package init(_ mutants: [Mutant]) { self.mutants = mutants }

    /// The files that mutants change.
    package var files: Set<String> { Set(mutants.flatMap { $0.edits.map(\.file) }) }

    /// A file with the mutants planted in it.
    /// - Returns: the text, and for each snippet that doesn't occur exactly once, a sentence naming the mutant and
    /// file.
    package func plant(in file: String, _ text: String) -> (text: String, problems: [String]) {
        var result = text
        var problems: [String] = []
        for (number, mutant) in mutants.enumerated() {
            for edit in mutant.edits where edit.file == file {
                // In the original file, and in the result of the preceding mutants.
                let count = min(text.occurrences(of: edit.snippet), result.occurrences(of: edit.snippet))
                let most = max(text.occurrences(of: edit.snippet), result.occurrences(of: edit.snippet))
                guard count == 1, most == 1, let place = result.range(of: edit.snippet) else {
                    problems.append(
                        """
                        Tests/Mutants/Faults/\(mutant.name).mutant: occurs \(count == 0 ? 0 : most) times in \(file), \
                        not once: \(edit.snippet)
                        """)
                    continue
                }
                result.replaceSubrange(
                    place, with: edit.replacement.replacing(Mutant.token, with: "planted(\(number))"))
            }
        }
        if !file.hasPrefix(Self.switchFolder), result != text, !text.contains("import MarqueeModel\n") {
            result = "import MarqueeModel\n" + result
        }
        return (result, problems)
    }

    /// Problems with the mutants of a checkout; empty if all of them can be planted.
    /// - Parameter root: the repository's root.
    package func problems(in root: URL) -> [String] {
        files.sorted().flatMap { file in
            guard let text = try? String(contentsOf: root.appending(path: file), encoding: .utf8) else {
                let names = mutants.filter { $0.edits.contains { $0.file == file } }.map(\.name)
                return ["\(file), which \(names.joined(separator: " and ")) would change, can't be read"]
            }
            return plant(in: file, text).problems
        }
    }

    /// The environment variable that names the mutant to switch on when a program starts.
    package static let variable = "MARQUEE_MUTANT"

    /// The source file that lists the mutants and holds which one is switched on. Only in the copy.
    package var switchFile: String {
        let rows = mutants.map { "        (\($0.name.debugDescription), \($0.summary.debugDescription)),\n" }.joined()
        return """
            import Synchronization

            #if canImport(Glibc)
                import Glibc
            #else
                import Darwin
            #endif

            /// The mutants planted in this copy.
            package enum Planted {
                package static let all: [(name: String, summary: String)] = [
            \(rows)    ]

                fileprivate static let number = Atomic<Int>(named)

                /// The one that the environment names, by index; -1 for none. An unknown one ends the process.
                private static var named: Int {
                    guard let name = getenv("\(Self.variable)").map({ String(cString: $0) }) else { return -1 }
                    if let number = all.firstIndex(where: { $0.name == name }) { return number }
                    fatalError("\(Self.variable) names the mutant '\\(name)', and there is none")
                }

                /// Switches one on, by index, or all off.
                package static func switchOn(_ mutant: Int?) { number.store(mutant ?? -1, ordering: .relaxed) }
            }

            /// Whether a mutant is switched on.
            package func planted(_ mutant: Int) -> Bool { Planted.number.load(ordering: .relaxed) == mutant }

            """
    }
}

extension String {
    func occurrences(of text: String) -> Int {
        var count = 0
        var rest = self[...]
        while let place = rest.range(of: text) {
            count += 1
            rest = rest[place.upperBound...]
        }
        return count
    }
}
