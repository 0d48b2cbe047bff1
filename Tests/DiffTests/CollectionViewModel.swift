import MarqueeDiff
import MarqueeModel

/// The rules by which `UICollectionView` and diffable snapshots accept a batch, as strict as documented.
struct CollectionViewModel {
    /// A displayed item: its identity, and the content its cell was last given.
    struct Cell: Hashable {
        var identity: String
        var content: [UInt8]

        init(_ item: Item) {
            identity = "\(item.id)|\(item.kind.rawValue)|\(item.subject)"
            content = item.body
        }
    }

    struct Section: Equatable {
        var id: String
        var head: [UInt8]
        var cells: [Cell]

        init(_ section: ScreenChanges.Section) {
            id = section.id
            head = section.version.head
            cells = section.version.items.map { Cell($0) }
        }
    }

    struct Refusal: Error, Equatable {
        var reason: String

        init(_ reason: String) { self.reason = reason }
    }

    private(set) var sections: [Section]

    init(_ sections: [Section]) { self.sections = sections }

    /// Performs a batch; `data` is the data source's content at its end.
    mutating func perform(_ batch: StructuralBatch, data: [Section]) throws(Refusal) {
        try check(!batch.isEmpty, "an empty batch")
        let origins = try sectionOrigins(batch, count: data.count)
        let hasItems = !batch.deletedItems.isEmpty || !batch.insertedItems.isEmpty || !batch.movedItems.isEmpty
        try check(batch.movedSections.isEmpty || !hasItems, "sections move together with items")
        try checkItems(batch, origins: origins, data: data)

        var result: [Section] = []
        for (index, origin) in origins.enumerated() {
            guard let origin else {
                result.append(data[index])
                continue
            }
            var section = sections[origin]
            try check(section.id == data[index].id, "a different section at \(index)")
            section.cells = try cells(of: batch, from: origin, to: index, data: data[index].cells)
            result.append(section)
        }
        sections = result
        for (shown, wanted) in zip(sections, data) {
            try check(shown.cells.map(\.identity) == wanted.cells.map(\.identity), "items that differ from the data")
        }
    }

    /// Gives the cells and headers at these places the data's content.
    mutating func reconfigure(_ changes: ScreenChanges, data: [Section]) throws(Refusal) {
        try check(Set(changes.reconfiguredItems).count == changes.reconfiguredItems.count, "reconfigured twice")
        try check(Set(changes.reconfiguredSections).count == changes.reconfiguredSections.count, "reconfigured twice")
        for position in changes.reconfiguredItems {
            try checkPosition(position, in: data)
            let wanted = data[position.section].cells[position.item]
            try check(sections[position.section].cells[position.item] != wanted, "needlessly reconfigured")
            sections[position.section].cells[position.item] = wanted
        }
        for index in changes.reconfiguredSections {
            try check(data.indices.contains(index), "a nonexistent section")
            try check(sections[index].head != data[index].head, "needlessly reconfigured")
            sections[index].head = data[index].head
        }
    }

    /// For each new section, the old one, or nil if it is inserted.
    private func sectionOrigins(_ batch: StructuralBatch, count: Int) throws(Refusal) -> [Int?] {
        let gone = batch.deletedSections + batch.movedSections.map(\.from)
        let come = batch.insertedSections + batch.movedSections.map(\.to)
        try check(Set(gone).count == gone.count, "a section deleted or moved twice")
        try check(Set(come).count == come.count, "two sections to one place")
        try check(gone.allSatisfy { sections.indices.contains($0) }, "an old section out of bounds")
        try check(come.allSatisfy { (0..<count).contains($0) }, "a new section out of bounds")
        try check(
            sections.count - batch.deletedSections.count + batch.insertedSections.count == count,
            "the number of sections doesn't add up")
        let inserted = Set(batch.insertedSections)
        let moved = Dictionary(uniqueKeysWithValues: batch.movedSections.map { ($0.to, $0.from) })
        var staying = sections.indices.filter { !gone.contains($0) }[...]
        return (0..<count).map { index in
            if inserted.contains(index) { return nil }
            return moved[index] ?? staying.popFirst()
        }
    }

    private func checkItems(_ batch: StructuralBatch, origins: [Int?], data: [Section]) throws(Refusal) {
        let gone = batch.deletedItems + batch.movedItems.map(\.from)
        let come = batch.insertedItems + batch.movedItems.map(\.to)
        try check(Set(gone).count == gone.count, "an item deleted or moved twice")
        try check(Set(come).count == come.count, "two items to one place")
        let surviving = Set(origins.compactMap { $0 })
        for position in gone {
            try checkPosition(position, in: sections)
            try check(surviving.contains(position.section), "an item operation in a deleted section")
        }
        for position in come {
            try checkPosition(position, in: data)
            try check(origins[position.section] != nil, "an item operation in an inserted section")
        }
        for move in batch.movedItems {
            try check(origins[move.to.section] == move.from.section, "an item moves to another section")
        }
    }

    /// The cells of a surviving section after its item operations.
    private func cells(
        of batch: StructuralBatch, from origin: Int, to index: Int, data: [Cell]
    ) throws(Refusal) -> [Cell] {
        let old = sections[origin].cells
        let inserted = Set(batch.insertedItems.filter { $0.section == index }.map(\.item))
        let moves = batch.movedItems.filter { $0.to.section == index }
        let moved = Dictionary(uniqueKeysWithValues: moves.map { ($0.to.item, $0.from.item) })
        let gone = Set(
            batch.deletedItems.filter { $0.section == origin }.map(\.item) + moves.map(\.from.item))
        var staying = old.indices.filter { !gone.contains($0) }[...]
        try check(staying.count + inserted.count + moved.count == data.count, "the number of items doesn't add up")
        var cells: [Cell] = []
        for position in data.indices {
            if inserted.contains(position) {
                cells.append(data[position])
            } else if let source = moved[position] ?? staying.popFirst() {
                cells.append(old[source])
            }
        }
        return cells
    }

    private func checkPosition(_ position: ItemPosition, in sections: [Section]) throws(Refusal) {
        try check(
            sections.indices.contains(position.section)
                && sections[position.section].cells.indices.contains(position.item), "an item out of bounds")
    }

    private func check(_ condition: Bool, _ reason: String) throws(Refusal) {
        if !condition { throw Refusal(reason) }
    }
}
