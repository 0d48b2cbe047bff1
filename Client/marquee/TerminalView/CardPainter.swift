import MarqueeClient
import MarqueeModel

/// Paints one item into a rectangle of cells.
struct CardPainter {
    let item: ScreenItem
    /// From 1; `nil` where order is no rank.
    let rank: Int?
    /// How many ranks it rose of late; below zero it fell.
    let rise: Int?
    let isGlowing: Bool
    let isFocused: Bool

    func paint(on canvas: inout Canvas, in rect: CellRect) {
        guard !rect.intersection(canvas.clip).isEmpty else { return }
        switch item.content {
        case .text(let text): paintText(text, on: &canvas, in: rect)
        case .categories(let titles): paintCategories(titles, on: &canvas, in: rect)
        case .detail(let detail): paintDetail(detail, on: &canvas, in: rect)
        case .banner(let banner): paintBanner(banner, on: &canvas, in: rect)
        case .genre: paintTile(on: &canvas, in: rect)
        default:
            if rect.rows <= 3, rect.columns >= 40 {
                paintRow(on: &canvas, in: rect)
            } else {
                paintPoster(on: &canvas, in: rect)
            }
        }
    }

    // MARK: - Kinds of cards

    /// Artwork above, title and facts below.
    private func paintPoster(on canvas: inout Canvas, in rect: CellRect) {
        let words = ItemText(item)
        let lines = rect.rows >= 4 ? 2 : rect.rows >= 2 ? 1 : 0
        let art = CellRect(column: rect.column, row: rect.row, columns: rect.columns, rows: rect.rows - lines)
        paintArtwork(on: &canvas, in: art)
        if lines == 0 {
            canvas.write(words.title, at: rect.column + badgeWidth, rect.row, within: rect.columns - badgeWidth, onArt)
        } else {
            write(words.title, at: rect, row: rect.endRow - lines, on: &canvas, isTitle: true)
            if lines == 2 { write(facts(words), at: rect, row: rect.endRow - 1, on: &canvas, isTitle: false) }
        }
        paintBadges(on: &canvas, in: art)
    }

    /// A row of a list: artwork at its side.
    private func paintRow(on canvas: inout Canvas, in rect: CellRect) {
        let words = ItemText(item)
        let art = CellRect(column: rect.column, row: rect.row, columns: 6, rows: rect.rows)
        paintArtwork(on: &canvas, in: art)
        paintBadges(on: &canvas, in: art)
        let text = CellRect(
            column: art.endColumn + 1, row: rect.row, columns: rect.columns - art.columns - 1, rows: rect.rows)
        write(words.title, at: text, row: rect.row, on: &canvas, isTitle: true)
        if rect.rows > 1 { write(facts(words), at: text, row: rect.row + 1, on: &canvas, isTitle: false) }
    }

    /// A name in the middle of its artwork.
    private func paintTile(on canvas: inout Canvas, in rect: CellRect) {
        paintArtwork(on: &canvas, in: rect)
        // The mark of the focus stands at the edge.
        let margin = isFocused ? 1 : 0
        let title = Canvas.fitted(ItemText(item).title, to: rect.columns - margin)
        var style = onArt
        style.isBold = true
        style.isUnderlined = isFocused
        canvas.write(
            title, at: rect.column + max(margin, (rect.columns - TextWidth.columns(title)) / 2),
            rect.row + rect.rows / 2, within: rect.columns - margin, style)
        paintFocus(on: &canvas, in: rect)
    }

