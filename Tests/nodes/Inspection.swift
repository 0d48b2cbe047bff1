import MarqueeClient

/// Whether everybody agrees after a phase: all mirrors with that of a client that has just come, and the database with
/// what was confirmed.
struct Inspection: Sendable {
    /// Devices that show something other than a newcomer does.
    private(set) var differing = 0
    private(set) var lost = 0
    private(set) var doubled = 0
    private(set) var findings: [String] = []

    /// Waits until all mirrors are equal, for as long as that may take.
    init(of crowd: Crowd, at cluster: Cluster, timeline: Timeline) async throws {
        let reader = DatabaseReader(database: cluster.database)
        let stored = try reader.favorites()
        let judge = Judge(
            confirmed: Dictionary(uniqueKeysWithValues: crowd.favorites.map { ($0.key, $0.confirmed) }), stored: stored)
        lost = judge.lost
        doubled = judge.doubled
        findings = judge.findings
        try countCommits(reader, crowd.publisher)

        let users = Set(crowd.devices.map(\.user)).sorted()
        // In turn at each server, and at none by way of the balancer.
        let newcomers = try users.enumerated().map { number, user in
            Device(
                try Crowd.configuration(
                    port: cluster.servers[number % cluster.servers.count].port, user: user, cluster.tokens),
                timeline: timeline)
        }
        let differences = try await withThrowingTaskGroup(of: Void.self) { group in
            for newcomer in newcomers { group.addTask { await newcomer.watch() } }
            let deadline = ContinuousClock.now + Bounds.agreeing
            var differences = Self.differences(crowd, newcomers, stored, newest: timeline.newest ?? 0)
            while !differences.isEmpty, ContinuousClock.now < deadline {
                try await Task.sleep(for: Bounds.look)
                differences = Self.differences(crowd, newcomers, stored, newest: timeline.newest ?? 0)
            }
            group.cancelAll()
            return differences
        }
        differing = differences.count
        findings += differences
    }

    private mutating func countCommits(_ reader: DatabaseReader, _ publisher: Publisher) throws {
        let commits = try reader.commits()
        let confirmed = Set(publisher.confirmed)
        for key in confirmed.union(commits.keys).sorted() where commits[key] != 1 || !confirmed.contains(key) {
            findings.append(
                "\(key) was \(confirmed.contains(key) ? "" : "not ")confirmed, and is \(commits[key] ?? 0) times in the log"
            )
        }
    }

    /// One sentence for each device that doesn't show what it should.
    private static func differences(
        _ crowd: Crowd, _ newcomers: [Device], _ stored: StoredFavorites, newest: UInt64
    ) -> [String] {
        var wanted: [String: Picture] = [:]
        var differences: [String] = []
        for newcomer in newcomers {
            guard newcomer.isLive, newcomer.revision >= newest, let picture = newcomer.picture else {
                differences.append("a newcomer of \(newcomer.user) is at \(newcomer.revision), not at \(newest)")
                continue
            }
            let members = stored.members.filter { $0.user == newcomer.user }.map { Subject($0.subject) }
            guard picture.favorites == Set(members) else {
                differences.append("a newcomer of \(newcomer.user) shows other favorites than the database has")
                continue
            }
            wanted[newcomer.user] = picture
        }
        for (number, device) in crowd.devices.enumerated() {
            guard let picture = device.picture, device.isLive else {
                differences.append("client \(number) of \(device.user) is not live")
                continue
            }
            guard let wanted = wanted[device.user], picture != wanted else { continue }
            differences.append("client \(number) of \(device.user): \(picture.difference(from: wanted))")
        }
        return differences
    }
}
