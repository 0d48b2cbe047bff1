import ArgumentParser
import MarqueeClient
import MarqueeModel
import MarqueeScreenJSON
import Testing

@testable import marquee

@Suite struct CollectionCommandTests {
    @Test(
        arguments: [
            ("120", "120"), ("-3", "-3"), ("true", "true"), (#"{"page": 12}"#, #"{"page": 12}"#),
            ("later", #""later""#),
            (#""12""#, #""12""#), ("say \"hi\"", #""say \"hi\"""#), ("NaN", #""NaN""#),
        ])
    func `A value is JSON, and a word counts as a string`(argument: String, json: String) {
        #expect(ValueArgument(argument: argument)?.value == CollectionValue(json: json))
    }

    @Test func `A value that is too long is refused`() {
        #expect(ValueArgument(argument: String(repeating: "9", count: CollectionValue.maximumLength + 1)) == nil)
        #expect(CollectionArgument(argument: String(repeating: "c", count: 33)) == nil)
        #expect(CollectionArgument(argument: "") == nil)
    }

    @Test func `Commands take a collection, a subject and a value`() throws {
        let set = try #require(
            try Marquee.parseAsRoot(["collection", "set", "progress", "episode/e1", "120"]) as? CollectionCommand.Set)
        #expect(set.collection.name == "progress")
        #expect(set.subject.subject == "episode/e1")
        #expect(set.value.value == 120)
        let add = try #require(
            try Marquee.parseAsRoot(["collection", "add", "later", "my_type/e1"]) as? CollectionCommand.Add)
        #expect(add.value == nil)
        let remove = try #require(
            try Marquee.parseAsRoot(["collection", "remove", "later", "episode/1", "27205"])
                as? CollectionCommand.Remove)
        #expect(remove.subjects.map(\.subject) == ["episode/1", "movie/27205"])
        for wrong in [
            ["set", "progress", "episode/e1"], ["list"], ["add", "later", "Movie/7"], ["remove", "later"],
        ] {
            #expect(throws: (any Error).self) { try Marquee.parseAsRoot(["collection"] + wrong) }
        }
    }

    @Test func `The outcome of a change is reported to people and programs`() throws {
        let confirmed = ChangeOutcome(isConfirmed: true, fallback: nil)
        #expect(confirmed.line(for: "movie/1", in: .favorites, on: true) == "♥ movie/1 added")
        #expect(confirmed.line(for: "movie/1", in: "later", on: false) == "♡ movie/1 removed from later")
        #expect(
            confirmed.line(for: "episode/e1", in: "progress", on: true, value: 120)
                == "♥ episode/e1 set to 120 in progress")
        #expect(
            confirmed.document(for: "episode/e1", in: "progress", on: true, value: 120)?.line()
                == #"{"collection":"progress","confirmed":true,"member":true,"subject":"episode/e1","type":"change","value":120}"#
        )
        var refused = ChangeOutcome(isConfirmed: true, fallback: nil)
        refused.heard(.changeRejected("progress", "episode/e1", ClientError(.changeRefused, "no")))
        #expect(refused.line(for: "episode/e1", in: "progress", on: true) == nil)
        #expect(throws: Failure.self) { try refused.conclude(server: .standard) }
    }
}
