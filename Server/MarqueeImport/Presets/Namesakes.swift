/// Tells films with the same name apart in a feed that gives nothing but names.
///
/// A film's total audience grows slowly, while two films have very different totals. So among the rows with one name,
/// each belongs to the film whose last total is nearest, and a row left over is a new film. The first film's key is its
/// name; the keys of the others are numbered.
struct Namesakes {
    private struct Film {
        var key: String
        var total: UInt64

        func distance(to other: UInt64) -> UInt64 { max(total, other) - min(total, other) }
    }

    private var films: [String: [Film]] = [:]

    /// The keys of the films that the rows of one name and time refer to. Times must come in order.
    mutating func keys(of name: String, totals: [UInt64]) -> [String] {
        var known = films[name] ?? []
        var chosen = [Int?](repeating: nil, count: totals.count)
        let pairs = known.indices.flatMap { film in totals.indices.map { (film: film, row: $0) } }
        let nearestFirst = pairs.sorted {
            (known[$0.film].distance(to: totals[$0.row]), $0.film, $0.row)
                < (known[$1.film].distance(to: totals[$1.row]), $1.film, $1.row)
        }
        for (film, row) in nearestFirst where chosen[row] == nil && !chosen.contains(film) { chosen[row] = film }
        for (row, total) in totals.enumerated() {
            if let film = chosen[row] {
                known[film].total = total
            } else {
                chosen[row] = known.count
                known.append(Film(key: known.isEmpty ? name : "\(name) (\(known.count + 1))", total: total))
            }
        }
        films[name] = known
        return chosen.map { film in film.map { known[$0].key } ?? name }
    }
}
