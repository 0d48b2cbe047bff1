// This product is for apps that enable the trait; without it, SwiftProtobuf is neither resolved nor built.
#if SwiftProtobuf
    public import MarqueeClient
    public import SwiftProtobuf

    extension ScreenItem {
        /// Decodes the record that the item carries.
        ///
        /// ```swift
        /// let episode = try item.decode(as: Podcast_V1_Episode.self)
        /// ```
        ///
        /// Fields that the message doesn't know are kept in its `unknownFields`. A card may carry only some fields of
        /// the record; the others read as absent, even those that proto2 requires.
        /// - Parameter type: the generated message.
        /// - Throws: `noRecord` for an item without a record, `otherMessage` if the item says that its record is of
        ///   another message, and `damaged` for bytes that are not a valid message.
        public func decode<Message: SwiftProtobuf.Message>(
            as type: Message.Type = Message.self
        ) throws(RecordDecodingError) -> Message {
            guard let record else {
                throw RecordDecodingError(.noRecord, "item '\(id)' of kind \(kind.rawValue) carries no record")
            }
            if let message = record.message, message != Message.protoMessageName {
                throw RecordDecodingError(
                    .otherMessage, "item '\(id)' carries a \(message), not a \(Message.protoMessageName)")
            }
            do {
                return try Message(serializedBytes: record.bytes, partial: true)
            } catch {
                throw RecordDecodingError(
                    .damaged, "the record of item '\(id)' is not a valid \(Message.protoMessageName)", cause: error)
            }
        }
    }
#endif
