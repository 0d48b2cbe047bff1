import MarqueeMirror
import MarqueeModel
import MarqueeWire
import NIOCore

extension ClientEngine {
    func call(
        _ method: Method, _ body: [UInt8], timeout: Duration,
        completion: @escaping @Sendable (Result<[UInt8], ClientError>) -> Void
    ) {
        guard !isStopped else { return completion(.failure(ClientError(.closed, "the client was closed"))) }
        guard calls.count < Self.maximumCalls else {
            return completion(.failure(ClientError(.limit, "more than \(Self.maximumCalls) calls wait")))
        }
        nextCall += 1
        let id = nextCall
        let me = NIOLoopBound(self, eventLoop: loop)
        let scheduled = loop.scheduleTask(in: TimeAmount(timeout)) { me.value.timedOut(id) }
        calls.append(
            PendingCall(id: id, method: method, body: body, timeout: scheduled, completion: completion))
        sendCalls()
        connectIfNeeded()
    }

    func timedOut(_ id: Int) {
        guard let index = calls.firstIndex(where: { $0.id == id }) else { return }
        let call = calls.remove(at: index)
        if let wire = call.wireCall { run(core.cancel(wire)) }
        if case .up = link {
            call.completion(.failure(ClientError(.timeout, "the server did not answer in time")))
        } else {
            call.completion(
                .failure(
                    ClientError(.unavailable, "no server answers at \(configuration.host):\(configuration.port)")))
        }
    }

    func sendCalls() {
        guard core.isLive else { return }
        for index in calls.indices where calls[index].wireCall == nil {
            guard
                let (wire, action) = core.call(calls[index].method, body: calls[index].body, deadlineMilliseconds: nil)
            else { return }
            calls[index].wireCall = wire
            run([action])
        }
    }

    func answered(_ wire: UInt32, _ result: Result<[UInt8], Status>) {
        if let sent = sentFavorite, sent.call == wire {
            sentFavorite = nil
            return favoriteAnswered(sent, result)
        }
        guard let index = calls.firstIndex(where: { $0.wireCall == wire }) else { return }
        let call = calls.remove(at: index)
        call.timeout.cancel()
        // The connection has been of use.
        backoff.reset()
        call.completion(result.mapError { ClientError($0) })
        sendCalls()
    }

    /// Numbers of mutations rise within a client id, whatever they do.
    func takeMutationNumber() throws(ClientError) -> (number: UInt64, answeredThrough: UInt64) {
        do throws(MirrorError) {
            let number = try mirror.takeNumber()
            openPublications.insert(number)
            return (number, answeredThrough)
        } catch {
            throw ClientError(mirror: error)
        }
    }

    /// Nobody waits for this publication's answer any more.
    func publicationEnded(_ number: UInt64) { openPublications.remove(number) }

    /// Up to here the server may forget its answers.
    var answeredThrough: UInt64 {
        min(mirror.answeredThrough, openPublications.min().map { $0 - 1 } ?? .max)
    }
}
