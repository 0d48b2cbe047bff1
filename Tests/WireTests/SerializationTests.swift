#if PROTOBUF_C
    import CMarqueeProto
    import Testing

    @testable import MarqueePresets
    @testable import MarqueeWire

    /// Feeds both ways of reading and writing messages the same bytes: they must accept the same ones, refuse the
    /// others for the same reason, read the same values, and write the same bytes.
    @Suite struct SerializationTests {
        private typealias Descriptor = UnsafePointer<ProtobufCMessageDescriptor>

        private let descriptors = Proto.descriptors + PresetProto.descriptors

        /// The outcome of reading some bytes in one of the ways.
        private struct Outcome: Equatable {
            var form: FormDump?
            /// The form written again by protobuf-c and by us.
            var written: [[UInt8]] = []
            var error: WireError?
        }

        private func read<Method: SerializationMethod>(
            _ method: Method.Type, _ bytes: [UInt8], _ descriptor: Descriptor, _ limits: GuardLimits
        ) -> Outcome {
            bytes.withUnsafeBytes { bytes in
                do throws(WireError) {
                    return try method.withMessage(descriptor, in: bytes, guardedBy: limits) { message in
                        // Only protobuf-c keeps unknown fields; without them both can write either form.
                        let base = UnsafeMutableRawPointer(mutating: message).assumingMemoryBound(
                            to: ProtobufCMessage.self)
                        forgetUnknown(base)
                        return Outcome(
                            form: FormDump(message),
                            written: [
                                packed(ProtobufCSerialization.self, message), packed(SwiftSerialization.self, message),
                            ])
                    }
                } catch {
                    return Outcome(error: error)
                }
            }
        }

        private func packed<Method: SerializationMethod>(
            _ method: Method.Type, _ message: UnsafeRawPointer
        ) -> [UInt8] {
            [UInt8](unsafeUninitializedCapacity: method.packedSize(message)) { room, count in
                count = method.pack(message, into: UnsafeMutableRawBufferPointer(room))
            }
        }

        /// Leaves out the unknown fields of a message and of all that it holds.
        private func forgetUnknown(_ message: UnsafeMutablePointer<ProtobufCMessage>) {
            message.pointee.n_unknown_fields = 0
            let descriptor = message.pointee.descriptor.pointee
            let start = UnsafeMutableRawPointer(message)
            for field in UnsafeBufferPointer(start: descriptor.fields, count: Int(descriptor.n_fields))
            where field.type == PROTOBUF_C_TYPE_MESSAGE {
                let place = start + Int(field.offset)
                if field.label == PROTOBUF_C_LABEL_REPEATED {
                    let count = start.load(fromByteOffset: Int(field.quantifier_offset), as: Int.self)
                    guard count > 0 else { continue }
                    let list = place.load(as: UnsafeMutablePointer<UnsafeMutablePointer<ProtobufCMessage>>.self)
                    for index in 0..<count { forgetUnknown(list[index]) }
                } else if let nested = place.load(as: UnsafeMutablePointer<ProtobufCMessage>?.self) {
                    forgetUnknown(nested)
                }
            }
        }

        /// - Returns: whether the bytes were accepted.
        @discardableResult
        private func compare(
            _ bytes: [UInt8], _ descriptor: Descriptor, _ limits: GuardLimits = GuardLimits(.client),
            sourceLocation: SourceLocation = #_sourceLocation
        ) -> Bool {
            let theirs = read(ProtobufCSerialization.self, bytes, descriptor, limits)
            let ours = read(SwiftSerialization.self, bytes, descriptor, limits)
            #expect(
                theirs == ours && ours.written.first == ours.written.last,
                "\(String(cString: descriptor.pointee.short_name)): \(bytes.prefix(200))",
                sourceLocation: sourceLocation)
            return ours.error == nil
        }

        @Test func `Samples of all messages are read and written alike`() {
            for message in SampleMessages.all {
                let body = Array(MessageCodec.encode(message).readableBytesView.dropFirst(Frame.headerBytes))
                // As every other message too: most are wrong then, each in its own way.
                for descriptor in descriptors { compare(body, descriptor) }
            }
        }

        @Test(arguments: 1...4) func `Random records are read and written alike`(_ seed: UInt64) {
            var generator = SeededGenerator(seed: seed)
            var accepted = 0
            for round in 0..<4_000 {
                let descriptor = descriptors[round % descriptors.count]
                var bytes = records(of: descriptor, depth: 1, &generator).bytes
                // Half of them are damaged.
                if round % 2 == 0, let index = bytes.indices.randomElement(using: &generator) {
                    bytes[index] = UInt8.random(in: 0...255, using: &generator)
                }
                if compare(bytes, descriptor) { accepted += 1 }
            }
            #expect((1_000..<4_000).contains(accepted))
        }

        @Test func `Random bytes are read alike`() {
            var generator = SeededGenerator(seed: 5)
            for round in 0..<10_000 {
                let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                    UInt8.random(in: 0...255, using: &generator)
                }
                compare(bytes, descriptors[round % descriptors.count])
            }
        }

        @Test func `Numbers of unusual length are read alike`() {
            let high: [UInt8] = Array(repeating: 0x80, count: 9)
            for last: UInt8 in [0, 1, 2, 0x7E, 0x7F] {
                for number in 1...12 as ClosedRange<UInt64> {
                    for descriptor in descriptors {
                        compare(RawMessage().tag(number, 0).raw(high + [last]).bytes, descriptor)
                        compare(RawMessage().field(number, high + [last, 1, 0x81, 0]).bytes, descriptor)
                    }
                }
            }
        }

        @Test func `Lists of all lengths up to a hundred are read and written alike`() {
            for count in 0...100 {
                let texts = RawMessage().field(12, "a locale").times(count)
                #expect(compare(texts.bytes, Proto.Welcome.descriptor))
                let item = RawMessage().field(1, "\(count)").number(2, 1).field(4, [1, 2, 3])
                #expect(compare(RawMessage().field(5, item).times(count).bytes, Proto.Part.descriptor))
                let change = RawMessage().number(2, 300).times(count / 2).field(2, Array(repeating: 7, count: count))
                #expect(compare(RawMessage().field(6, change).times(3).bytes, Proto.Part.descriptor))
            }
        }

        @Test func `Limits are met alike`() {
            for limit in [0, 1, 2, 10, 100] {
                let limits = GuardLimits(elements: limit, unknown: limit, arena: WireArena.frameBytes)
                for count in limit...limit + 1 {
                    compare(RawMessage().field(5, RawMessage()).times(count).bytes, Proto.Part.descriptor, limits)
                    compare(RawMessage().number(99, 1).times(count).bytes, Proto.Part.descriptor, limits)
                    compare(
                        RawMessage().number(1, 1).times(limits.records + count).bytes, Proto.Part.descriptor, limits)
                }
            }
        }

        @Test func `Memory runs out alike, and a later mistake comes first`() {
            let items = RawMessage().field(5, RawMessage().field(1, "an id").number(2, 1)).times(50)
            var refused = 0
            for arena in stride(from: 0, through: 16_000, by: 100) {
                let limits = GuardLimits(elements: 1_000, unknown: 32, arena: arena)
                if !compare(items.bytes, Proto.Part.descriptor, limits) { refused += 1 }
                #expect(!compare(items.bytes + [0x08], Proto.Part.descriptor, limits))
            }
            #expect((10..<150).contains(refused))
        }

        @Test func `Large frames are read alike`() {
            let item = RawMessage().field(1, "a").number(2, 1)
            #expect(compare(RawMessage().field(5, item).times(20_000).bytes, Proto.Part.descriptor))
            let numbers = RawMessage().field(2, Array(repeating: 1, count: 60_000))
            #expect(compare(RawMessage().field(6, numbers).bytes, Proto.Part.descriptor))
            #expect(!compare(RawMessage().field(6, numbers).times(2).bytes, Proto.Part.descriptor))
        }

        // MARK: - Random records

        /// Records of fields that the message has, most of them right.
        private func records(
            of descriptor: Descriptor, depth: Int, _ generator: inout SeededGenerator
        ) -> RawMessage {
            let fields = UnsafeBufferPointer(start: descriptor.pointee.fields, count: Int(descriptor.pointee.n_fields))
            var message = RawMessage()
            for _ in 0..<Int.random(in: 0...8, using: &generator) {
                guard let field = fields.randomElement(using: &generator) else { break }
                switch Int.random(in: 0..<40, using: &generator) {
                case 0: message = message.number(UInt64.random(in: 1...200, using: &generator), 5)
                case 1: message = message.field(UInt64.random(in: 1...200, using: &generator), [1, 2, 3])
                default: message = record(field, depth: depth, message, &generator)
                }
            }
            return message
        }

        private func record(
            _ field: ProtobufCFieldDescriptor, depth: Int, _ message: RawMessage, _ generator: inout SeededGenerator
        ) -> RawMessage {
            let number = UInt64(field.id)
            let value =
                UInt64.random(in: 0...UInt64.max, using: &generator) >> UInt64.random(in: 0...63, using: &generator)
            switch field.type {
            case PROTOBUF_C_TYPE_STRING:
                let texts = ["", "a", "a text", "괴물", "twenty-three characters", "é"]
                return message.field(number, texts.randomElement(using: &generator) ?? "")
            case PROTOBUF_C_TYPE_BYTES:
                return message.field(number, Array(repeating: UInt8(value & 0xFF), count: Int(value % 40)))
            case PROTOBUF_C_TYPE_MESSAGE:
                let nested = field.descriptor.assumingMemoryBound(to: ProtobufCMessageDescriptor.self)
                return message.field(number, records(of: nested, depth: depth + 1, &generator))
            default:
                let isPacked = field.label == PROTOBUF_C_LABEL_REPEATED && value % 3 != 0
                switch field.type.wireType {
                case .fixed64 where !isPacked: return message.fixed(number, value)
                case .fixed64: return message.field(number, Array(repeating: 9, count: 8 * Int(value % 5)))
                case .varint where !isPacked: return message.number(number, value)
                default:
                    return message.field(number, (0..<Int(value % 9)).flatMap { RawMessage.varint(value >> (7 * $0)) })
                }
            }
        }
    }
#endif
