import MarqueeModel
package import MarqueeWire

extension SyncCore {
    /// Sends a request to the server; answered by `.answered`, or never if the connection ends.
    /// - Returns: `nil` while there is no connection.
    package mutating func call(
        _ method: Method, body: [UInt8], deadlineMilliseconds: UInt32?
    ) -> (call: UInt32, action: Action)? {
        guard isLive, calls.count < Int(serverLimits.calls) else { return nil }
        let call = nextCall
        nextCall += 1
        calls[call] = []
        let request = Request(
            call: call, method: method, deadlineMilliseconds: deadlineMilliseconds, body: body, trace: trace)
        return (call, .send(.request(request)))
    }

    /// The caller no longer needs the answer.
    package mutating func cancel(_ call: UInt32) -> [Action] {
        guard calls.removeValue(forKey: call) != nil, isLive else { return [] }
        return [.send(.cancel(call: call))]
    }

    mutating func received(_ answer: Answer) -> [Action] {
        guard var body = calls[answer.call] else { return [] }
        guard body.count + answer.body.count <= Int(limits.answerBytes) else {
            calls[answer.call] = nil
            let status = Status(
                .resourceExhausted, reason: "ANSWER_TOO_LARGE", remedy: .fatal, message: "the answer is too large")
            return [.answered(call: answer.call, .failure(status))]
        }
        body += answer.body
        if answer.more {
            calls[answer.call] = body
            return []
        }
        calls[answer.call] = nil
        if let status = answer.status, status.code != .ok { return [.answered(call: answer.call, .failure(status))] }
        return [.answered(call: answer.call, .success(body))]
    }
}
