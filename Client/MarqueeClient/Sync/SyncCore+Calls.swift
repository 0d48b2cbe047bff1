import MarqueeModel
package import MarqueeWire

extension SyncCore {
    /// Sends a request to the server; answered by `.answered`, or never if the connection ends.
    /// - Returns: `nil` while there is no connection, or no room for another call.
    package mutating func call(
        _ method: Method, body: [UInt8], deadlineMilliseconds: UInt32?
    ) -> (call: UInt32, action: Action)? {
        guard isLive, link.calls.count < Int(link.serverLimits.calls) else { return nil }
        let call = link.calls.begin(())
        let request = Request(
            call: call, method: method, deadlineMilliseconds: deadlineMilliseconds, body: body, trace: trace)
        return (call, .send(.request(request)))
    }

    /// Cancels a call: the caller no longer needs the answer.
    package mutating func cancel(_ call: UInt32) -> [Action] {
        guard link.calls.end(call), isLive else { return [] }
        return [.send(.cancel(call: call))]
    }

    mutating func received(_ answer: Answer) -> [Action] {
        switch link.calls.take(answer, limit: Int(limits.answerBytes)) {
        case .nothing: return []
        case .complete(_, let result): return [.answered(call: answer.call, result)]
        case .tooLarge:
            let status = Status(
                .resourceExhausted, reason: "ANSWER_TOO_LARGE", remedy: .fatal, message: "the answer is too large")
            return [.answered(call: answer.call, .failure(status))]
        }
    }
}
