/// The types, collections and lists that stored data depends on.
package struct TypesInUse: Hashable, Sendable {
    /// Aliases of types that have records.
    package var records: Set<String>
    /// Names of collections in which users have members.
    package var collections: Set<String>
    /// Declared names of the lists that are stored.
    package var lists: Set<String>

    package init(
        records: Set<String> = [], collections: Set<String> = [], lists: Set<String> = []
    ) {
        self.records = records
        self.collections = collections
        self.lists = lists
    }
}

/// The changes that a new set of types makes, one sentence each.
package struct TypeSetChanges: Hashable, Sendable {
    /// Changes that keep the meaning of everything stored.
    package var compatible: [String] = []
    /// Why the new set can't replace the old one. Empty if it can.
    package var incompatible: [String] = []

    package var isCompatible: Bool { incompatible.isEmpty }

    /// Notes that a declaration is dropped.
    ///
    /// - Parameter reason: why it has to stay; `nil` if it may be dropped.
    mutating func drop(_ what: String, unless reason: String?) {
        if let reason {
            incompatible.append("\(what) is dropped, but \(reason)")
        } else {
            compatible.append("\(what) is dropped")
        }
    }
}

extension TypeSet {
    /// Compares this set with one that is to replace it.
    ///
    /// A type without records may change in any way. A type with records keeps its id, its item kind and the meaning of
    /// every stored value. Whether the programme still works without what is dropped is checked when it is read.
    package func changes(to next: TypeSet, inUse: TypesInUse) -> TypeSetChanges {
        var comparison = MessageComparison(before: schema, after: next.schema)
        for type in types { compare(type, next.type(type.alias), of: next, inUse, &comparison) }
        for type in next.types where self.type(type.alias) == nil {
            comparison.changes.compatible.append("the type '\(type.alias)' is new")
        }
        for collection in collections {
            let isUsed = inUse.collections.contains(collection.name)
            compare(collection, next.collection(collection.name), isUsed, &comparison)
        }
        for collection in next.collections where self.collection(collection.name) == nil {
            comparison.changes.compatible.append("the collection '\(collection.name)' is new")
        }
        compareLists(with: next, inUse.lists, &comparison)
        return comparison.changes
    }

    private func compare(
        _ type: TypeDeclaration, _ next: TypeDeclaration?, of set: TypeSet, _ inUse: TypesInUse,
        _ comparison: inout MessageComparison
    ) {
        let what = "the type '\(type.alias)'"
        let hasRecords = inUse.records.contains(type.alias)
        guard let next else {
            return comparison.changes.drop(what, unless: hasRecords ? "it has records" : nil)
        }
        compareIndexes(of: type, next, what, &comparison)
        guard hasRecords else { return }
        if type.kind != next.kind {
            comparison.changes.incompatible.append(
                "\(what) has the item kind \(next.kind.rawValue) now, but clients know its records by "
                    + "\(type.kind.rawValue)")
        }
        // If no field holds the id any more, a record keeps the id that it was stored under.
        if let id = next.id, type.id?.numbers != id.numbers {
            comparison.changes.incompatible.append(
                "\(what) has its id in '\(id.text)' now, but its records are stored by "
                    + (type.id.map { "'\($0.text)'" } ?? "ids that no field holds"))
        }
        comparison.compare(type.message, next.message)
        compareInlineFields(of: type, with: set, &comparison.changes)
    }

    private func compareIndexes(
        of type: TypeDeclaration, _ next: TypeDeclaration, _ what: String, _ comparison: inout MessageComparison
    ) {
        func compare(_ before: [[FieldPath]], _ after: [[FieldPath]], _ noun: String) {
            func numbers(_ paths: [FieldPath]) -> [[UInt32]] { paths.map(\.numbers) }
            func text(_ paths: [FieldPath]) -> String { paths.map(\.text).joined(separator: ".") }
            for paths in after where !before.contains(where: { numbers($0) == numbers(paths) }) {
                comparison.changes.compatible.append("\(what) has a new \(noun) '\(text(paths))'")
            }
            for paths in before where !after.contains(where: { numbers($0) == numbers(paths) }) {
                comparison.changes.compatible.append("\(what) loses the \(noun) '\(text(paths))'")
            }
        }
        func compare(_ before: [FieldPath], _ after: [FieldPath], _ noun: String) {
            compare(before.map { [$0] }, after.map { [$0] }, noun)
        }
        compare(type.search.map(\.path), next.search.map(\.path), "search field")
        compare([type.searchRank].compactMap { $0 }, [next.searchRank].compactMap { $0 }, "rank of its search")
        compare(type.searchFacets, next.searchFacets, "facet of its search")
        compare(type.sorts.map(\.path), next.sorts.map(\.path), "sort")
        compare(type.facets, next.facets, "facet")
        compare(type.labels.map(\.path), next.labels.map(\.path), "set of labels of")
        for labels in next.labels where type.labels.contains(where: { $0.path == labels.path && $0 != labels }) {
            comparison.changes.compatible.append("\(what) has other labels of '\(labels.path.text)'")
        }
        compare(type.references.map(\.path), next.references.map(\.path), "reference")
        compare(
            type.nestedReferences.map { [$0.list, $0.reference.path] },
            next.nestedReferences.map { [$0.list, $0.reference.path] }, "reference")
    }

    private func compare(
        _ collection: CollectionDeclaration, _ next: CollectionDeclaration?, _ isUsed: Bool,
        _ comparison: inout MessageComparison
    ) {
        let what = "the collection '\(collection.name)'"
        guard let next else {
            return comparison.changes.drop(what, unless: isUsed ? "users have members in it" : nil)
        }
        guard isUsed else { return }
        for type in collection.types where !next.types.contains(type) {
            comparison.changes.incompatible.append("\(what) no longer takes '\(type)', but users have members in it")
        }
        switch (collection.value, next.value) {
        case (nil, _): break
        case (let value?, nil):
            comparison.changes.incompatible.append(
                "\(what) no longer has a value, but users have values of \(value.type)")
        case (let value?, let after?): comparison.compare(value.coder.message, after.coder.message, as: what)
        }
    }
}

extension FieldPath {
    /// The field numbers of the path, which don't change when a field is renamed.
    package var numbers: [UInt32] { steps + [field.number] }
}
