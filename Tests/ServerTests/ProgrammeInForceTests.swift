import MarqueeCatalogue
import MarqueeStore
import Testing

@testable import MarqueeServer

@Suite struct ProgrammeInForceTests {
    private static let commits = ["mine", "theirs"].enumerated().map { index, text in
        CatalogueCommit(revision: UInt64(index + 1), key: nil, changes: [.programme(text), .removePage("p")])
    }

    @Test func `A programme other than the given one is noticed by its revision`() throws {
        var current = ProgrammeInForce(try HubWorld.parse(HubWorld.programme))
        current.given = "mine"
        #expect(current.others(in: Self.commits) == [2])
    }

    @Test func `A server that uses the store's programme expects no other one`() throws {
        #expect(ProgrammeInForce(try HubWorld.parse(HubWorld.programme)).others(in: Self.commits).isEmpty)
    }
}
