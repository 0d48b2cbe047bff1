import MarqueeDiff
import MarqueeModel

/// A point of a log: a revision, and the chain value that identifies all commits up to it.
package struct LogPoint: Hashable, Sendable {
    package var revision: UInt64
    package var chain: UInt64

    package init(revision: UInt64, chain: UInt64) {
        self.revision = revision
        self.chain = chain
    }
}

/// The chain values of the newest revisions of a log in memory.
struct ChainLinks {
    private static let kept: UInt64 = 4_096

    private(set) var newest = LogPoint(revision: 0, chain: 0)
    private var chains: [UInt64: UInt64] = [:]

    mutating func add(_ point: LogPoint) {
        newest = point
        chains[point.revision] = point.chain
        if point.revision > Self.kept { chains[point.revision - Self.kept] = nil }
    }

    /// The chain value at a revision; `nil` if it is no longer kept, or the revision doesn't exist.
    func chain(at revision: UInt64) -> UInt64? { revision == 0 ? 0 : chains[revision] }
}

/// The chain of a log: 64 bits in each commit that identify it and all commits before it.
///
/// A revision alone doesn't name a history: a database that has lost commits uses their numbers again. Each transaction
/// draws a salt, so two histories differ even where they contain equal commits.
enum CommitChain {
    /// - Parameters:
    ///   - salt: drawn at random by the transaction.
    ///   - content: a hash of the commit.
    static func next(after point: LogPoint, revision: UInt64, salt: UInt64, content: UInt64) -> LogPoint {
        var bytes: [UInt8] = []
        for word in [point.chain, revision, salt, content] {
            withUnsafeBytes(of: word.littleEndian) { bytes += $0 }
        }
        return LogPoint(revision: revision, chain: XXH64.hash(bytes))
    }

    /// - Parameter json: the changes of a commit to the catalogue, as its log stores them.
    static func next(after point: LogPoint, revision: UInt64, salt: UInt64, json: [UInt8]) -> LogPoint {
        next(after: point, revision: revision, salt: salt, content: XXH64.hash(json))
    }

    static func next(after point: LogPoint, _ move: MemberMove, salt: UInt64) -> LogPoint {
        var content = Fingerprint()
        content.add(move.change.collection.name.utf8)
        content.add(move.change.subject.utf8)
        content.add(move.member?.value ?? [])
        content.add(UInt8(move.member == nil ? 0 : 1))
        return next(after: point, revision: move.revision, salt: salt, content: content.value)
    }
}
