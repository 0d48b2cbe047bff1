import MarqueeClient
import MarqueeLayout
import MarqueeModel
import MarqueePresentation

/// Paints one section of a page: its header and footer, and the visible cards.
struct SectionPainter {
    let browser: Browser
    let page: Browser.Page
    let section: PageSection
    let index: Int
    let layout: PageLayout
    let artwork: CardArtwork
    let language: Language

    private var frames: SectionFrames { layout.screen.sections[index] }
    private var top: Double { layout.screen.frame(ofSection: index)?.y ?? 0 }

    func paint(on canvas: inout Canvas) {
        let offset = page.offsets[section.id] ?? frames.initialOffset
        let shown = LayoutRect(
            x: frames.scrolling == .none ? 0 : offset,
            y: (Double(page.top) - 1) * layout.scale.pointsPerRow - top, width: layout.scale.container.width,
            height: (Double(browser.viewport.rows) + 2) * layout.scale.pointsPerRow)
        for item in frames.items(in: shown) {
            guard let frame = frames.frame(ofItem: item) else { continue }
            paintCard(item, cells(frame.offsetBy(x: frames.scrolling == .none ? 0 : -offset, y: top)), on: &canvas)
        }
        paintSupplementaries(on: &canvas)
    }

    /// A frame on the page as cells of the terminal.
    private func cells(_ frame: LayoutRect) -> CellRect {
        var rect = layout.scale.cells(frame)
        rect.row += browser.viewport.row - page.top
        return rect
    }

    private func paintCard(_ item: Int, _ rect: CellRect, on canvas: inout Canvas) {
        guard section.items.indices.contains(item) else {
            canvas.fill(rect, CellStyle(isDim: true), with: "·")
            return
        }
        let content = section.items[item]
        let key = Browser.ItemKey(section: section.id, item: content.id)
        CardPainter(
            item: content, index: item, head: section.head,
            rank: section.isRanked ? content.content.rank(at: item + Int(section.head.first)) : nil,
            rise: page.rises[key]?.ranks, isGlowing: page.glow[key] != nil,
            isFocused: page.focus?.position == ItemPosition(section: index, item: item), artwork: artwork,
            hasOnlyWords: section.hasOnlyWords, language: language
        ).paint(on: &canvas, in: rect)
    }

    // MARK: - Header and footer

    private func paintSupplementaries(on canvas: inout Canvas) {
        let visible = LayoutRect(
            x: 0, y: Double(page.top) * layout.scale.pointsPerRow, width: layout.scale.container.width,
            height: Double(browser.viewport.rows) * layout.scale.pointsPerRow)
        let frames = layout.screen.supplementaryFrames(ofSection: index, showing: visible)
        for (supplementary, shown) in zip(supplementaries, frames) {
            let rect = cells(shown.frame.offsetBy(x: 0, y: top))
            // Views at the sides, such as an index of letters, are for fingers.
            if supplementary.isHeader { paintHeader(rect, on: &canvas) }
            if supplementary.isFooter { paintFooter(rect, on: &canvas) }
        }
    }

    private var supplementaries: [LayoutSupplementary] {
        SectionLayout.shown(section, on: layout.scale).supplementaries
    }

    private func paintHeader(_ rect: CellRect, on canvas: inout Canvas) {
        canvas.fill(CellRect(column: rect.column, row: rect.row, columns: rect.columns, rows: 1), .plain)
        let title = Canvas.fitted(section.title, to: rect.columns)
        canvas.write(title, at: rect.column, rect.row, within: rect.columns, .bold)
        var column = rect.column + (title.isEmpty ? 0 : TextWidth.columns(title) + 2)
        if let error = section.head.error {
            let text = language("can't be shown: \(error)", "표시할 수 없음: \(error)")
            canvas.write(text, at: column, rect.row, within: rect.endColumn - column, CellStyle(ink: .red))
            return
        }
        for sort in section.head.sorts {
            let label = Canvas.fitted(sort.title.isEmpty ? sort.id : sort.title, to: rect.columns)
            guard column + TextWidth.columns(label) < rect.endColumn else { break }
            let isChosen = sort.id == section.head.sort
            canvas.write(
                label, at: column, rect.row, within: rect.endColumn - column,
                isChosen ? CellStyle(isUnderlined: true) : .dim)
            column += TextWidth.columns(label) + 2
        }
        for action in section.head.header?.actions ?? [] where action.id != "sort" {
            let label = "[\(Canvas.fitted(action.title, to: rect.columns))]"
            guard column + TextWidth.columns(label) < rect.endColumn else { break }
            canvas.write(label, at: column, rect.row, within: rect.endColumn - column, .dim)
            column += TextWidth.columns(label) + 2
        }
        if Int(section.head.total) > section.items.count, column + 12 < rect.endColumn {
            if section.head.anywhere > 0 {
                let rows = SectionWords.rows(from: section.head.first, count: section.items.count)
                let total = Words.number(section.head.total)
                let text = language("\(rows) of \(total)", "\(total)개 중 \(rows)")
                canvas.write(text, at: column, rect.row, within: rect.endColumn - column, .dim)
                return
            }
            let (shown, total) = (Words.number(section.items.count), Words.number(section.head.total))
            let text =
                section.head.isTotalCapped
                ? language("\(shown) of more than \(total)", "\(total)개 이상 중 \(shown)개")
                : language("\(shown) of \(total)", "\(total)개 중 \(shown)개")
            canvas.write(text, at: column, rect.row, within: rect.endColumn - column, .dim)
        }
    }

    private func paintFooter(_ rect: CellRect, on canvas: inout Canvas) {
        guard let footer = section.head.footer else { return }
        let hint = section.head.windows.count > 1 ? "\(footer.title)  (m)" : footer.title
        let text = Canvas.fitted(hint, to: rect.columns)
        canvas.write(
            text, at: rect.column + max(0, (rect.columns - TextWidth.columns(text)) / 2), rect.row,
            within: rect.columns, CellStyle(ink: .accent))
    }
}
