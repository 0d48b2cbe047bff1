package import MarqueeStore

/// The reason why an import had to stop. Bad rows don't stop it; the report lists them.
package struct ImportError: Error, Sendable, CustomStringConvertible {
    /// The kinds of failure that callers can tell apart. An open set: new codes don't break a `switch` with a
    /// `default`.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Wrapped: String {
            case noInput, unreadable, wrongColumns, malformed, store, cancelled, refused
        }
        private let wrapped: Wrapped
        private init(_ wrapped: Wrapped) { self.wrapped = wrapped }

        /// The file doesn't exist or may not be read.
        package static let noInput = Code(.noInput)
        /// Reading was cut short, for example by a damaged .gz file.
        package static let unreadable = Code(.unreadable)
        /// The first row doesn't name the required columns.
        package static let wrongColumns = Code(.wrongColumns)
        /// The file is not of the expected kind, or a row never ends.
        package static let malformed = Code(.malformed)
        /// The store could not write; see `storeError`.
        package static let store = Code(.store)

        /// The caller stopped the import early.
        package static let cancelled = Code(.cancelled)
        /// Too many rows can't be used.
        package static let refused = Code(.refused)

        package var description: String { wrapped.rawValue }
    }

    package var code: Code
    /// One sentence for a person, naming the file, and the line if there is one.
    package var message: String
    /// With `Code.store`: the store's own error.
    package var storeError: StoreError?

    package init(_ code: Code, _ message: String, storeError: StoreError? = nil) {
        self.code = code
        self.message = message
        self.storeError = storeError
    }

    package var description: String { message }
}
