import MarqueeServer
import NIOCore
import NIOHTTP1

/// The body of a request as it arrives. Belongs to one event loop.
final class WebBody {
    private let limit: Int
    /// Room among the publications that arrive.
    private let room: ByteBudget.Reservation
    private let gunzip: Gunzip?
    private var plain: [UInt8] = []

    /// - Parameters:
    ///   - limit: the most bytes of it, unpacked.
    ///   - room: grows with it.
    /// - Throws: the problem to answer with.
    init(_ headers: HTTPHeaders, limit: Int, room: ByteBudget.Reservation) throws(WebProblem) {
        let encodings = headers[canonicalForm: "content-encoding"].map { $0.lowercased() }
        switch encodings {
        case [], ["identity"]: gunzip = nil
        case ["gzip"], ["x-gzip"]: gunzip = Gunzip(limit: limit)
        default: throw .encodingUnknown
        }
        if let length = headers.first(name: "content-length").flatMap({ Int($0) }), length > limit {
            throw .bodyTooLarge(limit)
        }
        self.limit = limit
        self.room = room
    }

    /// - Throws: the problem to answer with.
    func append(_ bytes: ByteBuffer) throws(WebProblem) {
        let before = count
        if let gunzip {
            try gunzip.append(bytes)
        } else {
            guard bytes.readableBytes <= limit - plain.count else { throw .bodyTooLarge(limit) }
            plain += bytes.readableBytesView
        }
        guard room.grow(by: count - before) else { throw .publicationsWait }
    }

    private var count: Int { gunzip?.unpacked.count ?? plain.count }

    /// The whole body.
    /// - Throws: the problem to answer with.
    func end() throws(WebProblem) -> [UInt8] { try gunzip?.end() ?? plain }
}

extension WebProblem {
    static let encodingUnknown = WebProblem(
        status: 415, reason: "ENCODING_UNKNOWN", detail: "a body comes as it is, or with Content-Encoding: gzip",
        fields: ["Accept-Encoding": "gzip"], endsConnection: true)

    static let publicationsWait = WebProblem(
        status: 429, reason: "TOO_MANY_PUBLICATIONS", detail: "too many publications are in progress; try again",
        fields: ["Retry-After": "1"], endsConnection: true)
}
