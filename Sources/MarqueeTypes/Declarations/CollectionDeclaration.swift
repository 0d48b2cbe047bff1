/// A set of records that belongs to a user, such as favorites.
package struct CollectionDeclaration: Hashable, Sendable {
    /// The type of the value that is stored with a member.
    package struct Value: Hashable, Sendable {
        /// A scalar's name or a message's full name.
        package let type: String
        /// Reads and writes values. For a scalar, the message has a single field, like protobuf's wrappers.
        let coder: RecordCoder

        /// The name of a scalar's field in its message.
        package static let scalarField = "value"
        package var message: MessageDescriptor { coder.message }
        /// Whether the value is a scalar rather than a message with fields of its own.
        package var isScalar: Bool { message.wellKnown == .wrapper }

        /// The bytes of a value given as JSON.
        package func bytes(json: [UInt8]) throws(RecordError) -> [UInt8] {
            try bounded(try coder.record(json: json))
        }

        /// The canonical bytes of a value given as protobuf.
        package func bytes(_ bytes: [UInt8]) throws(RecordError) -> [UInt8] {
            try bounded(try coder.record(bytes: bytes))
        }

        /// A value as JSON.
        package func json(of bytes: [UInt8]) throws(RecordError) -> String { try coder.json(of: bytes) }

        private func bounded(_ bytes: [UInt8]) throws(RecordError) -> [UInt8] {
            guard bytes.count <= TypeLimits.valueBytes else {
                throw RecordError(
                    path: coder.name, "a value of \(bytes.count) bytes; at most \(TypeLimits.valueBytes) are allowed")
            }
            return bytes
        }
    }

    package let name: String
    /// Aliases of the types whose records the collection may hold.
    package let types: [String]
    /// `nil` if members have no value.
    package let value: Value?
}
