import MarqueeDiff
import MarqueeModel
import MarqueePresets

/// The credits of a movie as shown: its directors, then its cast.
///
/// The cast is ordered by the person's popularity, followed by those without one in billing order.
struct CreditList {
    struct Entry {
        /// `credit/<movie>/<person>/<role>/<hash of the character>`, with a number added if that isn't unique.
        var id: String
        var person: UInt64
        var content: CreditContent
    }

    private(set) var entries: [Entry] = []
    /// Everyone who affects the order or content.
    private(set) var people: Set<UInt64> = []

    /// - Parameter castLimit: maximum number of cast; directors come on top.
    init(of movie: UInt64, in catalogue: Catalogue, castLimit: Int) {
        let cast = catalogue.credits(of: movie)?.cast ?? []
        let directors = catalogue.directors(of: movie)
        people = Set(cast.map(\.person)).union(directors.map(\.person))

        var used: [String: Int] = [:]
        func entry(of person: UInt64, _ content: CreditContent, role: String) -> Entry {
            let character = XXH64.hash(Array((content.character ?? "").utf8))
            let id = "credit/\(movie)/\(person)/\(role)/\(String(character, radix: 16))"
            used[id, default: 0] += 1
            let number = used[id, default: 1]
            return Entry(id: number == 1 ? id : "\(id)/\(number)", person: person, content: content)
        }
        func portrait(of person: UInt64) -> ImageReference? { catalogue.person(person)?.portrait?.clipped }

        for director in directors {
            let content = CreditContent(
                person: director.person, name: director.name.clipped(to: TextBounds.name), job: director.job,
                portrait: portrait(of: director.person))
            entries.append(entry(of: director.person, content, role: "director"))
        }
        // Numbered in billing order, so that a popularity change moves items without renaming them.
        let billed = cast.enumerated().map { index, credit in
            let content = CreditContent(
                person: credit.person, name: credit.name.clipped(to: TextBounds.name),
                character: credit.character.flatMap { $0.isEmpty ? nil : $0.clipped(to: TextBounds.name) },
                portrait: portrait(of: credit.person))
            let popularity = catalogue.person(credit.person)?.popularity
            return (
                place: (popularity.map { -$0 } ?? .infinity, index),
                entry: entry(of: credit.person, content, role: "cast")
            )
        }
        entries += billed.sorted { $0.place < $1.place }.prefix(castLimit).map(\.entry)
    }
}

extension String {
    /// Itself, or its hash if it is too long to be part of an id.
    var boundedKey: String {
        utf8.count <= TextBounds.key ? self : "xxh64-\(String(XXH64.hash(Array(utf8)), radix: 16))"
    }
}
