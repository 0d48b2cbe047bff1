internal import CMarqueeProto

/// Fills C forms in an arena field by field, by the offsets in their descriptors: what protobuf-c's unpacking would
/// leave there, without unknown fields, which nothing reads.
///
/// The guard calls it with records that it has accepted. Bytes fields point into the bytes being read, so a message is
/// valid only as long as those. Numbers are stored as a little-endian processor has them, which all of Swift's are.
struct MessageBuilder {
    typealias Field = UnsafePointer<ProtobufCFieldDescriptor>
    typealias Message = UnsafeMutableRawPointer

    /// Elements that a list has room for at first. It then doubles, so it takes at most four times what it needs.
    private static let firstElements = 4

    /// The caller's arena, which outlives the builder. Unmanaged, because counting references for each field would take
    /// a seventh of the time.
    private let arena: Unmanaged<WireArena>
    private let room: UnsafeMutablePointer<WireArena.Room>

    /// - Parameter arena: owns what is built. The caller keeps it alive.
    init(_ arena: WireArena) {
        self.arena = .passUnretained(arena)
        room = arena.room
    }

    /// A message without fields.
    @inline(__always)
    func make(_ descriptor: UnsafePointer<ProtobufCMessageDescriptor>) -> Message {
        let message = reserve(descriptor.pointee.sizeof_message)
        descriptor.pointee.message_init?(message.assumingMemoryBound(to: ProtobufCMessage.self))
        return message
    }

    /// Stores one number.
    @inline(__always)
    func addNumber(_ field: Field, _ record: WireRecord, to message: Message) {
        let type = field.pointee.type
        let place = place(field, type.sizeInC, in: message)
        switch record.wireType {
        case .varint: store(record.value(of: type), of: type, at: place)
        default: record.payload.baseAddress.map { place.copyMemory(from: $0, byteCount: record.payload.count) }
        }
    }

    /// Stores the numbers of a packed record.
    ///
    /// - Parameter count: how many it has.
    func addNumbers(
        _ field: Field, _ payload: UnsafeRawBufferPointer, count: Int, to message: Message
    ) throws(WireError) {
        guard count > 0, var next = payload.baseAddress else { return }
        let type = field.pointee.type
        var place = append(count, type.sizeInC, to: field, of: message)
        guard type.wireType == .varint else { return place.copyMemory(from: next, byteCount: payload.count) }
        let end = next + payload.count
        while next < end {
            store(try Varints.read(&next, end, maximumBytes: Varints.maximumBytes), of: type, at: place)
            place += type.sizeInC
        }
    }

    /// Stores a text with the NUL that ends it in C.
    @inline(__always)
    func addText(_ field: Field, _ text: UnsafeRawBufferPointer, to message: Message) {
        let copy = reserve(text.count &+ 1)
        if let bytes = text.baseAddress { copy.copyMemory(from: bytes, byteCount: text.count) }
        copy.storeBytes(of: 0, toByteOffset: text.count, as: UInt8.self)
        addPointer(field, copy, to: message)
    }

    /// Stores a pointer to the bytes, without copying them.
    @inline(__always)
    func addBytes(_ field: Field, _ bytes: UnsafeRawBufferPointer, to message: Message) {
        let start = bytes.isEmpty ? nil : bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let data = ProtobufCBinaryData(len: bytes.count, data: UnsafeMutablePointer(mutating: start))
        place(field, MemoryLayout<ProtobufCBinaryData>.size, in: message)
            .storeBytes(of: data, as: ProtobufCBinaryData.self)
    }

    /// Makes an empty submessage and stores its address.
    @inline(__always)
    func addMessage(
        _ field: Field, _ descriptor: UnsafePointer<ProtobufCMessageDescriptor>, to message: Message
    ) -> Message {
        let nested = make(descriptor)
        addPointer(field, nested, to: message)
        return nested
    }

    // MARK: - Places

    @inline(__always)
    private func reserve(_ size: Int) -> UnsafeMutableRawPointer {
        room.pointee.take(size) ?? arena._withUnsafeGuaranteedRef { $0.reserve(size) }
    }

    @inline(__always)
    private func addPointer(_ field: Field, _ value: UnsafeMutableRawPointer, to message: Message) {
        place(field, MemoryLayout<UnsafeMutableRawPointer>.size, in: message)
            .storeBytes(of: value, as: UnsafeMutableRawPointer.self)
    }

    /// Where a field's next value of `size` bytes belongs: after the last one of a list, or in the message.
    @inline(__always)
    private func place(_ field: Field, _ size: Int, in message: Message) -> UnsafeMutableRawPointer {
        guard field.pointee.label != PROTOBUF_C_LABEL_REPEATED else { return append(1, size, to: field, of: message) }
        // Texts and submessages are there if their pointer is.
        let presence = Int(field.pointee.quantifier_offset)
        if presence != 0 { message.storeBytes(of: 1, toByteOffset: presence, as: protobuf_c_boolean.self) }
        return message + Int(field.pointee.offset)
    }

    /// Room for `more` elements after those of a list.
    private func append(_ more: Int, _ size: Int, to field: Field, of message: Message) -> UnsafeMutableRawPointer {
        let counter = (message + Int(field.pointee.quantifier_offset)).assumingMemoryBound(to: Int.self)
        let list = (message + Int(field.pointee.offset)).assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
        // The guard's limit on elements keeps these numbers far below Int.max.
        let count = counter.pointee
        let needed = count &+ more
        counter.pointee = needed
        if let elements = list.pointee, needed <= Self.capacity(count) { return elements + count &* size }
        let elements = reserve(Self.capacity(needed) &* size)
        if let old = list.pointee { elements.copyMemory(from: old, byteCount: count &* size) }
        list.pointee = elements
        return elements + count &* size
    }

    /// Elements that a list of `count` has room for: a power of two.
    @inline(__always)
    private static func capacity(_ count: Int) -> Int {
        guard count > firstElements else { return firstElements }
        return 1 &<< (Int.bitWidth &- (count &- 1).leadingZeroBitCount)
    }

    @inline(__always)
    private func store(_ value: UInt64, of type: ProtobufCType, at place: UnsafeMutableRawPointer) {
        if type.sizeInC == MemoryLayout<UInt64>.size {
            place.storeBytes(of: value, as: UInt64.self)
        } else {
            place.storeBytes(of: UInt32(truncatingIfNeeded: value), as: UInt32.self)
        }
    }
}

extension WireRecord {
    /// The number of a varint, as a field of this type stores it.
    @inline(__always)
    fileprivate func value(of type: ProtobufCType) -> UInt64 {
        guard type == PROTOBUF_C_TYPE_BOOL else { return value }
        return value != 0 || hasHighBits ? 1 : 0
    }

    /// Whether a number of ten bytes has bits beyond the 64th, which make a `bool` true for protobuf-c.
    private var hasHighBits: Bool {
        payload.count == Varints.maximumBytes && payload[Varints.maximumBytes - 1] & 0x7E != 0
    }
}
