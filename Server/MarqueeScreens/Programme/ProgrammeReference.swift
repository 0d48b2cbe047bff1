package import MarqueeCatalogue
import MarqueeModel
import Yams

/// Something in the catalogue that a programme names.
package struct ProgrammeReference: Hashable, Sendable {
    package enum Target: Hashable, Sendable {
        case page(String)
        /// A list, or an edition of it.
        case list(ListName)
        /// The edition of a list that is in force.
        case shownEdition(list: String)
        /// Records of a type.
        case records(type: String)
    }

    /// The most references kept for one programme.
    static let limit = 10_000

    package var target: Target
    /// The pool that chooses from it, if it is named for one.
    package var pool: String?
    package var file: String
    /// From 1.
    package var line: Int
}

extension ProgrammeReader {
    /// Notes something that the catalogue has to have.
    mutating func refer(to target: ProgrammeReference.Target, pool: String? = nil, at node: Node) {
        guard references.count < ProgrammeReference.limit else { return }
        references.append(ProgrammeReference(target: target, pool: pool, file: file, line: node.mark?.line ?? 1))
    }
}
