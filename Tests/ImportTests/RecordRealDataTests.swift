import Foundation
import MarqueeModel
import MarqueeStore
import MarqueeTypes
import SeededRandom
import Testing

@testable import MarqueeImport

/// Real files are imported as records of an unrelated type.
@Suite(.enabled(if: RealData.isPresent, Comment(rawValue: RealData.howToSet)))
struct RecordRealDataTests {
    private let kitchen: RecordKitchen

    init() throws { kitchen = try RecordKitchen() }

    private func run(
        _ file: String, _ mapping: RecordMapping, _ change: (inout RecordImport) -> Void = { _ in }
    ) throws -> ImportReport {
        var request = RecordImport(file: RecordFile(path: try RealData.path(file)), type: "dish")
        request.mapping = mapping
        request.declared = kitchen.types
        change(&request)
        let result = try kitchen.run(request, .none)
        #expect(result.refusal == nil, "\(result.report.problems)")
        return result.report
    }

    @Test func `The speakers of a conference are imported`() throws {
        let report = try run(
            "conference/speakers.json",
            RecordMapping(id: ["id"], map: ["maybe_text=name", "a_bool=featured", "titles[job]=title"]))
        #expect(report.imported == 27)
        #expect(report.notes.map(\.reason) == ["not imported: the columns 'company', 'country'"])
        #expect(
            try kitchen.records()["1"]
                == #"{"aBool":true,"aString":"1","titles":{"job":"Developer Advocate"},"maybeText":"Mete Atamel"}"#)
    }

    /// The matches have no id, and their results are inside a list.
    @Test func `The matches of a league are imported`() throws {
        let report = try run(
            "league/premier_league_2023-24.json",
            RecordMapping(
                id: ["date", "team1"],
                map: ["an_int32=score.ft[0]", "a_uint32=score.ft[1]", "numbers=score.ht", "at=date"])
        ) { $0.file.rows = ["matches"] }
        #expect(report.imported == 380)
        #expect(
            try kitchen.records()["2023-08-11-Burnley FC"]
                == #"{"aString":"2023-08-11-Burnley FC","aUint32":3,"numbers":[0,2],"at":"2023-08-11T00:00:00Z"}"#)
    }

    @Test func `The movies of a table are imported`() throws {
        let report = try run(
            "tmdb5000/tmdb_5000_movies.csv.gz",
            RecordMapping(
                id: ["id"], map: ["texts=genres[].name", "at=release_date", "a_double=runtime", "an_int64=revenue"]))
        #expect(report.imported == 4_803)
        let records = try kitchen.records()
        let avatar =
            #"{"aDouble":162.0,"anInt64":"2787965087","aString":"19995","#
            + #""texts":["Action","Adventure","Fantasy","Science Fiction"],"at":"2009-12-10T00:00:00Z"}"#
        #expect(records["19995"] == avatar)
        #expect(records.values.filter { !$0.contains("\"at\"") }.count == 1, "one has no date")
        #expect(records.values.filter { !$0.contains("\"texts\"") }.count == 28, "28 have no genre")
    }
}
