/// Finds the name that an unknown name probably stands for.
package enum NearestName {
    /// Names more edits apart than this are unrelated; so are short ones with more than half of their letters
    /// different.
    private static let tolerance = 3
    /// Maximum number of letters compared.
    private static let length = 32

    /// The first of the nearest `candidates`, or `nil` when none is near.
    package static func suggestion(for name: String, among candidates: [String]) -> String? {
        let name = Array(name.lowercased().prefix(length))
        let near = candidates.map { (candidate: $0, distance: distance(name, Array($0.lowercased().prefix(length)))) }
            .filter { $0.distance <= min(tolerance, max(name.count, $0.candidate.count) / 2) }
        return near.min { $0.distance < $1.distance }?.candidate
    }

    /// The candidate of which a name is a typo: one letter in four, two at most, is changed, added, left out or swapped
    /// with its neighbour. A plural isn't a typo, and neither is a name of one or two letters.
    package static func slip(for name: String, among candidates: [String]) -> String? {
        let name = Array(name.lowercased().prefix(length))
        guard name.count > 2 else { return nil }
        let near = candidates.compactMap { candidate -> (candidate: String, edits: Int)? in
            let other = Array(candidate.lowercased().prefix(length))
            guard name + ["s"] != other, other + ["s"] != name else { return nil }
            let count = edits(name, other)
            return (1...max(1, min(2, name.count / 4))).contains(count) ? (candidate: candidate, edits: count) : nil
        }
        return near.min { $0.edits < $1.edits }?.candidate
    }

    /// Levenshtein distance in which a swap of neighbours is one edit.
    package static func edits(_ a: [Character], _ b: [Character]) -> Int {
        var rows = [Array(0...b.count)]
        for (i, letter) in a.enumerated() {
            var row = [i + 1]
            for (j, other) in b.enumerated() {
                var least = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (letter == other ? 0 : 1))
                if i > 0, j > 0, letter == b[j - 1], a[i - 1] == other { least = min(least, rows[i - 1][j - 1] + 1) }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }

    /// The text appended to a message about an unknown name: `; did you mean 'popularity'?`, or empty when no name is
    /// near.
    package static func hint(for name: String, among candidates: [String]) -> String {
        suggestion(for: name, among: candidates).map { "; did you mean '\($0)'?" } ?? ""
    }

    /// Levenshtein distance, with one row of memory.
    private static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var row = Array(0...b.count)
        for (i, letter) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, other) in b.enumerated() {
                let substituted = diagonal + (letter == other ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(substituted, diagonal + 1, row[j] + 1)
            }
        }
        return row[b.count]
    }
}
