import MarqueeCatalogue
import MarqueeModel
import MarqueePresetRecords
import MarqueeStore
import MarqueeTypes
import Testing

@testable import MarqueeServer

@Suite struct PublicationCheckTests {
    private func mistakes(_ documents: [[UInt8]], types: TypeSet?) -> [PublicationMistake] {
        var check = PublicationCheck(documents, by: Identity(user: "feed", scopes: .everything), types: types)
        while !check.isDone { check.read(atMost: 7) }
        return check.mistakes
    }

    private func movie(_ fields: String) -> [UInt8] {
        Array(#"{"merge":{"type":"movie","id":"1","record":{\#(fields)}}}"#.utf8)
    }

    @Test func `All mistakes of each change are named, up to a bound over all changes`() throws {
        let types = try TypeSet(PresetCatalogue.types, file: "types.yaml")
        let found = mistakes(Array(repeating: movie(#""a":1,"b":2,"release_date":"x""#), count: 50), types: types)
        #expect(found.count == PublicationMistake.maximum)
        #expect(found.prefix(4).map(\.change) == [0, 0, 0, 1])
        #expect(found.prefix(3).map(\.path) == ["movie.a", "movie.b", "movie.release_date"])
        #expect(found.allSatisfy { $0.reason == "RECORD_INVALID" })
    }

    @Test func `A change is judged by the types that the publication has before it`() throws {
        let right = movie(#""popularity":1"#)
        let types = try Change.types(PresetCatalogue.types).document()
        #expect(mistakes([types, right], types: nil).isEmpty)
        let found = mistakes([right, types, movie(#""popularty":1"#)], types: nil)
        #expect(found.map(\.change) == [0, 2])
        #expect(found.first?.detail == CommitPlan.noTypes)
    }
}
