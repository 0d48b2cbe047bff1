import CMarqueeProto
import Testing

@testable import MarqueeWire

/// Tests the guard with a message type that contains itself, which the schema doesn't have.
@Suite struct GuardTests {
    /// Checks bytes as a message whose field 1 has the message's own type.
    private func check(_ bytes: [UInt8]) throws(WireError) {
        let field = UnsafeMutablePointer<ProtobufCFieldDescriptor>.allocate(capacity: 1)
        let message = UnsafeMutablePointer<ProtobufCMessageDescriptor>.allocate(capacity: 1)
        defer {
            field.deallocate()
            message.deallocate()
        }
        field.initialize(to: ProtobufCFieldDescriptor())
        message.initialize(to: ProtobufCMessageDescriptor())
        field.pointee.id = 1
        field.pointee.label = PROTOBUF_C_LABEL_OPTIONAL
        field.pointee.type = PROTOBUF_C_TYPE_MESSAGE
        field.pointee.descriptor = UnsafeRawPointer(message)
        message.pointee.n_fields = 1
        message.pointee.fields = UnsafePointer(field)
        let checked = bytes.withUnsafeBytes { bytes in
            Result { () throws(WireError) in try Guard.check(bytes, as: message, limits: .body) }
        }
        _ = try checked.get()
    }

    private func nested(_ depth: Int) -> [UInt8] {
        (1..<depth).reduce(RawMessage()) { inner, _ in RawMessage().field(1, inner) }.bytes
    }

    private func failure(_ bytes: [UInt8]) -> WireError.Code? {
        do throws(WireError) {
            try check(bytes)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `Eight nested messages are accepted`() {
        #expect(failure(nested(8)) == nil)
    }

    @Test(arguments: [9, 10, 1_000, 20_000])
    func `Nine or more nested messages are refused`(_ depth: Int) {
        #expect(failure(nested(depth)) == .tooDeep)
    }
}
