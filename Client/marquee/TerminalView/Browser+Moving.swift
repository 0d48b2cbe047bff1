import MarqueeLayout
import MarqueeModel

/// Moves the focus, and scrolls to make it visible, using the layout engine's frames.
extension Browser {
    /// Moves the focus to the nearest item in a direction.
    static func move(_ page: inout Page, _ layout: PageLayout, _ command: Command) {
        guard let position = page.focus?.position, let current = frame(of: position, page, layout) else { return }
        let next: ItemPosition? =
            switch command {
            case .left, .right: beside(position, current, page, layout, toRight: command == .right)
            case .up, .down: above(position, current, page, layout, below: command == .down)
            default: nil
            }
        if let next, let focus = focus(page, at: next) {
            page.focus = focus
        } else if command == .up {
            // Nothing above: scroll up to what comes before the first item.
            page.top = 0
            return
        } else if command == .down {
            scroll(&page, layout, by: 1)
            return
        }
        reveal(&page, layout)
    }

    /// The frame of an item inside its section's content.
    private static func frame(of position: ItemPosition, _ page: Page, _ layout: PageLayout) -> LayoutRect? {
        guard layout.screen.sections.indices.contains(position.section) else { return nil }
        return layout.screen.sections[position.section].frame(ofItem: position.item)
    }

    private static func offset(_ index: Int, _ page: Page, _ layout: PageLayout) -> Double {
        page.offsets[page.sections[index].id] ?? layout.screen.sections[index].initialOffset
    }

    private static func beside(
        _ position: ItemPosition, _ current: LayoutRect, _ page: Page, _ layout: PageLayout, toRight: Bool
    ) -> ItemPosition? {
        let frames = layout.screen.sections[position.section]
        let reach = layout.scale.container.width
        let x = toRight ? current.maxX : current.x - reach
        let band = LayoutRect(x: x, y: 0, width: reach, height: frames.contentSize.height)
        let middle = current.y + current.height / 2
        let nearest = frames.items(in: band).compactMap { index -> (item: Int, distance: Double)? in
            guard index != position.item, let frame = frames.frame(ofItem: index) else { return nil }
            let gap = toRight ? frame.x - current.maxX : current.x - frame.maxX
            // Beside means in the same row: in a grid the next row isn't a neighbour.
            guard gap >= -1, frame.y < middle, frame.maxY > middle else { return nil }
            return (index, gap)
        }.min { $0.distance < $1.distance }
        // After the end of a row comes the next row.
        let item = nearest?.item ?? position.item + (toRight ? 1 : -1)
        return ItemPosition(section: position.section, item: item)
    }

    private static func above(
        _ position: ItemPosition, _ current: LayoutRect, _ page: Page, _ layout: PageLayout, below: Bool
    ) -> ItemPosition? {
        let x = current.x + current.width / 2 - offset(position.section, page, layout)
        let indices = page.sections.indices
        let others =
            below
            ? Array(indices.suffix(from: position.section)) : Array(indices.prefix(position.section + 1).reversed())
        for section in others where !page.sections[section].items.isEmpty {
            let frames = layout.screen.sections[section]
            let shown = offset(section, page, layout)
            var band = LayoutRect(
                x: shown, y: 0, width: layout.scale.container.width, height: frames.contentSize.height)
            if section == position.section {
                if below {
                    band.y = current.maxY - 1
                    band.height = max(0, frames.contentSize.height - band.y)
                } else {
                    band.height = current.y + 1
                }
            }
            let candidates = frames.items(in: band).compactMap { index -> (item: Int, frame: LayoutRect)? in
                guard let frame = frames.frame(ofItem: index) else { return nil }
                guard section == position.section else { return (index, frame) }
                let isBeyond = below ? frame.y >= current.maxY - 1 : frame.maxY <= current.y + 1
                return isBeyond ? (index, frame) : nil
            }
            let near = candidates.min { a, b in
                let (rowA, rowB) = below ? (a.frame.y, b.frame.y) : (-a.frame.maxY, -b.frame.maxY)
                if abs(rowA - rowB) > 1 { return rowA < rowB }
                func gap(_ frame: LayoutRect) -> Double { abs(frame.x + frame.width / 2 - shown - x) }
                return gap(a.frame) < gap(b.frame)
            }
            if let near { return ItemPosition(section: section, item: near.item) }
        }
        return nil
    }

    // MARK: - Scrolling

