import MarqueeModel
import MarqueeScreenJSON
import Synchronization

/// Items as JSON: the text of an item is made once for the screens that show it and for the commits that leave it as it
/// is, so that a commit which changes one row of a thousand costs one text. Thread safe.
final class ItemTexts: Sendable {
    /// Bytes of the items and texts of a generation. Items of the last generation that are requested again move to the
    /// next one.
    private let generationBytes: Int
    /// Bytes that an entry takes beyond its item's body and its text.
    private static let entryBytes = 160

    /// An item, hashed by its bytes at once.
    private struct Key: Hashable {
        let item: Item

        func hash(into hasher: inout Hasher) {
            hasher.combine(item.id)
            hasher.combine(item.kind)
            item.body.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }

    private struct Generations {
        var newer: [Key: String] = [:]
        var older: [Key: String] = [:]
        var bytes = 0
    }

    private let generations = Mutex(Generations())

    init(generationBytes: Int = 8 << 20) { self.generationBytes = generationBytes }

    func document(of item: Item) -> JSONDocument {
        let key = Key(item: item)
        let (known, earlier) = generations.withLock { generations in
            let known = generations.newer[key]
            return (known, known == nil ? generations.older[key] : nil)
        }
        if let known { return .written(known) }
        let text = earlier ?? WebText.item(item).line()
        generations.withLock { generations in
            generations.newer[key] = text
            generations.bytes += item.body.count + text.utf8.count + Self.entryBytes
            guard generations.bytes > generationBytes else { return }
            generations.older = generations.newer
            generations.newer = [:]
            generations.bytes = 0
        }
        return .written(text)
    }
}
