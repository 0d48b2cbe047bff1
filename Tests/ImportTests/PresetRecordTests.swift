import MarqueeCatalogue
import MarqueeModel
import MarqueePresetRecords
import MarqueeStore
import Testing

/// Movies as records of the preset types.
@Suite struct PresetRecordTests {
    private func record(_ change: Change) throws -> JSONValue {
        switch change {
        case .put(_, .json(let record)), .merge(_, .json(let record), _, _): return record
        default: throw TestError("it puts nothing")
        }
    }

    private struct TestError: Error {
        var reason: String
        init(_ reason: String) { self.reason = reason }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `A number that JSON can't express is left out`(number: Double) throws {
        var movie = Movie(id: 1, title: "Rye")
        (movie.popularity, movie.voteAverage) = (number, 7.5)
        movie.poster = ImageReference(name: "p.jpg", aspect: number)
        var update = MovieUpdate(id: 1)
        (update.popularity, update.voteAverage) = (number, 8)
        for change in [movie.change, update.change] {
            let record = try record(change)
            #expect(record["popularity"] == nil)
            #expect(record["voteAverage"] != nil)
        }
        #expect(try record(movie.change)["poster"] == .object(["name": .text("p.jpg")]))
        // A store accepts the changes.
        let store = MemoryStore()
        let outcomes = try store.write([
            .catalogue(key: nil, changes: [.types(PresetCatalogue.types), movie.change, update.change], mutation: nil)
        ])
        #expect(outcomes == [.done(revision: 1, changed: true)])
    }
}
