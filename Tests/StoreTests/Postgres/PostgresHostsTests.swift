import Testing

@testable import MarqueeStore

/// The choice of the primary among the hosts of an address.
@Suite struct PostgresHostsTests {
    private static func answer(
        _ name: String, system: UInt64 = 7, timeline: UInt32, started: Int64 = 1, takesWrites: Bool = true
    ) -> PostgresHosts.Answer {
        PostgresHosts.Answer(
            host: PostgresURL.Host(name: name, port: "5432"), place: HistoryPlace(system: system, timeline: timeline),
            started: started, takesWrites: takesWrites)
    }

    @Test func `The primary of the highest timeline is used, whatever the order of hosts`() throws {
        let (former, present) = (Self.answer("db1", timeline: 1), Self.answer("db2", timeline: 2, started: 2))
        #expect(try PostgresHosts.primary(of: [former, present])?.host.name == "db2")
        #expect(try PostgresHosts.primary(of: [present, former])?.host.name == "db2")
        #expect(try PostgresHosts.primary(of: []) == nil)
        #expect(try PostgresHosts.primary(of: [Self.answer("db1", timeline: 1, takesWrites: false)]) == nil)
    }

    @Test func `A former primary is refused if only a standby of the current one is there`() {
        let hosts = [Self.answer("db1", timeline: 1), Self.answer("db2", timeline: 2, takesWrites: false)]
        let error = #expect(throws: StoreError.self) { try PostgresHosts.primary(of: hosts) }
        #expect(error?.code == .io)
        #expect(error?.message.contains("db1:5432 is a former primary: it is on timeline 1, and db2:5432 on 2") == true)
    }

    @Test func `Two primaries on one timeline are refused, and one server under two names isn't two`() throws {
        let first = Self.answer("db1", timeline: 2)
        let error = #expect(throws: StoreError.self) {
            try PostgresHosts.primary(of: [first, Self.answer("db2", timeline: 2, started: 2)])
        }
        #expect(error?.message.contains("db1:5432 and db2:5432 both take writes on timeline 2") == true)
        #expect(try PostgresHosts.primary(of: [first, Self.answer("alias", timeline: 2)]) == first)
    }

    @Test func `A host of another system decides nothing`() throws {
        let hosts = [Self.answer("db1", timeline: 1), Self.answer("other", system: 8, timeline: 5)]
        #expect(try PostgresHosts.primary(of: hosts)?.host.name == "db1")
    }
}
