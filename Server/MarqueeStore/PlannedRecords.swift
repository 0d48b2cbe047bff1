/// The records that a commit writes, under their names. One that the commit makes and removes again is not among them.
struct PlannedRecords {
    /// A record under its name; `nil` removes it.
    typealias Row = (name: RecordName, record: CatalogueRecord?)

    struct Planned {
        fileprivate let name: RecordName
        fileprivate var isForgotten = false
        /// `nil` removes it.
        var record: CatalogueRecord?
        /// The index, among the plan's changes, of the one that writes it; `nil` unless it is of an operator's type.
        var place: Int?
    }

    /// Where in `planned` each name is. Names alone are hashed and moved, as a large commit has 65,536 of them.
    private var indices: [RecordName: Int] = [:]
    /// In the order of the changes.
    private var planned: [Planned] = []

    mutating func reserveCapacity(_ count: Int) {
        indices.reserveCapacity(count)
        planned.reserveCapacity(count)
    }

    /// - Returns: `nil` for a record that the commit leaves as it is stored.
    subscript(name: RecordName) -> Planned? { indices[name].map { planned[$0] } }

    mutating func put(_ record: CatalogueRecord?, under name: RecordName, place: Int? = nil) {
        let new = Planned(name: name, record: record, place: place)
        if let index = indices[name] {
            planned[index] = new
        } else {
            indices[name] = planned.count
            planned.append(new)
        }
    }

    mutating func forget(_ name: RecordName) {
        if let index = indices.removeValue(forKey: name) { planned[index].isForgotten = true }
    }

    /// Whether a record is written under a name for which `condition` holds.
    func puts(where condition: (RecordName) -> Bool) -> Bool {
        indices.contains { condition($0.key) && planned[$0.value].record != nil }
    }

    /// In the order of their keys: so rows are appended to a page instead of being spread over all pages. Changes
    /// mostly come in runs of that order, which a sort only merges.
    var sorted: [Row] {
        var order = planned.indices.filter { !planned[$0].isForgotten }
        planned.withUnsafeBufferPointer { planned in order.sort { planned[$0].name < planned[$1].name } }
        return order.map { (name: planned[$0].name, record: planned[$0].record) }
    }
}
