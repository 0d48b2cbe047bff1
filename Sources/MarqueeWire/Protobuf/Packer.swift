package import CMarqueeProto
internal import NIOCore

/// A value with a C form.
protocol ProtobufConvertible {
    associatedtype Wire: ProtobufMessage

    /// Fills a new message. Its pointers belong to the packer's arena.
    func write(to wire: inout Wire, with packer: Packer)

    /// Copies the value out of a message that passed the guard.
    ///
    /// - Throws: `missingField` or `outOfRange`.
    static func read(_ wire: Wire, with unpacker: Unpacker) throws(WireError) -> Self
}

/// Builds C forms in an arena, which owns them all, and packs them.
///
/// Members used by other modules aren't generic, because they couldn't be specialized there.
package struct Packer {
    private let arena: WireArena

    /// Lends a packer to `body`. Everything it makes is valid only during the call.
    package static func lend<Result>(_ body: (Packer) -> Result) -> Result {
        WireArena.onThisThread { body(Packer(arena: $0)) }
    }

    /// The packed message after `headerBytes` zeros, which the caller replaces.
    static func pack<Wire: ProtobufMessage>(
        _ type: Wire.Type, headerBytes: Int, fill: (inout Wire, Packer) -> Void
    ) -> ByteBuffer {
        lend { packer in
            let message = packer.make(type) { fill(&$0, packer) }
            let size = Serialization.packedSize(message)
            var buffer = ByteBuffer()
            buffer.reserveCapacity(headerBytes + size)
            buffer.writeRepeatingByte(0, count: headerBytes)
            buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: size) { room in
                packer.pack(message, size, into: room)
            }
            return buffer
        }
    }

    /// The packed form of a value.
    static func pack<Value: ProtobufConvertible>(_ value: Value) -> [UInt8] {
        pack(Value.Wire.self) { value.write(to: &$0, with: $1) }
    }

    /// The packed form of a message.
    static func pack<Wire: ProtobufMessage>(_ type: Wire.Type, fill: (inout Wire, Packer) -> Void) -> [UInt8] {
        lend { packer in packer.packed(UnsafeRawPointer(packer.make(type) { fill(&$0, packer) })) }
    }

    /// Memory for a message, which the arena owns.
    package func reserve(_ size: Int) -> UnsafeMutableRawPointer { arena.reserve(size) }

    /// The packed form of a message in the arena.
    package func packed(_ message: UnsafeRawPointer) -> [UInt8] {
        let size = Serialization.packedSize(message)
        return [UInt8](unsafeUninitializedCapacity: size) { room, count in
            count = pack(message, size, into: UnsafeMutableRawBufferPointer(room))
        }
    }

    private func pack(_ message: UnsafeRawPointer, _ size: Int, into room: UnsafeMutableRawBufferPointer) -> Int {
        guard size > 0 else { return 0 }
        let written = Serialization.pack(message, into: UnsafeMutableRawBufferPointer(rebasing: room[..<size]))
        precondition(written == size, "a message of \(size) bytes was packed into \(written) bytes")
        return written
    }

    private func make<Wire: ProtobufMessage>(
        _ type: Wire.Type, fill: (inout Wire) -> Void
    ) -> UnsafeMutablePointer<Wire> {
        let message = arena.reserve(MemoryLayout<Wire>.size).bindMemory(to: Wire.self, capacity: 1)
        Wire.initialize(message)
        fill(&message.pointee)
        return message
    }

    private func array<Element>(_ count: Int, of type: Element.Type) -> UnsafeMutablePointer<Element> {
        arena.reserve(count * MemoryLayout<Element>.stride).bindMemory(to: Element.self, capacity: count)
    }
}

// MARK: - Fields

extension Packer {
    /// A submessage, or none.
    func message<Value: ProtobufConvertible>(_ value: Value?) -> UnsafeMutablePointer<Value.Wire>? {
        guard let value else { return nil }
        return make(Value.Wire.self) { value.write(to: &$0, with: self) }
    }

    /// A submessage, filled in place.
    func message<Wire: ProtobufMessage>(
        _ type: Wire.Type, fill: (inout Wire) -> Void
    ) -> UnsafeMutablePointer<Wire> {
        make(type, fill: fill)
    }

