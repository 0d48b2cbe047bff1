package import MarqueeModel

/// What is wrong with bytes that a peer has sent. It ends the connection; `status` is what the close frame says.
package struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What a program may tell apart. The raw value is the status's reason.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// The length field leaves no room for the envelope.
        case frameTooShort = "FRAME_TOO_SHORT"
        /// The length field exceeds the limit.
        case frameTooLong = "FRAME_TOO_LONG"
        /// A frame does not match its check.
        case frameDamaged = "FRAME_DAMAGED"
        /// A frame or a record ends before its length says so.
        case truncated = "TRUNCATED"
        /// Bytes that are no protobuf.
        case malformed = "MALFORMED"
        /// A record's wire type is not that of its field, or a group.
        case wrongWireType = "WRONG_WIRE_TYPE"
        case tooDeep = "TOO_DEEP"
        /// More repeated elements than allowed.
        case tooManyElements = "TOO_MANY_ELEMENTS"
        /// More records than allowed, of whatever field.
        case tooManyRecords = "TOO_MANY_RECORDS"
        case tooManyUnknownFields = "TOO_MANY_UNKNOWN_FIELDS"
        /// A singular submessage occurs twice.
        case repeatedSubmessage = "REPEATED_SUBMESSAGE"
        case invalidUTF8 = "INVALID_UTF8"
        case nulInText = "NUL_IN_TEXT"
        /// The message would take more memory than allowed.
        case arenaExhausted = "ARENA_EXHAUSTED"
        case unknownCriticalKind = "UNKNOWN_CRITICAL_KIND"
        /// A field without which the message means nothing is absent.
        case missingField = "MISSING_FIELD"
        /// A field has a value that it may not have.
        case outOfRange = "OUT_OF_RANGE"
        /// Parts of one thing that don't fit together.
        case mixedParts = "MIXED_PARTS"
        /// Parts of one thing that are too much together.
        case tooManyParts = "TOO_MANY_PARTS"
    }

    package var code: Code
    /// For people.
    package var message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { "\(message) (\(code.rawValue))" }

    /// What the peer is told. Fatal, as the same bytes would fail again, unless damage on the way is the likely cause.
    package var status: Status {
        Status(statusCode, reason: code.rawValue, remedy: isDamage ? .retrySame : .fatal, message: message)
    }

    /// Whether the bytes were damaged on the way: the check fails, or a length can't be, which no check covers.
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
