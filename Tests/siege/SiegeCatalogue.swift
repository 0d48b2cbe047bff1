import Foundation
import MarqueeCatalogue
import MarqueeModel
import MarqueePresetRecords
import MarqueeStore

/// The content of the server under siege.
enum SiegeCatalogue {
    static let movies: UInt64 = 5_000
    /// A user with nearly as many favorites as anybody may have. Half of them are of records that aren't there.
    static let collector = "collector"
    static let favorites: UInt64 = 9_984
    /// A list that is as long as any may be, but for one entry.
    static let list = PresetCatalogue.shelf("siege")
    static let entries = 9_999

    /// Items are whole records, so that each publication changes what is shown.
    static let programme = """
        locales: [en]
        screens:
          home:
            title: Home
            sections:
              - {id: first, kind: rank, source: {records: {type: movie, sort: -popularity, limit: 20}}, body: record}
              - {id: all, kind: basic, source: {records: {type: movie, sort: title, limit: 100}}, body: record}
          detail/$id:
            title: Movie
            sections:
              - {id: detail, kind: detail, source: {record: {type: movie, id: $id}}, body: record}
              - {id: more, kind: basic, source: {records: {type: movie, sort: -popularity, limit: 20}}, body: record}
          large:
            title: Large
            sections:
              - {id: a, kind: basic, source: {records: {type: movie, sort: title, limit: 1000}}, body: record}
              - {id: b, kind: rank, source: {records: {type: movie, sort: title, limit: 1000}}, body: record}
              - {id: c, kind: basic, source: {records: {type: movie, sort: -popularity, limit: 1000}}, body: record}
              - {id: d, kind: rank, source: {records: {type: movie, sort: -popularity, limit: 1000}}, body: record}
          favorites:
            title: Favorites
            sections: [{id: favorites, kind: favorites, source: favorites, body: {movie: record}}]
        search: {of: [movie]}
        """

    /// Makes a data folder.
    static func fill(_ folder: URL) throws {
        let store = try SQLiteStore(folder: folder.path)
        var changes: [Change] = [.types(PresetCatalogue.types), .programme(programme)]
        for id in 1...movies {
            var movie = Movie(id: id, title: "Movie \(id) of the siege")
            movie.popularity = id == 1 ? 1_000 : id == 2 ? 950 : Double(id % 900)
            movie.overview = String(repeating: "It goes on and on. ", count: 4)
            changes.append(movie.change)
        }
        changes.append(
            .list(
                RecordList(
                    ListName(list),
                    entries: (0..<entries).map { index in
                        ListEntry(key: "k\(index)", record: RecordID(type: "movie", id: "\(index % Int(movies) + 1)"))
                    })))
        _ = try store.write([.catalogue(key: nil, changes: changes, mutation: nil)])
        let client = [UInt8](repeating: 9, count: 16)
        for start in stride(from: UInt64(1), through: favorites, by: 500) {
            _ = try store.write(
                (start..<min(start + 500, favorites + 1)).map { id in
                    .favorite(
                        user: collector, subject: "movie/\(id)", on: true,
                        mutation: MutationID(client: client, number: id, answeredThrough: id - 1))
                })
        }
        try store.close()
    }
}
