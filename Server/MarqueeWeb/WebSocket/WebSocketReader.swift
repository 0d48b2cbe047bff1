import NIOCore
import NIOWebSocket

/// Reads what a client sends over a WebSocket (RFC 6455 section 5): the bytes of its binary messages as they come, and
/// control frames. Holds no message: where one begins and ends means nothing, as the protocol's frames have lengths of
/// their own.
struct WebSocketReader {
    enum Event: Equatable {
        /// Bytes of a message.
        case bytes(ByteBuffer)
        case ping(ByteBuffer)
        /// The client has ended its direction.
        case close(WebSocketErrorCode)
    }

    /// A frame whose header has been read.
    private struct Open {
        var opcode: WebSocketOpcode
        var mask: WebSocketMaskingKey
        var length: UInt64
        /// Bytes of it that have been read.
        var done: UInt64 = 0
    }

    private enum State {
        case header
        case payload(Open)
        case closed
    }

    private static let controlBytes: UInt64 = 125
    private static let maskBytes = 4

    private let messageBytes: UInt64
    private let emptyFrames: Int
    /// Frames without content that are still accepted before `renew`.
    private var emptyFramesLeft: Int
    private var received = ByteBuffer()
    private var state = State.header
    /// Whether a message has begun and not ended.
    private var isWithinMessage = false
    /// Bytes of that message, with those that are still to come of its last fragment.
    private var length: UInt64 = 0

    /// - Parameters:
    ///   - messageBytes: the most bytes of a message.
    ///   - emptyFrames: the most control frames and frames without bytes between two calls of `renew`.
    init(messageBytes: UInt64, emptyFrames: Int) {
        self.messageBytes = messageBytes
        self.emptyFrames = emptyFrames
        emptyFramesLeft = emptyFrames
    }

    /// Whether the client has ended its direction.
    var isClosed: Bool {
        if case .closed = state { true } else { false }
    }

    /// Accepts as many frames without content as at the beginning.
    mutating func renew() { emptyFramesLeft = emptyFrames }

    mutating func append(_ bytes: ByteBuffer) {
        var bytes = bytes
        if received.readableBytes == 0 { received = bytes } else { received.writeBuffer(&bytes) }
    }

    /// The next event of what was received; `nil` if that isn't whole.
    /// - Throws: why the connection has to be closed.
    mutating func next() throws(WebSocketRefusal) -> Event? {
        while true {
            switch state {
            case .closed: return nil
            case .header:
                guard let open = try readHeader() else { return nil }
                state = .payload(open)
            case .payload(let open):
                let isControl = open.opcode.isControlOpcode
                guard let event = isControl ? try readControl(open) : readBytes(open) else { return nil }
                if case .some(let event) = event { return event }
            }
        }
    }

    // MARK: - Headers

    private mutating func readHeader() throws(WebSocketRefusal) -> Open? {
        var rest = received
        guard let first: UInt8 = rest.readInteger(), let second: UInt8 = rest.readInteger() else { return nil }
        // No extension was negotiated that would use them.
        guard first & 0x70 == 0 else { throw .reservedBits }
        guard second & 0x80 != 0 else { throw .unmasked }
        let opcode = WebSocketOpcode(encodedWebSocketOpcode: first & 0x0F)
        try check(opcode, isFinal: first & 0x80 != 0, short: second & 0x7F)
        guard let length = try Self.readLength(second & 0x7F, &rest) else { return nil }
        if opcode?.isControlOpcode == false {
            let (whole, isOver) = (isWithinMessage ? self.length : 0).addingReportingOverflow(length)
            guard !isOver, whole <= messageBytes else { throw .tooLarge(messageBytes) }
        }
        guard let opcode, let mask = rest.readBytes(length: Self.maskBytes).flatMap(WebSocketMaskingKey.init) else {
            return nil
        }
        received = rest
        if opcode.isControlOpcode || length == 0 {
            guard emptyFramesLeft > 0 else { throw .tooManyEmptyFrames }
            emptyFramesLeft -= 1
        }
        if !opcode.isControlOpcode {
            self.length = (isWithinMessage ? self.length : 0) + length
            isWithinMessage = first & 0x80 == 0
        }
        return Open(opcode: opcode, mask: mask, length: length)
    }

