import MarqueeServer

/// The documents requested last. Each is made once for all clients that see the same types. Thread safe.
final class OpenAPIDocuments: Sendable {
    private struct Key: Hashable {
        let declaration: String
        let descriptors: [UInt8]
        /// The aliases of the types that are seen.
        let aliases: [String]
    }

    /// One for each set of scopes that is in use.
    private let memo = SharedMemo<Key, OpenAPIDocument>(values: 8, bytes: 8 * OpenAPIDocument.maximumBytes) {
        $0.body.readableBytes
    }

    func document(of types: PublishableTypes?) -> OpenAPIDocument {
        // All clients that see no types get the same document.
        let types = types.flatMap { $0.types.isEmpty ? nil : $0 }
        let key = Key(
            declaration: types?.declaration ?? "", descriptors: types?.descriptors ?? [],
            aliases: types?.types.map(\.alias) ?? [])
        return memo.value(of: key) { OpenAPIDocument(types) }
    }
}