    /// Scrolls to make the focus visible: sideways to one of the section's stops, and up or down by as little as
    /// needed.
    static func reveal(_ page: inout Page, _ layout: PageLayout) {
        clamp(&page, layout)
        guard let position = page.focus?.position, let item = frame(of: position, page, layout),
            let section = layout.screen.frame(ofSection: position.section)
        else { return }
        let frames = layout.screen.sections[position.section]
        if frames.scrolling != .none {
            let id = page.sections[position.section].id
            page.offsets[id] = offset(showing: item, in: frames, from: offset(position.section, page, layout))
        }
        let scale = layout.scale
        var cells = scale.cells(item.offsetBy(x: 0, y: section.y))
        // The first row shows with its header.
        if frames.items(in: LayoutRect(x: item.x, y: 0, width: 1, height: item.y)).isEmpty {
            let top = scale.cells(section).row
            cells = CellRect(column: 0, row: top, columns: 1, rows: cells.endRow - top)
        }
        if cells.endRow > page.top + scale.rows { page.top = cells.endRow - scale.rows }
        if cells.row < page.top { page.top = cells.row }
        clamp(&page, layout)
    }

    /// Of the offsets at which the section rests and the item is wholly visible, the one nearest to `current`.
    private static func offset(showing item: LayoutRect, in frames: SectionFrames, from current: Double) -> Double {
        let width = frames.container.width
        func shows(_ offset: Double) -> Bool { item.x >= offset - 1 && item.maxX <= offset + width + 1 }
        guard !shows(current) else { return current }
        let range = frames.offsetRange
        let needed = min(
            max(item.x < current ? item.x : item.maxX - width, range.lowerBound), range.upperBound)
        let stops = frames.pageStops
        let nearest = stops.filter(shows).min { abs($0 - needed) < abs($1 - needed) }
        return nearest ?? needed
    }

    static func scroll(_ page: inout Page, _ layout: PageLayout, by rows: Int) {
        page.top += rows
        clamp(&page, layout)
        // The focus moves along, to the first item that is wholly visible.
        let shown = LayoutRect(
            x: 0, y: Double(page.top) * layout.scale.pointsPerRow, width: layout.scale.container.width,
            height: layout.scale.container.height)
        guard let focused = page.focus?.position,
            let frame = layout.screen.frame(ofItem: focused.item, inSection: focused.section),
            frame.y < shown.y || frame.maxY > shown.maxY
        else { return }
        let byID = page.offsets
        let offsets = Dictionary(
            uniqueKeysWithValues: page.sections.indices.compactMap { index in
                byID[page.sections[index].id].map { (index, $0) }
            })
        let whole = layout.screen.items(in: shown, offsets: offsets).first { position in
            guard let frame = layout.screen.frame(ofItem: position.item, inSection: position.section) else {
                return false
            }
            return frame.y >= shown.y && frame.maxY <= shown.maxY
        }
        if let whole, let focus = focus(page, at: ItemPosition(section: whole.section, item: whole.item)) {
            page.focus = focus
        }
    }

    static func jump(_ page: inout Page, _ layout: PageLayout, toEnd: Bool) {
        let section =
            toEnd
            ? page.sections.lastIndex { !$0.items.isEmpty } : page.sections.firstIndex { !$0.items.isEmpty }
        guard let section else { return }
        let item = toEnd ? page.sections[section].items.count - 1 : 0
        page.focus = focus(page, at: ItemPosition(section: section, item: item))
        if !toEnd { page.top = 0 }
        reveal(&page, layout)
    }

    static func jumpSection(_ page: inout Page, _ layout: PageLayout, forward: Bool) {
        guard let current = page.focus?.position.section else { return }
        let candidates =
            forward
            ? Array(page.sections.indices.suffix(from: min(current + 1, page.sections.count)))
            : Array(page.sections.indices.prefix(current).reversed())
        guard let section = candidates.first(where: { !page.sections[$0].items.isEmpty }) else { return }
        page.focus = focus(page, at: ItemPosition(section: section, item: 0))
        reveal(&page, layout)
    }

    private static func clamp(_ page: inout Page, _ layout: PageLayout) {
        let height = layout.scale.cells(
            LayoutRect(x: 0, y: 0, width: 1, height: layout.screen.contentSize.height)
        ).rows
        page.top = max(0, min(page.top, height - layout.scale.rows))
        for (index, section) in page.sections.enumerated() {
            guard let offset = page.offsets[section.id] else { continue }
            let range = layout.screen.sections[index].offsetRange
            page.offsets[section.id] = min(max(offset, range.lowerBound), range.upperBound)
        }
    }
}
