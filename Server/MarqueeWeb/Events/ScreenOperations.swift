import MarqueeDiff
import MarqueeModel
import MarqueeScreenJSON
import MarqueeServer
import MarqueeWire

/// The operations from one state of a screen to another, as JSON, in the form of the command line's updates: those on
/// sections first, then those on the items of each.
enum ScreenOperations {
    static func between(_ old: FeedState, _ new: FeedState) -> [JSONDocument] {
        var operations: [JSONDocument] = []
        // A section that isn't remembered is replaced.
        let known = old.sections.enumerated().filter { $1.version != nil }
        let places = Dictionary(known.map { ($1.place.id, $0) }) { first, _ in first }
        let stays = Set(new.sections.map(\.place.id)).intersection(places.keys)
        for (index, section) in old.sections.enumerated() where !stays.contains(section.place.id) {
            operations.append(
                .object([
                    "op": .string("section-delete"), "section": .string(section.place.id), "from": .integer(index),
                ]))
        }
        let moved = movedSections(old.sections.filter { stays.contains($0.place.id) }, new.sections)
        for (index, section) in new.sections.enumerated() {
            let id = section.place.id
            guard let from = places[id] else {
                operations.append(
                    .object([
                        "op": .string("section-insert"), "section": .string(id), "to": .integer(index),
                        "content": WebText.section(section),
                    ]))
                continue
            }
            if moved.contains(id) {
                operations.append(
                    .object([
                        "op": .string("section-move"), "section": .string(id), "from": .integer(from),
                        "to": .integer(index),
                    ]))
            }
            if old.sections[from].version?.head != section.version?.head || old.sections[from].place != section.place {
                operations.append(
                    .object([
                        "op": .string("section-update"), "section": .string(id), "to": .integer(index),
                        "head": .object(WebText.head(section)),
                    ]))
            }
        }
        for section in new.sections {
            guard let from = places[section.place.id], let base = old.sections[from].version,
                let target = section.version, base.sum != target.sum
            else { continue }
            operations += items(of: section.place.id, from: base, to: target)
        }
        return operations
    }

    /// The fewest sections that have to move.
    /// - Parameter old: those that stay.
    private static func movedSections(_ old: [FeedState.Section], _ new: [FeedState.Section]) -> Set<String> {
        let changes = ScreenChanges.between(
            old: old.map { ($0.place.id, .empty) }, new: new.map { ($0.place.id, .empty) })
        return Set(changes.batches.flatMap(\.movedSections).map { new[$0.to].place.id })
    }

    private static func items(of section: String, from base: Version, to target: Version) -> [JSONDocument] {
        let transition = Differ.transition(from: base, to: target)
        func operation(_ name: String, _ item: Item, _ more: KeyValuePairs<String, JSONDocument?>) -> JSONDocument {
            var members = JSONDocument.pairs(more)
            members["op"] = .string(name)
            members["section"] = .string(section)
            members["id"] = .string(item.id)
            return .object(members)
        }
        let deleted = transition.deleted.map { operation("delete", base.items[$0], ["from": .integer($0)]) }
        var placed: [(to: Int, operation: JSONDocument)] = []
        for to in transition.inserted {
            let item = target.items[to]
            placed.append((to, operation("insert", item, ["to": .integer(to), "item": WebText.item(item)])))
        }
        for move in transition.moved {
            let ends: KeyValuePairs<String, JSONDocument?> = ["from": .integer(move.from), "to": .integer(move.to)]
            placed.append((move.to, operation("move", target.items[move.to], ends)))
        }
        for to in transition.updated {
            let item = target.items[to]
            placed.append((to, operation("update", item, ["to": .integer(to), "item": WebText.item(item)])))
        }
        // Sorting keeps the order of equals: a move comes before the update of the same item.
        placed.sort { $0.to < $1.to }
        return deleted + placed.map(\.operation)
    }
}
