import MarqueeClient
import MarqueeModel
import MarqueePresentation
import MarqueePresets

/// The parts that cards share: artwork, badges, the star and the mark of the focus.
extension CardPainter {
    var content: DecodedContent { item.content.decoded }

    var reference: ImageReference? {
        switch content {
        case .preset(.movie(let movie)): movie.poster ?? movie.backdrop
        case .preset(.genre(let genre)): genre.image
        case .preset(.credit(let credit)): credit.portrait
        case .preset(.banner(let banner)): banner.image
        case .preset(.course(let course)): course.image
        case .preset(.detail(let detail)): detail.poster
        case .preset(.chartEntry(let entry)): entry.poster
        case .preset(.place(let place)): place.image
        case .card(let card): card.image
        case .preset(.text), .preset(.categories), .member, .unknown: nil
        }
    }

    /// For words on a picture.
    var onArt: CellStyle {
        if case .frames = artwork { .plain } else { CellStyle(ink: .white) }
    }

    var title: CellStyle {
        var style = onArt
        style.isBold = true
        return style
    }

    func paintArtwork(on canvas: inout Canvas, in rect: CellRect) {
        switch artwork {
        case .frames: canvas.frame(rect, .dim)
        case .flat: fillArtwork(on: &canvas, in: rect)
        case .pixels(let cache):
            guard let image = Card(item, at: index, of: head)?.image,
                let raster = cache.raster(of: image, columns: rect.columns, rows: rect.rows)
            else { return fillArtwork(on: &canvas, in: rect) }
            canvas.draw(raster, in: rect)
        }
    }

    func fillArtwork(on canvas: inout Canvas, in rect: CellRect) {
        let color = CellColor.artwork(color: reference?.color, name: reference?.name ?? item.id)
        canvas.fill(rect, CellStyle(ink: color.readable, paper: color))
    }

    var badgeWidth: Int {
        let rankWidth = rank.map { String($0).count + 3 } ?? 1
        return rankWidth + (moved?.text.count ?? 0)
    }

    /// How the rank changed: just now, or since the previous list, according to the item.
    var moved: (text: String, color: CellColor)? {
        if let rise, rise != 0 { return ("\(rise > 0 ? "▲" : "▼")\(abs(rise))", rise > 0 ? .green : .red) }
        switch item.content.movement(at: index + Int(head.first)) {
        case let movement? where rank != nil:
            let color: CellColor =
                switch movement {
                case .new: .accent
                case .rose: .green
                case .fell: .red
                case .stayed: .gray
                }
            return (movement.description, color)
        default: return nil
        }
    }

    /// Minimum columns of a picture that has room for badges.
    static let badgeColumns = 15

    /// Rank, certification and star, over the artwork.
    func paintBadges(on canvas: inout Canvas, in art: CellRect) {
        guard !art.isEmpty else { return }
        var column = art.column + 1
        if let rank {
            canvas.write(
                " \(rank) ", at: column, art.row, within: art.columns, CellStyle(isBold: true, isReversed: true))
            column += String(rank).count + 2
        }
        if let (text, color) = moved, art.columns > 8 {
            canvas.write(text, at: column, art.row, within: 5, CellStyle(ink: .white, paper: color, isBold: true))
            column += text.count
        }
        // A favorite's star is in the other corner.
        for (text, color) in badges where art.columns >= Self.badgeColumns {
            let text = " \(Canvas.fitted(text, to: art.columns / 2)) "
            guard column + TextWidth.columns(text) <= art.endColumn - 3 else { break }
            canvas.write(
                text, at: column, art.row, within: art.endColumn - column,
                CellStyle(ink: color.readable, paper: color))
            column += TextWidth.columns(text)
        }
        let star = CardPainter.sign(of: item.favorite)
        if !star.isEmpty {
            canvas.write(
                star, at: art.endColumn - 2, art.row, within: 2, CellStyle(ink: .yellow, paper: .dark, isBold: true))
        }
    }

    /// A favorite's star: hollow until the server has confirmed the change.
    static func sign(of favorite: FavoriteMark) -> String {
        switch favorite {
        case .yes: "★"
        case .pendingYes, .pendingNo: "☆"
        case .no: ""
        }
    }

    private var badges: [(text: String, color: CellColor)] {
        switch content {
        case .preset(.movie(let movie)): badge(movie.certification)
        case .preset(.detail(let detail)): badge(detail.certification)
        case .card(let card): card.badges.map { ($0.text, color(of: $0.role)) }
        default: []
        }
    }

    private func badge(_ certification: CertificationContent?) -> [(text: String, color: CellColor)] {
        certification.map { [($0.code, color(of: CardContent.Badge.Role($0.colorClass)))] } ?? []
    }

    private func color(of role: CardContent.Badge.Role) -> CellColor {
        switch role {
        case .accent: .accent
        case .good: .green
        case .warning, .highlight: .yellow
        case .bad: .red
        case .neutral: .gray
        }
    }

    func facts(_ words: ItemText) -> String {
        words.cells.map(\.text).filter { !$0.isEmpty }.joined(separator: " · ")
    }

    func write(
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

    /// A mark that is visible even without colours.
    func paintFocus(on canvas: inout Canvas, in rect: CellRect) {
        guard isFocused else { return }
        for row in rect.row..<rect.endRow {
            canvas.write("▌", at: rect.column, row, within: 1, CellStyle(ink: .white, isBold: true))
        }
    }
}
