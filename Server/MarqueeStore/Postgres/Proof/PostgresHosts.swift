/// The hosts of an address, with the answer of each.
///
/// libpq uses the first that takes writes, which may be a former primary that has come back. A process that has seen
/// nothing yet can only tell by asking all of them.
struct PostgresHosts {
    /// A host that has answered.
    struct Answer: Hashable {
        var host: PostgresURL.Host
        var place: HistoryPlace
        /// When its server was started, which tells servers apart; in microseconds since 1970.
        var started: Int64
        var takesWrites: Bool
    }

    let answers: [Answer]
    /// The hosts that don't answer.
    let silent: [PostgresURL.Host]

    /// Asks each host, unless there is only one: then there is no choice.
    init(of url: PostgresURL, for use: String, stop: PostgresStop? = nil) {
        var (answers, silent): ([Answer], [PostgresURL.Host]) = ([], [])
        for host in url.hosts {
            do {
                let connection = try PostgresConnection(
                    url, use: use, host: host, takesStandby: true, isDiagnosis: true, stop: stop)
                answers.append(try Self.ask(connection, host))
            } catch {
                silent.append(host)
            }
        }
        (self.answers, self.silent) = (answers, silent)
    }

    private static func ask(_ connection: PostgresConnection, _ host: PostgresURL.Host) throws -> Answer {
        if let place = connection.place {
            return Answer(host: host, place: place, started: connection.started, takesWrites: true)
        }
        // A standby's checkpoint may be older than the timeline that it follows.
        let row = try connection.run(
            """
            SELECT (SELECT system_identifier FROM pg_control_system()), greatest(
                (SELECT timeline_id FROM pg_control_checkpoint()), (SELECT max(received_tli) FROM pg_stat_wal_receiver)
            )::int8
            """
        ).first
        guard let row, let timeline = UInt32(exactly: try row.integer(1)) else { throw MalformedRow() }
        let place = HistoryPlace(system: UInt64(bitPattern: try row.integer(0)), timeline: timeline)
        return Answer(host: host, place: place, started: connection.started, takesWrites: false)
    }

    /// The primary among the hosts that have answered; `nil` if none of them takes writes.
    /// - Throws: `io` if the primary can't be determined, or only a former one is there.
    static func primary(of answers: [Answer]) throws(StoreError) -> Answer? {
        guard let first = answers.first(where: \.takesWrites) else { return nil }
        let related = answers.filter { $0.place.system == first.place.system }
        let newest = related.map(\.place.timeline).max() ?? first.place.timeline
        let primaries = related.filter { $0.takesWrites && $0.place.timeline == newest }
        guard let primary = primaries.first else {
            let standby = related.first { $0.place.timeline == newest } ?? first
            throw StoreError(
                .io,
                "\(first.host) is a former primary: it is on timeline \(first.place.timeline), and "
                    + "\(standby.host) on \(newest), which takes no writes. A former primary must never take writes "
                    + "again; stop it, and promote \(standby.host) or start its primary")
        }
        if let other = primaries.first(where: { $0.started != primary.started }) {
            throw StoreError(
                .io,
                "\(primary.host) and \(other.host) both take writes on timeline \(newest): two standbys of one "
                    + "primary were promoted. Stop the one that is to be given up, and make it a standby of the other")
        }
        return primary
    }

    /// The hosts that take writes although they are on an older timeline of the same data.
    func former(of place: HistoryPlace) -> [PostgresURL.Host] {
        answers.filter { $0.takesWrites && $0.place.system == place.system && $0.place.timeline < place.timeline }
            .map(\.host)
    }

    /// The primary among these hosts.
    func primary() throws(StoreError) -> Answer? { try Self.primary(of: answers) }
}
