/// Publications that wait for a reader, in order. However slow the reader is, there are only so many of them: nobody
/// needs the states in between.
struct PublicationBacklog {
    /// The number of publications above which each further one is merged with the last.
    static let separate = 64

    private(set) var waiting: [Publication] = []

    var isEmpty: Bool { waiting.isEmpty }

    /// Whether the end of everything that was published before is among them.
    var hasEnd: Bool { waiting.first?.end != nil }

    mutating func append(_ publication: Publication) {
        // Earlier publications belong to logs that are gone. The end itself stays first, so nothing
        // is ever merged with it.
        if publication.end != nil { waiting = [] }
        if waiting.count >= Self.separate, let last = waiting.last {
            waiting[waiting.count - 1] = last.followed(by: publication)
        } else {
            waiting.append(publication)
        }
    }

    /// Removes and returns everything.
    mutating func take() -> [Publication] {
        defer { waiting = [] }
        return waiting
    }
}

extension Publication {
    /// Merges this publication with a later one, whose revisions the result has. It concerns everybody whom either one
    /// concerns.
    func followed(by later: Publication) -> Publication {
        var both = later
        both.users = users.merging(later.users) { max($0, $1) }
        both.isOnlyTheirs = isOnlyTheirs && later.isOnlyTheirs
        both.changes = changes.merging(later.changes) { $1 }
        both.replans = replans.union(later.replans)
        both.gone = gone + Set(later.gone).subtracting(gone).sorted()
        both.ended.formUnion(ended)
        return both
    }
}
