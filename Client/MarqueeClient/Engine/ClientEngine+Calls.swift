import MarqueeMirror
import MarqueeModel
import MarqueeWire
import NIOCore

extension ClientEngine {
    /// A call that waits for a connection, or for its answer.
    struct PendingCall {
        var id: Int
        var method: Method
        var body: [UInt8]
        /// Milliseconds of the monotonic clock.
        var deadline: UInt64
        var begun: UInt64
        var wireCall: UInt32?
        var timeout: Scheduled<Void>
        var completion: (Result<[UInt8], ClientError>) -> Void
    }

    /// Sends a request to the server.
    /// - Parameter timeout: for a connection and the answer; the server is told how much is left of it.
    /// - Returns: an argument for `cancelCall`; `nil` when the call has already ended.
    @discardableResult
    func call(
        _ method: Method, _ body: [UInt8], timeout: Duration,
        completion: @escaping @Sendable (Result<[UInt8], ClientError>) -> Void
    ) -> Int? {
        if let refusal = refusal ?? (mirror.isCompanion ? Self.notConnected : nil) {
            completion(.failure(refusal))
            return nil
        }
        guard calls.count < Self.maximumCalls else {
            completion(.failure(ClientError(.busy, "\(Self.maximumCalls) calls are already waiting")))
            return nil
        }
        nextCall += 1
        let id = nextCall
        let me = NIOLoopBound(self, eventLoop: loop)
        let scheduled = loop.scheduleTask(in: TimeAmount(timeout)) { me.value.timedOut(id) }
        calls.append(
            PendingCall(
                id: id, method: method, body: body, deadline: environment.uptime() + Self.milliseconds(timeout),
                begun: environment.uptime(), timeout: scheduled, completion: completion))
        sendCalls()
        connectIfNeeded()
        return id
    }

    func timedOut(_ id: Int) {
        guard let call = takeCall(id) else { return }
        if case .up = link {
            call.completion(.failure(ClientError(.timeout, "the server did not answer in time")))
        } else {
            call.completion(
                .failure(
                    ClientError(.unavailable, "no server answers at \(configuration.host):\(configuration.port)")))
        }
    }

    /// Cancels a call because its task was cancelled, so that the server can stop working on it too.
    func cancelCall(_ id: Int) { takeCall(id)?.completion(.failure(.cancelled)) }

    /// Abandons a call, on the wire as well.
    private func takeCall(_ id: Int) -> PendingCall? {
        guard let index = calls.firstIndex(where: { $0.id == id }) else { return nil }
        let call = calls.remove(at: index)
        call.timeout.cancel()
        if let wire = call.wireCall { run(core.cancel(wire)) }
        sendCalls()
        return call
    }

    func sendCalls() {
        guard core.isLive else { return }
        let now = environment.uptime()
        for index in calls.indices where calls[index].wireCall == nil {
            let call = calls[index]
            // A call that is overdue is about to be ended by its own timer.
            let remaining = UInt32(clamping: call.deadline > now ? call.deadline - now : 1)
            guard let (wire, action) = core.call(call.method, body: call.body, deadlineMilliseconds: remaining)
            else { return }
            calls[index].wireCall = wire
            run([action])
        }
    }

    func answered(_ wire: UInt32, _ result: Result<[UInt8], Status>) {
        if let sent = sentChange, sent.call == wire {
            sentChange = nil
            return changeAnswered(sent, result)
        }
        if let report = reporting.sent, report.call == wire {
            reporting.sent = nil
            return reportAnswered(report.number, isNew: report.isNew, result)
        }
        guard let index = calls.firstIndex(where: { $0.wireCall == wire }) else { return }
        let call = calls.remove(at: index)
        call.timeout.cancel()
        if call.method != .renew { counters.calls.add(environment.uptime() - min(call.begun, environment.uptime())) }
        provedUseful()
        call.completion(result.mapError { ClientError($0) })
        sendCalls()
    }

    /// Takes the next mutation number. Numbers rise within a client id, whatever the mutations do.
    func takeMutationNumber() throws(ClientError) -> (number: UInt64, answeredThrough: UInt64) {
        do throws(MirrorError) {
            let number = try mirror.takeNumber()
            openPublications.insert(number)
            return (number, answeredThrough)
        } catch {
            throw ClientError(mirror: error)
        }
    }

    /// Called when a publication has ended: its answer is no longer needed.
    func publicationEnded(_ number: UInt64) { openPublications.remove(number) }

    /// The server may forget its answers up to this number.
    var answeredThrough: UInt64 {
        min(mirror.answeredThrough, openPublications.min().map { $0 - 1 } ?? .max)
    }
}
