package import MarqueeCatalogue
import MarqueeModel
package import MarqueeStore
package import MarqueeTypes

/// Keeps invalid programmes out of the log. Each programme is checked with the latest types before it.
package struct ProgrammeValidator {
    /// The types in force after the checked changes.
    package private(set) var types: TypeSet?

    /// - Parameter types: the current types before the first change.
    package init(types: TypeSet? = nil) { self.types = types }

    /// Returns a programme's errors with a set of types. Used by stores.
    package static let check: ProgrammeCheck = { text, types in
        do throws(FileMistakes) {
            _ = try Programme.parse(text: text, file: "programme", types: types)
            return []
        } catch {
            return error.mistakes
        }
    }

    /// Checks a change. If it contains types, later changes are checked with them.
    ///
    /// - Throws: all errors of a programme or of types.
    package mutating func check(_ change: Change) throws {
        switch change {
        case .types(let document): types = try TypeSet(document, file: "types")
        case .programme(let text): _ = try Programme.parse(text: text, file: "programme", types: types)
        default: break
        }
    }
}
