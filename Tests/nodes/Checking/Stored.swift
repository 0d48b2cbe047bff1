/// The rows that the database has at the end of a round.
struct Stored: Sendable {
    struct Commit: Hashable, Sendable {
        var revision: UInt64
        var key: String?
    }

    /// A change of a user's collection, as the log of changes has it.
    struct Move: Hashable, Sendable {
        var user: String
        var collection: String
        var subject: String
        /// The bytes kept with the member, in hexadecimal; `nil` if it was removed.
        var value: String?
        var revision: UInt64
    }

    struct Member: Hashable, Sendable {
        var user: String
        var collection: String
        var subject: String
    }

    static let favorites = "favorites"
    static let counter = "counter"

    var epoch: UInt64 = 0
    var userEpoch: UInt64 = 0
    /// The revision that the head of the catalogue's log names.
    var head: UInt64 = 0
    /// The catalogue's log, oldest first.
    var commits: [Commit] = []
    /// Each user's log, oldest first.
    var moves: [Move] = []
    /// The members there are, with their values.
    var members: [Member: String] = [:]
    /// The revisions that the heads of the users' logs name.
    var userHeads: [String: UInt64] = [:]
    /// Keys that have been recorded as made.
    var keys: [String: UInt64] = [:]

    /// Whether a user's log of changes begins with the first one. A restored database has only those that came after
    /// the restore, and the members that those before have led to.
    func hasWholeLog(of user: String) -> Bool {
        let first = moves.lazy.filter { $0.user == user }.map(\.revision).min()
        return first.map { $0 == 1 } ?? (userHeads[user] ?? 0 == 0)
    }

    /// The number in a value of protobuf's `uint32`: bare, or as field 1 of a message.
    static func number(_ hexadecimal: String) -> Int? {
        let digits = Array(hexadecimal)
        guard digits.count % 2 == 0, !digits.isEmpty else { return nil }
        var bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...$0 + 1]), radix: 16)
        }[...]
        guard bytes.count == digits.count / 2 else { return nil }
        if bytes.count > 1, bytes.first == fieldOne { bytes = bytes.dropFirst() }
        var number: UInt64 = 0
        for (index, byte) in bytes.enumerated() {
            guard index < longestVarint else { return nil }
            number |= UInt64(byte & 0x7F) << UInt64(7 * index)
            if byte & 0x80 == 0 { return index == bytes.count - 1 ? Int(exactly: number) : nil }
        }
        return nil
    }

    /// The tag of a varint in field 1.
    private static let fieldOne: UInt8 = 0x08
    /// Bytes of a varint of 32 bits.
    private static let longestVarint = 5
}
