/// Limits on a descriptor set. A real schema stays far below them; they keep a hostile one cheap to refuse.
package enum DescriptorLimits {
    /// Bytes of the set.
    package static let setBytes = 1 << 20
    /// Bytes that protobuf-c may allocate while it unpacks one part of the set.
    static let unpackedBytes = 64 << 20
    static let files = 256
    /// Messages in all files, including nested ones.
    static let messages = 4_096
    /// Fields of one message.
    static let messageFields = 512
    /// Fields of all messages.
    static let fields = 16_384
    static let enumerations = 2_048
    /// Values of all enums.
    static let enumerationValues = 32_768
    /// Alternatives (`oneof`) of one message.
    static let oneofs = 256
    /// Levels of nested declarations.
    static let nesting = 16
    /// Bytes of a full name.
    static let nameBytes = 512
    /// Bytes of a declared default value.
    static let defaultBytes = 4_096
    /// The highest field number in protobuf.
    static let fieldNumber = (1 << 29) - 1
}

/// The reason why a descriptor set can't be used.
package struct DescriptorError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, as shown to people.
    package var reason: String

    init(_ reason: String) { self.reason = reason }

    package var description: String { reason }
}
