import MarqueeModel
import MarqueeWire

/// Calls for server operators, which apps don't need: `@_spi(Admin) import MarqueeClient`.
extension MarqueeClient {
    /// The most bytes of one published change.
    @_spi(Admin) public static let maximumChange = PublishRequest.changeBytes

    /// Requests the list of screens and languages that the server offers.
    @_spi(Admin) public func describe() async throws(ClientError) -> ServerOffer {
        let body = CallBodyCodec.encodeDescribeRequest(locale: configuration.locale)
        let answer = try await call(.describe, body) { try CallBodyCodec.decodeDescribeAnswer($0) }
        return ServerOffer(answer)
    }

    /// Requests the state of the server.
    @_spi(Admin) public func health() async throws(ClientError) -> ServerHealth {
        ServerHealth(try await call(.health, []) { try CallBodyCodec.decodeHealthAnswer($0) })
    }

    /// Asks for the sources that this client may publish for.
    @_spi(Admin) public func sources() async throws(ClientError) -> [FollowedSource] {
        let body = CallBodyCodec.encode(SourceRequest())
        return try await call(.source, body) { try CallBodyCodec.decodeSourceAnswer($0) }.sources
            .map { FollowedSource($0) }
    }

    /// Asks which drafts there are or, with a name, for one of them and then what it changes: JSON, each a document.
    @_spi(Admin) public func drafts(_ name: String? = nil) async throws(ClientError) -> [String] {
        let body = CallBodyCodec.encode(DraftsRequest(draft: name))
        let answer = try await call(.drafts, body) { try CallBodyCodec.decodeDraftsAnswer($0) }
        return answer.documents.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Publishes changes of the catalogue as one commit.
    /// - Parameters:
    ///   - changes: JSON documents, each one change, such as
    ///     `{"merge": {"type": "episode", "id": "e1", "record": {"plays": 12}}}`.
    ///   - key: identifies the commit, which is made once, however often it is published.
    @_spi(Admin) public func publish(_ changes: [String], key: String? = nil) async throws(ClientError)
        -> PublishReceipt
    {
        if let index = changes.firstIndex(where: { $0.utf8.count > Self.maximumChange }) {
            throw ClientError(.limit, "change \(index + 1) has more than \(Self.maximumChange) bytes")
        }
        let parts = PublishRequest.parts(of: changes.map { Array($0.utf8) })
        let (number, answeredThrough) = try await onLoop(throwing: { engine throws(ClientError) in
            try engine.takeMutationNumber()
        })
        defer { enqueue { $0.publicationEnded(number) } }
        var receipt = PublishReceipt(revision: 0, changed: false)
        for (index, part) in parts.enumerated() {
            let request = PublishRequest(
                number: number, answeredThrough: answeredThrough, key: key, index: UInt32(clamping: index),
                last: index == parts.count - 1, changes: part)
            let body = try await call(.publish, CallBodyCodec.encode(request)) { $0 }
            guard request.last else { continue }
            let answer = try Self.decode(body) { try CallBodyCodec.decodeMutationAnswer($0) }
            receipt = PublishReceipt(revision: answer.cut.catalogueRevision ?? 0, changed: answer.changed)
        }
        return receipt
    }
}
