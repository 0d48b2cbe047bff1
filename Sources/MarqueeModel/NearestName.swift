/// Finds the name that an unknown name probably stands for.
package enum NearestName {
    /// The most edits by which related names differ. Short names may differ in at most half of their letters.
    private static let tolerance = 3
    /// Maximum number of letters compared.
    private static let limit = 32

    /// The first of the nearest `candidates`, or `nil` when none is near.
    package static func suggestion(for name: String, among candidates: [String]) -> String? {
        let name = Array(name.lowercased().prefix(limit))
        let near = candidates.map { (candidate: $0, distance: distance(name, Array($0.lowercased().prefix(limit)))) }
            .filter { $0.distance <= min(tolerance, max(name.count, $0.candidate.count) / 2) }
        return near.min { $0.distance < $1.distance }?.candidate
    }

    /// The candidate that a name is a typo of. A typo has one edit, or two in a name of eight letters or more; an edit
    /// changes, adds or drops a letter, or swaps it with its neighbour. A plural isn't a typo, nor is a name of one or
    /// two letters.
    package static func typo(for name: String, among candidates: [String]) -> String? {
        let name = Array(name.lowercased().prefix(limit))
        guard name.count > 2 else { return nil }
        let near = candidates.compactMap { candidate -> (candidate: String, edits: Int)? in
            let other = Array(candidate.lowercased().prefix(limit))
            guard name + ["s"] != other, other + ["s"] != name else { return nil }
            let count = edits(name, other)
            return (1...max(1, min(2, name.count / 4))).contains(count) ? (candidate: candidate, edits: count) : nil
        }
        return near.min { $0.edits < $1.edits }?.candidate
    }

    /// Edit distance in which swapping two neighbouring letters is one edit (optimal string alignment).
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

    /// A hint to append to a message about an unknown name: `; did you mean 'popularity'?`, or empty if no candidate is
    /// near.
    package static func hint(for name: String, among candidates: [String]) -> String {
        suggestion(for: name, among: candidates).map { "; did you mean '\($0)'?" } ?? ""
    }

    /// Levenshtein distance, computed in a single row.
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
