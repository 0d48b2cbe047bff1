package import MarqueeServer
import NIOCore
import NIOHTTP1

/// The door for HTTP/1.1 and WebSocket.
package struct WebDoor: Door {
    let gate: WebGate
    let hooks: HookFile
    let events = EventTexts()
    let screens = ScreenTexts()
    let documents = OpenAPIDocuments()

    /// - Parameters:
    ///   - gate: decides which requests are answered.
    ///   - hooks: the endpoints for deliveries of other programs.
    package init(_ gate: WebGate, hooks: HookFile = HookFile()) {
        self.gate = gate
        self.hooks = hooks
    }

    package func serve(_ connection: DoorConnection) throws {
        let pipeline = connection.channel.pipeline.syncOperations
        let encoder = HTTPResponseEncoder()
        let decoder = ByteToMessageHandler(
            HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: WebBounds.heads),
            maximumBufferSize: WebBounds.headBytes)
        let wire = WireCounter()
        try pipeline.addHandlers([encoder, wire, decoder])
        try pipeline.addHandler(
            WebHandler(connection, self, encoder: encoder, wire: wire, decoder: decoder))
    }
}

/// The bounds of the web door.
enum WebBounds {
    /// Bytes of a request's head. There is room for a token as large as other HTTP servers accept.
    static let headBytes = 16 << 10
    /// Header fields of a request.
    static let headerFields = 64
    /// How long a connection may be idle between two requests, and an answer may take to be sent, in milliseconds.
    static let idleMilliseconds: UInt64 = 60_000
    /// How long an answer may take to be made, in milliseconds.
    static let answerMilliseconds: UInt64 = 30_000
    /// How long a body may take to arrive, in milliseconds.
    static let bodyMilliseconds: UInt64 = 60_000
    /// Bytes of a body, unpacked: those of a publication, with room for what is between its changes.
    static let bodyBytes = DoorConnection.publicationBytes + (1 << 20)
    /// Bytes on the wire for each byte of a body. A chunk of one byte is six.
    static let wireBytesPerByte: UInt64 = 16
    /// Bytes that a body may take on the wire beyond those.
    static let paddingBytes: UInt64 = 16 << 10
    /// Bytes of an answer that are sent in a turn.
    static let sliceBytes = 64 << 10
    /// The time between two keep-alives of a stream's answer, in milliseconds.
    static let streamPulseMilliseconds: UInt64 = 15_000
    /// Parts of requests that wait for the answer before them. Nothing is read meanwhile.
    static let waitingParts = 1_024
    /// Bytes of a WebSocket message. The frames in it have their own limit, which is smaller.
    static let messageBytes: UInt64 = 1 << 20
    /// Control frames and frames without bytes of a WebSocket in a second. Browsers send none by themselves.
    static let emptyFrames = 100

    static var heads: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = headBytes
        limits.maxHeaderListSize = headBytes
        limits.maxHeaderFieldCount = headerFields
        return limits
    }
}
