import Foundation
import MarqueeClient
import MarqueeLayout
import MarqueeModel

/// Paints what a browser shows.
struct BrowserPainter {
    /// Anything smaller can't be read.
    static let smallest = (columns: 20, rows: 5)

    let browser: Browser
    /// How images are drawn.
    var artwork = CardArtwork.flat

    private var language: Language { browser.language }

    func canvas() -> Canvas {
        var canvas = Canvas(columns: browser.columns, rows: browser.rows)
        guard browser.columns >= Self.smallest.columns, browser.rows >= Self.smallest.rows else {
            let (columns, rows) = Self.smallest
            let text = language("too small, min \(columns)×\(rows)", "최소 \(columns)×\(rows)")
            canvas.write(text, at: 0, 0, within: browser.columns)
            return canvas
        }
        paintTitle(&canvas)
        paintPage(&canvas)
        paintFacets(&canvas)
        paintEvents(&canvas)
        paintStatus(&canvas)
        if let menu = browser.menu { paintMenu(menu, &canvas) }
        if let menu = browser.search?.menu { paintFacetMenu(menu, &canvas) }
        if browser.showsHelp { paintHelp(&canvas) }
        return canvas
    }

    // MARK: - Around the page

    private static let bar = CellStyle(ink: .white, paper: .dark, isBold: true)
    private static let barDim = CellStyle(ink: CellColor(0xB0, 0xB0, 0xB0), paper: .dark)

    private func paintTitle(_ canvas: inout Canvas) {
        canvas.fill(CellRect(column: 0, row: 0, columns: browser.columns, rows: 1), Self.bar)
        if let search = browser.search {
            let cursor = search.isTyping ? "▏" : ""
            let count = search.found.map { language.matches($0.total, isCapped: $0.isCapped) } ?? ""
            let room = writeRight(count, row: 0, Self.barDim, &canvas)
            // The end of a long query is the part being typed.
            let filters = search.filters.map { " [\(Sanitizer.line($0.value))]" }.joined()
            var shown = Substring(Canvas.fitted(search.query, to: .max))
            let columns = max(Self.columnsLeft, room - TextWidth.columns(filters))
            let isLong = TextWidth.columns(shown) + 4 > columns
            while TextWidth.columns(shown) + (isLong ? 5 : 4) > columns, !shown.isEmpty { shown.removeFirst() }
            let query = " / \(isLong ? TextWidth.ellipsis : "")\(shown)\(cursor)"
            canvas.write(query + filters, at: 0, 0, within: room, Self.bar)
            return
        }
        let path = browser.pages.map { Sanitizer.line($0.title) }.joined(separator: " › ")
        let user = browser.user.map { "\($0) @ " } ?? ""
        let place = "\(user)\(browser.server)"
        let room = writeRight(place, row: 0, Self.barDim, &canvas)
        // The end of a long path matters most.
        var shown = " \(path)"
        if TextWidth.columns(shown) > room, browser.pages.count > 1, let last = browser.pages.last {
            shown = " … › \(Sanitizer.line(last.title))"
        }
        canvas.write(shown, at: 0, 0, within: room, Self.bar)
    }

    /// Text on the right is left out if it would leave fewer columns than this on the left.
    private static let columnsLeft = 16

