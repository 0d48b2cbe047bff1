internal import CMarqueePresets
internal import MarqueeWire

/// Content with a C form.
protocol PresetBody {
    associatedtype Wire: ProtobufMessage

    /// Fills a new message. Its pointers belong to the packer's arena.
    func write(to wire: inout Wire, with packer: Packer)

    /// Copies the content out of a message that passed the guard.
    static func read(_ wire: Wire, with unpacker: Unpacker) -> Self
}

extension Packer {
    /// The packed form of an item's content.
    func body<Body: PresetBody>(_ body: Body) -> [UInt8] {
        packed(UnsafeRawPointer(make(Body.Wire.self) { body.write(to: &$0, with: self) }))
    }

    /// The packed form of a message.
    func body<Wire: ProtobufMessage>(_ type: Wire.Type, fill: (inout Wire) -> Void) -> [UInt8] {
        packed(UnsafeRawPointer(make(type, fill: fill)))
    }

    /// A submessage, or none.
    func nested<Body: PresetBody>(_ body: Body?) -> UnsafeMutablePointer<Body.Wire>? {
        body.map { body in make(Body.Wire.self) { body.write(to: &$0, with: self) } }
    }

    private func make<Wire: ProtobufMessage>(
        _ type: Wire.Type, fill: (inout Wire) -> Void
    ) -> UnsafeMutablePointer<Wire> {
        let message = reserve(MemoryLayout<Wire>.size).bindMemory(to: Wire.self, capacity: 1)
        Wire.initialize(message)
        fill(&message.pointee)
        return message
    }
}

extension Unpacker {
    /// The content of a body, or `nil` if it can't be decoded.
    static func body<Body: PresetBody>(_ bytes: [UInt8]) -> Body? {
        body(Body.Wire.self, bytes, Body.read)
    }

    /// Applies `read` to a body.
    static func body<Wire: ProtobufMessage, Content>(
        _ type: Wire.Type, _ bytes: [UInt8], _ read: (Wire, Unpacker) -> Content
    ) -> Content? {
        var message = Wire()
        Wire.initialize(&message)
        var content: Content?
        _ = withBody(bytes, as: message.base.descriptor) { pointer, unpacker in
            content = read(pointer.assumingMemoryBound(to: Wire.self).pointee, unpacker)
        }
        return content
    }

    /// A submessage, or none.
    func nested<Body: PresetBody>(_ message: UnsafeMutablePointer<Body.Wire>?) -> Body? {
        message.map { Body.read($0.pointee, with: self) }
    }
}
