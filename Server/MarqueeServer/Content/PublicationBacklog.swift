/// Publications that wait for a reader, in order. Their number is bounded however slow the reader is, because later
/// ones are merged: nobody needs the states in between.
struct PublicationBacklog {
    /// The number of publications above which a new one is merged with the last.
    static let separate = 64

    private(set) var waiting: [Publication] = []

    var isEmpty: Bool { waiting.isEmpty }

    /// Whether the end of all sessions is among them.
    var hasEnd: Bool { waiting.first?.end != nil }

    mutating func append(_ publication: Publication) {
        // Earlier publications belong to replaced logs. The end itself stays first, so nothing is ever merged with it.
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
    /// Merges this publication with a later one and takes over the later revisions. The result concerns everybody whom
    /// either of the two concerns.
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
