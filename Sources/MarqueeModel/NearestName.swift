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