    /// A list of submessages, as count and pointer.
    func messages<Value: ProtobufConvertible>(
        _ values: [Value]
    ) -> (Int, UnsafeMutablePointer<UnsafeMutablePointer<Value.Wire>?>?) {
        guard !values.isEmpty else { return (0, nil) }
        let list = array(values.count, of: UnsafeMutablePointer<Value.Wire>?.self)
        for (index, value) in values.enumerated() {
            (list + index).initialize(to: make(Value.Wire.self) { value.write(to: &$0, with: self) })
        }
        return (values.count, list)
    }

    /// A C string, or none. NUL becomes U+FFFD instead of ending the string.
    package func text(_ text: String?) -> UnsafeMutablePointer<CChar>? {
        guard var text else { return nil }
        return text.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            guard !TextCheck.containsNUL(bytes) else { return withoutNUL(bytes) }
            let copy = array(bytes.count + 1, of: CChar.self)
            UnsafeMutableRawBufferPointer(start: copy, count: bytes.count).copyMemory(from: bytes)
            copy[bytes.count] = 0
            return copy
        }
    }

    private func withoutNUL(_ bytes: UnsafeRawBufferPointer) -> UnsafeMutablePointer<CChar>? {
        let pieces = bytes.split(separator: 0, omittingEmptySubsequences: false)
        return text(pieces.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\u{FFFD}"))
    }

    /// A text, or none when it is empty.
    package func text(unlessEmpty text: String) -> UnsafeMutablePointer<CChar>? {
        text.isEmpty ? nil : self.text(text)
    }

    /// A list of texts, as count and pointer.
    package func texts(_ values: [String]) -> (Int, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) {
        guard !values.isEmpty else { return (0, nil) }
        let list = array(values.count, of: UnsafeMutablePointer<CChar>?.self)
        for (index, value) in values.enumerated() { (list + index).initialize(to: text(value)) }
        return (values.count, list)
    }

    /// Bytes; absent when empty.
    func bytes(_ bytes: [UInt8]) -> (protobuf_c_boolean, ProtobufCBinaryData) {
        (bytes.isEmpty ? 0 : 1, data(bytes))
    }

    /// A list of byte strings, as count and pointer.
    func byteStrings(_ values: [[UInt8]]) -> (Int, UnsafeMutablePointer<ProtobufCBinaryData>?) {
        guard !values.isEmpty else { return (0, nil) }
        let list = array(values.count, of: ProtobufCBinaryData.self)
        for (index, value) in values.enumerated() { (list + index).initialize(to: data(value)) }
        return (values.count, list)
    }

    /// A list of numbers, as count and pointer.
    func numbers<Number: FixedWidthInteger>(_ values: [Number]) -> (Int, UnsafeMutablePointer<Number>?) {
        guard !values.isEmpty else { return (0, nil) }
        let list = array(values.count, of: Number.self)
        list.initialize(from: values, count: values.count)
        return (values.count, list)
    }

    /// A number that is always present.
    func number<Number: FixedWidthInteger>(_ value: Number) -> (protobuf_c_boolean, Number) { (1, value) }

    /// A number that may be absent.
    package func number(_ value: UInt32?) -> (protobuf_c_boolean, UInt32) { (value == nil ? 0 : 1, value ?? 0) }
    package func number(_ value: UInt64?) -> (protobuf_c_boolean, UInt64) { (value == nil ? 0 : 1, value ?? 0) }

    /// A number that may be absent.
    func number<Number: FixedWidthInteger>(_ value: Number?) -> (protobuf_c_boolean, Number) {
        (value == nil ? 0 : 1, value ?? 0)
    }

    /// A number that is absent when it is 0.
    func number<Number: FixedWidthInteger>(unlessZero value: Number) -> (protobuf_c_boolean, Number) {
        (value == 0 ? 0 : 1, value)
    }

    /// A finite number; anything else is absent.
    package func real(_ value: Double?) -> (protobuf_c_boolean, Double) {
        guard let value, value.isFinite else { return (0, 0) }
        return (1, value)
    }

    /// A finite number that is absent when it is 0.
    func real(unlessZero value: Double) -> (protobuf_c_boolean, Double) {
        value == 0 ? (0, 0) : real(value)
    }

    /// Absent when false.
    package func flag(_ value: Bool) -> (protobuf_c_boolean, protobuf_c_boolean) { value ? (1, 1) : (0, 0) }

    private func data(_ bytes: [UInt8]) -> ProtobufCBinaryData {
        guard !bytes.isEmpty else { return ProtobufCBinaryData(len: 0, data: nil) }
        let copy = array(bytes.count, of: UInt8.self)
        copy.initialize(from: bytes, count: bytes.count)
        return ProtobufCBinaryData(len: bytes.count, data: copy)
    }
}
