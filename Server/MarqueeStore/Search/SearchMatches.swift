package import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes

/// A page of a search's matches, with the position of the catalogue that was searched.
package struct SearchMatches: Hashable, Sendable {
    /// The most matches that are counted and can be paged to. It bounds the work of a search.
    package static let limit = 2_000
    /// The most bytes of a query.
    package static let queryBytes = 256
    /// The most references that are followed from a match to another record that its item draws on.
    private static let hops = 2

    package var head: LogHead
    /// The number of matches, at most `limit`.
    package var total: Int
    /// Whether there are more than were counted.
    package var isCapped: Bool
    /// The page's matches, in order.
    package var ids: [RecordID] = []
    /// The records of the page, and those that these refer to, as changes that build a catalogue from nothing.
    package var content: [Change] = []
    /// The values of the facets that the scope counts, among the counted matches.
    package var facets: [SearchFacet] = []
    package var work = SearchWork()

    /// Without a page: only the count.
    package init(head: LogHead, total: Int, isCapped: Bool) {
        self.head = head
        self.total = total
        self.isCapped = isCapped
    }

    /// - Parameters:
    ///   - found: all matches, in order.
    ///   - records: reads many records at once; returns `nil` if they have to be read one by one.
    ///   - record: reads the state that was searched.
    init(
        head: LogHead, found: FoundRecords, offset: Int, limit: Int, scope: SearchScope,
        records: ([RecordID]) throws -> [CatalogueRecord]? = { _ in nil },
        record: (RecordName) throws -> CatalogueRecord?
    ) rethrows {
        self.init(head: head, total: found.ids.count, isCapped: found.isCapped)
        work = found.work
        func reading(_ name: RecordName) throws -> CatalogueRecord? {
            work.records += 1
            return try record(name)
        }
        let counted = found.ids.filter { scope.facets[$0.type] != nil }
        if !counted.isEmpty {
            var read = try records(counted)
            if read == nil { read = try counted.compactMap { try record(.typed($0)) } }
            work.records += counted.count
            facets = Self.facets(of: read ?? [], scope.facets)
        }
        for id in found.ids.dropFirst(max(0, offset)).prefix(max(0, limit)) {
            guard case .typed(_, let bytes)? = try reading(.typed(id)) else { continue }
            ids.append(id)
            content.append(.put(id, .bytes(bytes)))
        }
        var known = Set(ids)
        for _ in 0..<Self.hops {
            let others = scope.referred(ids, content).subtracting(known)
            if others.isEmpty { break }
            known.formUnion(others)
            content += try others.sorted { ($0.type, $0.id) < ($1.type, $1.id) }.compactMap {
                try reading(.typed($0))?.change
            }
        }
    }
}

extension SearchMatches {
    /// - Parameter fields: the fields to count by type.
    private static func facets(of records: [CatalogueRecord], _ fields: [String: [FieldPath]]) -> [SearchFacet] {
        var facets: [String: SearchFacet] = [:]
        for case .typed(let id, let bytes) in records {
            for path in fields[id.type] ?? [] {
                facets[path.text, default: SearchFacet(field: path.text)].add(bytes, path)
            }
        }
        return facets.values.map(\.bounded).sorted { $0.field < $1.field }
    }

    /// The matches of several types in one order, in which the types take turns.
    /// - Parameter found: the matches of each type.
    static func takingTurns(_ found: [[RecordID]]) -> [RecordID] {
        var ids: [RecordID] = []
        for place in 0..<(found.map(\.count).max() ?? 0) {
            ids += found.compactMap { place < $0.count ? $0[place] : nil }
        }
        return ids
    }
}
