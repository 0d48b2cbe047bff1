internal import CMarqueeProto

/// Limits for one message, enforced by the guard before protobuf-c sees the bytes.
struct GuardLimits: Sendable {
    /// Nesting depth, including the outermost message. A test checks that the schema itself is shallower.
    static let depth = 8
    /// Records allowed per allowed element: more than the fields of any list element.
    static let recordsPerElement = 8
    /// Records allowed besides those of list elements.
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
/// time. The guard refuses all of that, and computes how much unpacking will allocate. It reads each byte at most three
/// times and allocates nothing. The bytes are borrowed from the caller.
struct Guard {
    private let limits: GuardLimits
    private var elements = 0
    private var records = 0
    /// Upper bound of the arena bytes that unpacking will use.
    private(set) var arenaBytes = 0

    private init(limits: GuardLimits) {
        self.limits = limits
    }

    /// - Returns: an upper bound of the arena bytes that unpacking will use.
    /// - Throws: what is wrong with the bytes.
    static func check(
        _ bytes: UnsafeRawBufferPointer, as descriptor: UnsafePointer<ProtobufCMessageDescriptor>, limits: GuardLimits
    ) throws(WireError) -> Int {
        var pass = Guard(limits: limits)
        try pass.message(bytes, descriptor, depth: 1)
        // Checking once at the end is enough, because nothing has been allocated yet.
        guard pass.arenaBytes <= limits.arena else {
            throw WireError(.arenaExhausted, "the message would need more than \(limits.arena) bytes of memory")
        }
        return pass.arenaBytes
    }

    private mutating func message(
        _ bytes: UnsafeRawBufferPointer, _ descriptor: UnsafePointer<ProtobufCMessageDescriptor>, depth: Int
    ) throws(WireError) {
        guard depth <= GuardLimits.depth else { throw Self.tooDeep() }
        let fields = UnsafeBufferPointer(start: descriptor.pointee.fields, count: Int(descriptor.pointee.n_fields))
        reserve(descriptor.pointee.sizeof_message)
        // Allowance for rounding up the array of each repeated field.
        arenaBytes += fields.count * WireArena.alignment
        guard var reader = RecordReader(bytes) else { return }
        // One bit for each submessage seen. The schema's test checks that no message has more than 64 fields.
        var submessages: UInt64 = 0
        var unknown = 0
        var ownRecords = 0
        while let record = try reader.next() {
            ownRecords &+= 1
            guard let index = Self.field(record.number, of: descriptor, fields) else {
                unknown += 1
                guard unknown <= limits.unknown else { throw tooManyUnknownFields() }
                reserve(MemoryLayout<ProtobufCMessageUnknownField>.size + WireArena.alignment)
                reserve(record.wholeBytes)
                continue
            }
            guard let field = fields.baseAddress.map({ $0 + index }) else { continue }
            let isRepeated = field.pointee.label == PROTOBUF_C_LABEL_REPEATED
            let wireType = Self.wireType(field.pointee.type)
            if record.wireType == wireType {
                if isRepeated { try count(1) }
            } else {
                // Only numbers can be packed.
                guard isRepeated, record.wireType == .lengthPrefixed else { throw Self.wrongWireType(record) }
                try count(try Self.packed(record.payload, wireType))
            }
            guard wireType == .lengthPrefixed else { continue }
            switch field.pointee.type {
            case PROTOBUF_C_TYPE_STRING:
                try TextCheck.check(record.payload)
                reserve(record.payload.count &+ 1)
            case PROTOBUF_C_TYPE_MESSAGE:
                guard let nested = field.pointee.descriptor else { continue }
                if !isRepeated {
                    let bit: UInt64 = 1 &<< UInt64(index)
                    guard submessages & bit == 0 else { throw Self.repeatedSubmessage(record) }
                    submessages |= bit
                }
                try message(
                    record.payload, nested.assumingMemoryBound(to: ProtobufCMessageDescriptor.self), depth: depth + 1)
            default: reserve(record.payload.count)
            }
        }
        records += ownRecords
        guard records <= limits.records else { throw tooManyRecords() }
        arenaBytes += Self.scanBytes(records: ownRecords)
    }

    /// Counts elements of a repeated field.
    @inline(__always)
    private mutating func count(_ count: Int) throws(WireError) {
        elements &+= count
        guard elements <= limits.elements else { throw tooManyElements() }
        reserve(count &* MemoryLayout<UInt64>.size)
    }

    /// How many numbers a packed record holds.
    private static func packed(_ payload: UnsafeRawBufferPointer, _ wireType: WireType) throws(WireError) -> Int {
        guard wireType != .varint else { return try Varints.count(payload) }
        let size = wireType == .fixed64 ? 8 : 4
        guard payload.count.isMultiple(of: size) else {
            throw WireError(.malformed, "a packed field has \(payload.count) bytes")
        }
        return payload.count / size
    }

    /// Can't overflow: each size is bounded by the frame and the limits above, all far below Int.max.
    @inline(__always)
    private mutating func reserve(_ bytes: Int) {
        arenaBytes &+= (bytes &+ (WireArena.alignment - 1)) & ~(WireArena.alignment - 1)
    }

    /// Bytes that protobuf-c allocates to track one message's records. The first 16 are on the stack; further ones go
    /// into blocks of 32, 64, 128 …
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
    @inline(__always)
    private static func field(
        _ number: UInt32, of descriptor: UnsafePointer<ProtobufCMessageDescriptor>,
        _ fields: UnsafeBufferPointer<ProtobufCFieldDescriptor>
    ) -> Int? {
        let guess = Int(number) &- 1
        if guess < fields.count, fields[guess].id == number { return guess }
        guard let start = fields.baseAddress,
            let found = protobuf_c_message_descriptor_get_field(descriptor, number)
        else { return nil }
        return found - start
    }

    /// The wire type of one value.
    @inline(__always)
    private static func wireType(_ type: ProtobufCType) -> WireType {
        // Texts, bytes and messages come last in the enum and are the most frequent.
        guard type.rawValue < PROTOBUF_C_TYPE_STRING.rawValue else { return .lengthPrefixed }
        return switch type {
        case PROTOBUF_C_TYPE_FIXED64, PROTOBUF_C_TYPE_SFIXED64, PROTOBUF_C_TYPE_DOUBLE: .fixed64
        case PROTOBUF_C_TYPE_FIXED32, PROTOBUF_C_TYPE_SFIXED32, PROTOBUF_C_TYPE_FLOAT: .fixed32
        default: .varint
        }
    }
}

/// Errors, made out of line to keep the loop small.
extension Guard {
    @inline(never)
    private static func tooDeep() -> WireError {
        WireError(.tooDeep, "messages nested more than \(GuardLimits.depth) deep")
    }

    @inline(never)
    private func tooManyRecords() -> WireError { WireError(.tooManyRecords, "more than \(limits.records) records") }

    @inline(never)
    private func tooManyElements() -> WireError {
        WireError(.tooManyElements, "more than \(limits.elements) repeated elements")
    }

    @inline(never)
    private func tooManyUnknownFields() -> WireError {
        WireError(.tooManyUnknownFields, "more than \(limits.unknown) unknown fields in a message")
    }

    @inline(never)
    private static func wrongWireType(_ record: WireRecord) -> WireError {
        WireError(.wrongWireType, "field \(record.number) has the wrong wire type")
    }

    @inline(never)
    private static func repeatedSubmessage(_ record: WireRecord) -> WireError {
        WireError(.repeatedSubmessage, "field \(record.number), a submessage, occurs twice")
    }
}
