package import Foundation

/// A fault that can be planted in a copy of the product, to see whether the simulation finds it.
///
/// It is described by a text file named after it, such as `Faults/countTwice.mutant`: a sentence saying what goes
/// wrong, and the places to change. Each place is the path of a source file, lines with `- ` that occur in it exactly
/// once, and lines with `+ ` that replace them. In these, `PLANTED` stands for whether the mutant is switched on.
///
///     Staged bytes are acknowledged twice.
///
///     Client/MarqueeClient/Sync/SyncCore.swift
///     - link.taken.add(bytes)
///     + link.taken.add(PLANTED ? 2 * bytes : bytes)
package struct Mutant: Equatable, Sendable {
    /// A change to one file.
    package struct Edit: Equatable, Sendable {
        /// Relative to the repository's root.
        package var file: String
        package var snippet: String
        package var replacement: String
    }

    package struct Malformed: Error, Equatable, CustomStringConvertible {
        package var description: String
    }

    package static let token = "PLANTED"

    package var name: String
    package var summary: String
    package var edits: [Edit]

    /// - Throws: `Malformed` if the text isn't in the form above.
    package init(name: String, text: String) throws(Malformed) {
        self.name = name
        summary = ""
        edits = []
        var file: String?
        var old: [Substring] = []
        var new: [Substring] = []
        func finish() throws(Malformed) {
            guard let place = file, !(old.isEmpty && new.isEmpty) else { return }
            let edit = Edit(
                file: place, snippet: old.joined(separator: "\n"), replacement: new.joined(separator: "\n"))
            guard !edit.snippet.isEmpty else {
                throw Malformed(description: "\(name): nothing to look for in \(place)")
            }
            guard edit.replacement.contains(Self.token) else {
                throw Malformed(
                    description: "\(name): the replacement in \(place) doesn't use \(Self.token)")
            }
            edits.append(edit)
            (old, new) = ([], [])
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("- ") {
                if !new.isEmpty { try finish() }
                old.append(line.dropFirst(2))
            } else if line.hasPrefix("+ ") {
                new.append(line.dropFirst(2))
            } else if !line.isEmpty {
                try finish()
                if summary.isEmpty { summary = String(line) } else { file = String(line) }
            }
        }
        try finish()
        guard !summary.isEmpty, !edits.isEmpty else {
            throw Malformed(description: "\(name): neither a sentence nor a place to change")
        }
    }

    /// The mutants of a checkout, by name.
    /// - Parameter root: the repository's root.
    package static func all(in root: URL) throws -> [Mutant] {
        let folder = root.appending(path: "Tests/Mutants/Faults")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .filter { $0.hasSuffix(".mutant") }
            .map { file in
                try Mutant(
                    name: String(file.dropLast(".mutant".count)),
                    text: String(contentsOf: folder.appending(path: file), encoding: .utf8))
            }
    }
}
