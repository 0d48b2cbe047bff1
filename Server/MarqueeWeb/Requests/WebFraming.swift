import NIOCore
import NIOHTTP1

/// The length of a request's body, which all servers on its path have to read alike (RFC 9112 section 6): otherwise a
/// proxy may pass on as one request the bytes that the server reads as two.
enum WebFraming {
    private static let chunked = "chunked"

    /// - Throws: the problem to answer with.
    static func check(_ head: HTTPRequestHead) throws(WebProblem) {
        let lengths = head.headers["content-length"]
        guard head.headers.contains(name: "transfer-encoding") else {
            guard lengths.count <= 1 else { throw .framingUnclear }
            return
        }
        guard lengths.isEmpty, head.version == .http1_1 else { throw .framingUnclear }
        let codings = head.headers[canonicalForm: "transfer-encoding"].map { $0.lowercased() }
        if codings == [chunked] { return }
        // A body has an end only if chunked is its last coding, and applied once.
        guard codings.last == chunked, !codings.dropLast().contains(chunked) else { throw .framingUnclear }
        throw .transferCodingUnknown
    }
}

/// The body that is arriving, by its bytes on the wire and those of its content.
///
/// The decoder reads sizes and extensions of chunks and drops them, so they take no memory; but limits of a body are
/// about its content, and without a bound a client could keep a processor busy with a body that has none.
struct BodyWire {
    /// The connection's bytes when the head had arrived; `nil` between requests.
    private var start: UInt64?
    private var content: UInt64 = 0

    /// Whether a head has arrived, and not all of its body.
    var isOpen: Bool { start != nil }

    /// - Parameter received: the connection's bytes until now.
    mutating func take(_ part: HTTPServerRequestPart, received: UInt64) {
        switch part {
        case .head:
            start = received
            content = 0
        case .body(let bytes): content &+= UInt64(bytes.readableBytes)
        case .end: start = nil
        }
    }

    /// Whether far more bytes have arrived than the body has content.
    /// - Parameter received: the connection's bytes until now.
    func isPadded(received: UInt64) -> Bool {
        guard let start else { return false }
        let (wire, isBefore) = received.subtractingReportingOverflow(start)
        guard !isBefore, wire > WebBounds.paddingBytes else { return false }
        return (wire - WebBounds.paddingBytes) / WebBounds.wireBytesPerByte > content
    }
}

/// Counts the bytes that a connection receives, before they are read as requests.
final class WireCounter: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private(set) var received: UInt64 = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received &+= UInt64(unwrapInboundIn(data).readableBytes)
        context.fireChannelRead(data)
    }
}

extension WebProblem {
    static let framingUnclear = WebProblem(
        status: 400, reason: "HEAD_MALFORMED",
        detail: "the length of a body is given once: by Content-Length, or with HTTP/1.1 by Transfer-Encoding: chunked",
        endsConnection: true)

    static let transferCodingUnknown = WebProblem(
        status: 501, reason: "TRANSFER_CODING_UNKNOWN",
        detail: "the only transfer coding here is chunked; a body that is packed says so by Content-Encoding: gzip",
        endsConnection: true)

    static let bodyMalformed = WebProblem(
        status: 400, reason: "BODY_MALFORMED",
        detail: "a chunk is its size in hexadecimal digits, CR LF, so many bytes, CR LF; the last one has the size 0, "
            + "and CR LF ends the body",
        endsConnection: true)

    static let bodyPadded = WebProblem(
        status: 400, reason: "BODY_PADDED",
        detail: "a body takes at most \(WebBounds.wireBytesPerByte) bytes on the wire for each byte in it, and "
            + "\(WebBounds.paddingBytes) more; leave out the extensions of its chunks",
        endsConnection: true)
}
