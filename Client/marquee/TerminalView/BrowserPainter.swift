import MarqueeClient
import MarqueeLayout
import MarqueeModel

/// Paints what a browser shows.
struct BrowserPainter {
    /// Less than this can't be read.
    static let smallest = (columns: 20, rows: 6)

    let browser: Browser

    func canvas() -> Canvas {
        var canvas = Canvas(columns: browser.columns, rows: browser.rows)
        guard browser.columns >= Self.smallest.columns, browser.rows >= Self.smallest.rows else {
            let (columns, rows) = Self.smallest
            canvas.write("too small, min \(columns)×\(rows)", at: 0, 0, within: browser.columns)
            return canvas
        }
        paintTitle(&canvas)
        paintPage(&canvas)
        paintEvents(&canvas)
        paintStatus(&canvas)
        if browser.showsHelp { paintHelp(&canvas) }
        return canvas
    }

    // MARK: - Around the page

    private static let bar = CellStyle(ink: .white, paper: .dark, isBold: true)
    private static let barDim = CellStyle(ink: Color(0xB0, 0xB0, 0xB0), paper: .dark)

    private func paintTitle(_ canvas: inout Canvas) {
        canvas.fill(CellRect(column: 0, row: 0, columns: browser.columns, rows: 1), Self.bar)
        if let search = browser.search {
            let cursor = search.isTyping ? "▏" : ""
            canvas.write(" / \(search.query)\(cursor)", at: 0, 0, within: browser.columns, Self.bar)
            let count = search.found.map { Words.count($0.total, "movie") } ?? ""
            writeRight(count, row: 0, Self.barDim, &canvas)
            return
        }
        let path = browser.pages.map { Sanitizer.line($0.title) }.joined(separator: " › ")
        let user = browser.user.map { "\($0) @ " } ?? ""
        let place = "\(user)\(browser.server)"
        let room = writeRight(place, row: 0, Self.barDim, &canvas)
        // Of a long path the end is what counts.
        var shown = " \(path)"
        if TextWidth.columns(shown) > room, browser.pages.count > 1, let last = browser.pages.last {
            shown = " … › \(Sanitizer.line(last.title))"
        }
        canvas.write(shown, at: 0, 0, within: room, Self.bar)
    }

    /// Columns at the left that a text at the right has to leave, or it is left out.
    private static let columnsLeft = 16

    /// - Returns: the columns that are left of it, without the gap.
    @discardableResult
    private func writeRight(_ text: String, row: Int, _ style: CellStyle, _ canvas: inout Canvas) -> Int {
        let width = TextWidth.columns(Canvas.fitted(text, to: browser.columns))
        guard width > 0, width + Self.columnsLeft < browser.columns else { return browser.columns }
        canvas.write(text, at: browser.columns - width - 1, row, within: width, style)
        return browser.columns - width - 3
    }

    private func paintEvents(_ canvas: inout Canvas) {
        let lines = browser.eventLines
        guard lines > 0 else { return }
        let first = browser.rows - 1 - lines
        for (index, text) in browser.events.suffix(lines).enumerated() {
            let isNewest = index == min(lines, browser.events.count) - 1
            canvas.write(" \(text)", at: 0, first + index, within: browser.columns, isNewest ? .plain : .dim)
        }
    }

    private func paintStatus(_ canvas: inout Canvas) {
        let row = browser.rows - 1
        canvas.fill(CellRect(column: 0, row: row, columns: browser.columns, rows: 1), Self.barDim)
        if let notice = browser.notice {
            canvas.write(" \(notice.text)", at: 0, row, within: browser.columns, Self.bar)
            return
        }
        let (sign, color, words) = connectionWords
        var style = Self.barDim
        style.ink = color
        canvas.write(" \(sign)", at: 0, row, within: 2, style)
        let room = writeRight("? keys", row: row, Self.barDim, &canvas)
        canvas.write(words, at: 3, row, within: room - 3, Self.barDim)
    }

