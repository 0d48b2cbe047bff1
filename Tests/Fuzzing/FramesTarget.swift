import Foundation
import MarqueeDiff
import MarqueeModel
import MarqueeWire
import NIOCore

extension FuzzTarget {
    /// Frames and messages. The first byte says how to read the rest: as a stream, whose frames mustn't depend on how
    /// it is cut into chunks; or as a frame's body or a call's, which has to survive being encoded again.
    static let frames = FuzzTarget(name: "frames", maximumBytes: 16 << 10, seeds: FrameFuzzing.seeds) { bytes in
        var input = FuzzInput(bytes)
        switch input.below(FrameFuzzing.ways) {
        case 0: FrameFuzzing.judgeStream(chunk: 1 + input.below(64), input.remainder())
        case 1: FrameFuzzing.judgeMessage(&input, limits: .server)
        case 2: FrameFuzzing.judgeMessage(&input, limits: .client)
        case 3: FrameFuzzing.judgeCallBody(method: input.byte(), input.remainder())
        default: FrameFuzzing.judgeItemBody(kind: input.short(), input.remainder())
        }
    }
}

private enum FrameFuzzing {
    /// The ways in which the first byte chooses to read the rest.
    static let ways = 5

    // MARK: - Streams

    /// A decoder's reading of a stream.
    private struct Reading: Equatable {
        var frames: [Frame] = []
        var failure: WireError?
    }

    private static func read(_ stream: [UInt8], chunk: Int) -> Reading {
        var decoder = FrameDecoder(maximumLength: WireLimits.server.frameBytes)
        var reading = Reading()
        var fed = 0
        while fed < stream.count, reading.failure == nil {
            let next = min(stream.count, fed + chunk)
            decoder.append(ByteBuffer(bytes: stream[fed..<next]))
            fed = next
            do throws(WireError) {
                while let frame = try decoder.next() { reading.frames.append(frame) }
            } catch {
                reading.failure = error
            }
        }
        let whole = reading.frames.reduce(0) { $0 + $1.wireBytes }
        if reading.failure == nil { require(decoder.pendingBytes == stream.count - whole) }
        return reading
    }

    static func judgeStream(chunk: Int, _ stream: [UInt8]) {
        let reading = read(stream, chunk: stream.count)
        require(read(stream, chunk: chunk) == reading)
        for frame in reading.frames {
            require(frame.wireBytes <= Frame.lengthBytes + Int(WireLimits.server.frameBytes))
            judge(frame, limits: .server)
        }
    }

    // MARK: - Messages

    static func judgeMessage(_ input: inout FuzzInput, limits: WireLimits) {
        let (kind, flags) = (FrameKind(rawValue: UInt16(input.byte())), FrameFlags(rawValue: UInt16(input.byte())))
        let frame = Frame(kind: kind, flags: flags, body: ByteBuffer(bytes: input.remainder()))
        var wire = ByteBuffer()
        wire.writeFrame(frame)
        var decoder = FrameDecoder(maximumLength: Frame.maximumLength)
        decoder.append(wire)
        require((try? decoder.next()) == frame, "a frame that was written is read")
        judge(frame, limits: limits)
    }

    /// A message that was decoded is decoded again from its own bytes, and these are the only ones for it.
    private static func judge(_ frame: Frame, limits: WireLimits) {
        guard let message = try? MessageCodec.decode(frame, limits: limits) else { return }
        require(message.kind == frame.kind)
        let encoded = MessageCodec.encode(message, flags: frame.flags)
        var decoder = FrameDecoder(maximumLength: Frame.maximumLength)
        decoder.append(encoded)
        guard let again = try? decoder.next(), let same = try? MessageCodec.decode(again, limits: limits) else {
            fatalError("a decoded message is decoded again: \(message)")
        }
        require(MessageCodec.encode(same, flags: frame.flags) == encoded, "\(message) and \(same)")
    }

    // MARK: - Bodies

