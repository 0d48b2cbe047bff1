package import MarqueeDiff

/// The content of a variant or a view at one revision, and what it was made of.
package struct Evaluation: Sendable {
    package var version: Version
    package var dependencies: Dependencies

    package init(version: Version, dependencies: Dependencies) {
        self.version = version
        self.dependencies = dependencies
    }
}
