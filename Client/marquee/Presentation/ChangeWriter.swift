import MarqueeClient
import MarqueeModel

/// The changes from one state of a screen to the next, in words for a person.
struct ChangeWriter {
    /// Maximum columns of a line.
    var columns: Int
    /// Maximum lines about a section's items; 0 for all.
    var rows: Int
    var style: TextStyle

    /// A line that names the revision, then a line per change; only the first if nothing changed that a terminal can
    /// show.
    func lines(_ difference: ScreenDifference, to new: Screen, note: String = "") -> [String] {
        var entries: [String] = []
        var items: [String: [ItemChange]] = [:]
        let offsets = new.sections.offsets
        func place(_ index: Int, _ section: String) -> Int { index + offsets[section, default: 0] }
        for operation in difference.operations {
            switch operation {
            case .sectionDelete(let section, _): entries.append("section '\(section.id)' removed")
            case .sectionInsert(let section, let to):
                let count = Words.count(section.items.count, "item")
                entries.append("section '\(section.id)' added at \(to + 1), \(count)")
            case .sectionMove(let section, let from, let to):
                entries.append("section '\(section.id)' moved \(from + 1) → \(to + 1)")
            case .sectionUpdate(let old, let new, _):
                entries.append("section '\(new.id)': \(Self.words(from: old.head, to: new.head))")
            case .delete(let item, let section, let from):
                items[section, default: []].append(ItemChange(item, .gone(place(from, section))))
            case .insert(let item, let section, let to):
                items[section, default: []].append(ItemChange(item, .new(place(to, section))))
            // Others moved past it; its own place is the same.
            case .move(_, _, let from, let to) where from == to: break
            case .move(let item, let section, let from, let to):
                items[section, default: []].append(
                    ItemChange(item, .moved(place(from, section), place(to, section))))
            case .update(let old, let new, let section, let to):
                let fields = ContentWords.changes(from: old.content, to: new.content)
                if let last = items[section]?.indices.last, items[section]?[last].item == new {
                    items[section]?[last].fields = fields
                } else {
                    // A mark alone is reported once for the whole screen.
                    let onlyMark = fields.isEmpty && old.favorite != new.favorite
                    if !onlyMark {
                        items[section, default: []].append(
                            ItemChange(new, .updated(place(to, section)), fields))
                    }
                }
            }
        }
        for section in new.sections { entries += lines(of: items[section.id] ?? [], in: section.id) }
        entries += favorites(difference)
        let head = "[rev \(new.revision.catalogueRevision)] \(Sanitizer.line(new.id.name))"
        let first = note.isEmpty ? head : "\(head) \(note)"
        return [style.bold(TextWidth.truncate(first, to: columns))]
            + entries.map { TextWidth.truncate("  \(Sanitizer.line($0))", to: columns) }
    }

    // MARK: - Items

    private struct ItemChange {
        enum Kind {
            case gone(Int)
            case new(Int)
            case moved(Int, Int)
            case updated(Int)
        }

        var item: ScreenItem
        var kind: Kind
        var fields: [String] = []

        init(_ item: ScreenItem, _ kind: Kind, _ fields: [String] = []) {
            self.item = item
            self.kind = kind
            self.fields = fields
        }

        var words: String {
            let title = ItemText(item).title
            let fields = self.fields.joined(separator: ", ")
            switch kind {
            case .gone(let from): return "gone \(title) (was \(from + 1))"
            case .new(let to): return "new at \(to + 1) \(title)"
            case .moved(let from, let to):
                return "moved \(from + 1) → \(to + 1) \(title)" + (fields.isEmpty ? "" : ", \(fields)")
            case .updated(let to):
                return fields.isEmpty ? "\(title) at \(to + 1) changed" : "\(title) \(fields)"
            }
        }

        /// The changes that a person looks for first.
        var order: Int {
            switch kind {
            case .moved: 0
            case .new: 1
            case .gone: 2
            case .updated: 3
            }
        }
    }

    private func lines(of changes: [ItemChange], in section: String) -> [String] {
        let sorted = (0...3).flatMap { order in changes.filter { $0.order == order } }
        let shown = sorted.prefix(rows > 0 ? rows : Int.max)
        let rest = sorted.count - shown.count
        return shown.map { "\(section): \($0.words)" }
            + (rest > 0 ? ["\(section): +\(Words.number(rest)) more"] : [])
    }

    // MARK: - Favorites

    /// Each subject once, however many sections show it.
    private func favorites(_ difference: ScreenDifference) -> [String] {
        var seen: Set<Subject> = []
        return difference.operations.compactMap { operation in
            guard case .update(let old, let new, _, _) = operation, old.favorite != new.favorite,
                let subject = new.subject, seen.insert(subject).inserted
            else { return nil }
            let title = ItemText(new).title
            switch (old.favorite, new.favorite) {
            case (_, .pendingYes): return "♡ \(title) added (pending)"
            case (_, .pendingNo): return "♡ \(title) removed (pending)"
            case (.pendingYes, .yes): return "♥ \(title) confirmed"
            case (.pendingNo, .yes): return "♥ \(title) kept"
            case (_, .yes): return "♥ \(title) added"
            case (.pendingNo, .no): return "♡ \(title) removal confirmed"
            case (_, .no): return "♡ \(title) removed"
            }
        }
    }

    // MARK: - Sections

    private static func words(from old: SectionHead, to new: SectionHead) -> String {
        var words: [String] = []
        func note(_ name: String, _ old: String, _ new: String) {
            if old != new { words.append("\(name) \(old.isEmpty ? "none" : old) → \(new.isEmpty ? "none" : new)") }
        }
        note("title", old.header?.title ?? "", new.header?.title ?? "")
        note("kind", old.kind.name, new.kind.name)
        note("sort", SectionWords.sort(of: old) ?? "", SectionWords.sort(of: new) ?? "")
        note("window", old.window == 0 ? "all" : "\(old.window)", new.window == 0 ? "all" : "\(new.window)")
        note("first", Words.number(old.first + 1), Words.number(new.first + 1))
        note("total", Words.number(old.total), Words.number(new.total))
        note("error", old.error ?? "", new.error ?? "")
        return words.isEmpty ? "header changed" : words.joined(separator: ", ")
    }
}

extension [ScreenSection] {
    /// The place of each section's first item, from 0, by the section's id: places count from the beginning of a list,
    /// of which a window may be shown.
    var offsets: [String: Int] { Dictionary(map { ($0.id, $0.offset) }) { $1 } }
}
