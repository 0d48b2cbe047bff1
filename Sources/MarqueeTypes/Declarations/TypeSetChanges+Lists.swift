extension TypeSet {
    /// Checks changes to lists: the entries of stored lists have to keep their meaning.
    ///
    /// - Parameter stored: the declared names of the lists that are stored.
    func compareLists(with next: TypeSet, _ stored: Set<String>, _ comparison: inout MessageComparison) {
        for list in lists { list.compare(with: next.list(list.name), stored.contains(list.name), &comparison) }
        for list in next.lists where self.list(list.name) == nil {
            comparison.changes.compatible.append("the list '\(list.name)' is new")
        }
    }
}

extension ListDeclaration {
    fileprivate func compare(
        with next: ListDeclaration?, _ isStored: Bool, _ comparison: inout MessageComparison
    ) {
        let what = "the list '\(name)'"
        guard let next else { return comparison.changes.drop(what, unless: isStored ? "it is stored" : nil) }
        guard isStored else { return }
        for type in types where !next.types.contains(type) {
            comparison.changes.incompatible.append("\(what) no longer takes '\(type)', but it may have some")
        }
        if hasEditions != next.hasEditions {
            comparison.changes.incompatible.append(
                hasEditions
                    ? "\(what) no longer has editions, but it is stored by editions"
                    : "\(what) has editions now, but it is stored without")
        }
        switch (place, next.place) {
        case (nil, _): break
        case (let place?, nil):
            comparison.changes.incompatible.append(
                "\(what) no longer has a place, but its entries have places of \(place.message.fullName)")
        case (let place?, let after?):
            comparison.compare(place.message, after.message, as: "the place of \(what)")
        }
    }
}
