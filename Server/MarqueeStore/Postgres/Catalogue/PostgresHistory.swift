/// The oldest entries of the catalogue's log, and the log's size.
struct PostgresHistory {
    private struct Entry {
        var revision: UInt64
        var bytes: Int
        var made: UInt64
    }

    /// The bytes of all entries' changes.
    var bytes = 0
    /// The oldest entries, as many as were read.
    private var oldest: ArraySlice<Entry> = []

    /// Entries read at once.
    private static let entriesAtOnce: Int64 = 64

    init() {}

    /// - Parameter rows: the rows of the statement from `reading`.
    init(bytes: Int, _ rows: PostgresRows) throws {
        self.bytes = bytes
        oldest = try Self.entries(rows)
    }

    /// The statement that reads the oldest entries, from a revision on.
    static func reading(from revision: UInt64) -> PostgresStatement {
        PostgresStatement(
            "SELECT revision, bytes, made FROM commit_log WHERE revision >= $1 ORDER BY revision LIMIT $2",
            [.integer(Int64(clamping: revision)), .integer(entriesAtOnce)])
    }

    private static func entries(_ rows: PostgresRows?) throws -> ArraySlice<Entry> {
        try (rows?.map { Entry(revision: try $0.unsigned(0), bytes: try $0.count(1), made: try $0.unsigned(2)) } ?? [])[
            ...]
    }

    /// Drops the oldest entries as long as a limit is exceeded; the newest entry always stays.
    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - read: reads entries from a revision on.
    /// - Returns: the newest revision that is to be dropped; `nil` for none.
    mutating func cut(
        newest: UInt64, limits: StoreLimits, now: UInt64, read: (UInt64) throws -> PostgresRows?
    ) throws -> UInt64? {
        var cut: UInt64?
        while true {
            if oldest.isEmpty { oldest = try Self.entries(try read((cut ?? 0) + 1)) }
            guard let first = oldest.first, first.revision < newest,
                limits.dropsOldest(
                    bytes: bytes, commits: newest - first.revision + 1, seconds: now.decreased(by: first.made))
            else { return cut }
            bytes -= first.bytes
            cut = first.revision
            oldest = oldest.dropFirst()
        }
    }
}
