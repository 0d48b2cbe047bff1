package import MarqueeCatalogue
import MarqueeModel
import Yams

/// Something in the catalogue that a programme names.
package struct ProgrammeReference: Hashable, Sendable {
    package enum Target: Hashable, Sendable {
        case page(String)
        /// A list, or an edition of it.
        case list(ListName)
        /// The current edition of a list.
        case shownEdition(list: String)
        /// Records of a type.
        case records(type: String)
    }

    /// Maximum number of references kept for one programme.
    static let limit = 10_000

    package var target: Target
    /// The pool that chooses from the target, if it is named for a pool.
    package var pool: String?
    package var file: String
    /// The line number, from 1.
    package var line: Int
}

extension ProgrammeReader {
    /// Records a reference to something that the catalogue has to contain.
    mutating func refer(to target: ProgrammeReference.Target, pool: String? = nil, at node: Node) {
        guard references.count < ProgrammeReference.limit else { return }
        references.append(ProgrammeReference(target: target, pool: pool, file: file, line: node.mark?.line ?? 1))
    }
}
