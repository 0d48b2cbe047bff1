import MarqueeServer
import NIOCore
import NIOHTTP1

/// The body of a request as it arrives. Belongs to one event loop.
final class WebBody {
    /// A body that has arrived, perhaps packed.
    struct Content: Sendable {
        fileprivate var bytes: [UInt8] = []
        fileprivate let isPacked: Bool
        fileprivate let limit: Int
        fileprivate let room: ByteBudget.Reservation

        /// The body, unpacked. Takes long if it is packed.
        /// - Throws: the problem to answer with.
        func unpacked() throws(WebProblem) -> [UInt8] {
            isPacked ? try Gunzip.unpack(bytes, limit: limit, room: room) : bytes
        }
    }

    private(set) var content: Content

    /// - Parameters:
    ///   - limit: the most bytes of it, packed and unpacked.
    ///   - room: the reservation that grows with it.
    /// - Throws: the problem to answer with.
    init(_ headers: HTTPHeaders, limit: Int, room: ByteBudget.Reservation) throws(WebProblem) {
        let encodings = headers[canonicalForm: "content-encoding"].map { $0.lowercased() }
        let isPacked: Bool
        switch encodings {
        case [], ["identity"]: isPacked = false
        case ["gzip"], ["x-gzip"]: isPacked = true
        default: throw .encodingUnknown
        }
        if let length = headers.first(name: "content-length").flatMap({ Int($0) }), length > limit {
            throw .bodyTooLarge(limit)
        }
        content = Content(isPacked: isPacked, limit: limit, room: room)
    }

    /// - Throws: the problem to answer with.
    func append(_ bytes: ByteBuffer) throws(WebProblem) {
        guard bytes.readableBytes <= content.limit - content.bytes.count else { throw .bodyTooLarge(content.limit) }
        guard content.room.grow(by: bytes.readableBytes) else { throw .publicationsWait }
        content.bytes += bytes.readableBytesView
    }
}

extension WebProblem {
    static let encodingUnknown = WebProblem(
        status: 415, reason: "ENCODING_UNKNOWN", detail: "a body comes as it is, or with Content-Encoding: gzip",
        fields: ["Accept-Encoding": "gzip"], endsConnection: true)

    static let publicationsWait = WebProblem(
        status: 429, reason: "TOO_MANY_PUBLICATIONS", detail: "too many publications are in progress; try again",
        fields: ["Retry-After": "1"], endsConnection: true)
}
