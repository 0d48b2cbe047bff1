import Crypto
import Foundation
import NIOHTTP1

/// The opening handshake of a WebSocket, from the server's side (RFC 6455 section 4.2).
enum WebSocketHandshake {
    /// The name of the protocol's frames in binary messages.
    static let subprotocol = "marquee.v1"
    private static let version = "13"
    private static let keyBytes = 16
    private static let suffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

    /// Answers a request to connect.
    /// - Returns: the header fields of the response with which the connection becomes a WebSocket.
    /// - Throws: the problem to answer with.
    static func accept(_ head: HTTPRequestHead) throws(WebProblem) -> HTTPHeaders {
        guard head.version == .http1_1, words(head, "upgrade").contains("websocket"),
            words(head, "connection").contains("upgrade"), head.headers["sec-websocket-version"] == [version]
        else { throw .upgradeRequired }
        let keys = head.headers["sec-websocket-key"]
        guard keys.count == 1, Data(base64Encoded: keys[0])?.count == keyBytes else { throw .keyInvalid }
        guard head.headers[canonicalForm: "sec-websocket-protocol"].contains(Substring(subprotocol)) else {
            throw .subprotocolMissing
        }
        let digest = Insecure.SHA1.hash(data: Data((keys[0] + suffix).utf8))
        return [
            "Upgrade": "websocket", "Connection": "Upgrade",
            "Sec-WebSocket-Accept": Data(digest).base64EncodedString(), "Sec-WebSocket-Protocol": subprotocol,
        ]
    }

    private static func words(_ head: HTTPRequestHead, _ name: String) -> Set<String> {
        Set(head.headers[canonicalForm: name].map { $0.lowercased() })
    }
}
