internal import CMarqueeProto

/// Limits for one message. The guard refuses anything beyond them before protobuf-c sees it.
struct GuardLimits: Sendable {
    /// Nesting depth, including the outermost message. The schema itself is shallower, as its test checks.
    static let depth = 8
    /// Records allowed per allowed element: more than the fields of any list element.
    static let recordsPerElement = 8
    /// Records besides those of lists.
    static let looseRecords = 1_024
    /// Unknown fields in one message.
    static let unknownFields = 32
    /// Repeated elements in one body.
    static let bodyElements = 4_096

    /// Repeated elements, over all messages.
    var elements: Int
    /// Unknown fields in one message.
    var unknown: Int
    /// Bytes in the arena.
    var arena: Int

    /// Records, over all messages.
    var records: Int { elements * Self.recordsPerElement + Self.looseRecords }

    /// For the body of an item, a head, or a reference.
    static let body = GuardLimits(elements: bodyElements, unknown: unknownFields, arena: WireArena.bodyBytes)

    /// For a frame's body under the limits stated by this side.
    init(_ limits: WireLimits) {
        self.init(
            elements: Int(limits.elementsPerFrame), unknown: Int(limits.unknownFields), arena: WireArena.frameBytes)
    }

    init(elements: Int, unknown: Int, arena: Int) {
        self.elements = elements
        self.unknown = unknown
        self.arena = arena
    }
}

/// A linear pass over a message's bytes, driven by its descriptor, before protobuf-c unpacks it.
///
/// libprotobuf-c has no limit on depth or elements, validates no text, and merges repeated submessages in quadratic
/// time. The guard refuses all of that, and computes how much unpacking will allocate. It reads each byte at most twice
/// and allocates nothing. The bytes are borrowed from the caller.
struct Guard {
    private let limits: GuardLimits
    private var elements = 0
    private var records = 0
    /// Upper bound of the arena bytes unpacking will use.
    private(set) var arenaBytes = 0

    private init(limits: GuardLimits) {
        self.limits = limits
    }

    /// - Returns: an upper bound of the arena bytes unpacking will use.
    /// - Throws: what is wrong with the bytes.
    static func check(
        _ bytes: UnsafeRawBufferPointer, as descriptor: UnsafePointer<ProtobufCMessageDescriptor>, limits: GuardLimits
    ) throws(WireError) -> Int {
        var pass = Guard(limits: limits)
        try pass.message(bytes, descriptor, depth: 1)
        return pass.arenaBytes
    }

    private mutating func message(
        _ bytes: UnsafeRawBufferPointer, _ descriptor: UnsafePointer<ProtobufCMessageDescriptor>, depth: Int
    ) throws(WireError) {
        guard depth <= GuardLimits.depth else {
            throw WireError(.tooDeep, "messages nested more than \(GuardLimits.depth) deep")
        }
        try reserve(descriptor.pointee.sizeof_message)
        // The array of each repeated field is rounded up once.
        try reserve(Int(descriptor.pointee.n_fields) * WireArena.alignment)
        var reader = RecordReader(bytes)
        // One bit for each submessage seen. The schema's test checks that no message has more than 64 fields.
        var submessages: UInt64 = 0
        var unknown = 0
        var ownRecords = 0
        while let record = try reader.next() {
            ownRecords += 1
            records += 1
            guard records <= limits.records else {
                throw WireError(.tooManyRecords, "more than \(limits.records) records")
            }
            guard let index = Self.field(record.number, of: descriptor) else {
                unknown += 1
                guard unknown <= limits.unknown else {
                    throw WireError(.tooManyUnknownFields, "more than \(limits.unknown) unknown fields in a message")
                }
                try reserve(MemoryLayout<ProtobufCMessageUnknownField>.size + WireArena.alignment)
                try reserve(record.wholeBytes)
                continue
            }
            let field = descriptor.pointee.fields + index
            if field.pointee.label == PROTOBUF_C_LABEL_REPEATED {
                try repeated(record, field)
            } else {
                try Self.match(record, field)
            }
            guard let nested = try contents(record, field) else { continue }
            if field.pointee.label != PROTOBUF_C_LABEL_REPEATED {
                let bit: UInt64 = 1 << UInt64(index)
                guard submessages & bit == 0 else {
                    throw WireError(.repeatedSubmessage, "field \(record.number), a submessage, occurs twice")
                }
                submessages |= bit
            }
            try message(record.payload, nested, depth: depth + 1)
        }
        try reserve(Self.scanBytes(records: ownRecords))
    }

