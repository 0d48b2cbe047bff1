import MarqueeDiff
import MarqueeScreenJSON
import MarqueeServer
import NIOCore
import Synchronization

/// Server-sent events about screens: the text from a state, or from nothing, to another is made once, however many
/// clients on however many event loops read it. Thread safe.
///
/// A text is one chunk of a response by HTTP/1.1.
final class EventTexts: Sendable {
    private struct Key: Hashable {
        let screen: String
        let locale: String
        let base: String
        let target: String
    }

    /// A text that somebody makes, and others wait for.
    private final class Entry: Sendable {
        private let text = Mutex<ByteBuffer?>(nil)

        func text(making: () -> ByteBuffer) -> ByteBuffer {
            text.withLock { text in
                if let text { return text }
                let made = making()
                text = made
                return made
            }
        }
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var order: [Key] = []
        var next = 0
    }

    /// The most texts that are remembered: event loops reach the same state at about the same time.
    private static let maximumTexts = 64

    private let state = Mutex(State())

    func text(from base: FeedState?, to target: FeedState) -> ByteBuffer {
        let id = EventID.text(target)
        let key = Key(
            screen: target.screen, locale: target.locale, base: base.map(EventID.text) ?? "", target: id)
        let entry = state.withLock { state in
            if let known = state.entries[key] { return known }
            let entry = Entry()
            state.entries[key] = entry
            if state.order.count < Self.maximumTexts {
                state.order.append(key)
            } else {
                state.entries[state.order[state.next]] = nil
                state.order[state.next] = key
                state.next = (state.next + 1) % Self.maximumTexts
            }
            return entry
        }
        return entry.text { Self.make(from: base, to: target, id: id) }
    }

    /// - Returns: nothing if a client with the base sees no difference.
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

    /// Says that a stream has ended.
    static let lastChunk = ByteBuffer(string: "0\r\n\r\n")
}
