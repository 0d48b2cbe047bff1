#if SwiftProtobuf
    /// An error in decoding an item's record.
    public struct RecordDecodingError: Error, Sendable, CustomStringConvertible {
        /// The kinds of failure that a caller may tell apart. An open set: new codes don't break a `switch` with a
        /// `default`.
        public struct Code: Hashable, Sendable, CustomStringConvertible {
            private enum Wrapped: String {
                case noRecord, otherMessage, damaged
            }
            private let wrapped: Wrapped
            private init(_ wrapped: Wrapped) { self.wrapped = wrapped }

            /// The item carries no record: its body is neither `record` nor a card with one.
            public static let noRecord = Code(.noRecord)
            /// The record's message is not the requested one.
            public static let otherMessage = Code(.otherMessage)
            /// The bytes are not a valid message of the requested type.
            public static let damaged = Code(.damaged)

            public var description: String { wrapped.rawValue }
        }

        public var code: Code
        /// A sentence for people that names the item.
        public var message: String
        /// SwiftProtobuf's error, for damaged bytes.
        public var cause: (any Error)?

        init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
            self.code = code
            self.message = message
            self.cause = cause
        }

        public var description: String { message }
    }
#endif
