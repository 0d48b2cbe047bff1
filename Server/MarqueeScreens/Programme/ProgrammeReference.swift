package import MarqueeCatalogue
import MarqueeModel
import Yams

/// Something of the catalogue that a programme names.
package struct ProgrammeReference: Hashable, Sendable {
    package enum Target: Hashable, Sendable {
        case movie(UInt64)
        case genre(UInt64)
        /// Movies of a genre; of any where it is `nil`.
        case movies(genre: UInt64?)
        case chart(String)
        case shelf(String)
        case page(String)
        /// A list, or an edition of it.
        case list(ListName)
        /// The edition of a list that is in force.
        case shownEdition(list: String)
        /// Records of a type.
        case records(type: String)
    }

    /// References of one programme that are kept, at most.
    static let limit = 10_000

    package var target: Target
    /// The pool that is chosen from it, if that is what it is named for.
    package var pool: String?
    package var file: String
    /// From 1.
    package var line: Int
}

extension ProgrammeReader {
    /// Notes what the catalogue has to have.
    mutating func refer(to target: ProgrammeReference.Target, pool: String? = nil, at node: Node) {
        guard references.count < ProgrammeReference.limit else { return }
        references.append(ProgrammeReference(target: target, pool: pool, file: file, line: node.mark?.line ?? 1))
    }
}
