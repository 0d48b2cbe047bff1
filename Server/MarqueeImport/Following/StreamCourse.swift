/// Decides when what a database has done is published, and what it is told of that: a value, (frame, now) -> steps.
///
/// Transactions that are there together are published together, in one commit. With `until` in its position, everything
/// up to there is: a copy has read rows as they were later than what the log says first, and nothing older is shown.
package struct StreamCourse {
    package enum Step: Hashable, Sendable {
        /// Adds a message to what is gathered.
        case gather([UInt8])
        /// Publishes what is gathered; the source is at `end` then.
        case publish(end: LogLocation)
        /// Tells the database that all before is durable.
        case acknowledge(LogLocation)
    }

    /// Gathered bytes with which it waits for no further transaction.
    package static let gatheredBytes = 1 << 20
    /// While nothing happens in the tables, the position moves after this time or so many bytes of log.
    package static let idleMilliseconds: UInt64 = 60_000
    package static let idleBytes: UInt64 = 16 << 20
    /// The same where the database asks.
    package static let askedMilliseconds: UInt64 = 1_000
    /// How often the database hears from us: well within its patience, usually a minute.
    package static let statusMilliseconds: UInt64 = 10_000
    /// The most transactions that are gathered. Of those before `until`, which ended long ago, the newest are known.
    package static let gatheredTransactions = 4_096

    /// The part that is committed.
    package private(set) var position: FollowedPosition
    private var gathered = 0
    private var rows = 0
    /// Inside a transaction: a place that is passed when it ends.
    private var inside: LogLocation?
    /// The ids of the transactions that are gathered.
    package private(set) var transactions: [UInt32] = []
    /// The end of the last transaction that is gathered.
    private var last: LogLocation?
    /// Everything up to here has been sent.
    package private(set) var sent: LogLocation
    /// When the last transaction was committed that has been heard of, in microseconds since 2000.
    package private(set) var lastTime: Int64?
    private var moved: UInt64
    private var told: UInt64

    /// - Parameter now: milliseconds of a steady clock.
    package init(at position: FollowedPosition, now: UInt64) {
        (self.position, sent, moved, told) = (position, position.end, now, now)
    }

    /// Whether something is gathered, or arriving.
    package var isBusy: Bool { isInside || rows > 0 }
    private var isInside: Bool { inside != nil }
    /// Once this is passed, what is gathered will be published, at the latest.
    package var goal: LogLocation { position.until ?? inside ?? last ?? position.end }

    /// - Throws: for bytes that can't be read.
    package mutating func take(_ frame: StreamFrame, now: UInt64) throws(PgOutputError) -> [Step] {
        switch frame {
        case .keepalive(let end, let wantsReply):
            sent = max(sent, end)
            var steps: [Step] = []
            if wantsReply {
                // A database that is being stopped asks, and waits until everything that it has sent is durable.
                let isIdle = !isBusy && position.until == nil && sent > position.end
                let isDue = now - min(now, moved) >= Self.askedMilliseconds
                steps.append(isIdle && isDue ? .publish(end: sent) : acknowledgement(now))
            }
            if !isInside, let until = position.until, sent >= until {
                steps.append(.publish(end: max(until, last ?? until)))
            }
            return steps
        case .data(let bytes):
            // A row is read when it is published.
            if PgOutputMessage.isRow(bytes) {
                gathered += bytes.count
                rows += 1
                return [.gather(bytes)]
            }
            let message = try PgOutputMessage(bytes)
            switch message {
            case .begin(let transaction, let id):
                inside = LogLocation(max(transaction.end.bytes, transaction.end.bytes &+ 1))
                if transactions.count >= Self.gatheredTransactions { transactions.removeFirst() }
                transactions.append(id)
                return []
            case .commit(let transaction):
                inside = nil
                lastTime = transaction.time
                last = transaction.end
                sent = max(sent, transaction.end)
                if let until = position.until {
                    return transaction.end >= until ? [.publish(end: transaction.end)] : []
                }
                let isFull = gathered >= Self.gatheredBytes || transactions.count >= Self.gatheredTransactions
                return rows > 0 && isFull ? [.publish(end: transaction.end)] : []
            case .origin, .type, .message: return []
            case .relation, .insert, .update, .delete, .truncate:
                gathered += bytes.count
                if message.isOfRows { rows += 1 }
                return [.gather(bytes)]
            }
        }
    }

    /// Nothing more is there at present.
    package mutating func pause(now: UInt64) -> [Step] {
        var steps: [Step] = []
        if !isInside, position.until == nil {
            if rows > 0, let last {
                steps.append(.publish(end: last))
            } else {
                let idle = sent.bytes - min(sent.bytes, position.end.bytes)
                let time = now - min(now, moved)
                if idle >= Self.idleBytes || idle > 0 && time >= Self.idleMilliseconds {
                    steps.append(.publish(end: sent))
                }
            }
        }
        if now - min(now, told) >= Self.statusMilliseconds { steps.append(acknowledgement(now)) }
        return steps
    }

    /// The gathered changes are committed.
    package mutating func published(_ position: FollowedPosition, now: UInt64) -> [Step] {
        self.position = position
        (gathered, rows, transactions, last, moved) = (0, 0, [], nil, now)
        return [acknowledgement(now)]
    }

    private mutating func acknowledgement(_ now: UInt64) -> Step {
        told = now
        return .acknowledge(position.end)
    }
}
