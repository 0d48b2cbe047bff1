import MarqueeClient
import MarqueeModel
import MarqueePresentation
import MarqueePresets

/// Paints one item into a rectangle of cells.
struct CardPainter {
    let item: ScreenItem
    /// The item's place in its section, from 0.
    let index: Int
    /// Of the item's section.
    let head: SectionHead
    /// From 1; `nil` if the order is not a rank.
    let rank: Int?
    /// How many ranks it rose recently; negative if it fell.
    let rise: Int?
    let isGlowing: Bool
    let isFocused: Bool
    let artwork: CardArtwork
    /// Whether no item of its section has an image.
    let hasOnlyWords: Bool
    let language: Language

    /// A person's name and role take this many rows without a picture.
    private static let personRows = 4
    /// Columns of a small picture beside words.
    private static let thumbnailColumns = 6

    func paint(on canvas: inout Canvas, in rect: CellRect) {
        guard !rect.intersection(canvas.clip).isEmpty else { return }
        if let lines = Self.detailLines(item, in: head.kind, columns: rect.columns, language) {
            return paintDetail(lines, on: &canvas, in: rect)
        }
        let isHero = head.kind == .main || head.kind == .hero
        switch content {
        case .preset(.text(let text)): paintText(text, on: &canvas, in: rect)
        case .preset(.categories(let titles)): paintCategories(titles, on: &canvas, in: rect)
        case .preset(.banner(let banner)): paintBanner(banner, on: &canvas, in: rect)
        case .preset(.genre): paintTile(on: &canvas, in: rect)
        case .card where head.kind == .genres: paintTile(on: &canvas, in: rect)
        case .preset(.movie(let movie)) where isHero:
            paintHero(movie.overview, head.header?.actions ?? [], on: &canvas, in: rect)
        case .card(let card) where isHero || head.kind == .banner:
            paintHero(card.text, card.actions + (isHero ? head.header?.actions ?? [] : []), on: &canvas, in: rect)
        case .preset(.credit) where rect.rows <= Self.personRows: paintRow(on: &canvas, in: rect)
        default:
            if hasOnlyWords || rect.rows <= 3 && rect.columns >= 40 {
                paintRow(on: &canvas, in: rect)
            } else {
                paintPoster(on: &canvas, in: rect)
            }
        }
    }

    // MARK: - Kinds of cards

    /// Artwork above, title and facts below.
    private func paintPoster(on canvas: inout Canvas, in rect: CellRect) {
        let words = ItemText(item, in: language, hasBadges: rect.columns < Self.badgeColumns)
        let lines = rect.rows >= 4 ? 2 : rect.rows >= 2 ? 1 : 0
        let art = CellRect(column: rect.column, row: rect.row, columns: rect.columns, rows: rect.rows - lines)
        paintArtwork(on: &canvas, in: art)
        if lines == 0 {
            canvas.shade(art)
            let style = isFocused ? CellStyle(ink: .white, paper: .accent, isBold: true) : onArt
            canvas.write(words.title, at: rect.column + badgeWidth, rect.row, within: rect.columns - badgeWidth, style)
        } else {
            write(words.title, at: rect, row: rect.endRow - lines, on: &canvas, isTitle: true)
            if lines == 2 { write(facts(words), at: rect, row: rect.endRow - 1, on: &canvas, isTitle: false) }
        }
        paintBadges(on: &canvas, in: art)
        if case .card(let card) = content, let share = card.progress?.share, art.rows >= 3, art.columns > 4 {
            canvas.write(
                Words.bar(share, columns: art.columns - 4), at: art.column + 2, art.endRow - 1, within: art.columns - 4,
                CellStyle(ink: .white, isBold: true))
        }
    }

    /// Words with a small picture beside them. A single row holds both the title and the facts.
    private func paintRow(on canvas: inout Canvas, in rect: CellRect) {
        let words = ItemText(item, in: language)
        if case .card(let card) = content, card.image == nil {
            return paintRowWithoutArt(words, on: &canvas, in: rect)
        }
        let wantsArt = rect.columns >= 4 * Self.thumbnailColumns
        let art = CellRect(
            column: rect.column, row: rect.row, columns: wantsArt ? Self.thumbnailColumns : 0, rows: rect.rows)
        if wantsArt {
            paintArtwork(on: &canvas, in: art)
            paintBadges(on: &canvas, in: art)
        }
        let margin = wantsArt ? art.columns + 1 : 0
        let text = CellRect(
            column: rect.column + margin, row: rect.row, columns: rect.columns - margin, rows: rect.rows)
        paintWords(words, on: &canvas, in: text)
    }

