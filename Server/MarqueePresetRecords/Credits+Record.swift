package import MarqueeCatalogue
import MarqueeDiff
import MarqueeModel

extension Credits {
    /// The change that stores them as a record.
    package var change: Change { .put(.credits(movie), .json(record)) }

    static let directorJob = "Director"

    var record: JSONValue {
        // Each person once.
        var seen: Set<UInt64> = []
        let directors = crew.filter { $0.job == Self.directorJob && seen.insert($0.person).inserted }
        var ids = CreditIDs()
        var fields = Fields()
        fields.add("movie", movie)
        fields.add(
            "directors",
            directors.map { director in
                var fields = Fields()
                fields.add("id", ids.next(director.person, "director", character: nil))
                fields.add("person", director.person)
                fields.add("name", director.name)
                fields.add("job", director.job)
                return fields.json
            })
        fields.add(
            "cast",
            cast.map { member in
                let character = member.character.flatMap { $0.isEmpty ? nil : $0 }
                var fields = Fields()
                fields.add("id", ids.next(member.person, "cast", character: character))
                fields.add("person", member.person)
                fields.add("name", member.name)
                fields.add("character", character)
                return fields.json
            })
        fields.add("directorNames", directors.map { .text($0.name) })
        return fields.json
    }
}

/// Ids of credits, made of the person, the role and the character.
private struct CreditIDs {
    private var used: [String: Int] = [:]

    mutating func next(_ person: UInt64, _ role: String, character: String?) -> String {
        let hash = String(XXH64.hash(Array((character ?? "").utf8)), radix: 16)
        let id = "\(person)/\(role)/\(hash)"
        let number = used[id, default: 0] + 1
        used[id] = number
        return number == 1 ? id : "\(id)/\(number)"
    }
}
