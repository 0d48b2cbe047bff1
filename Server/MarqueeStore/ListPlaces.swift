import MarqueeCatalogue
import MarqueeModel

/// The order of a list's entries, without their content.
struct ListPlaces {
    private var numbers: [String: Int64] = [:]
    /// Ascending.
    private var order: [Int64] = []

    subscript(key: String) -> Int64? { numbers[key] }

    /// - Parameter number: higher than all others.
    mutating func append(_ key: String, number: Int64) {
        numbers[key] = number
        order.append(number)
    }

    /// Applies edits.
    /// - Returns: the entries touched, as the edits leave them, `nil` for those removed; `nil` if there was no room
    ///   between two entries for another one.
    mutating func apply(_ edits: [EntryEdit]) -> [String: ListEntry?]? {
        var entries: [String: ListEntry?] = [:]
        for edit in edits {
            entries.updateValue(edit.entry, forKey: edit.key)
            guard apply(edit) else { return nil }
        }
        return entries
    }

    /// Moves, adds or removes an entry.
    /// - Returns: whether there was room for it.
    mutating func apply(_ edit: EntryEdit) -> Bool {
        if let number = numbers[edit.key] {
            if edit.entry != nil, edit.rank == nil { return true }
            order.remove(at: place(of: number))
            numbers[edit.key] = nil
        }
        guard edit.entry != nil else { return true }
        let rank = min(max(1, edit.rank ?? .max), order.count + 1)
        let next = rank <= order.count ? order[rank - 1] : nil
        guard let number = PlaceNumber.between(rank > 1 ? order[rank - 2] : nil, next) else { return false }
        order.insert(number, at: rank - 1)
        numbers[edit.key] = number
        return true
    }

    /// The index of a number, or the index at which it would be inserted.
    private func place(of number: Int64) -> Int { order.partitioningIndex { $0 >= number } }
}