    /// Counts the elements of a record of a repeated field, packed or not, and checks its wire type.
    private mutating func repeated(
        _ record: WireRecord, _ field: UnsafePointer<ProtobufCFieldDescriptor>
    ) throws(WireError) {
        var count = 1
        if record.wireType == .lengthPrefixed, let element = Self.packableWireType(field.pointee.type) {
            switch element {
            case .fixed64, .fixed32:
                let size = element == .fixed64 ? 8 : 4
                guard record.payload.count.isMultiple(of: size) else {
                    throw WireError(.malformed, "a packed field has \(record.payload.count) bytes")
                }
                count = record.payload.count / size
            case .varint, .lengthPrefixed:
                count = try Varints.count(record.payload)
            }
        } else {
            try Self.match(record, field)
        }
        elements += count
        guard elements <= limits.elements else {
            throw WireError(.tooManyElements, "more than \(limits.elements) repeated elements")
        }
        try reserve(count * MemoryLayout<UInt64>.size)
    }

    /// Checks and counts a text or bytes.
    ///
    /// - Returns: for a submessage, its descriptor; it has yet to be checked.
    private mutating func contents(
        _ record: WireRecord, _ field: UnsafePointer<ProtobufCFieldDescriptor>
    ) throws(WireError) -> UnsafePointer<ProtobufCMessageDescriptor>? {
        switch field.pointee.type {
        case PROTOBUF_C_TYPE_STRING:
            try TextCheck.check(record.payload)
            try reserve(record.payload.count + 1)
            return nil
        case PROTOBUF_C_TYPE_BYTES:
            try reserve(record.payload.count)
            return nil
        case PROTOBUF_C_TYPE_MESSAGE:
            return field.pointee.descriptor?.assumingMemoryBound(to: ProtobufCMessageDescriptor.self)
        default: return nil
        }
    }

    private mutating func reserve(_ bytes: Int) throws(WireError) {
        // No overflow: the amount added is bounded by the frame and the limits above, all far below Int.max.
        arenaBytes += (bytes + WireArena.alignment - 1) & ~(WireArena.alignment - 1)
        guard arenaBytes <= limits.arena else {
            throw WireError(.arenaExhausted, "the message would need more than \(limits.arena) bytes of memory")
        }
    }

    /// What protobuf-c allocates to track one message's records: beyond the first 16, which are on the stack, blocks of
    /// 32, 64, 128 …
    private static func scanBytes(records: Int) -> Int {
        let noteBytes = 32
        var block = 16
        var noted = block
        var bytes = 0
        while noted < records {
            block *= 2
            noted += block
            bytes += block * noteBytes
        }
        return bytes
    }

    /// The index of a field in the descriptor. Numbers mostly run from 1 without gaps, so the first guess is usually
    /// right.
    private static func field(_ number: UInt32, of descriptor: UnsafePointer<ProtobufCMessageDescriptor>) -> Int? {
        let fields = descriptor.pointee.fields
        let count = Int(descriptor.pointee.n_fields)
        guard let fields, count > 0 else { return nil }
        if number <= count, fields[Int(number) - 1].id == number { return Int(number) - 1 }
        guard let found = protobuf_c_message_descriptor_get_field(descriptor, number) else { return nil }
        return found - fields
    }

    private static func match(
        _ record: WireRecord, _ field: UnsafePointer<ProtobufCFieldDescriptor>
    ) throws(WireError) {
        guard record.wireType == packableWireType(field.pointee.type) ?? .lengthPrefixed else {
            throw WireError(.wrongWireType, "field \(record.number) has the wrong wire type")
        }
    }

    /// The wire type of one value; `nil` for texts, bytes and messages, which can't be packed.
    private static func packableWireType(_ type: ProtobufCType) -> WireType? {
        switch type {
        case PROTOBUF_C_TYPE_STRING, PROTOBUF_C_TYPE_BYTES, PROTOBUF_C_TYPE_MESSAGE: nil
        case PROTOBUF_C_TYPE_FIXED64, PROTOBUF_C_TYPE_SFIXED64, PROTOBUF_C_TYPE_DOUBLE: .fixed64
        case PROTOBUF_C_TYPE_FIXED32, PROTOBUF_C_TYPE_SFIXED32, PROTOBUF_C_TYPE_FLOAT: .fixed32
        default: .varint
        }
    }
}
