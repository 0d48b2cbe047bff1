package import MarqueeStore

/// Why an import had to stop. A bad row alone doesn't stop it; it is in the report.
package struct ImportError: Error, Sendable, CustomStringConvertible {
    /// What a caller may tell apart. An open set: new codes don't break a `switch` with a `default`.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Wrapped: String {
            case noInput, unreadable, wrongColumns, malformed, store, cancelled, refused
        }
        private let wrapped: Wrapped
        private init(_ wrapped: Wrapped) { self.wrapped = wrapped }

        /// The file does not exist or may not be read.
        package static let noInput = Code(.noInput)
        /// Reading broke off, such as in a damaged .gz file.
        package static let unreadable = Code(.unreadable)
        /// The first row does not name the columns that are needed.
        package static let wrongColumns = Code(.wrongColumns)
        /// The file is not of the kind that was asked for, or a row has no end.
        package static let malformed = Code(.malformed)
        /// The store could not write; see `storeError`.
        package static let store = Code(.store)

        /// The caller wanted it to end early.
        package static let cancelled = Code(.cancelled)
        /// Too many rows can't be used.
        package static let refused = Code(.refused)

        package var description: String { wrapped.rawValue }
    }

    package var code: Code
    /// One sentence for a person, naming the file, and the line where there is one.
    package var message: String
    /// With `Code.store`: what the store said.
    package var storeError: StoreError?

    package init(_ code: Code, _ message: String, storeError: StoreError? = nil) {
        self.code = code
        self.message = message
        self.storeError = storeError
    }

    package var description: String { message }
}
