import MarqueeClient
import MarqueeModel
import MarqueePresentation
import MarqueePresets

/// The full text about one item, in lines.
struct DetailBlock {
    private enum Part {
        /// On one line, truncated if it is too long.
        case title(String)
        case plain(String)
        case faint(String)
        /// On as many lines as it takes.
        case prose(String)
        /// How much is done, 0...1, and the words beside the bar.
        case bar(Double, String)
        /// A name of this many columns, and a value on as many lines as it takes.
        case fact(String, Int, String)
    }

    private static let indent = "  "
    /// Maximum columns of a bar, and of the names of facts.
    private static let (barColumns, labelColumns) = (24, 20)

    private var parts: [Part]

    /// - Parameters:
    ///   - kind: of the item's section; a card is shown in full if the section is about it alone.
    ///   - sign: of a favorite; empty if it isn't one.
    /// - Returns: `nil` for an item that is one of many.
    init?(_ content: ItemContent, in kind: SectionKind, sign: String, language: Language = .english) {
        switch content.decoded {
        case .preset(.detail(let detail)): self.init(detail, sign, language)
        case .card(let card) where kind == .detail: self.init(card, content.movement(at: 0), sign, language)
        default: return nil
        }
    }

    /// - Parameter limit: maximum columns of a line.
    func lines(within limit: Int, style: TextStyle) -> [String] {
        let room = max(1, limit - Self.indent.count)
        var lines: [String] = []
        func add(_ text: String, _ shown: (String) -> String = { $0 }) {
            let clean = Sanitizer.line(text)
            guard !clean.isEmpty else { return }
            lines.append(Self.indent + shown(TextWidth.truncate(clean, to: room)))
        }
        for part in parts {
            switch part {
            case .title(let text): add(text, style.bold)
            case .plain(let text): add(text)
            case .faint(let text): add(text, style.dim)
            case .prose(let text): lines += TextWidth.wrap(Sanitizer.line(text), to: room).map { Self.indent + $0 }
            case .bar(let share, let words): add("\(Words.bar(share, columns: Self.barColumns)) \(words)")
            case .fact(let label, let columns, let value):
                let name = TextWidth.pad(TextWidth.truncate(Sanitizer.line(label), to: columns), to: columns)
                let gap = columns > 0 ? columns + 2 : 0
                let values = TextWidth.wrap(Sanitizer.line(value), to: max(1, room - gap))
                for (index, line) in values.enumerated() {
                    let start = index > 0 || gap == 0 ? String(repeating: " ", count: gap) : name + "  "
                    lines.append(Self.indent + start + line)
                }
            }
        }
        return lines
    }

    // MARK: - Movies

    private init(_ detail: DetailContent, _ sign: String, _ language: Language) {
        let year = detail.releaseDate.map { " (\($0.year))" } ?? ""
        parts = [.title(detail.title + year + (sign.isEmpty ? "" : "  \(sign)"))]
        if let original = detail.originalTitle, original != detail.title {
            parts.append(.plain(language("original title: \(original)", "원제: \(original)")))
        }
        parts.append(.plain(detail.infoLine))
        let facts = [Self.certification(detail), Self.rating(detail, language), Self.revenue(detail, language)]
        parts.append(.plain(facts.compactMap { $0 }.joined(separator: " · ")))
        if !detail.directors.isEmpty {
            let names = detail.directors.joined(separator: ", ")
            parts.append(.plain(language("directed by \(names)", "감독: \(names)")))
        }
        if let tagline = detail.tagline { parts.append(.faint(tagline)) }
        if let overview = detail.overview { parts.append(.prose(overview)) }
    }

    private static func certification(_ detail: DetailContent) -> String? {
        detail.certification.map { $0.label.isEmpty || $0.label == $0.code ? $0.code : "\($0.code) (\($0.label))" }
    }

    private static func rating(_ detail: DetailContent, _ language: Language) -> String? {
        detail.voteAverage.map { average in
            let votes =
                detail.voteCount.map { count in
                    " (\(language(Words.count(count, "vote"), "\(Words.number(count))명 평가")))"
                } ?? ""
            return "★ \(Words.decimal(average))\(votes)"
        }
    }

    private static func revenue(_ detail: DetailContent, _ language: Language) -> String? {
        detail.revenue.map { dollars in language("revenue \(Words.dollars(dollars))", "수익 \(Words.dollars(dollars))") }
    }

    // MARK: - Cards

    private init(_ card: CardContent, _ movement: ChartMovement?, _ sign: String, _ language: Language) {
        parts = [.title(card.title + (sign.isEmpty ? "" : "  \(sign)"))]
        parts += [card.overline, card.subtitle].compactMap { $0 }.map { .plain($0) }
        let rank = card.rank?.place.map { "#\($0) \(movement?.description ?? "")" }
        let facts = [card.rating.map(Words.rating), card.price.map(Words.price), rank]
        parts.append(.plain(facts.compactMap { $0 }.joined(separator: " · ")))
        parts.append(.plain(card.badges.map { "[\($0.text)]" }.joined(separator: " ")))
        if let caption = card.caption { parts.append(.faint(caption)) }
        if let progress = card.progress {
            let words = Words.progress(progress, in: language)
            parts.append(progress.share.map { .bar($0, words) } ?? .plain(words))
        }
        if let text = card.text { parts.append(.prose(text)) }
        let widest = card.facts.map { TextWidth.columns(Sanitizer.line($0.label)) }.max() ?? 0
        parts += card.facts.map { .fact($0.label, min(widest, Self.labelColumns), $0.value) }
        parts.append(.plain(card.actions.map { "[\($0.title)]" }.joined(separator: " ")))
    }
}

extension CardContent.Progress {
    /// 0...1; `nil` if the total is unknown.
    var share: Double? {
        guard let total, total.isFinite, total > 0, value.isFinite else { return nil }
        return min(max(value / total, 0), 1)
    }
}
