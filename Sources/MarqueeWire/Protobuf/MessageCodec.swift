internal import CMarqueeProto
internal import MarqueeModel
package import NIOCore

/// Encodes messages as frames and decodes them. Stateless; decoding passes the guard and uses a capped arena.
package enum MessageCodec {
    /// The whole frame of a message. Equal messages give equal bytes.
    package static func encode(_ message: Message, flags: FrameFlags = []) -> ByteBuffer {
        var frame = pack(message)
        frame.setFrameHeader(kind: message.kind, flags: flags, bodyCheck: frame.frameBodyCheck)
        return frame
    }

    /// The whole frame of a message, which can be sent with other flags without encoding it again.
    static func encodeShared(_ message: Message, flags: FrameFlags) -> SharedFrame {
        SharedFrame(kind: message.kind, flags: flags, headerAndBody: pack(message))
    }

    /// The body of a message's frame, after space for the header.
    private static func pack(_ message: Message) -> ByteBuffer {
        switch message {
        case .hello(let hello): return pack(hello)
        case .welcome(let welcome): return pack(welcome)
        case .ping(let nonce):
            return pack(Proto.Ping.self) { ($0.has_nonce, $0.nonce) = $1.number(nonce) }
        case .pong(let nonce):
            return pack(Proto.Pong.self) { ($0.has_nonce, $0.nonce) = $1.number(nonce) }
        case .progress(let cut): return pack(Proto.Progress.self) { $0.cut = $1.message(cut) }
        case .ack(let bytes, let cut):
            return pack(Proto.Ack.self) {
                ($0.has_bytes, $0.bytes) = $1.number(bytes)
                $0.cut = $1.message(cut)
            }
        case .goAway(let status, let reconnect):
            return pack(Proto.GoAway.self) {
                $0.status = $1.message(status)
                ($0.has_reconnect_min_ms, $0.reconnect_min_ms) = $1.number(reconnect.lowerBound)
                ($0.has_reconnect_max_ms, $0.reconnect_max_ms) = $1.number(reconnect.upperBound)
            }
        case .close(let status): return pack(Proto.Close.self) { $0.status = $1.message(status) }
        case .subscribe(let subscribe): return pack(subscribe)
        case .unsubscribe(let subscription):
            return pack(Proto.Unsubscribe.self) {
                ($0.has_subscription, $0.subscription) = $1.number(subscription)
            }
        case .subscriptionError(let error): return pack(error)
        case .join(let join): return pack(join)
        case .data(let part), .stage(let part): return pack(part)
        case .nack(let nack): return pack(nack)
        case .repair(let number):
            return pack(Proto.Repair.self) { ($0.has_number, $0.number) = $1.number(number) }
        case .rebase(let rebase): return pack(rebase)
        case .manifest(let manifest): return pack(manifest)
        case .request(let request): return pack(request)
        case .answer(let answer): return pack(answer)
        case .cancel(let call):
            return pack(Proto.Cancel.self) { ($0.has_call, $0.call) = $1.number(call) }
        case .dismiss(let guest):
            return pack(Proto.Dismiss.self) { ($0.has_guest, $0.guest) = $1.number(guest) }
        case .guestEnded(let guest, let status):
            return pack(Proto.GuestEnded.self) {
                ($0.has_guest, $0.guest) = $1.number(guest)
                $0.status = $1.message(status)
            }
        case .userProgress(let progress): return pack(progress)
        case .replan(let replan): return pack(replan)
        }
    }

    private static func pack<Value: ProtobufConvertible>(_ value: Value) -> ByteBuffer {
        pack(Value.Wire.self) { value.write(to: &$0, with: $1) }
    }

    private static func pack<Wire: ProtobufMessage>(
        _ type: Wire.Type, fill: (inout Wire, Packer) -> Void
    ) -> ByteBuffer {
        Packer.pack(type, headerBytes: Frame.headerBytes, fill: fill)
    }

    /// The message of a frame.
    ///
    /// - Parameter limits: what this side stated in its hello or welcome.
    /// - Returns: `nil` for a kind unknown to this build, to be skipped.
    /// - Throws: what is wrong with the frame; close the connection with the error's `status`.
    package static func decode(_ frame: Frame, limits: WireLimits) throws(WireError) -> Message? {
        let decoder = FrameBodyDecoder(body: frame.body, limits: limits)
        switch frame.kind {
        case .hello: return .hello(try decoder.decode())
        case .welcome: return .welcome(try decoder.decode())
        case .ping:
            return try decoder.decode(Proto.Ping.self) { (wire, unpacker) throws(WireError) in
                .ping(nonce: unpacker.number(wire.has_nonce, wire.nonce) ?? 0)
            }
        case .pong:
            return try decoder.decode(Proto.Pong.self) { (wire, unpacker) throws(WireError) in
                .pong(nonce: unpacker.number(wire.has_nonce, wire.nonce) ?? 0)
            }
        case .progress:
            return try decoder.decode(Proto.Progress.self) { (wire, unpacker) throws(WireError) in
                .progress(try unpacker.required(wire.cut, "progress.cut"))
            }
        case .ack:
            return try decoder.decode(Proto.Ack.self) { (wire, unpacker) throws(WireError) in
                .ack(
                    bytes: try unpacker.required(unpacker.number(wire.has_bytes, wire.bytes), "ack.bytes"),
                    cut: try unpacker.message(wire.cut))
            }
        case .goAway: return try decoder.decode(Proto.GoAway.self, goAway)
        case .close:
            return try decoder.decode(Proto.Close.self) { (wire, unpacker) throws(WireError) in
                .close(try unpacker.required(wire.status, "close.status"))
            }
        case .subscribe: return .subscribe(try decoder.decode())
        case .unsubscribe:
            return try decoder.decode(Proto.Unsubscribe.self) { (wire, unpacker) throws(WireError) in
                .unsubscribe(
                    try unpacker.required(
                        unpacker.number(wire.has_subscription, wire.subscription), "unsubscribe.subscription"))
            }
        case .subscriptionError: return .subscriptionError(try decoder.decode())
        case .join: return .join(try decoder.decode())
        case .data: return .data(try decoder.decode())
        case .stage: return .stage(try decoder.decode())
        case .nack: return .nack(try decoder.decode())
        case .repair:
            return try decoder.decode(Proto.Repair.self) { (wire, unpacker) throws(WireError) in
                .repair(number: try unpacker.required(unpacker.number(wire.has_number, wire.number), "repair.number"))
            }
        case .rebase: return .rebase(try decoder.decode())
        case .manifest: return .manifest(try decoder.decode())
        case .request: return .request(try decoder.decode())
        case .answer: return .answer(try decoder.decode())
        case .cancel:
            return try decoder.decode(Proto.Cancel.self) { (wire, unpacker) throws(WireError) in
                .cancel(call: try unpacker.required(unpacker.number(wire.has_call, wire.call), "cancel.call"))
            }
        case .dismiss:
            return try decoder.decode(Proto.Dismiss.self) { (wire, unpacker) throws(WireError) in
                .dismiss(guest: try unpacker.required(unpacker.number(wire.has_guest, wire.guest), "dismiss.guest"))
            }
        case .guestEnded:
            return try decoder.decode(Proto.GuestEnded.self) { (wire, unpacker) throws(WireError) in
                .guestEnded(
                    guest: try unpacker.required(unpacker.number(wire.has_guest, wire.guest), "guest_ended.guest"),
                    try unpacker.required(wire.status, "guest_ended.status"))
            }
        case .userProgress: return .userProgress(try decoder.decode())
        case .replan: return .replan(try decoder.decode())
        default:
            guard !frame.flags.contains(.critical) else {
                throw WireError(.unknownCriticalKind, "frame kind \(frame.kind.rawValue) is unknown here")
            }
            return nil
        }
    }

    private static func goAway(_ wire: Proto.GoAway, _ unpacker: Unpacker) throws(WireError) -> Message {
        let lower = unpacker.number(wire.has_reconnect_min_ms, wire.reconnect_min_ms) ?? 0
        let upper = unpacker.number(wire.has_reconnect_max_ms, wire.reconnect_max_ms) ?? lower
        try unpacker.check(lower <= upper, "go_away.reconnect_min_ms is above go_away.reconnect_max_ms")
        return .goAway(try unpacker.required(wire.status, "go_away.status"), reconnectMilliseconds: lower...upper)
    }
}

