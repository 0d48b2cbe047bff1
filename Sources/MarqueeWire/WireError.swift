package import MarqueeModel

/// Thrown for invalid bytes from a peer. It ends the connection; the close frame carries `status`.
package struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of error that a caller can distinguish. The raw value is the status's reason.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// The length field leaves no room for the envelope.
        case frameTooShort = "FRAME_TOO_SHORT"
        /// The length field exceeds the limit.
        case frameTooLong = "FRAME_TOO_LONG"
        /// A frame doesn't match its checksum.
        case frameDamaged = "FRAME_DAMAGED"
        /// A frame or record is shorter than its length says.
        case truncated = "TRUNCATED"
        /// Bytes that aren't protobuf.
        case malformed = "MALFORMED"
        /// A record's wire type doesn't match its field, or is a group.
        case wrongWireType = "WRONG_WIRE_TYPE"
        case tooDeep = "TOO_DEEP"
        /// More repeated elements than allowed.
        case tooManyElements = "TOO_MANY_ELEMENTS"
        /// More records than allowed, of any field.
        case tooManyRecords = "TOO_MANY_RECORDS"
        case tooManyUnknownFields = "TOO_MANY_UNKNOWN_FIELDS"
        /// A singular submessage occurs twice.
        case repeatedSubmessage = "REPEATED_SUBMESSAGE"
        case invalidUTF8 = "INVALID_UTF8"
        case nulInText = "NUL_IN_TEXT"
        /// Unpacking the message would need more memory than allowed.
        case arenaExhausted = "ARENA_EXHAUSTED"
        case unknownCriticalKind = "UNKNOWN_CRITICAL_KIND"
        /// A required field is absent.
        case missingField = "MISSING_FIELD"
        /// A field has a forbidden value.
        case outOfRange = "OUT_OF_RANGE"
        /// Parts that don't fit together.
        case mixedParts = "MIXED_PARTS"
        /// Parts that are too large together.
        case tooManyParts = "TOO_MANY_PARTS"
    }

    package var code: Code
    /// A human-readable message.
    package var message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { "\(message) (\(code.rawValue))" }

    /// The status sent to the peer. Its remedy is `fatal`, because the same bytes would fail again, unless damage in
    /// transit is likely.
    package var status: Status {
        Status(statusCode, reason: code.rawValue, remedy: isDamage ? .retrySame : .fatal, message: message)
    }

    /// Whether the bytes were probably damaged in transit: the checksum fails, or the length is impossible.
    private var isDamage: Bool { [.frameDamaged, .frameTooShort, .frameTooLong].contains(code) }

    private var statusCode: Status.Code {
        switch code {
        case .frameTooLong, .tooDeep, .tooManyElements, .tooManyRecords, .tooManyUnknownFields, .arenaExhausted,
            .tooManyParts:
            .resourceExhausted
        case .unknownCriticalKind: .unimplemented
        case .frameDamaged: .dataLoss
        case .outOfRange: .outOfRange
        case .frameTooShort, .truncated, .malformed, .wrongWireType, .repeatedSubmessage, .invalidUTF8, .nulInText,
            .missingField, .mixedParts:
            .invalidArgument
        }
    }
}
