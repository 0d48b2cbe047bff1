import MarqueeDiff
import MarqueeScreenJSON
import MarqueeServer
import NIOCore

/// Server-sent events about screens: the text that leads from one state, or from none, to another is made once, however
/// many clients on however many event loops read it. Thread safe.
///
/// A text is one chunk of an HTTP/1.1 response.
final class EventTexts: Sendable {
    private struct Key: Hashable {
        let screen: String
        let locale: String
        let base: String
        let target: String
    }

    /// Event loops reach the same state at about the same time.
    private let texts = SharedMemo<Key, ByteBuffer>(values: 64, bytes: 32 << 20) { $0.readableBytes }

    func text(from base: FeedState?, to target: FeedState) -> ByteBuffer {
        let id = EventID.text(target)
        let key = Key(
            screen: target.screen, locale: target.locale, base: base.map(EventID.text) ?? "", target: id)
        return texts.value(of: key) { Self.make(from: base, to: target, id: id) }
    }

    /// - Returns: an empty text if a client with the base sees no difference.
    private static func make(from base: FeedState?, to target: FeedState, id: String) -> ByteBuffer {
        guard let base, base.list.head == target.list.head else {
            return event("screen", WebText.snapshot(target), id: id)
        }
        let operations = ScreenOperations.between(base, target)
        return operations.isEmpty ? ByteBuffer() : event("update", WebText.update(target, operations), id: id)
    }

    private static func event(_ name: String, _ document: JSONDocument, id: String) -> ByteBuffer {
        chunk("id: \(id)\nevent: \(name)\ndata: \(document.line())\n\n")
    }

    /// The problem that ends a stream, which its client may show.
    static func end(_ problem: WebProblem) -> ByteBuffer {
        chunk("event: problem\ndata: \(problem.document().line())\n\n")
    }

    /// Text as a chunk of a response.
    static func chunk(_ text: String) -> ByteBuffer {
        let size = String(text.utf8.count, radix: 16)
        return ByteBuffer(string: "\(size)\r\n\(text)\r\n")
    }

    /// The chunk that ends a stream.
    static let lastChunk = ByteBuffer(string: "0\r\n\r\n")
}
