import MarqueeLayout
import MarqueeModel

/// A screen as lines of text: each visible element with its exact frame, for comparing two layouts, or a layout with
/// the expected one.
///
/// ```
/// screen home 390 × 844 of 390 × 3021.4 from 0
/// section rank kind rank at 0, 470, 390 × 356 shows 10 of 10
///   header at 0, 470, 390 × 44 "Top 10" sorts popularity* release-date
///   item 0 at 10, 524, 136 × 245.2 id 157336 ranked "Interstellar" rank 1
/// ```
///
/// The same screen gives the same lines on any machine. Points have at most two decimals.
package enum LayoutText {
    package static func lines(of presentation: ScreenPresentation) -> [String] {
        let (window, content) = (presentation.window, presentation.layout.contentSize)
        var lines = [
            "screen \(Words.clean(presentation.id.name)) \(size(window.width, window.height)) of \(size(content.width, content.height)) from \(number(window.y))"
        ]
        let elements = Dictionary(grouping: presentation.elements, by: \.section)
        for index in presentation.layout.sections(in: window) {
            guard let frame = presentation.layout.frame(ofSection: index) else { continue }
            let section = presentation.sections[index]
            var line = "section \(Words.clean(section.id)) kind \(section.head.kind.name)"
            line += " at \(self.frame(frame.offsetBy(x: 0, y: -window.y)))"
            line += " shows \(section.cards.count) of \(max(section.head.total, UInt32(clamping: section.cards.count)))"
            if section.offset != 0 { line += " offset \(number(section.offset))" }
            lines.append(line)
            lines += (elements[index] ?? []).map { "  \(Words.clean(words(of: $0)))" }
        }
        if let notice = presentation.notice {
            lines.append("\(notice.isError ? "error" : "notice") \(quoted(notice.text))")
        }
        return lines
    }

    private static func words(of element: PresentedElement) -> String {
        let place = "at \(frame(element.frame))"
        switch element.content {
        case .background(let kind): return "background \(place) \(kind)"
        case .card(let card, let id, let index): return "item \(index) \(place) id \(id) \(words(of: card))"
        case .placeholder(let index, _): return "placeholder \(index) \(place)"
        case .badge(let kind, let item): return "badge \(place) \(kind) of item \(item)"
        case .header(let header): return "\(header.kind) \(place) \(words(of: header))"
        case .footer(let footer): return "\(footer.kind) \(place) \(words(of: footer))"
        case .side(let side): return "\(side.kind) \(place)\(side.title.isEmpty ? "" : " \(quoted(side.title))")"
        }
    }

    private static func words(of card: Card) -> String {
        var words = ["\(card.style)"]
        if let overline = card.overline { words.append("overline \(quoted(overline))") }
        if !card.title.isEmpty { words.append(quoted(card.title)) }
        words += (card.lines + [card.info].compactMap { $0 }).map(quoted)
        if let rank = card.rank { words.append("rank \(rank)") }
        switch card.rankChange {
        case nil: break
        case .new: words.append("new")
        case .stayed: words.append("unchanged")
        case .rose(let places): words.append("up \(places)")
        case .fell(let places): words.append("down \(places)")
        }
        if let rating = card.rating { words.append("rating \(Words.decimal(rating.value))") }
        words += card.badges.map { "badge \(quoted($0.text)) \($0.role)" }
        switch card.star {
        case .none: break
        case .off: words.append("star off")
        case .pending: words.append("star pending")
        case .on: words.append("star on")
        }
        if let price = card.price { words.append("price \(quoted(price))") }
        if let progress = card.progress { words.append("progress \(quoted(progress.words))") }
        words += card.facts.map { "fact \(quoted($0.label)) \(quoted($0.value))" }
        if let image = card.image, image.isReferenced { words.append("image \(quoted(image.name))") }
        words += card.actions.map { "action \($0.id)" }
        return words.joined(separator: " ")
    }

    private static func words(of supplementary: PresentedElement.Supplementary) -> String {
        var words = [quoted(supplementary.title)]
        if !supplementary.sorts.isEmpty {
            let sorts = supplementary.sorts.map { $0.id == supplementary.sort ? "\($0.id)*" : $0.id }
            words.append("sorts \(sorts.joined(separator: " "))")
        }
        words += supplementary.actions.map { "action \($0.id)" }
        if let error = supplementary.error { words.append("error \(quoted(error))") }
        return words.joined(separator: " ")
    }

    private static func quoted(_ text: String) -> String {
        "\"\(Words.clean(text).replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }

    private static func frame(_ frame: LayoutRect) -> String {
        "\(number(frame.x)), \(number(frame.y)), \(size(frame.width, frame.height))"
    }

    private static func size(_ width: Double, _ height: Double) -> String { "\(number(width)) × \(number(height))" }

    /// At most two decimals, without trailing zeros.
    private static func number(_ value: Double) -> String {
        guard value.isFinite, value.magnitude < 1e12 else { return "?" }
        let hundredths = Int((value * 100).rounded())
        let (whole, rest) = (hundredths.magnitude / 100, hundredths.magnitude % 100)
        let sign = hundredths < 0 ? "-" : ""
        switch rest {
        case 0: return "\(sign)\(whole)"
        case _ where rest % 10 == 0: return "\(sign)\(whole).\(rest / 10)"
        default: return "\(sign)\(whole).\(rest < 10 ? "0" : "")\(rest)"
        }
    }
}
