/// Filters of a search: the values of the facets that the server's types declare.
extension Browser {
    /// Rows of cells that show the values of facets, one for each field.
    var facetLines: Int {
        guard let search, rows >= 16 else { return 0 }
        return min(Set(search.facets.map(\.field)).count, rows >= 30 ? 4 : 2)
    }

    mutating func openFacets(now: Double) {
        guard var search else {
            return say(language("values are chosen in a search: / first", "값은 검색에서 고름: 먼저 /"), now: now)
        }
        search.menu = FacetMenu(search)
        guard search.menu != nil else {
            return say(language("these results have no values to choose", "고를 값이 없는 결과"), now: now)
        }
        self.search = search
    }

    mutating func pressedInFacets(_ key: Key) -> [Effect] {
        guard var menu = search?.menu else { return [] }
        if case .character(let character) = key, let number = character.wholeNumberValue, number > 0 {
            return menu.entries.indices.contains(number - 1) ? choose(menu.entries[number - 1]) : []
        }
        switch KeyTable.commands[key] {
        case .up, .previousSection: menu.move(by: -1)
        case .down, .nextSection: menu.move(by: 1)
        case .open: return choose(menu.entries[menu.selected])
        case .back, .dismiss, .facets:
            search?.menu = nil
            return []
        case .quit: return [.quit]
        default: return []
        }
        search?.menu = menu
        return []
    }

    private mutating func choose(_ entry: FacetMenu.Entry) -> [Effect] {
        guard var search else { return [] }
        search.menu = nil
        search.toggle(entry.value)
        return changed(search)
    }
}
