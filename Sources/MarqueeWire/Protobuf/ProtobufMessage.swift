package import CMarqueeProto

/// A message as protobuf-c lays it out. Its pointers belong to the arena it was built in.
package protocol ProtobufMessage {
    /// The header every message begins with.
    var base: ProtobufCMessage { get }

    /// Zeroes the memory and sets the descriptor.
    static func initialize(_ message: UnsafeMutablePointer<Self>)
    init()
}

extension ProtobufMessage {
    /// Static memory in the generated code, never freed.
    package static var descriptor: UnsafePointer<ProtobufCMessageDescriptor> {
        var message = Self()
        initialize(&message)
        return message.base.descriptor
    }
}
