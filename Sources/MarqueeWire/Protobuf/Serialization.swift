internal import CMarqueeProto

#if PROTOBUF_C
    typealias Serialization = ProtobufCSerialization
#else
    typealias Serialization = SwiftSerialization
#endif

/// Turns bytes into C forms and back. There are two ways, which accept the same bytes, read the same values from them,
/// and write the same bytes: `Serialization` is the one in use.
protocol SerializationMethod {
    /// Guards and unpacks a message and lends it to `body`, which may not keep it.
    ///
    /// - Throws: what is wrong with the bytes, or what `body` throws.
    static func withMessage<Result>(
        _ descriptor: UnsafePointer<ProtobufCMessageDescriptor>, in bytes: UnsafeRawBufferPointer,
        guardedBy limits: GuardLimits, _ body: (UnsafeRawPointer) throws(WireError) -> Result
    ) throws(WireError) -> Result

    /// Bytes that a message takes when packed.
    static func packedSize(_ message: UnsafeRawPointer) -> Int

    /// Packs a message into memory of exactly its size.
    ///
    /// - Returns: bytes written.
    static func pack(_ message: UnsafeRawPointer, into room: UnsafeMutableRawBufferPointer) -> Int
}

/// Needs nothing but the descriptors; used by apps.
enum SwiftSerialization: SerializationMethod {
    static func withMessage<Result>(
        _ descriptor: UnsafePointer<ProtobufCMessageDescriptor>, in bytes: UnsafeRawBufferPointer,
        guardedBy limits: GuardLimits, _ body: (UnsafeRawPointer) throws(WireError) -> Result
    ) throws(WireError) -> Result {
        try WireArena.onThisThread { (arena) throws(WireError) in
            try body(try Guard.read(bytes, as: descriptor, limits: limits, into: arena))
        }
    }

    static func packedSize(_ message: UnsafeRawPointer) -> Int {
        var writer = MessageWriter(PackedSize())
        writer.write(message)
        return writer.output.count
    }

    static func pack(_ message: UnsafeRawPointer, into room: UnsafeMutableRawBufferPointer) -> Int {
        var writer = MessageWriter(PackedBytes(room))
        writer.write(message)
        return writer.output.count
    }
}
