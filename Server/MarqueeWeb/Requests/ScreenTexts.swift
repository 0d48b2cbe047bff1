import Foundation
import MarqueeScreenJSON
import MarqueeServer
import MarqueeWire
import NIOCore

/// Whole screens as JSON: the text of a screen as it is now is made once, however many clients ask for it. Thread safe.
final class ScreenTexts: Sendable {
    /// The server's answer that a text is made of.
    private struct Body: Hashable {
        /// The bytes at its beginning that tell most bodies apart: the position is among them.
        private static let sampleBytes = 256

        let bytes: [UInt8]

        static func == (first: Body, second: Body) -> Bool {
            first.bytes.withUnsafeBytes { first in
                second.bytes.withUnsafeBytes { second in
                    guard first.count == second.count else { return false }
                    guard let one = first.baseAddress, let other = second.baseAddress, one != other else { return true }
                    return memcmp(one, other, first.count) == 0
                }
            }
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(bytes.count)
            bytes.withUnsafeBytes {
                hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: $0.prefix(Self.sampleBytes)))
            }
        }
    }

    private struct Screen {
        let tag: String
        let text: ByteBuffer
        let bodyBytes: Int
    }

    private let screens = SharedMemo<Body, Screen>(values: 64, bytes: 32 << 20) { $0.text.readableBytes + $0.bodyBytes }

    /// - Parameter body: the answer to `GET_SCREEN`.
    /// - Returns: the screen's entity tag, and the screen in a line.
    func text(of body: [UInt8]) throws(WireError) -> (tag: String, text: ByteBuffer) {
        let screen = try screens.value(of: Body(bytes: body)) { () throws(WireError) in
            let screen = try CallBodyCodec.decodeGetScreenAnswer(body)
            return Screen(
                // Weak: the same content may come with a newer revision.
                tag: "W/\"\(ContentJSON.hexadecimal(WebText.sum(screen)))\"",
                text: ByteBuffer(string: WebText.snapshot(screen).line() + "\n"), bodyBytes: body.count)
        }
        return (screen.tag, screen.text)
    }
}
