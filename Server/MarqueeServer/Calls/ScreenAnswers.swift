import MarqueeModel
import MarqueeWire

/// Answers with whole screens: each is encoded once, however many clients ask for it. Thread safe.
final class ScreenAnswers: Sendable {
    /// Contents are named by their sums, as everywhere.
    private struct Key: Hashable {
        struct Content: Hashable {
            let section: String
            let sum: UInt64
        }

        let screen: String
        let locale: String
        let cut: Cut
        let view: UInt64
        let sections: [Content]

        init(_ answer: GetScreenAnswer) {
            screen = answer.screen
            locale = answer.locale
            cut = answer.cut
            view = answer.view.sum
            sections = answer.sections.map { Content(section: $0.id, sum: $0.sum) }
        }
    }

    private let bodies = SharedMemo<Key, [UInt8]>(values: 64, bytes: 16 << 20) { $0.count }

    func body(of answer: GetScreenAnswer) -> [UInt8] {
        bodies.value(of: Key(answer)) { CallBodyCodec.encode(answer) }
    }
}