    private func paintWords(_ words: ItemText, on canvas: inout Canvas, in rect: CellRect) {
        let facts = facts(words)
        if rect.rows > 1 {
            write(words.title, at: rect, row: rect.row, on: &canvas, isTitle: true)
            write(facts, at: rect, row: rect.row + 1, on: &canvas, isTitle: false)
        } else {
            let line = facts.isEmpty ? words.title : "\(words.title) · \(facts)"
            write(line, at: rect, row: rect.row, on: &canvas, isTitle: true)
        }
    }

    /// The rank and how it changed, then words, then the star.
    private func paintRowWithoutArt(_ words: ItemText, on canvas: inout Canvas, in rect: CellRect) {
        let star = CardPainter.sign(of: item.favorite)
        var rect = rect
        if !star.isEmpty {
            canvas.write(star, at: rect.endColumn - 2, rect.row, within: 2, CellStyle(ink: .yellow, isBold: true))
            rect.columns -= 3
        }
        let margin = rank == nil ? 0 : Self.rankColumns
        if let rank {
            let number = TextWidth.pad(String(rank), to: 3, right: true)
            canvas.write(number, at: rect.column, rect.row, within: margin, .bold)
            if let (text, color) = moved {
                canvas.write(
                    text, at: rect.column + 4, rect.row, within: margin - 5, CellStyle(ink: color, isBold: true))
            }
        }
        rect.column += margin
        rect.columns -= margin
        paintWords(words, on: &canvas, in: rect)
    }

    /// Columns of a rank and how it changed.
    private static let rankColumns = 9

    /// A name in the middle of its artwork.
    private func paintTile(on canvas: inout Canvas, in rect: CellRect) {
        paintArtwork(on: &canvas, in: rect)
        // The mark of the focus is at the edge.
        let margin = isFocused ? 1 : 0
        let title = Canvas.fitted(ItemText(item, in: language).title, to: rect.columns - margin)
        var style = onArt
        style.isBold = true
        style.isUnderlined = isFocused
        let width = TextWidth.columns(title)
        let column = rect.column + max(margin, (rect.columns - width) / 2)
        let row = rect.row + rect.rows / 2
        canvas.shade(CellRect(column: column - 1, row: row, columns: width + 2, rows: 1).intersection(rect))
        canvas.write(title, at: column, row, within: rect.columns - margin, style)
        let star = CardPainter.sign(of: item.favorite)
        if !star.isEmpty {
            canvas.write(star, at: rect.endColumn - 2, rect.row, within: 2, CellStyle(ink: .yellow, isBold: true))
        }
        paintFocus(on: &canvas, in: rect)
    }

    /// An item that fills the width: its picture, with words and actions at the lower left.
    private func paintHero(
        _ prose: String?, _ actions: [ScreenAction], on canvas: inout Canvas, in rect: CellRect
    ) {
        paintArtwork(on: &canvas, in: rect)
        let words = ItemText(item, in: language, hasBadges: rect.columns < Self.badgeColumns)
        var lines = [(words.title, title)]
        if rect.rows >= 3, !facts(words).isEmpty { lines.append((facts(words), onArt)) }
        let actions = actions.filter { $0.id != "sort" }
            .map { "[\(Sanitizer.line($0.title))]" }.joined(separator: " ")
        let hasActions = rect.rows >= 4 && !actions.isEmpty
        // Leave some of the picture above the words.
        let room = rect.rows - lines.count - (hasActions ? 1 : 0) - 2
        if room > 0, let prose {
            let width = max(1, min(rect.columns - 4, Self.proseColumns))
            lines += TextWidth.wrap(Sanitizer.line(prose), to: width).prefix(min(room, 3)).map { ($0, onArt) }
        }
        if hasActions { lines.append((actions, onArt)) }
        paintLines(lines, on: &canvas, in: rect)
        paintBadges(on: &canvas, in: rect)
        paintFocus(on: &canvas, in: rect)
    }

    /// Wider lines are hard to read.
    private static let proseColumns = 72

    private func paintBanner(_ banner: BannerContent, on canvas: inout Canvas, in rect: CellRect) {
        paintArtwork(on: &canvas, in: rect)
        var lines: [(String, CellStyle)] = []
        if !banner.title.isEmpty { lines.append((banner.title, title)) }
        for text in [banner.caption, banner.description].compactMap({ $0 }) where !text.isEmpty {
            lines += TextWidth.wrap(Sanitizer.line(text), to: max(1, rect.columns - 4)).prefix(2).map { ($0, onArt) }
        }
        if !banner.actions.isEmpty {
            lines.append((banner.actions.map { "[\(Sanitizer.line($0.title))]" }.joined(separator: " "), title))
        } else if let link = banner.link {
            lines.append(("→ \(link)", onArt))
        }
        paintLines(lines, on: &canvas, in: rect)
        paintBadges(on: &canvas, in: rect)
        paintFocus(on: &canvas, in: rect)
    }

