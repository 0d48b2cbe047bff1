package import MarqueeModel

extension ScreenChanges {
    /// A section in one state of a screen.
    package typealias Section = (id: String, version: Version)

    /// The batch updates that take a collection view from one state of a screen to another.
    ///
    /// Items of deleted and inserted sections are implied. If any section moves, the first batch contains only
    /// sections; its data source shows the new section order with the old items of the sections that stayed. The second
    /// batch contains only items, all with the new section indices.
    ///
    /// - Parameters:
    ///   - old: the sections displayed, with unique ids.
    ///   - new: the sections to display, with unique ids.
    ///   - transitions: the transitions of the applied patches, by section id, where known. One that doesn't lead from
    ///     the old version to the new one is ignored, and the difference is computed instead.
    package static func between(
        old: [Section], new: [Section], transitions: [String: ListTransition] = [:]
    ) -> ScreenChanges {
        let sections = SectionAlignment(old: old, new: new)
        var structure = sections.batch
        let movesSections = !structure.movedSections.isEmpty
        var items = movesSections ? StructuralBatch() : structure
        var changes = ScreenChanges()

        for (newIndex, oldIndex) in sections.surviving {
            let base = old[oldIndex].version
            let target = new[newIndex].version
            guard base.sum != target.sum else { continue }
            let transition: ListTransition
            if let known = transitions[new[newIndex].id], known.base == base.sum, known.target == target.sum {
                transition = known
            } else {
                transition = Differ.transition(from: base, to: target)
            }
            items.append(transition, oldSection: movesSections ? newIndex : oldIndex, newSection: newIndex)
            changes.reconfiguredItems += transition.updated.map { ItemPosition(section: newIndex, item: $0) }
            if transition.headChanged { changes.reconfiguredSections.append(newIndex) }
        }
        if !movesSections { structure = StructuralBatch() }
        changes.batches = [structure, items].filter { !$0.isEmpty }
        return changes
    }
}

/// Which sections stayed, appeared and disappeared, and the fewest moves among those that stayed.
private struct SectionAlignment {
    /// The new and old index of each section that stayed, ascending by the new one.
    private(set) var surviving: [(new: Int, old: Int)] = []
    /// The section operations, without items.
    private(set) var batch = StructuralBatch()

    init(old: [ScreenChanges.Section], new: [ScreenChanges.Section]) {
        surviving.reserveCapacity(min(old.count, new.count))
        // Most screens keep their sections.
        var start = 0
        while start < old.count, start < new.count, old[start].id.hasSameBytes(as: new[start].id) {
            surviving.append((new: start, old: start))
            start += 1
        }
        guard start < old.count || start < new.count else { return }

        var oldIndices: [ExactString: Int] = [:]
        for index in start..<old.count { oldIndices[ExactString(old[index].id)] = index }
        for index in start..<new.count {
            // Removed, so that no old section is used twice.
            if let oldIndex = oldIndices.removeValue(forKey: ExactString(new[index].id)) {
                surviving.append((new: index, old: oldIndex))
            } else {
                batch.insertedSections.append(index)
            }
        }
        let stayed = Set(surviving.map(\.old))
        batch.deletedSections = old.indices.filter { !stayed.contains($0) }
        var scratch = DiffScratch.take()
        defer { scratch.giveBack() }
        scratch.runs.removeAll()
        for section in surviving { scratch.runs.append(MatchRun(old: section.old, new: section.new, count: 1)) }
        scratch.markMoves()
        for (place, section) in surviving.enumerated() where scratch.runs.base[place].isMoved {
            batch.movedSections.append(PositionMove(from: section.old, to: section.new))
        }
    }
}

extension StructuralBatch {
    /// Adds the item operations of one section that stayed.
    fileprivate mutating func append(_ transition: ListTransition, oldSection: Int, newSection: Int) {
        deletedItems += transition.deleted.map { ItemPosition(section: oldSection, item: $0) }
        insertedItems += transition.inserted.map { ItemPosition(section: newSection, item: $0) }
        movedItems += transition.moved.map {
            PositionMove(
                from: ItemPosition(section: oldSection, item: $0.from),
                to: ItemPosition(section: newSection, item: $0.to))
        }
    }
}
