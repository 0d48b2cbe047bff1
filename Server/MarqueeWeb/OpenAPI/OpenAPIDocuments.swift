import MarqueeServer
import Synchronization

/// The documents that were asked for last: one is made once for all who see the same types. Thread safe.
final class OpenAPIDocuments: Sendable {
    private struct Key: Equatable {
        let declaration: String
        let descriptors: [UInt8]
        /// Of the types that are seen.
        let aliases: [String]
    }

    /// A document that somebody makes, and others wait for.
    private final class Entry: Sendable {
        private let document = Mutex<OpenAPIDocument?>(nil)

        func document(of types: PublishableTypes?) -> OpenAPIDocument {
            document.withLock { document in
                if let document { return document }
                let made = OpenAPIDocument(types)
                document = made
                return made
            }
        }
    }

    /// The most documents that are remembered: one for each set of scopes that is in use.
    private static let maximumDocuments = 8

    /// The last one asked for comes last.
    private let entries = Mutex<[(key: Key, entry: Entry)]>([])

    func document(of types: PublishableTypes?) -> OpenAPIDocument {
        // Whoever sees no types sees the same, whichever there are.
        let types = types.flatMap { $0.types.isEmpty ? nil : $0 }
        let key = Key(
            declaration: types?.declaration ?? "", descriptors: types?.descriptors ?? [],
            aliases: types?.types.map(\.alias) ?? [])
        let entry = entries.withLock { entries in
            let known = entries.firstIndex { $0.key == key }.map { entries.remove(at: $0).entry }
            if entries.count == Self.maximumDocuments { entries.removeFirst() }
            entries.append((key, known ?? Entry()))
            return entries[entries.count - 1].entry
        }
        return entry.document(of: types)
    }
}
