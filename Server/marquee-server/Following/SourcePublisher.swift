import MarqueeCatalogue
import MarqueeImport
import MarqueePublisher
import MarqueeServer
import MarqueeStore
import MarqueeTLS
import MarqueeTypes
import MarqueeWire

/// Publishes for a source, each time from where the server says that the source is.
final class SourcePublisher {
    /// The most rows of a publication that the server may refuse: each costs one attempt.
    private static let refusals = 100

    private let publisher: Publisher
    private let source: String
    let types: TypeSet
    private let name = String(UInt64.random(in: .min ... .max), radix: 36)
    private var attempts = 0
    /// Where the source is, as the server has it.
    private(set) var position: String?
    private var refused: (count: Int, reason: String)?

    /// - Parameter shouldContinue: polled many times a second while waiting.
    init(
        source: String, types: TypeSet, server: ListenAddress, tls: TLSClient?, token: String?,
        shouldContinue: @escaping () -> Bool
    ) {
        (self.source, self.types) = (source, types)
        publisher = Publisher(
            host: server.host, port: server.port, tls: tls, token: token,
            agent: "\(MarqueeServerCommand.name) follow/\(MarqueeServer.version)", shouldContinue: shouldContinue)
    }

    func close() { publisher.close() }

    /// The rows that the server has refused since this was asked last, and why it refused the last.
    func takeRefused() -> (count: Int, reason: String)? {
        defer { refused = nil }
        return refused
    }

    /// Asks where the source is.
    func ask() throws(PublisherError) { position = try publisher.ask(source).position }

    /// Says how the source is doing.
    func report(_ report: SourceReport) throws(PublisherError) { _ = try publisher.ask(source, report: report) }

    /// Hands out the ids and sums of a type's records.
    func records(ofType type: String, _ receive: ([String], [UInt64]) throws -> Void) throws {
        var last: String?
        while true {
            let answer = try publisher.recordSums(ofType: type, after: last)
            try receive(answer.ids, answer.sums)
            guard answer.more, let next = answer.ids.last else { return }
            last = next
        }
    }

    /// Publishes documents as one commit, without those that the server refuses.
    /// - Parameter new: where the source is then; `nil`: where it is now.
    func publish(_ documents: [[UInt8]], movingTo new: String?) throws(PublisherError) {
        var documents = documents
        var left = Self.refusals
        if documents.isEmpty, new == nil { return }
        while true {
            attempts += 1
            do throws(PublisherError) {
                _ = try publisher.publish(
                    documents, key: "follow-\(name)-\(attempts)",
                    source: SourceMove(source: source, position: new, expected: position))
                position = new ?? position
                return
            } catch {
                guard left > 0, let change = error.change else { throw error }
                left -= 1
                if change.reason == CommitPlan.noTypes {
                    try publishTypes()
                } else if documents.indices.contains(change.index) {
                    refused = ((refused?.count ?? 0) + 1, change.reason)
                    documents.remove(at: change.index)
                } else {
                    throw error
                }
            }
        }
    }

    /// Publishes documents as one commit, in one attempt.
    /// - Parameter new: where the source is then; `nil`: where it is now.
    func attempt(_ documents: [[UInt8]], movingTo new: String?) throws(PublisherError) {
        attempts += 1
        _ = try publisher.publish(
            documents, key: "follow-\(name)-\(attempts)",
            source: SourceMove(source: source, position: new, expected: position))
        position = new ?? position
    }

    func publishTypes() throws(PublisherError) {
        guard let document = try? Change.types(types.document).document() else { return }
        attempts += 1
        _ = try publisher.publish([document], key: "follow-\(name)-\(attempts)")
    }
}