extension Message {
    /// The kind of the frame that carries the message.
    package var kind: FrameKind {
        switch self {
        case .hello: .hello
        case .welcome: .welcome
        case .ping: .ping
        case .pong: .pong
        case .progress: .progress
        case .ack: .ack
        case .goAway: .goAway
        case .close: .close
        case .subscribe: .subscribe
        case .unsubscribe: .unsubscribe
        case .subscriptionError: .subscriptionError
        case .join: .join
        case .data: .data
        case .stage: .stage
        case .nack: .nack
        case .repair: .repair
        case .rebase: .rebase
        case .manifest: .manifest
        case .request: .request
        case .answer: .answer
        case .cancel: .cancel
        case .dismiss: .dismiss
        case .guestEnded: .guestEnded
        case .userProgress: .userProgress
        case .replan: .replan
        }
    }
}

/// Guards, unpacks and reads the body of one frame.
private struct FrameBodyDecoder {
    let body: ByteBuffer
    let limits: WireLimits

    func decode<Value: ProtobufConvertible>() throws(WireError) -> Value {
        try decode(Value.Wire.self, Value.read)
    }

    func decode<Wire: ProtobufMessage, Result>(
        _ type: Wire.Type, _ read: (Wire, Unpacker) throws(WireError) -> Result
    ) throws(WireError) -> Result {
        try body.withUnsafeReadableBytes { (bytes) throws(WireError) in
            try Unpacker.decode(type, bytes, guardedBy: GuardLimits(limits), limits: limits, read)
        }
    }
}