    static func judgeCallBody(method: UInt8, _ body: [UInt8]) {
        func judge<Value>(
            _ decode: ([UInt8]) throws(WireError) -> Value, _ encode: (Value) -> [UInt8]
        ) {
            guard let value = try? decode(body) else { return }
            let bytes = encode(value)
            guard let again = try? decode(bytes) else { fatalError("\(value) is decoded again") }
            require(encode(again) == bytes, "\(value) and \(again)")
        }
        switch method % 9 {
        case 0:
            judge { (bytes) throws(WireError) in
                try CallBodyCodec.decodeDescribeRequest(bytes, limits: .server)
            } _: {
                CallBodyCodec.encodeDescribeRequest(locale: $0)
            }
        case 1:
            judge { (bytes) throws(WireError) in
                try CallBodyCodec.decodeGetScreenRequest(bytes, limits: .server)
            } _: {
                CallBodyCodec.encode($0)
            }
        case 2:
            judge { (bytes) throws(WireError) in
                try CallBodyCodec.decodeSearchRequest(bytes, limits: .server)
            } _: {
                CallBodyCodec.encode($0)
            }
        case 3:
            judge { (bytes) throws(WireError) in
                try CallBodyCodec.decodeCollectionRequest(bytes, limits: .server)
            } _: {
                CallBodyCodec.encode($0)
            }
        case 4:
            judge { (bytes) throws(WireError) in
                try CallBodyCodec.decodePublishRequest(bytes, limits: .server)
            } _: {
                CallBodyCodec.encode($0)
            }
        case 5:
            judge { (bytes) throws(WireError) in
                try CallBodyCodec.decodeGetScreenAnswer(bytes, limits: .client)
            } _: {
                CallBodyCodec.encode($0)
            }
        case 6:
            judge { (bytes) throws(WireError) in
                try CallBodyCodec.decodeSearchAnswer(bytes, limits: .client)
            } _: {
                CallBodyCodec.encode($0)
            }
        case 7:
            judge { (bytes) throws(WireError) in
                try CallBodyCodec.decodeMutationAnswer(bytes, limits: .client)
            } _: {
                CallBodyCodec.encode($0)
            }
        default:
            judge { (bytes) throws(WireError) in
                try CallBodyCodec.decodeDescribeAnswer(bytes, limits: .client)
            } _: {
                CallBodyCodec.encode($0)
            }
        }
    }

    /// Requires that an item or a head, once a client has read it and written it again, is canonical.
    static func judgeItemBody(kind: UInt16, _ body: [UInt8]) {
        _ = BodyCodec.decode(kind: ItemKind(rawValue: UInt32(kind)), bytes: body)
        if let head = BodyCodec.decodeSectionHead(body) {
            let bytes = BodyCodec.encode(head)
            require(CanonicalBody.isCanonical(bytes) || bytes.count > CanonicalBody.maximumLength)
            require(BodyCodec.decodeSectionHead(bytes).map { BodyCodec.encode($0) } == bytes, "\(head)")
        }
        if let head = BodyCodec.decodeViewHead(body) {
            require(BodyCodec.decodeViewHead(BodyCodec.encode(head)) == head)
        }
        if let reference = BodyCodec.decodeSectionReference(body) {
            require(BodyCodec.decodeSectionReference(BodyCodec.encode(reference)) == reference)
        }
    }

    // MARK: - Seeds

    private struct Vectors: Decodable {
        struct Frame: Decodable { var frame: String }
        struct Body: Decodable {
            var body: String
            var kind: UInt16?
        }
        var frames: [Frame]
        var bodies: [Body]
    }

    @Sendable static func seeds() throws -> [[UInt8]] {
        let vectors = try JSONDecoder().decode(
            Vectors.self, from: Data(RepositoryFiles.bytes("Proto/vectors/frames.json")))
        let frames = vectors.frames.map { bytes(hex: $0.frame) }
        var seeds = [[0, 7] + frames.prefix(12).joined()]
        for frame in frames where frame.count >= Frame.headerBytes {
            for way in [UInt8(1), 2] { seeds.append([way, frame[5], frame[7]] + frame.dropFirst(Frame.headerBytes)) }
        }
        for body in vectors.bodies {
            var seed = FuzzSeed()
            seed.byte(4)
            seed.short(body.kind ?? 0)
            seed.remainder(bytes(hex: body.body))
            seeds.append(seed.bytes)
        }
        return seeds + callBodies().map { [3] + $0 }
    }

    /// Bodies of calls, each after its method.
    private static func callBodies() -> [[UInt8]] {
        let cut = Cut(catalogueEpoch: 7, catalogueRevision: 42, userEpoch: 9, userRevision: 7)
        let item = Item(id: "27205", kind: .card, subject: "movie/27205", body: [8, 1])
        let content = ScreenContent(id: "rank", head: [8, 1], items: [item], sum: 5)
        return [
            [0] + CallBodyCodec.encodeDescribeRequest(locale: "ko"),
            [1]
                + CallBodyCodec.encode(
                    GetScreenRequest(
                        screen: "home", locale: "en",
                        sections: [SectionParameters(section: "rank", sort: "title", window: 5)])),
            [2] + CallBodyCodec.encode(SearchRequest(query: "dark", queryID: 3, page: 2, locale: "en")),
            [5]
                + CallBodyCodec.encode(
                    GetScreenAnswer(screen: "home", locale: "en", cut: cut, view: content, sections: [content])),
        ]
    }

    private static func bytes(hex: String) -> [UInt8] {
        let digits = hex.utf8.compactMap { UInt8(exactly: Character(UnicodeScalar($0)).hexDigitValue ?? 0) }
        return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
