internal import CMarqueeProto

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// The output of a writer, filled from the last byte of a message to its first, so that a length is known when it is
/// written.
protocol ReverseOutput {
    /// Bytes written so far.
    var count: Int { get }

    /// Puts a varint in front of what is there.
    mutating func prepend(varint: UInt64)
    /// Puts bytes in front of what is there.
    mutating func prepend(bytes: UnsafeRawBufferPointer)
}

/// Counts the bytes of a message.
struct PackedSize: ReverseOutput {
    private(set) var count = 0

    @inline(__always)
    mutating func prepend(varint: UInt64) { count &+= Varints.size(varint) }
    @inline(__always)
    mutating func prepend(bytes: UnsafeRawBufferPointer) { count &+= bytes.count }
}

/// Fills memory of exactly a message's size.
struct PackedBytes: ReverseOutput {
    private let room: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    init(_ room: UnsafeMutableRawBufferPointer) { self.room = room }

    @inline(__always)
    mutating func prepend(varint: UInt64) {
        guard var place = take(Varints.size(varint)) else { return }
        var rest = varint
        while rest >= 0x80 {
            place.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, as: UInt8.self)
            place += 1
            rest &>>= 7
        }
        place.storeBytes(of: UInt8(truncatingIfNeeded: rest), as: UInt8.self)
    }

    @inline(__always)
    mutating func prepend(bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress, let place = take(bytes.count) else { return }
        place.copyMemory(from: start, byteCount: bytes.count)
    }

    @inline(__always)
    private mutating func take(_ size: Int) -> UnsafeMutableRawPointer? {
        precondition(size <= room.count &- count, "a message changed while it was packed")
        count &+= size
        return room.baseAddress.map { $0 + (room.count &- count) }
    }
}

/// Writes C forms as protobuf-c packs them, field by field by the offsets in their descriptors: fields ascend by
/// number, and absent ones take no bytes. Unknown fields aren't written, because nothing keeps them.
struct MessageWriter<Output: ReverseOutput> {
    private typealias Field = UnsafePointer<ProtobufCFieldDescriptor>

    private(set) var output: Output

    init(_ output: Output) { self.output = output }

    /// Writes a whole message.
    mutating func write(_ message: UnsafeRawPointer) {
        guard let descriptor = message.load(as: ProtobufCMessage.self).descriptor,
            let fields = descriptor.pointee.fields
        else { return }
        var index = Int(descriptor.pointee.n_fields)
        while index > 0 {
            index &-= 1
            write(fields + index, of: message)
        }
    }

    private mutating func write(_ field: Field, of message: UnsafeRawPointer) {
        let place = message + Int(field.pointee.offset)
        guard field.pointee.label == PROTOBUF_C_LABEL_REPEATED else {
            if isPresent(field, of: message) { writeRecord(field, place) }
            return
        }
        guard let list = place.load(as: UnsafeRawPointer?.self) else { return }
        let size = field.pointee.type.sizeInC
        var index = message.load(fromByteOffset: Int(field.pointee.quantifier_offset), as: Int.self)
        guard index > 0, field.pointee.flags & UInt32(PROTOBUF_C_FIELD_FLAG_PACKED.rawValue) != 0 else {
            while index > 0 {
                index -= 1
                writeRecord(field, list + index * size)
            }
            return
        }
        let before = output.count
        while index > 0 {
            index -= 1
            writeValue(field, list + index * size)
        }
        output.prepend(varint: UInt64(output.count - before))
        writeTag(field, .lengthPrefixed)
    }

    /// Whether an optional field has a value.
    private func isPresent(_ field: Field, of message: UnsafeRawPointer) -> Bool {
        switch field.pointee.type {
        case PROTOBUF_C_TYPE_STRING, PROTOBUF_C_TYPE_MESSAGE:
            message.load(fromByteOffset: Int(field.pointee.offset), as: UnsafeRawPointer?.self) != nil
        default: message.load(fromByteOffset: Int(field.pointee.quantifier_offset), as: protobuf_c_boolean.self) != 0
        }
    }

    private mutating func writeRecord(_ field: Field, _ place: UnsafeRawPointer) {
        writeValue(field, place)
        writeTag(field, field.pointee.type.wireType)
    }

    private mutating func writeTag(_ field: Field, _ wireType: WireType) {
        output.prepend(varint: UInt64(field.pointee.id) &<< 3 | UInt64(wireType.rawValue))
    }

    private mutating func writeValue(_ field: Field, _ place: UnsafeRawPointer) {
        switch field.pointee.type {
        case PROTOBUF_C_TYPE_STRING:
            guard let text = place.load(as: UnsafePointer<CChar>?.self) else { return output.prepend(varint: 0) }
            prefixed(UnsafeRawBufferPointer(start: text, count: strlen(text)))
        case PROTOBUF_C_TYPE_BYTES:
            let data = place.load(as: ProtobufCBinaryData.self)
            prefixed(UnsafeRawBufferPointer(start: data.data, count: data.data == nil ? 0 : data.len))
        case PROTOBUF_C_TYPE_MESSAGE:
            let before = output.count
            if let message = place.load(as: UnsafeRawPointer?.self) { write(message) }
            output.prepend(varint: UInt64(output.count - before))
        case PROTOBUF_C_TYPE_BOOL: output.prepend(varint: place.load(as: protobuf_c_boolean.self) == 0 ? 0 : 1)
        case PROTOBUF_C_TYPE_UINT32: output.prepend(varint: UInt64(place.load(as: UInt32.self)))
        case PROTOBUF_C_TYPE_UINT64, PROTOBUF_C_TYPE_INT64: output.prepend(varint: place.load(as: UInt64.self))
        case PROTOBUF_C_TYPE_INT32: output.prepend(varint: UInt64(bitPattern: Int64(place.load(as: Int32.self))))
        // Of a fixed size, and little-endian, as Swift's processors are.
        default: output.prepend(bytes: UnsafeRawBufferPointer(start: place, count: field.pointee.type.sizeInC))
        }
    }

    @inline(__always)
    private mutating func prefixed(_ bytes: UnsafeRawBufferPointer) {
        output.prepend(bytes: bytes)
        output.prepend(varint: UInt64(bytes.count))
    }
}
