package import MarqueeCatalogue
import MarqueeModel
package import MarqueeStore
package import MarqueeTypes

/// Keeps programmes that can't be used out of the log. Types count for the programmes after them.
package struct ProgrammeJudge {
    private var types: TypeSet?

    /// - Parameter types: those in force before the first change.
    package init(types: TypeSet? = nil) { self.types = types }

    /// What keeps a programme from being shown with a set of types, for stores.
    package static let check: ProgrammeCheck = { text, types in
        do throws(FileMistakes) {
            _ = try Programme.parse(text: text, file: "programme", types: types)
            return []
        } catch {
            return error.mistakes
        }
    }

    /// Judges a change, and if it contains types, all later changes by them.
    ///
    /// - Throws: every problem of a programme or of types.
    package mutating func check(_ change: Change) throws {
        switch change {
        case .types(let document): types = try TypeSet(document, file: "types")
        case .programme(let text): _ = try Programme.parse(text: text, file: "programme", types: types)
        default: break
        }
    }
}