    private var connectionWords: (String, Color, String) {
        let facts = pageFacts.isEmpty ? "" : " · \(pageFacts)"
        return switch browser.connection {
        case .idle: ("○", .gray, "not connected\(facts)")
        case .connecting: ("◌", .yellow, "connecting\(facts)")
        case .connected: ("●", .green, "\(browser.page.origin == .live ? "live" : "connected")\(facts)")
        case .waiting(let reason, let pause):
            (
                "○", .red,
                "offline, next try within \(Int((pause / .seconds(1)).rounded(.up))) s\(facts) · \(reason)"
            )
        case .failed(let error): ("✕", .red, "\(error.message)\(facts)")
        case .closed: ("○", .gray, "closed\(facts)")
        }
    }

    /// Revision, lag and age of what shows.
    private var pageFacts: String {
        let page = browser.page
        guard let screen = page.screen else { return page.error == nil && browser.search == nil ? "loading" : "" }
        var facts = ["revision \(Words.number(screen.revision.catalogueRevision))"]
        if let newest = browser.newest, newest.catalogueEpoch == screen.revision.catalogueEpoch,
            newest.catalogueRevision > screen.revision.catalogueRevision, page.origin == .store
        {
            facts.append(
                "\(Words.count(newest.catalogueRevision - screen.revision.catalogueRevision, "commit")) behind")
        }
        switch page.origin {
        case .live: facts.append("current")
        case .store: facts.append("stored \(Words.ago(screen.asOf, now: browser.wallClock()))")
        }
        let pending = page.sections.reduce(0) { $0 + $1.items.count { $0.favorite.isPending } }
        if pending > 0 { facts.append("\(pending) pending") }
        return facts.joined(separator: " · ")
    }

    // MARK: - Help

    private static let keys: [(String, String)] = [
        ("arrows", "move"), ("Tab, Shift-Tab", "next, previous section"), ("PgUp, PgDn, Home, End", "scroll"),
        ("Enter", "open"), ("Backspace, Esc", "back"), ("/", "search"), ("f", "favorite: ☆ until confirmed, then ★"),
        ("s", "other order"), ("m", "more, or less, of a section"), ("?", "these keys"), ("q, Ctrl-C", "quit"),
    ]

    private func paintHelp(_ canvas: inout Canvas) {
        let width = min(browser.columns - 2, 62)
        let height = min(browser.rows - 2, Self.keys.count + 2)
        let box = CellRect(
            column: (browser.columns - width) / 2, row: (browser.rows - height) / 2, columns: width, rows: height)
        canvas.fill(box, Self.bar)
        for (index, (key, what)) in Self.keys.prefix(height - 2).enumerated() {
            canvas.write(key, at: box.column + 2, box.row + 1 + index, within: 22, Self.bar)
            canvas.write(what, at: box.column + 26, box.row + 1 + index, within: width - 27, Self.barDim)
        }
    }

    // MARK: - The page

    private func paintPage(_ canvas: inout Canvas) {
        let page = browser.page
        let viewport = browser.viewport
        canvas.clip = viewport
        defer { canvas.clip = canvas.bounds }
        if let message = emptyMessage(page) {
            canvas.write(message, at: 2, viewport.row + 1, within: viewport.columns - 4, .dim)
        }
        let layout = browser.layout(of: page)
        let scale = layout.scale
        let shown = LayoutRect(
            x: 0, y: (Double(page.top) - 1) * scale.pointsPerRow, width: scale.container.width,
            height: (Double(viewport.rows) + 2) * scale.pointsPerRow)
        for index in layout.screen.sections(in: shown) {
            SectionPainter(
                browser: browser, page: page, section: page.sections[index], index: index, layout: layout
            ).paint(on: &canvas)
        }
    }

    private func emptyMessage(_ page: Browser.Page) -> String? {
        if let search = browser.search {
            if let error = search.error { return error }
            if search.query.isEmpty { return "type a part of a title" }
            guard let found = search.found else { return "searching …" }
            return found.total == 0 ? "no movie has “\(found.query)” in its title" : nil
        }
        if let error = page.error { return error }
        if page.screen == nil { return "waiting for \(browser.server) …" }
        return page.sections.isEmpty ? "this screen is empty" : nil
    }
}
