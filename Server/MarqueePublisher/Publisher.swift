import Foundation
import MarqueeModel
package import MarqueeTLS
package import MarqueeWire
import NIOPosix

/// Publishes to a running server, one publication after another. Its calls block; use it from one thread at a time.
///
/// A publication that was sent but not answered is sent again with the same number and key, over a new connection if
/// need be. So it takes effect once, whatever fails in between.
package final class Publisher {
    /// Time limits and pauses.
    package struct RetryPolicy: Sendable {
        /// The time limit for connecting, and then for the welcome, in milliseconds. Longer than a server that is
        /// behind takes to say so.
        package var connection: UInt32 = 10_000
        /// The time limit for one answer, in milliseconds.
        package var answer: UInt32 = 60_000
        /// The time, in milliseconds since a call or publication began, after which a failure isn't retried any more.
        package var server: UInt64 = 90_000
        /// The pause between two attempts, in milliseconds: doubled each time, within these bounds.
        package var pause: ClosedRange<UInt64> = 250...5_000

        package init() {}
    }

    /// The outcome of a publication.
    package struct Receipt: Hashable, Sendable {
        /// A catalogue revision that contains the publication.
        package var revision: UInt64
        /// Whether it changed anything.
        package var isNew: Bool
    }

    private let host: String
    private let port: Int
    private let tls: TLSClient?
    private let retryPolicy: RetryPolicy
    private let trace: TraceParent?
    private let shouldContinue: () -> Bool
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private var hello = Hello()
    private var connection: PublishingConnection?
    /// The number of the newest publication; the first one has number 1.
    private var number: UInt64 = 0
    /// The epoch of the catalogue's log at the first connection.
    private var epoch: UInt64?

    /// - Parameters:
    ///   - tls: how the connection is protected; `nil` for plain TCP.
    ///   - token: authenticates the publisher.
    ///   - agent: program and version, for the server's log.
    ///   - trace: the trace that the publications belong to, for the server's log.
    ///   - shouldContinue: polled many times a second while waiting; the wait ends when it returns `false`.
    package init(
        host: String, port: Int, tls: TLSClient? = nil, token: String? = nil, agent: String,
        retryPolicy: RetryPolicy = RetryPolicy(), trace: TraceParent? = nil, shouldContinue: @escaping () -> Bool
    ) {
        self.host = host
        self.port = port
        self.tls = tls
        hello.token = token
        self.retryPolicy = retryPolicy
        self.trace = trace
        self.shouldContinue = shouldContinue
        hello.agent = agent
        hello.clientID = Hello.newClientID()
    }

    deinit {
        connection = nil
        group.shutdownGracefully { _ in }
    }

    /// Connects, in one attempt. `publish` reconnects by itself.
    package func connect() throws(PublisherError) {
        do throws(Status) {
            _ = try connected()
        } catch {
            throw failure(error)
        }
    }

    /// Publishes changes as one commit.
    /// - Parameters:
    ///   - changes: JSON documents that fit into one publication, see `PublicationSize`.
    ///   - key: unique to this publication.
    ///   - source: the new position of a source, committed together with the changes.
    /// - Throws: with the code `elsewhere` if the source isn't at the position that the move expects.
    package func publish(
        _ changes: [[UInt8]], key: String, source: SourceMove? = nil
    ) throws(PublisherError) -> Receipt {
        number += 1
        return try patiently { (connection) throws(Status) in
            try send(changes, key: key, source: source, over: connection)
        }
    }

    /// Asks for the position of a source, and reports its state.
    package func ask(_ source: String, report: SourceReport? = nil) throws(PublisherError) -> SourceState {
        let body = CallBodyCodec.encode(SourceRequest(source: source, report: report))
        let answer = try patiently { (connection) throws(Status) in
            let body = try connection.call(.source, body, within: retryPolicy.answer, while: shouldContinue)
            return try Self.decoded(body, CallBodyCodec.decodeSourceAnswer)
        }
        return answer.sources.first { $0.source == source } ?? SourceState(source: source)
    }

    /// Asks, in one attempt, for the positions of all sources that this publisher may move.
    package func sources() throws(PublisherError) -> [SourceState] {
        do throws(Status) {
            let body = try connected().call(
                .source, CallBodyCodec.encode(SourceRequest()), within: retryPolicy.answer, while: shouldContinue)
            return try Self.decoded(body, CallBodyCodec.decodeSourceAnswer).sources
        } catch {
            throw failure(error)
        }
    }

    /// Asks for the ids and hashes of a type's records, beginning after an id.
    package func recordSums(ofType type: String, after id: String?) throws(PublisherError) -> RecordSumsAnswer {
        let body = CallBodyCodec.encode(RecordSumsRequest(type: type, after: id))
        return try patiently { (connection) throws(Status) in
            let body = try connection.call(.recordSums, body, within: retryPolicy.answer, while: shouldContinue)
            return try Self.decoded(body, CallBodyCodec.decodeRecordSumsAnswer)
        }
    }

    private static func decoded<Value>(
        _ body: [UInt8], _ decode: ([UInt8], WireLimits) throws(WireError) -> Value
    ) throws(Status) -> Value {
        do throws(WireError) {
            return try decode(body, .client)
        } catch {
            throw .malformed("an answer can't be read: \(error)")
        }
    }

    /// Makes a call, repeating it over a new connection if necessary.
    private func patiently<Value>(
        _ call: (PublishingConnection) throws(Status) -> Value
    ) throws(PublisherError) -> Value {
        var pause = retryPolicy.pause.lowerBound
        let deadline = Date(timeIntervalSinceNow: Double(retryPolicy.server) / 1_000)
        while true {
            do throws(Status) {
                return try call(try connected())
            } catch {
                guard shouldContinue() else { throw PublisherError(.cancelled, "stopped") }
                let isLasting = error.remedy == .fatal || error.remedy == .reauthenticate
                if isLasting || Date() >= deadline { throw failure(error) }
                // A server that asks for a retry is still there, only busy; in any other case, reconnect.
                if error.retryAfterMilliseconds == nil { connection = nil }
                sleepWhileWanted(max(pause, error.retryAfterMilliseconds.map { UInt64($0) } ?? 0))
                pause = min(pause * 2, retryPolicy.pause.upperBound)
            }
        }
    }

    /// Closes the connection. TLS needs this: to the server, a process that just exits looks like a broken connection.
    package func close() {
        connection?.close()
        connection = nil
    }

    /// Asks, in one attempt, for a description of what the server shows, in the server's preferred locale.
    package func describe() throws(PublisherError) -> DescribeAnswer {
        do throws(Status) {
            let body = CallBodyCodec.encodeDescribeRequest(locale: nil)
            let answer = try connected().call(.describe, body, within: retryPolicy.answer, while: shouldContinue)
            do throws(WireError) {
                return try CallBodyCodec.decodeDescribeAnswer(answer)
            } catch {
                throw .malformed("the server's description can't be read: \(error)")
            }
        } catch {
            throw failure(error)
        }
    }

    private func connected() throws(Status) -> PublishingConnection {
        if let connection { return connection }
        hello.answeredThrough = number > 0 ? number - 1 : 0
        let fresh = try PublishingConnection.open(
            host, port, tls, hello: hello, on: group, within: .milliseconds(Int64(retryPolicy.connection)))
        let welcome = try fresh.welcome(within: UInt64(retryPolicy.connection), while: shouldContinue)
        // The log was replaced, so earlier publications may be missing from it.
        if let epoch, epoch != welcome.cut.catalogueEpoch {
            throw Status(
                .aborted, reason: "OTHER_EPOCH", remedy: .fatal,
                message: "the server's catalogue was replaced or restored in the meantime")
        }
        epoch = welcome.cut.catalogueEpoch
        hello.cluster = welcome.cluster
        connection = fresh
        return fresh
    }

    private func send(
        _ changes: [[UInt8]], key: String, source: SourceMove?, over connection: PublishingConnection
    ) throws(Status) -> Receipt {
        let parts = PublishRequest.parts(of: changes)
        var body: [UInt8] = []
        for (index, part) in parts.enumerated() {
            let request = PublishRequest(
                number: number, answeredThrough: number - 1, key: key, index: UInt32(clamping: index),
                last: index == parts.count - 1, changes: part, source: index == parts.count - 1 ? source : nil)
            body = try connection.call(
                .publish, CallBodyCodec.encode(request), trace: trace, within: retryPolicy.answer, while: shouldContinue
            )
        }
        do throws(WireError) {
            let answer = try CallBodyCodec.decodeMutationAnswer(body)
            return Receipt(revision: answer.cut.catalogueRevision ?? 0, isNew: answer.changed)
        } catch {
            throw .malformed("the answer to a publication can't be read: \(error)")
        }
    }

    private func failure(_ status: Status) -> PublisherError {
        guard shouldContinue() else { return PublisherError(.cancelled, "stopped") }
        let server = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        switch status.code {
        case .permissionDenied, .unauthenticated:
            return PublisherError(.denied, "\(server) doesn't accept publications: \(status)")
        case .aborted where status.reason == "SOURCE_ELSEWHERE":
            return PublisherError(.elsewhere, status.message)
        case .invalidArgument where status.reason == "REFUSED" || status.reason == "CHANGE_INVALID":
            return PublisherError(.refused, status.message)
        case _ where connection == nil:
            return PublisherError(.unreachable, "\(server) can't be reached: \(status.message)")
        default: return PublisherError(.failed, "\(server) couldn't do what was asked: \(status)")
        }
    }

    /// Pauses; ends early if the caller stops the work.
    private func sleepWhileWanted(_ milliseconds: UInt64) {
        let end = Date(timeIntervalSinceNow: Double(milliseconds) / 1_000)
        while shouldContinue(), Date() < end { Thread.sleep(forTimeInterval: 0.02) }
    }
}
