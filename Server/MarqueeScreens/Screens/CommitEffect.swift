package import MarqueeModel

/// What the content of a variant or a view was made of. The programme always belongs to it.
package struct Dependencies: Hashable, Sendable {
    package var keys: Set<CatalogueKey> = []
    /// Any movie may change the content.
    package var allMovies = false
    /// Any movie that has or had one of these genres may change the content.
    package var genres: Set<UInt64> = []
    /// The favorites of the variant's user belong to it.
    package var favorites = false

    package init() {}
}

/// What a commit may have changed.
package struct CommitEffect: Hashable, Sendable {
    package var keys: Set<CatalogueKey> = []
    /// Whether any movie was touched.
    package var touchesMovies = false
    /// Genres that touched movies have or had.
    package var genres: Set<UInt64> = []
    /// Another programme is in force: every plan is to be made anew.
    package var changesProgramme = false
    /// What is wrong with a programme that the commit brought; the one before stays in force.
    package var programmeErrors: [ProgrammeError] = []

    package init() {}

    /// Whether content with these dependencies may have changed. When not, it is the same, byte for byte.
    package func touches(_ dependencies: Dependencies) -> Bool {
        changesProgramme || (dependencies.allMovies && touchesMovies)
            || !dependencies.genres.isDisjoint(with: genres) || !dependencies.keys.isDisjoint(with: keys)
    }
}
