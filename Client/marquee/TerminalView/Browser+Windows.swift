import MarqueeClient
import MarqueeLayout
import MarqueeModel

/// Scrolling in sections whose windows may be anywhere: the window goes along with the focus, so that a person moves
/// through the whole list as if all of it were here.
extension Browser {
    /// A window that was asked for and hasn't come yet.
    struct WindowMove: Hashable, Sendable {
        /// The end of the list that was asked for, and gets the focus then; `nil` for rows around the focus.
        var toEnd: Bool?
    }

    /// Asks for the rows around the focus if it is near an end of those that are here.
    mutating func followFocus() -> [Effect] {
        guard search == nil, let section = focusedSection, let focus = page.focus, page.moves[section.id] == nil,
            let place = section.place(around: focus.position.item, screenful: viewport.rows)
        else { return [] }
        return move(section, to: place, WindowMove())
    }

    /// Moves the focus to the first or last row of its section's list, and asks for the rows there.
    mutating func jumpInSection(toEnd: Bool) -> [Effect] {
        guard let section = focusedSection, let position = page.focus?.position, !section.items.isEmpty else {
            return []
        }
        let item = toEnd ? section.items.count - 1 : 0
        editPage { page, layout in
            page.focus = Browser.focus(page, at: ItemPosition(section: position.section, item: item))
            Browser.reveal(&page, layout)
        }
        guard search == nil, section.head.anywhere > 0, toEnd ? section.hasRowsAfter : section.head.first > 0 else {
            return []
        }
        let others = UInt32(section.rows(screenful: viewport.rows) - 1)
        let place = toEnd ? WindowPlace(isEnd: true, before: others) : WindowPlace(after: others)
        return move(section, to: place, WindowMove(toEnd: toEnd))
    }

    private mutating func move(_ section: PageSection, to place: WindowPlace, _ move: WindowMove) -> [Effect] {
        pages[pages.count - 1].moves[section.id] = move
        return [.show(options(of: section, place: place), on: page.id)]
    }

    /// Notes which windows have come, and gives the focus to the end that was asked for.
    ///
    /// - Parameter before: the page before the update.
    /// - Returns: whether one has come.
    static func takeMoves(_ page: inout Page, since before: Page) -> Bool {
        var hasCome = false
        for (id, move) in page.moves {
            guard let index = page.sections.firstIndex(where: { $0.id == id }) else {
                page.moves[id] = nil
                continue
            }
            let (old, new) = (before.sections.first { $0.id == id }, page.sections[index])
            if let old, old.head.first == new.head.first, old.items.map(\.id) == new.items.map(\.id) { continue }
            page.moves[id] = nil
            hasCome = true
            guard let toEnd = move.toEnd, page.focus?.section == id, !new.items.isEmpty else { continue }
            page.focus = focus(page, at: ItemPosition(section: index, item: toEnd ? new.items.count - 1 : 0))
        }
        return hasCome
    }

    /// The row of cells on the page, from its top, at which the item with the focus begins.
    static func focusedRow(_ page: Page, _ layout: PageLayout) -> Int? {
        guard let position = page.focus?.position,
            let frame = layout.screen.frame(ofItem: position.item, inSection: position.section)
        else { return nil }
        return layout.scale.cells(frame).row
    }
}

extension PageSection {
    /// Screens full of rows to have at once, so that a person can turn a page before more rows have come.
    private static let screenfuls = 4

    /// Whether the list goes on after the rows that are here.
    var hasRowsAfter: Bool { Int(head.first) + items.count < Int(head.total) }

    /// The rows of a window to ask for.
    ///
    /// - Parameter screenful: rows of cells that a person sees.
    func rows(screenful: Int) -> Int {
        max(1, min(Int(head.anywhere), max(items.count, Self.screenfuls * screenful)))
    }

    /// The window to ask for when this item has the focus; `nil` if the rows around it are here.
    func place(around index: Int, screenful: Int) -> WindowPlace? {
        guard head.anywhere > 0, items.indices.contains(index) else { return nil }
        let margin = max(1, min(items.count / 4, screenful))
        let isNearEnd = hasRowsAfter && index >= items.count - margin
        let isNearStart = head.first > 0 && index < margin
        guard isNearEnd || isNearStart else { return nil }
        let others = rows(screenful: screenful) - 1
        let before = isNearEnd ? others / 2 : others - others / 2
        // A window that would show the same rows never comes.
        let start = max(0, Int(head.first) + index - before)
        let end = min(Int(head.total), Int(head.first) + index + 1 + others - before)
        guard start != Int(head.first) || end != Int(head.first) + items.count else { return nil }
        return WindowPlace(
            item: items[index].id, cursor: head.cursor.isEmpty ? nil : head.cursor, before: UInt32(before),
            after: UInt32(others - before))
    }
}