    /// Checks the kind of a frame against what came before.
    private func check(_ opcode: WebSocketOpcode?, isFinal: Bool, short: UInt8) throws(WebSocketRefusal) {
        switch opcode {
        case .text?: throw .text
        case .binary?: if isWithinMessage { throw .fragments }
        case .continuation?: if !isWithinMessage { throw .fragments }
        case .connectionClose?, .ping?, .pong?:
            guard isFinal, UInt64(short) <= Self.controlBytes else { throw .controlFrame }
        default: throw .opcode
        }
    }

    /// - Returns: `nil` while it isn't whole.
    private static func readLength(_ short: UInt8, _ rest: inout ByteBuffer) throws(WebSocketRefusal) -> UInt64? {
        switch short {
        case 126:
            guard let length: UInt16 = rest.readInteger() else { return nil }
            guard length > 125 else { throw .length }
            return UInt64(length)
        case 127:
            guard let length: UInt64 = rest.readInteger() else { return nil }
            guard length > UInt16.max, length <= UInt64(Int64.max) else { throw .length }
            return length
        default: return UInt64(short)
        }
    }

    // MARK: - Payloads

    /// - Returns: `nil` if there is nothing to read, `.some(nil)` if it calls for no event.
    private mutating func readControl(_ open: Open) throws(WebSocketRefusal) -> Event?? {
        guard var payload = take(Int(open.length)) else { return nil }
        payload.webSocketUnmask(open.mask)
        state = .header
        switch open.opcode {
        case .ping: return .ping(payload)
        case .connectionClose:
            state = .closed
            return .close(try Self.readClose(payload))
        default: return .some(nil)
        }
    }

    /// The code of a close frame. A frame without a body is a normal closure.
    private static func readClose(_ payload: ByteBuffer) throws(WebSocketRefusal) -> WebSocketErrorCode {
        var payload = payload
        guard payload.readableBytes > 0 else { return .normalClosure }
        guard let code = payload.readWebSocketErrorCode(), isSendable(UInt16(webSocketErrorCode: code)) else {
            throw .closeCode
        }
        guard String(validating: payload.readableBytesView, as: UTF8.self) != nil else { throw .closeReason }
        return code
    }

    /// Whether a close frame may carry a code (RFC 6455 section 7.4, and what was registered since): some only say how
    /// a connection ended, and others are reserved.
    private static func isSendable(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    private mutating func take(_ count: Int) -> ByteBuffer? {
        guard let bytes = received.readSlice(length: count) else { return nil }
        // Otherwise an idle connection would keep its last receive buffer alive.
        if received.readableBytes == 0 { received = ByteBuffer() }
        return bytes
    }

    private mutating func readBytes(_ open: Open) -> Event?? {
        let left = open.length - open.done
        guard left > 0 else {
            state = .header
            return .some(nil)
        }
        let count = Int(min(left, UInt64(received.readableBytes)))
        guard count > 0, var payload = take(count) else { return nil }
        payload.webSocketUnmask(open.mask, indexOffset: Int(open.done % UInt64(Self.maskBytes)))
        var open = open
        open.done += UInt64(count)
        state = open.done == open.length ? .header : .payload(open)
        return .bytes(payload)
    }
}

/// The reason why a WebSocket is closed by the server, as its close frame says it.
struct WebSocketRefusal: Error, Equatable {
    var code: WebSocketErrorCode
    /// At most 123 bytes.
    var reason: String

    static let text = WebSocketRefusal(code: .unacceptableData, reason: "send binary messages, not text")
    static let unmasked = WebSocketRefusal(code: .protocolError, reason: "a client masks its frames")
    static let reservedBits = WebSocketRefusal(code: .protocolError, reason: "no extension was negotiated")
    static let fragments = WebSocketRefusal(
        code: .protocolError, reason: "a message begins before the last one ended, or never did")
    static let controlFrame = WebSocketRefusal(
        code: .protocolError, reason: "a control frame is whole and has at most 125 bytes")
    static let closeCode = WebSocketRefusal(
        code: .protocolError, reason: "a close frame is empty or begins with a code that may be sent")
    static let closeReason = WebSocketRefusal(
        code: .dataInconsistentWithMessage, reason: "the reason in a close frame is UTF-8")
    static let opcode = WebSocketRefusal(code: .protocolError, reason: "unknown opcode")
    static let length = WebSocketRefusal(code: .protocolError, reason: "a length is written as short as possible")

    static let tooManyEmptyFrames = WebSocketRefusal(
        code: .policyViolation, reason: "too many pings, pongs or frames without bytes in a second")

    static func tooLarge(_ limit: UInt64) -> WebSocketRefusal {
        WebSocketRefusal(code: .messageTooLarge, reason: "a message has at most \(limit) bytes; send several")
    }
}
