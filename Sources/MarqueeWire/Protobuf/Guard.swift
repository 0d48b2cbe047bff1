internal import CMarqueeProto

/// Limits for one message, enforced by the guard.
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

/// A linear pass over a message's bytes, driven by its descriptor, which refuses what the limits don't allow: too much
/// depth, too many elements, text that isn't UTF-8, submessages that would have to be merged.
///
/// Given an arena, the same pass lays the message out in it. Without one it comes before protobuf-c, which has no
/// limits of its own, and computes how much that will allocate; a message that protobuf-c would need too much memory
/// for is refused either way. It reads each byte at most three times. The bytes are borrowed from the caller.
struct Guard {
    private typealias Descriptor = UnsafePointer<ProtobufCMessageDescriptor>

    private let limits: GuardLimits
    private let builder: MessageBuilder?
    private var elements = 0
    private var records = 0
    /// Upper bound of the arena bytes that protobuf-c's unpacking would use.
    private var arenaBytes = 0

    private init(limits: GuardLimits, builder: MessageBuilder? = nil) {
        self.limits = limits
        self.builder = builder
    }

    /// - Returns: an upper bound of the arena bytes that protobuf-c's unpacking will use.
    /// - Throws: what is wrong with the bytes.
    static func check(
        _ bytes: UnsafeRawBufferPointer, as descriptor: UnsafePointer<ProtobufCMessageDescriptor>, limits: GuardLimits
    ) throws(WireError) -> Int {
        var pass = Guard(limits: limits)
        try pass.message(bytes, descriptor, into: nil, depth: 1)
        // Checking once at the end is enough, because nothing has been allocated yet.
        try pass.checkArena()
        return pass.arenaBytes
    }

    /// Checks a message and lays it out.
    ///
    /// - Parameter arena: owns the message, whose bytes fields point into `bytes`.
    /// - Throws: what is wrong with the bytes, the same as `check`.
    static func read(
        _ bytes: UnsafeRawBufferPointer, as descriptor: UnsafePointer<ProtobufCMessageDescriptor>, limits: GuardLimits,
        into arena: WireArena
    ) throws(WireError) -> UnsafeRawPointer {
        let builder = MessageBuilder(arena)
        var pass = Guard(limits: limits, builder: builder)
        let message = builder.make(descriptor)
        do throws(WireError) {
            try pass.message(bytes, descriptor, into: message, depth: 1)
            try pass.checkArena()
        } catch {
            // Memory ran out in the middle, but something after that may be wrong as well, and that is what counts.
            if error.code == .arenaExhausted { _ = try check(bytes, as: descriptor, limits: limits) }
            throw error
        }
        return UnsafeRawPointer(message)
    }

    private func checkArena() throws(WireError) {
        guard arenaBytes <= limits.arena else {
            throw WireError(.arenaExhausted, "the message would need more than \(limits.arena) bytes of memory")
        }
    }

    /// - Parameter message: the memory to fill, if there is a builder.
    private mutating func message(
        _ bytes: UnsafeRawBufferPointer, _ descriptor: Descriptor, into message: UnsafeMutableRawPointer?, depth: Int
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
            guard let index = Self.field(record.number, of: fields) else {
                unknown += 1
                guard unknown <= limits.unknown else { throw tooManyUnknownFields() }
                reserve(MemoryLayout<ProtobufCMessageUnknownField>.size + WireArena.alignment)
                reserve(record.wholeBytes)
                continue
            }
            guard let field = fields.baseAddress.map({ $0 + index }) else { continue }
            let isRepeated = field.pointee.label == PROTOBUF_C_LABEL_REPEATED
            let wireType = field.pointee.type.wireType
            guard record.wireType == wireType else {
                // Only numbers can be packed.
                guard isRepeated, record.wireType == .lengthPrefixed else { throw Self.wrongWireType(record) }
                let packed = try Self.packed(record.payload, wireType)
                try count(packed)
                if let builder, let message {
                    try builder.addNumbers(field, record.payload, count: packed, to: message)
                }
                continue
            }
            if isRepeated { try count(1) }
            guard wireType == .lengthPrefixed else {
                if let builder, let message { builder.addNumber(field, record, to: message) }
                continue
            }
            switch field.pointee.type {
            case PROTOBUF_C_TYPE_STRING:
                try TextCheck.check(record.payload)
                reserve(record.payload.count &+ 1)
                if let builder, let message { builder.addText(field, record.payload, to: message) }
            case PROTOBUF_C_TYPE_MESSAGE:
                guard let nested = field.pointee.descriptor else { continue }
                if !isRepeated {
                    let bit: UInt64 = 1 &<< UInt64(index)
                    guard submessages & bit == 0 else { throw Self.repeatedSubmessage(record) }
                    submessages |= bit
                }
                try submessage(
                    field, record.payload, nested.assumingMemoryBound(to: ProtobufCMessageDescriptor.self),
                    of: message, depth: depth + 1)
            default:
                reserve(record.payload.count)
                if let builder, let message { builder.addBytes(field, record.payload, to: message) }
            }
        }
        records += ownRecords
        guard records <= limits.records else { throw tooManyRecords() }
        arenaBytes += Self.scanBytes(records: ownRecords)
    }

    @inline(__always)
    private mutating func submessage(
        _ field: MessageBuilder.Field, _ bytes: UnsafeRawBufferPointer, _ descriptor: Descriptor,
        of message: UnsafeMutableRawPointer?, depth: Int
    ) throws(WireError) {
        guard let builder, let message else { return try self.message(bytes, descriptor, into: nil, depth: depth) }
        // Only submessages can take much more memory than bytes.
        try checkArena()
        try self.message(bytes, descriptor, into: builder.addMessage(field, descriptor, to: message), depth: depth)
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
        _ number: UInt32, of fields: UnsafeBufferPointer<ProtobufCFieldDescriptor>
    ) -> Int? {
        let guess = Int(number) &- 1
        if guess < fields.count, fields[guess].id == number { return guess }
        return find(number, in: fields)
    }

    /// Looks for a number beyond a gap. Fields ascend by number.
    private static func find(_ number: UInt32, in fields: UnsafeBufferPointer<ProtobufCFieldDescriptor>) -> Int? {
        var (lower, upper) = (0, fields.count)
        while lower < upper {
            let middle = (lower + upper) / 2
            if fields[middle].id < number { lower = middle + 1 } else { upper = middle }
        }
        return lower < fields.count && fields[lower].id == number ? lower : nil
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
