import MarqueeStore

/// The news of its database that a server hears, and when: what `PostgresFollower` reports, without SQL.
///
/// A look tells what has become visible since the one before. Moves of the server itself are left out, as it knows
/// them; those of others come in the order in which they were made.
struct Following {
    private var moves: [UserMove] = []
    private var hasCatalogueMoved = false
    /// Whether a commit of the server may have taken effect without its knowing, or the database is another one.
    private var mayHaveMissed = false

    /// Another server has written something.
    mutating func wrote(_ write: StoreWrite, _ outcome: StoreOutcome) {
        guard case .done(_, changed: true) = outcome else { return }
        switch write {
        case .catalogue, .draft: hasCatalogueMoved = true
        case .observed: break
        case .member: if let (user, move) = write.memberMove(outcome) { moves.append(UserMove(user: user, move: move)) }
        }
    }

    mutating func miss() { mayHaveMissed = true }

    var hasNews: Bool { hasCatalogueMoved || mayHaveMissed || !moves.isEmpty }

    /// - Parameter limit: the most moves that are reported at once.
    mutating func look(_ store: NodeStore, limit: Int) throws(StoreError) -> [StoreEvent] {
        // Moves known before the look begins must be there.
        do throws(StoreError) { try store.look() } catch {
            guard error.code.isFinal else { throw error }
            return [.lost(error)]
        }
        var news: [StoreEvent] = hasCatalogueMoved ? [.catalogue] : []
        hasCatalogueMoved = false
        if mayHaveMissed {
            news.append(.missed)
            moves.removeAll()
        } else if !moves.isEmpty {
            let page = Array(moves.prefix(limit))
            moves.removeFirst(page.count)
            if let newest = page.last { try store.note(user: newest.user) }
            news.append(.moves(page))
        }
        mayHaveMissed = false
        return news
    }
}
