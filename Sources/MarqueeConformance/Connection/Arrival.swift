package import MarqueeWire

/// Something received from the other side of a connection: a frame, or the end.
package enum Arrival: Sendable {
    /// A frame, and its message if the kind is known.
    case frame(Frame, Message?)
    /// Bytes that break the protocol; nothing after them can be read.
    case broken(WireError)
    /// The end of the stream.
    case end
}
