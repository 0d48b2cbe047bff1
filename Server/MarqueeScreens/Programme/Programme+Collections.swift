package import MarqueeModel
package import MarqueeTypes

extension Programme {
    /// The members of one of a user's collections whose records the catalogue has.
    package struct CollectionQuery: Hashable, Sendable {
        package var name: CollectionName
        /// `nil` for all.
        package var limit: Int?
    }

    /// A collection that every user has.
    package struct UserCollection: Hashable, Sendable {
        package var name: CollectionName
        /// The value stored with each member; `nil` if the collection stores only membership.
        package var value: CollectionDeclaration.Value?

        package static let favorites = UserCollection(name: .favorites, value: nil)
    }

    /// The members of the user's collections, each in a private section; every programme has this screen.
    var collectionSet: Screen {
        Screen(
            family: ScreenID.collectionSet.name, argument: nil, title: ScreenTitleText(text: LocalizedText("")),
            sections: collections.map { collection in
                Section(
                    id: collection.name.name, kind: .collectionSet, header: nil, footer: nil, layout: nil, sorts: [],
                    windows: [], placeholders: 0, source: .collectionSet(collection))
            })
    }
}

extension TypeSet {
    /// The users' collections; always includes favorites.
    var userCollections: [Programme.UserCollection] {
        let declared = collections.map {
            Programme.UserCollection(name: CollectionName($0.name), value: $0.value)
        }
        let favorites = declared.first { $0.name == .favorites } ?? .favorites
        return [favorites] + declared.filter { $0.name != .favorites }
    }
}