    /// Lines at the lower left of a picture, on a darker part of it.
    private func paintLines(_ lines: [(String, CellStyle)], on canvas: inout Canvas, in rect: CellRect) {
        let shown = lines.prefix(rect.rows)
        // In a single row the badges are beside the words.
        let margin = rect.rows == 1 ? badgeWidth + 1 : 2
        let width = shown.map { TextWidth.columns(Canvas.fitted($0.0, to: rect.columns - margin - 2)) }.max() ?? 0
        canvas.shade(
            CellRect(
                column: rect.column, row: rect.endRow - shown.count, columns: min(rect.columns, margin + width + 2),
                rows: shown.count))
        for (index, line) in shown.enumerated() {
            canvas.write(
                line.0, at: rect.column + margin, rect.endRow - shown.count + index,
                within: rect.columns - margin - 2, line.1)
        }
    }

    private func paintText(_ text: TextContent, on canvas: inout Canvas, in rect: CellRect) {
        let lines = TextWidth.wrap(Sanitizer.line(text.text), to: rect.columns)
        for (index, line) in lines.prefix(rect.rows).enumerated() {
            var style = CellStyle.bold
            style.isReversed = isFocused && text.action != nil
            canvas.write(line, at: rect.column, rect.row + index, within: rect.columns, style)
            if let highlighted = text.highlighted.map({ Sanitizer.line($0) }), let range = line.range(of: highlighted) {
                canvas.write(
                    highlighted, at: rect.column + TextWidth.columns(line[..<range.lowerBound]), rect.row + index,
                    within: rect.columns, CellStyle(ink: .accent, isBold: true, isUnderlined: true))
            }
        }
    }

    /// Two rows, split in the middle, where there is room for both.
    private func paintCategories(_ titles: [String], on canvas: inout Canvas, in rect: CellRect) {
        let half = rect.rows < 2 ? titles.count : (titles.count + 1) / 2
        for (row, part) in [titles.prefix(half), titles.suffix(titles.count - half)].enumerated() where row < rect.rows
        {
            var column = rect.column + 1
            for title in part {
                let chip = " \(Canvas.fitted(title, to: 24)) "
                guard column + TextWidth.columns(chip) <= rect.endColumn else {
                    canvas.write("…", at: column, rect.row + row, within: max(0, rect.endColumn - column), .plain)
                    break
                }
                canvas.write(
                    chip, at: column, rect.row + row, within: rect.endColumn - column,
                    CellStyle(ink: .white, paper: isFocused ? .accent : .dark))
                column += TextWidth.columns(chip) + 1
            }
        }
    }

    private func paintDetail(_ lines: [String], on canvas: inout Canvas, in rect: CellRect) {
        let poster = CardPainter.posterColumns(rect.columns, item)
        if poster > 0 {
            let art = CellRect(
                column: rect.column + 1, row: rect.row, columns: poster - 2, rows: min(rect.rows - 1, poster / 2))
            paintArtwork(on: &canvas, in: art)
            paintBadges(on: &canvas, in: art)
        }
        for (index, line) in lines.prefix(rect.rows).enumerated() {
            var style = index == 0 ? CellStyle.bold : .plain
            if index == 0, isFocused { style.isReversed = true }
            if isGlowing { style.paper = .glow }
            canvas.write(
                line, at: rect.column + poster, rect.row + index, within: rect.columns - poster, style)
        }
    }

    private static func posterColumns(_ columns: Int, _ item: ScreenItem) -> Int {
        if case .card(let card) = item.content, card.image == nil { return 0 }
        return columns >= 120 ? 26 : columns >= 60 ? 18 : 0
    }

    /// The lines about an item, shown beside its poster; `nil` if it is one of many.
    static func detailLines(
        _ item: ScreenItem, in kind: SectionKind, columns: Int, _ language: Language
    ) -> [String]? {
        let room = max(10, min(columns - posterColumns(columns, item), proseColumns + 12))
        return DetailBlock(item.content, in: kind, sign: sign(of: item.favorite), language: language)?
            .lines(within: room - 1, style: .plain)
    }
}
