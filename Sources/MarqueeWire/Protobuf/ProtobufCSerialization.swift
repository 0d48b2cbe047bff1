#if PROTOBUF_C
    internal import CMarqueeProto
    internal import CProtobufRuntime

    /// libprotobuf-c behind the guard, as used by the server.
    enum ProtobufCSerialization: SerializationMethod {
        static func withMessage<Result>(
            _ descriptor: UnsafePointer<ProtobufCMessageDescriptor>, in bytes: UnsafeRawBufferPointer,
            guardedBy limits: GuardLimits, _ body: (UnsafeRawPointer) throws(WireError) -> Result
        ) throws(WireError) -> Result {
            let needed = try Guard.check(bytes, as: descriptor, limits: limits)
            return try WireArena.onThisThread { (arena) throws(WireError) in
                arena.reset(limit: needed)
                let unpacked = arena.withAllocator { allocator in
                    protobuf_c_message_unpack(
                        descriptor, allocator, bytes.count, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
                }
                guard let unpacked else {
                    throw WireError(.malformed, "the bytes aren't a \(String(cString: descriptor.pointee.short_name))")
                }
                return try body(UnsafeRawPointer(unpacked))
            }
        }

        static func packedSize(_ message: UnsafeRawPointer) -> Int {
            protobuf_c_message_get_packed_size(message.assumingMemoryBound(to: ProtobufCMessage.self))
        }

        static func pack(_ message: UnsafeRawPointer, into room: UnsafeMutableRawBufferPointer) -> Int {
            guard let start = room.baseAddress else { return 0 }
            return protobuf_c_message_pack(
                message.assumingMemoryBound(to: ProtobufCMessage.self), start.assumingMemoryBound(to: UInt8.self))
        }
    }

    extension WireArena {
        /// Lends the arena to `body` as protobuf-c's allocator, valid only during the call. Its `free` does nothing.
        func withAllocator<Result>(_ body: (UnsafeMutablePointer<ProtobufCAllocator>) -> Result) -> Result {
            withExtendedLifetime(self) {
                var allocator = ProtobufCAllocator(
                    alloc: { room, size in room?.assumingMemoryBound(to: Room.self).pointee.take(size) },
                    free: { _, _ in }, allocator_data: room)
                return body(&allocator)
            }
        }
    }
#endif
