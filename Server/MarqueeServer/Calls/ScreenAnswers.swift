import MarqueeModel
import MarqueeWire

/// Encodes answers of whole screens. A content is encoded once, no matter how many clients ask for it and how many
/// commits leave it unchanged. Thread safe.
final class ScreenAnswers: Sendable {
    /// Contents are identified by their sums, as everywhere.
    private struct Key: Hashable {
        struct Content: Hashable {
            let section: String
            let sum: UInt64
        }

        let view: UInt64
        let sections: [Content]

        init(_ answer: GetScreenAnswer) {
            view = answer.view.sum
            sections = answer.sections.map { Content(section: $0.id, sum: $0.sum) }
        }
    }

    private let contents = SharedMemo<Key, [UInt8]>(values: 64, bytes: 8 << 20) { $0.count }

    /// The encoded answer.
    func body(of answer: GetScreenAnswer) -> [UInt8] {
        let content = contents.value(of: Key(answer)) { Self.content(of: CallBodyCodec.encode(answer)) }
        var place = answer
        place.view = ScreenContent(id: "", head: [], items: [], sum: 0)
        place.sections = []
        // The fields of a message may be encoded separately and concatenated.
        let encoded = CallBodyCodec.encode(place)
        return Array(encoded.dropLast(Self.content(of: encoded).count)) + content
    }

    private static func content(of body: [UInt8]) -> [UInt8] {
        Array(body.dropFirst(CallBodyCodec.contentOffset(ofGetScreenAnswer: body) ?? 0))
    }
}
