import MarqueeServer

/// The documents that were asked for last: one is made once for all who see the same types. Thread safe.
final class OpenAPIDocuments: Sendable {
    private struct Key: Hashable {
        let declaration: String
        let descriptors: [UInt8]
        /// Of the types that are seen.
        let aliases: [String]
    }

    /// One for each set of scopes that is in use.
    private let memo = SharedMemo<Key, OpenAPIDocument>(values: 8, bytes: 8 * OpenAPIDocument.maximumBytes) {
        $0.body.readableBytes
    }

    func document(of types: PublishableTypes?) -> OpenAPIDocument {
        // Whoever sees no types sees the same, whichever there are.
        let types = types.flatMap { $0.types.isEmpty ? nil : $0 }
        let key = Key(
            declaration: types?.declaration ?? "", descriptors: types?.descriptors ?? [],
            aliases: types?.types.map(\.alias) ?? [])
        return memo.value(of: key) { OpenAPIDocument(types) }
    }
}
