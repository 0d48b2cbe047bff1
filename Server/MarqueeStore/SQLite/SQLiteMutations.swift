import MarqueeModel

/// The mutations of clients within one transaction: which answers are kept, and which clients are forgotten.
///
/// All calls that write are of one file, so the rows it remembers are that file's.
struct SQLiteMutations {
    private struct ClientRow {
        /// The number of its last mutation.
        var last: UInt64
        var sum: Int64
    }

    /// The most clients that are forgotten for each new one, when there are more than the limit.
    private static let maximumForgotten = 64

    private let limits: StoreLimits
    /// Milliseconds since 1970.
    private let now: UInt64
    // Read by checks, so that the writes that follow needn't read it again.
    private var client = LastRow<[UInt8], ClientRow?>()
    /// The largest `used` of all clients; `nil` before the transaction's first mutation.
    private var newestUse: Int64?

    /// - Parameter now: milliseconds since 1970.
    init(limits: StoreLimits, now: UInt64) {
        self.limits = limits
        self.now = now
    }

    /// The number of a client's last mutation in the file that is written; `nil` for one without mutations.
    mutating func last(of client: [UInt8], _ tables: TableReader) throws -> UInt64? { try row(client, tables)?.last }

    private mutating func row(_ id: [UInt8], _ tables: TableReader) throws -> ClientRow? {
        try client.row(id) {
            try StoreTables.mutationClient.row([.blob(id)], in: tables) { row in
                ClientRow(last: try row.unsigned(1), sum: try StoreTables.mutationClient.sum(of: row))
            }
        }
    }

    static func answer(to number: UInt64, of client: [UInt8], _ tables: TableReader) throws -> KeptAnswer? {
        try StoreTables.mutationAnswer.row([.blob(client), .integer(Int64(number))], in: tables) { row in
            KeptAnswer(
                fingerprint: UInt64(bitPattern: try row.integer(2)), revision: try row.unsigned(3),
                changed: try row.integer(4) != 0)
        }
    }

    mutating func keep(_ answer: KeptAnswer, to mutation: MutationID, _ tables: TableWriter) throws {
        let id = ColumnValue.blob(mutation.client)
        let number = Int64(mutation.number)
        let known = try row(mutation.client, tables)
        let used = max(try newestUse(tables).addingReportingOverflow(1).partialValue, Int64(clamping: now * 1_000))
        let sum = try StoreTables.mutationClient.put(
            [id], [.integer(number), .integer(used)], replacing: known?.sum, in: tables)
        newestUse = used
        client.note(ClientRow(last: mutation.number, sum: sum), of: mutation.client)
        try StoreTables.mutationAnswer.put(
            [id, .integer(number)],
            [
                .integer(Int64(bitPattern: answer.fingerprint)), .integer(Int64(answer.revision)),
                .integer(answer.changed ? 1 : 0),
            ], replacing: nil, in: tables)
        try dropAnswers(of: id, before: number, through: min(mutation.answeredThrough, mutation.number - 1), tables)
        if known == nil { try forgetSilentClients(tables) }
    }

    /// Drops the answers that a client has received, and its oldest ones beyond the limit. Usually that is just the
    /// previous answer.
    /// - Parameter newest: the number of the answer that was just kept.
    private func dropAnswers(
        of client: ColumnValue, before newest: Int64, through answered: UInt64, _ tables: TableWriter
    ) throws {
        let oldest: Int64? = try tables.first(
            "SELECT number FROM mutation_answer WHERE client = ? ORDER BY number LIMIT 1", [client]
        ) { try $0.integer(0) }
        guard let oldest else { return }
        var last = Int64(clamping: answered)
        // There are at most as many answers as numbers since the oldest, so usually none have to be counted.
        if oldest <= newest - Int64(limits.answersPerClient) {
            let count = try tables.first("SELECT count(*) FROM mutation_answer WHERE client = ?", [client]) {
                try $0.int(0)
            }
            let surplus = (count ?? 0) - limits.answersPerClient
            if surplus == 1 { last = max(last, oldest) }
            // The limit was larger before.
            if surplus > 1 {
                let beyond: Int64? = try tables.first(
                    "SELECT number FROM mutation_answer WHERE client = ? ORDER BY number LIMIT 1 OFFSET ?",
                    [client, .integer(Int64(surplus - 1))]
                ) { try $0.integer(0) }
                last = max(last, beyond ?? oldest)
            }
        }
        guard oldest <= last else { return }
        var dropped: [(number: Int64, sum: Int64)] = []
        try tables.rows(
            "SELECT number, sum FROM mutation_answer WHERE client = ? AND number <= ?", [client, .integer(last)]
        ) { dropped.append((try $0.integer(0), try $0.integer(1))) }
        for answer in dropped {
            try StoreTables.mutationAnswer.remove([client, .integer(answer.number)], sum: answer.sum, in: tables)
        }
    }

    private func newestUse(_ tables: TableReader) throws -> Int64 {
        if let newestUse { return newestUse }
        return try tables.first("SELECT coalesce(max(used), 0) FROM mutation_client") { try $0.integer(0) } ?? 0
    }

    private mutating func forgetSilentClients(_ tables: TableWriter) throws {
        client = LastRow()
        let oldest = Int64(clamping: (now * 1_000).decreased(by: limits.clientMicroseconds))
        try forget("used < ?", .integer(oldest), tables)
        let surplus = try tables.total(of: StoreTables.mutationClient).rows - limits.clients
        guard surplus > 0 else { return }
        for _ in 0..<min(surplus, Self.maximumForgotten) {
            guard let (client, used) = try mostSilent(tables), !isRecent(used) else { return }
            try forget("client = ?", client, tables)
        }
    }

    /// The client that has been silent for longest.
    private func mostSilent(_ tables: TableReader) throws -> (client: ColumnValue, used: Int64)? {
        try tables.first("SELECT client, used FROM mutation_client ORDER BY used LIMIT 1") {
            (.blob(try $0.blob(0)), try $0.integer(1))
        }
    }

    private func isRecent(_ used: Int64) -> Bool { limits.isRecent(UInt64(max(0, used)), now: now * 1_000) }

    /// Whether a new client may make a mutation.
    func hasRoomForClient(_ tables: TableReader) throws -> Bool {
        guard try tables.total(of: StoreTables.mutationClient).rows >= limits.clients else { return true }
        return try mostSilent(tables).map { !isRecent($0.used) } ?? true
    }

    private func forget(_ condition: String, _ parameter: ColumnValue, _ tables: TableWriter) throws {
        try StoreTables.mutationAnswer.removeAll(
            where: "client IN (SELECT client FROM mutation_client WHERE \(condition))", [parameter], in: tables)
        try StoreTables.mutationClient.removeAll(where: condition, [parameter], in: tables)
    }
}