    private func paintBanner(_ banner: BannerContent, on canvas: inout Canvas, in rect: CellRect) {
        paintArtwork(on: &canvas, in: rect)
        var lines: [(String, CellStyle)] = []
        var title = onArt
        title.isBold = true
        if !banner.title.isEmpty { lines.append((banner.title, title)) }
        for text in [banner.caption, banner.description].compactMap({ $0 }) where !text.isEmpty {
            lines += TextWidth.wrap(Sanitizer.line(text), to: max(1, rect.columns - 4)).prefix(2).map { ($0, onArt) }
        }
        if !banner.actions.isEmpty {
            lines.append((banner.actions.map { "[\($0.title)]" }.joined(separator: " "), title))
        } else if let link = banner.link {
            lines.append(("→ \(link)", onArt))
        }
        let shown = lines.prefix(rect.rows)
        for (index, line) in shown.enumerated() {
            // Where there is one row only, its badges stand in it too.
            let margin = rect.rows == 1 ? badgeWidth + 1 : 2
            canvas.write(
                line.0, at: rect.column + margin, rect.endRow - shown.count + index,
                within: rect.columns - margin - 2, line.1)
        }
        paintBadges(on: &canvas, in: rect)
        paintFocus(on: &canvas, in: rect)
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

    /// Two rows, split in the middle.
    private func paintCategories(_ titles: [String], on canvas: inout Canvas, in rect: CellRect) {
        let half = (titles.count + 1) / 2
        for (row, part) in [titles.prefix(half), titles.suffix(titles.count - half)].enumerated() where row < rect.rows
        {
            var column = rect.column + 1
            for title in part {
                let chip = " \(Canvas.fitted(title, to: 24)) "
                guard column + TextWidth.columns(chip) <= rect.endColumn else { break }
                canvas.write(
                    chip, at: column, rect.row + row, within: rect.endColumn - column,
                    CellStyle(ink: .white, paper: isFocused ? .accent : .dark))
                column += TextWidth.columns(chip) + 1
            }
        }
    }

    private func paintDetail(_ detail: DetailContent, on canvas: inout Canvas, in rect: CellRect) {
        let poster = CardPainter.posterColumns(rect.columns)
        if poster > 0 {
            let art = CellRect(
                column: rect.column + 1, row: rect.row, columns: poster - 2, rows: min(rect.rows, poster / 2))
            paintArtwork(on: &canvas, in: art)
            paintBadges(on: &canvas, in: art)
        }
        let lines = CardPainter.detailLines(detail, item.favorite, columns: rect.columns)
        for (index, line) in lines.prefix(rect.rows).enumerated() {
            var style = index == 0 ? CellStyle.bold : .plain
            if index == 0, isFocused { style.isReversed = true }
            if isGlowing { style.paper = .glow }
            canvas.write(
                line, at: rect.column + poster, rect.row + index, within: rect.columns - poster, style)
        }
    }

    private static func posterColumns(_ columns: Int) -> Int { columns >= 60 ? 18 : 0 }

    /// The facts of a movie beside its poster.
    static func detailLines(_ detail: DetailContent, _ favorite: FavoriteMark, columns: Int) -> [String] {
        let room = max(10, columns - posterColumns(columns))
        return DetailBlock(detail: detail, sign: sign(of: favorite)).lines(within: room - 1, style: .plain)
    }

    // MARK: - Parts

    private var artwork: Color {
        let image: ImageReference? =
            switch item.content {
            case .movie(let movie): movie.poster ?? movie.backdrop
            case .genre(let genre): genre.image
            case .credit(let credit): credit.portrait
            case .banner(let banner): banner.image
            case .course(let course): course.image
            case .detail(let detail): detail.poster
            case .chartEntry(let entry): entry.poster
            case .place(let place): place.image
            case .text, .categories, .favorite, .unknown: nil
            }
        return Color.artwork(color: image?.color, name: image?.name ?? item.id)
    }

    private var onArt: CellStyle { CellStyle(ink: artwork.readable) }

    private func paintArtwork(on canvas: inout Canvas, in rect: CellRect) {
        canvas.fill(rect, CellStyle(ink: artwork.readable, paper: artwork))
    }

    private var badgeWidth: Int {
        let rankWidth = rank.map { String($0).count + 3 } ?? 1
        return rankWidth + (rise.map { $0 == 0 ? 0 : String(abs($0)).count + 1 } ?? 0)
    }

    /// Rank, certification and star, over the artwork.
    private func paintBadges(on canvas: inout Canvas, in art: CellRect) {
        var column = art.column + 1
        if let rank {
            canvas.write(
                " \(rank) ", at: column, art.row, within: art.columns, CellStyle(isBold: true, isReversed: true))
            column += String(rank).count + 2
        }
        if let rise, rise != 0, art.columns > 8 {
            let text = "\(rise > 0 ? "▲" : "▼")\(abs(rise))"
            canvas.write(
                text, at: column, art.row, within: 5,
                CellStyle(ink: .white, paper: rise > 0 ? .green : .red, isBold: true))
            column += text.count
        }
        if let certification, art.columns > 14 {
            let (code, color) = certification
            let text = " \(Canvas.fitted(code, to: 6)) "
            canvas.write(
                text, at: column, art.row, within: art.endColumn - column,
                CellStyle(ink: color.readable, paper: color))
        }
        let star = CardPainter.sign(of: item.favorite)
        if !star.isEmpty {
            canvas.write(
                star, at: art.endColumn - 2, art.row, within: 2, CellStyle(ink: .yellow, isBold: true))
        }
    }

    /// A favorite's star: hollow until the server has confirmed what was asked for.
    private static func sign(of favorite: FavoriteMark) -> String {
        switch favorite {
        case .yes: "★"
        case .pendingYes, .pendingNo: "☆"
        case .no: ""
        }
    }

    private var certification: (String, Color)? {
        let certification: CertificationContent? =
            switch item.content {
            case .movie(let movie): movie.certification
            case .detail(let detail): detail.certification
            default: nil
            }
        return certification.map { certification in
            let color: Color =
                switch certification.colorClass {
                case .everyone: .green
                case .teen: .yellow
                case .adult: .red
                case .unrated: .gray
                }
            return (certification.code, color)
        }
    }

    private func facts(_ words: ItemText) -> String {
        words.cells.map(\.text).filter { !$0.isEmpty }.joined(separator: " · ")
    }

    private func write(
        _ text: String, at rect: CellRect, row: Int, on canvas: inout Canvas, isTitle: Bool
    ) {
        var style = isTitle ? CellStyle.bold : .dim
        if isGlowing { style = CellStyle(ink: .white, paper: .glow, isBold: isTitle) }
        if isFocused { style = CellStyle(ink: .white, paper: .accent, isBold: isTitle, isReversed: false) }
        if style.paper != nil {
            canvas.fill(CellRect(column: rect.column, row: row, columns: rect.columns, rows: 1), style)
        }
        let marker = isFocused && isTitle ? "▸" : ""
        canvas.write(marker + text, at: rect.column, row, within: rect.columns, style)
    }

    /// A mark that is seen without colours too.
    private func paintFocus(on canvas: inout Canvas, in rect: CellRect) {
        guard isFocused else { return }
        for row in rect.row..<rect.endRow {
            canvas.write("▌", at: rect.column, row, within: 1, CellStyle(ink: .white, isBold: true))
        }
    }
}
