import MarqueeModel
import Testing

@testable import MarqueeServer

@Suite struct PublicationRecordTests {
    private func caller(_ source: Grant.Source, user: String? = nil) -> SessionCore.Caller {
        var caller = SessionCore.Caller(
            identity: Identity(user: user, grant: Grant(.everything, from: source)), clientID: [])
        caller.place = .init(address: "10.0.0.7:5000", agent: "feed/2 " + String(repeating: "x", count: 100))
        return caller
    }

    @Test func `A publication says who made it, with which token, from where, about what, how many changes`() {
        var record = PublicationRecord()
        for name in ["movie", "list/top", "movie"] { record.add(name) }
        let words = record.metadata(
            by: caller(.token("feeds"), user: "ana"), connection: 42, key: "night", revision: 7, changed: true
        ).mapValues { "\($0)" }
        #expect(
            words == [
                "user": "ana", "by": "token feeds", "agent": "feed/2 " + String(repeating: "x", count: 57),
                "peer": "10.0.0.7:5000", "connection": "42", "about": "list/top movie", "changes": "3",
                "revision": "7", "changed": "true", "key": "night",
            ])
    }

    @Test func `Whoever proved nothing has no name, and only some names are listed`() {
        var record = PublicationRecord()
        for number in 1...100 { record.add("list/\(number)") }
        let words = record.metadata(by: caller(.open), connection: 1, key: nil, revision: 7, changed: false)
        #expect(words["by"] == nil && words["user"] == nil && words["key"] == nil)
        #expect(words["changes"].map { "\($0)" } == "100")
        let about = words["about"].map { "\($0)" }?.split(separator: " ") ?? []
        #expect(about.count == PublicationRecord.maximumNames + 1 && about.last == "…")
    }
}
