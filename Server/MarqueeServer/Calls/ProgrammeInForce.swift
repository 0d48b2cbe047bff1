import MarqueeCatalogue
import MarqueeScreens
import MarqueeStore

/// The current programme, and the text of the one that this server was given.
struct ProgrammeInForce {
    var programme: Programme
    /// `nil` if the server uses the store's.
    var given: String?

    init(_ programme: Programme) { self.programme = programme }

    /// The revisions at which another programme than the given one came into force.
    func others(in commits: [CatalogueCommit]) -> [UInt64] {
        guard let given else { return [] }
        return commits.flatMap { commit in
            commit.changes.compactMap { change in
                if case .programme(let text) = change, text != given { commit.revision } else { nil }
            }
        }
    }
}
