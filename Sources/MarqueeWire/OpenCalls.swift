package import MarqueeModel

/// The calls of one connection without a complete answer, as known to the side that makes them. A plain value.
package struct OpenCalls<Call> {
    /// The effect of an answer's part.
    package enum Outcome {
        /// More of the answer follows, or nobody waits for it.
        case nothing
        case complete(Call, Result<[UInt8], Status>)
        /// The answer has more bytes than were allowed; the call has ended.
        case tooLarge(Call)
    }

    private var open: [UInt32: (call: Call, body: [UInt8])] = [:]
    /// The number of the next call.
    package private(set) var next: UInt32

    package init(next: UInt32 = 1) { self.next = next }

    package var count: Int { open.count }

    /// - Parameter call: anything that the caller needs once it is answered.
    /// - Returns: its number, which no other call of the connection has.
    package mutating func begin(_ call: Call) -> UInt32 {
        defer { next += 1 }
        open[next] = (call, [])
        return next
    }

    /// Ends a call that nobody waits for any longer: its answer is ignored.
    /// - Returns: whether the call was open.
    package mutating func end(_ number: UInt32) -> Bool { open.removeValue(forKey: number) != nil }

    /// Takes a part of an answer.
    /// - Parameter limit: the most bytes that an answer may have.
    package mutating func take(_ answer: Answer, limit: Int) -> Outcome {
        guard let size = open[answer.call]?.body.count else { return .nothing }
        let isTooLarge = size + answer.body.count > limit
        if !isTooLarge {
            open[answer.call]?.body += answer.body
            if answer.more { return .nothing }
        }
        guard let (call, body) = open.removeValue(forKey: answer.call) else { return .nothing }
        if isTooLarge { return .tooLarge(call) }
        if let status = answer.status, status.code != .ok { return .complete(call, .failure(status)) }
        return .complete(call, .success(body))
    }

    /// Ends all calls.
    /// - Returns: the calls, in the order in which they began.
    package mutating func removeAll() -> [(number: UInt32, call: Call)] {
        defer { open = [:] }
        return open.sorted { $0.key < $1.key }.map { ($0.key, $0.value.call) }
    }
}

extension OpenCalls: Sendable where Call: Sendable {}
