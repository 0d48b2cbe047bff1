import MarqueeClient
import MarqueeModel

/// A screen in lines for a person.
struct ScreenPrinter {
    /// Maximum columns of a line.
    var columns: Int
    /// Maximum rows of a section; 0 for all.
    var rows: Int
    var style: TextStyle
    /// Reads the records that items carry; they are printed below the items.
    var records: RecordReader?

    /// Maximum lines of genre tiles, unless all rows are wanted.
    private static let tileLines = 2

    /// - Parameter note: follows the title, such as where the screen comes from.
    func lines(of screen: Screen, note: String = "") -> [String] {
        var title = "revision \(screen.revision.catalogueRevision)"
        if screen.revision.userRevision > 0 { title += ", user revision \(screen.revision.userRevision)" }
        if !note.isEmpty { title += " \(note)" }
        var lines = [heading(screen.title.isEmpty ? screen.id.name : screen.title, title)]
        // A section that is hidden while it is empty has nothing to show.
        for section in screen.sections where !section.isBlank {
            lines.append("")
            lines += self.lines(of: section)
        }
        if screen.sections.isEmpty { lines.append("  (no sections)") }
        if !screen.needsUser.isEmpty {
            let missing = screen.needsUser.map(Sanitizer.line).joined(separator: ", ")
            lines += ["", style.dim(fit("  without a user these are left out: \(missing)"))]
        }
        return lines
    }

    /// - Parameter section: with its header.
    func lines(of section: ScreenSection) -> [String] {
        var lines = [heading(of: section)]
        if let error = section.head.error { lines.append(fit("  can't be shown: \(error)")) }
        if section.items.isEmpty, section.head.error == nil {
            lines.append(section.placeholders > 0 ? "  (nothing yet; \(section.placeholders) expected)" : "  (empty)")
        }
        if section.kind == .genres {
            lines += tiles(section.items)
        } else {
            lines += rows(of: section)
        }
        if let footer = section.head.footer, !footer.title.isEmpty {
            lines.append(style.dim(fit("  \(footer.title)")))
        }
        return lines
    }

    /// Rows without any header, as search shows them.
    ///
    /// - Parameter first: the place of the first item in the whole list, from 0.
    func rows(of items: [ScreenItem], from first: Int = 0) -> [String] {
        let shown = items.prefix(rows > 0 ? rows : Int.max)
        let table = RowTable(shown, from: first).lines(within: columns)
        let lines = zip(table, shown).flatMap { [$0] + record(of: $1) }
        return lines + more(items.count - shown.count)
    }

    /// A line with the fields of an item's record. It is not cut: anyone who asks for fields wants all of them.
    private func record(of item: ScreenItem) -> [String] {
        (records?.read(item)).map { [style.dim("      \($0.line)")] } ?? []
    }

    // MARK: - Parts

    private func rows(of section: ScreenSection) -> [String] {
        var lines: [String] = []
        var plain: [ScreenItem] = []
        for item in section.items {
            let sign = ItemText.sign(of: item.favorite)
            if let block = DetailBlock(item.content, in: section.kind, sign: sign) {
                lines += block.lines(within: columns, style: style) + record(of: item)
            } else {
                plain.append(item)
            }
        }
        return lines + rows(of: plain, from: section.offset)
    }

    private func tiles(_ items: [ScreenItem]) -> [String] {
        let names = items.map { ItemText($0).title }
        let limit = rows > 0 ? Self.tileLines : Int.max
        var lines: [String] = []
        var line = ""
        var shown = 0
        for name in names {
            let tile = "[\(name)]"
            let joined = line.isEmpty ? "  \(tile)" : "\(line) \(tile)"
            if line.isEmpty || TextWidth.columns(joined) <= columns {
                line = joined
            } else {
                guard lines.count + 1 < limit else { break }
                lines.append(fit(line))
                line = "  \(tile)"
            }
            shown += 1
        }
        if !line.isEmpty { lines.append(fit(line)) }
        return lines + more(names.count - shown)
    }

    private func more(_ count: Int) -> [String] {
        count > 0 ? [style.dim("  +\(Words.number(count)) more")] : []
    }

    private func heading(of section: ScreenSection) -> String {
        let head = section.head
        var facts: [String] = []
        let title = Sanitizer.line(head.header?.title ?? "")
        if title.isEmpty {
            if section.kind.name != section.id { facts.append(section.kind.name) }
        } else if title.lowercased() != section.id.lowercased() {
            // The id is what `--sort` and `--window` want.
            facts.append(section.id)
        }
        if let sort = SectionWords.sort(of: head) { facts.append("by \(sort)") }
        facts.append(SectionWords.count(of: section))
        return heading(title.isEmpty ? section.id : title, facts.joined(separator: " · "))
    }

    /// A title and the facts after it, cut so that both fit.
    private func heading(_ title: String, _ facts: String) -> String {
        let title = TextWidth.truncate(Sanitizer.line(title), to: columns)
        let room = columns - TextWidth.columns(title) - 2
        let facts = TextWidth.truncate(Sanitizer.line(facts), to: max(0, room))
        return facts.isEmpty ? style.bold(title) : "\(style.bold(title))  \(style.dim(facts))"
    }

    private func fit(_ text: String) -> String { TextWidth.truncate(Sanitizer.line(text), to: columns) }
}

/// Facts of a section, in words.
enum SectionWords {
    /// The title of the order shown, when there is a choice.
    static func sort(of head: SectionHead) -> String? {
        guard !head.sort.isEmpty else { return nil }
        let title = head.sorts.first { $0.id == head.sort }?.title ?? ""
        return Sanitizer.line(title.isEmpty ? head.sort : title).lowercased()
    }

    /// `201–250`: the places of a window's rows, from 1.
    static func rows(from first: UInt32, count: Int) -> String {
        "\(Words.number(Int(first) + min(count, 1)))–\(Words.number(Int(first) + count))"
    }

    /// `10 of 4,803`, or `10` when the section shows all that it can; `10 of more than 1,000` if even that is the
    /// beginning; `201–250 of 1,000,000` for a window that may be anywhere.
    static func count(of section: ScreenSection) -> String {
        let shown = section.items.count
        let total = Int(section.head.total)
        let more = section.head.isTotalCapped ? "more than " : ""
        if section.head.anywhere > 0, total > shown, shown > 0 {
            return "\(rows(from: section.head.first, count: shown)) of \(Words.number(total))"
        }
        return total > shown ? "\(Words.number(shown)) of \(more)\(Words.number(total))" : Words.number(shown)
    }
}

extension ScreenSection {
    /// Whether it has neither items nor anything around them.
    fileprivate var isBlank: Bool {
        items.isEmpty && placeholders == 0 && head.header == nil && head.footer == nil && head.supplements.isEmpty
            && head.error == nil
    }
}