    /// - Returns: the columns to the left of it, without the gap.
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
        // The newest on top.
        for (index, event) in browser.events.suffix(lines).reversed().enumerated() {
            let row = 1 + browser.facetLines + index
            canvas.write(" \(event.text)", at: 0, row, within: browser.columns, index == 0 ? .plain : .dim)
        }
    }

    private func paintStatus(_ canvas: inout Canvas) {
        let row = browser.rows - 1
        canvas.fill(CellRect(column: 0, row: row, columns: browser.columns, rows: 1), Self.barDim)
        if let notice = browser.notice {
            canvas.write(" \(notice.text)", at: 0, row, within: browser.columns, Self.bar)
            return
        }
        if let error = browser.search?.error ?? browser.page.error, hasContent(browser.page) {
            var style = Self.barDim
            style.ink = .red
            canvas.write(" ✕ \(error)", at: 0, row, within: browser.columns, style)
            return
        }
        let (sign, color, words) = connectionWords
        var style = Self.barDim
        style.ink = color
        canvas.write(" \(sign)", at: 0, row, within: 2, style)
        let room = writeRight(language("? keys", "? 키"), row: row, Self.barDim, &canvas)
        canvas.write(words, at: 3, row, within: room - 3, Self.barDim)
    }

    private var connectionWords: (String, CellColor, String) {
        let facts = pageFacts.isEmpty ? "" : " · \(pageFacts)"
        return switch browser.connection {
        case .idle: ("○", .gray, language("not connected", "연결 안 됨") + facts)
        case .connecting: ("◌", .yellow, language("connecting", "연결 중") + facts)
        case .connected:
            (
                "●", .green,
                (browser.page.origin == .live ? language("live", "실시간") : language("connected", "연결됨")) + facts
            )
        case .waiting(let reason, let pause): ("○", .red, "\(offline(pause))\(facts) · \(reason)")
        case .failed(let error): ("✕", .red, error.message + facts)
        case .closed: ("○", .gray, language("closed", "닫힘") + facts)
        }
    }

    private func offline(_ pause: Duration) -> String {
        let seconds = Int((pause / .seconds(1)).rounded(.up))
        return language("offline, next try within \(seconds) s", "오프라인, \(seconds)초 안에 다시 시도")
    }

    /// Revision, lag and age of what is shown.
    private var pageFacts: String {
        let page = browser.page
        guard let screen = page.screen else {
            return page.error == nil && browser.search == nil ? language("loading", "불러오는 중") : ""
        }
        let revision = Words.number(screen.revision.catalogueRevision)
        var facts = [language("revision \(revision)", "리비전 \(revision)")]
        if let newest = browser.newest, newest.catalogueEpoch == screen.revision.catalogueEpoch,
            newest.catalogueRevision > screen.revision.catalogueRevision, page.origin == .store
        {
            let lag = newest.catalogueRevision - screen.revision.catalogueRevision
            facts.append(language("\(Words.count(lag, "commit")) behind", "커밋 \(Words.number(lag))개 뒤"))
        }
        switch page.origin {
        case .live: facts.append(language("current", "최신"))
        case .store:
            let age = language.ago(screen.asOf.timeIntervalSince1970, now: browser.wallClock())
            facts.append(language("stored \(age)", "\(age) 저장됨"))
        }
        // Counts subjects rather than marks: one may appear in several sections, or on another screen.
        let pending = browser.pendingFavorites
        if pending > 0 { facts.append(language("\(Words.number(pending)) pending", "대기 \(Words.number(pending))")) }
        return facts.joined(separator: " · ")
    }

    // MARK: - Help

    /// How many lines of the help fit into a terminal of `rows` rows.
    static func helpLines(rows: Int) -> Int { max(1, min(rows - 4, KeyTable.bindings.count)) }

    private func paintHelp(_ canvas: inout Canvas) {
        let lines = Self.helpLines(rows: browser.rows)
        let shown = KeyTable.bindings.dropFirst(browser.helpTop).prefix(lines)
        let labels = KeyTable.bindings.map { TextWidth.columns($0.label) }.max() ?? 0
        let box = paintBox(columns: 62, rows: lines + 2, &canvas)
        // On a narrow terminal, what a key does matters more than its other names.
        let split = min(labels + 2, box.columns / 2)
        for (index, binding) in shown.enumerated() {
            let row = box.row + 1 + index
            canvas.write(binding.label, at: box.column + 2, row, within: split - 1, Self.bar)
            canvas.write(
                language(binding.english, binding.korean), at: box.column + 2 + split, row,
                within: box.columns - split - 3, Self.barDim)
        }
        // More above or below.
        if browser.helpTop > 0 { canvas.write("↑", at: box.endColumn - 2, box.row, within: 1, Self.bar) }
        if browser.helpTop + lines < KeyTable.bindings.count {
            canvas.write("↓", at: box.endColumn - 2, box.endRow - 1, within: 1, Self.bar)
        }
    }

    private func paintMenu(_ menu: ActionMenu, _ canvas: inout Canvas) {
        paintChoice(menu.entries.enumerated().map { "\($0 + 1)  \($1.title)" }, selected: menu.selected, &canvas)
    }

    private func paintFacetMenu(_ menu: FacetMenu, _ canvas: inout Canvas) {
        let titles = menu.entries.enumerated().map { index, entry in
            "\(index < 9 ? "\(index + 1)" : " ") \(entry.isChosen ? "✓" : " ") \(entry.value.text)"
        }
        let top = menu.top(lines: browser.rows - 4)
        paintChoice(Array(titles.dropFirst(top)), selected: menu.selected - top, &canvas)
    }

    /// Each field's values on a line, above the results.
    private func paintFacets(_ canvas: inout Canvas) {
        guard let search = browser.search else { return }
        let fields = Dictionary(grouping: search.facets, by: \.field).sorted { $0.key < $1.key }
        for (index, field) in fields.prefix(browser.facetLines).enumerated() {
            let values = field.value.map { value in
                "\(search.isChosen(value) ? "✓" : "")\(value.value) \(value.count ?? 0)"
            }
            let text = Sanitizer.line(" \(field.key): \(values.joined(separator: " · "))")
            canvas.write(text, at: 0, 1 + index, within: browser.columns, .dim)
        }
    }

    /// A box of lines, one of them selected.
    private func paintChoice(_ titles: [String], selected: Int, _ canvas: inout Canvas) {
        let width = max(20, (titles.map { TextWidth.columns($0) }.max() ?? 0) + 6)
        let box = paintBox(columns: width, rows: titles.count + 2, &canvas)
        for (index, title) in titles.enumerated() where index + 2 < box.rows {
            let isSelected = index == selected
            let row = CellRect(column: box.column + 1, row: box.row + 1 + index, columns: box.columns - 2, rows: 1)
            let style = isSelected ? CellStyle(ink: .white, paper: .accent, isBold: true) : Self.bar
            if isSelected { canvas.fill(row, style) }
            canvas.write((isSelected ? "▸" : " ") + title, at: row.column, row.row, within: row.columns, style)
        }
    }

    /// An empty box in the middle.
    private func paintBox(columns: Int, rows: Int, _ canvas: inout Canvas) -> CellRect {
        let (columns, rows) = (min(browser.columns - 2, columns), min(browser.rows - 2, rows))
        let box = CellRect(
            column: (browser.columns - columns) / 2, row: (browser.rows - rows) / 2, columns: columns, rows: rows)
        canvas.fill(box, Self.bar)
        return box
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
                browser: browser, page: page, section: page.sections[index], index: index, layout: layout,
                artwork: artwork, language: language
            ).paint(on: &canvas)
        }
    }

    /// Whether there is something to show. A section that failed says so itself, and one that is still to come shows
    /// placeholders.
    private func hasContent(_ page: Browser.Page) -> Bool {
        page.sections.contains { $0.frameCount > 0 || $0.head.error != nil }
    }

    private func emptyMessage(_ page: Browser.Page) -> String? {
        guard !hasContent(page) else { return nil }
        if let search = browser.search {
            if let error = search.error { return error }
            if search.query.isEmpty { return language("type part of a title", "제목의 일부를 입력") }
            guard let found = search.found else { return language("searching …", "찾는 중 …") }
            guard found.total == 0 else { return nil }
            return language("nothing matches “\(found.query)”", "‘\(found.query)’에 대한 검색 결과 없음")
        }
        if let error = page.error { return error }
        if page.screen == nil {
            return language("waiting for \(browser.server) …", "\(browser.server) 기다리는 중 …")
        }
        guard page.id == .favorites else { return language("this screen is empty", "빈 화면") }
        return language("no favorites yet; f marks the focused item", "즐겨찾기가 없음; f로 추가")
    }
}
