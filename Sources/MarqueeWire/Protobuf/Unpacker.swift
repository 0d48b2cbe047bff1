package import CMarqueeProto

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Copies values out of C forms that passed the guard. The pointers it reads belong to the decoder's arena.
package struct Unpacker {
    /// The limits of this side.
    let limits: WireLimits

    /// Guards and unpacks the body of an item and lends the message to `read`. It is valid only during the call.
    ///
    /// - Returns: whether the bytes are such a message.
    package static func withBody(
        _ bytes: [UInt8], as descriptor: UnsafePointer<ProtobufCMessageDescriptor>,
        _ read: (UnsafeRawPointer, Unpacker) -> Void
    ) -> Bool {
        do throws(WireError) {
            try bytes.withUnsafeBufferPointer { (bytes) throws(WireError) in
                try Serialization.withMessage(
                    descriptor, in: UnsafeRawBufferPointer(bytes), guardedBy: .body
                ) {
                    read($0, Unpacker(limits: .client))
                }
            }
            return true
        } catch {
            return false
        }
    }
}

// MARK: - Fields

extension Unpacker {
    /// A required field.
    func required<Value>(_ value: Value?, _ name: StaticString) throws(WireError) -> Value {
        guard let value else { throw WireError(.missingField, "\(name) is missing") }
        return value
    }

    /// A required text that must not be empty.
    func required(_ text: UnsafeMutablePointer<CChar>?, _ name: StaticString) throws(WireError) -> String {
        guard let value = self.text(text), !value.isEmpty else {
            throw WireError(.missingField, "\(name) is missing")
        }
        return value
    }

    /// A required submessage.
    func required<Value: ProtobufConvertible>(
        _ message: UnsafeMutablePointer<Value.Wire>?, _ name: StaticString
    ) throws(WireError) -> Value {
        guard let message else { throw WireError(.missingField, "\(name) is missing") }
        return try Value.read(message.pointee, with: self)
    }

    /// An optional submessage.
    func message<Value: ProtobufConvertible>(_ message: UnsafeMutablePointer<Value.Wire>?) throws(WireError) -> Value? {
        guard let message else { return nil }
        return try Value.read(message.pointee, with: self)
    }

    func messages<Value: ProtobufConvertible>(
        _ count: Int, _ list: UnsafeMutablePointer<UnsafeMutablePointer<Value.Wire>?>?
    ) throws(WireError) -> [Value] {
        guard let list, count > 0 else { return [] }
        var values: [Value] = []
        values.reserveCapacity(count)
        for index in 0..<count {
            guard let message = list[index] else { continue }
            values.append(try Value.read(message.pointee, with: self))
        }
        return values
    }

    package func number(_ has: protobuf_c_boolean, _ value: UInt32) -> UInt32? { has == 0 ? nil : value }
    package func number(_ has: protobuf_c_boolean, _ value: UInt64) -> UInt64? { has == 0 ? nil : value }

    func number<Number>(_ has: protobuf_c_boolean, _ value: Number) -> Number? { has == 0 ? nil : value }

    /// A finite number; anything else counts as absent.
    package func real(_ has: protobuf_c_boolean, _ value: Double) -> Double? {
        has != 0 && value.isFinite ? value : nil
    }

    package func flag(_ has: protobuf_c_boolean, _ value: protobuf_c_boolean) -> Bool { has != 0 && value != 0 }

    /// A text. The guard has checked that it is valid UTF-8 without NUL, so nothing is repaired or truncated here.
    package func text(_ text: UnsafeMutablePointer<CChar>?) -> String? {
        guard let text else { return nil }
        let count = strlen(text)
        // Half the work of `String(cString:)` for short texts.
        return String(unsafeUninitializedCapacity: count) { room in
            UnsafeMutableRawPointer(room.baseAddress)?.copyMemory(from: text, byteCount: count)
            return count
        }
    }

    package func texts(_ count: Int, _ list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> [String] {
        guard let list, count > 0 else { return [] }
        return (0..<count).compactMap { text(list[$0]) }
    }

    func bytes(_ data: ProtobufCBinaryData) -> [UInt8] {
        [UInt8](UnsafeBufferPointer(start: data.data, count: data.len))
    }

    func byteStrings(_ count: Int, _ list: UnsafeMutablePointer<ProtobufCBinaryData>?) -> [[UInt8]] {
        guard let list, count > 0 else { return [] }
        return (0..<count).map { bytes(list[$0]) }
    }

    func numbers<Number>(_ count: Int, _ list: UnsafeMutablePointer<Number>?) -> [Number] {
        [Number](UnsafeBufferPointer(start: list, count: list == nil ? 0 : count))
    }

    /// Refuses a list longer than its limit.
    func checkCount(_ count: Int, _ limit: UInt32, _ name: StaticString) throws(WireError) {
        guard count <= Int(limit) else {
            throw WireError(.tooManyElements, "\(name): \(count) elements; the limit is \(limit)")
        }
    }

    /// Refuses a token that is too long.
    func checkToken(_ token: String, _ name: StaticString) throws(WireError) {
        try check(
            token.utf8.count <= WireLimits.tokenBytes,
            "\(name) has \(token.utf8.count) bytes; the limit is \(WireLimits.tokenBytes)")
    }

    /// Refuses a value outside its range.
    func check(_ holds: Bool, _ message: @autoclosure () -> String) throws(WireError) {
        guard holds else { throw WireError(.outOfRange, message()) }
    }
}

// MARK: - Whole bodies

extension Unpacker {
    /// The value of a whole body.
    static func decode<Value: ProtobufConvertible>(
        _ bytes: [UInt8], guardedBy guardLimits: GuardLimits, limits: WireLimits
    ) throws(WireError) -> Value {
        try decode(Value.Wire.self, bytes, guardedBy: guardLimits, limits: limits, Value.read)
    }

    /// Applies `read` to a whole body.
    static func decode<Wire: ProtobufMessage, Value>(
        _ type: Wire.Type, _ bytes: [UInt8], guardedBy guardLimits: GuardLimits, limits: WireLimits,
        _ read: (Wire, Unpacker) throws(WireError) -> Value
    ) throws(WireError) -> Value {
        try bytes.withUnsafeBufferPointer { (bytes) throws(WireError) in
            try decode(type, UnsafeRawBufferPointer(bytes), guardedBy: guardLimits, limits: limits, read)
        }
    }

    /// Applies `read` to a whole body with borrowed bytes.
    static func decode<Wire: ProtobufMessage, Value>(
        _ type: Wire.Type, _ bytes: UnsafeRawBufferPointer, guardedBy guardLimits: GuardLimits, limits: WireLimits,
        _ read: (Wire, Unpacker) throws(WireError) -> Value
    ) throws(WireError) -> Value {
        try Serialization.withMessage(
            Wire.descriptor, in: bytes, guardedBy: guardLimits
        ) { (message) throws(WireError) in
            try read(message.assumingMemoryBound(to: Wire.self).pointee, Unpacker(limits: limits))
        }
    }
}
