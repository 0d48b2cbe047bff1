/// The law about what everybody shows in the end.
extension Checker {
    /// The last state of an observer.
    private struct Mirror {
        var user = ""
        var isLive = false
        var screens: [RecordedScreen: (position: Position, content: [String: String])] = [:]
        var count = 0
    }

    private var mirrors: [String: Mirror] {
        var mirrors: [String: Mirror] = [:]
        for event in history.events {
            switch event.what {
            case .shown(let observer, let user, let screen, let position, let content):
                mirrors[observer, default: Mirror()].user = user
                mirrors[observer]?.screens[screen] = (position, content)
            case .live(let observer, let isLive): mirrors[observer, default: Mirror()].isLive = isLive
            case .counted(let observer, _, let value): mirrors[observer, default: Mirror()].count = value
            default: break
            }
        }
        return mirrors
    }

    /// Mirrors that don't show what the database has in the end. Positions aren't compared: they may differ where the
    /// content doesn't.
    var differences: [Violation] {
        let mirrors = mirrors
        return terms.lasting.sorted().flatMap { observer in
            guard let mirror = mirrors[observer], !mirror.screens.isEmpty else { return ["\(observer) showed nothing"] }
            return differences(observer, mirror)
        }.map { Violation(law: .converged, text: $0) }
    }

    private func differences(_ observer: String, _ mirror: Mirror) -> [String] {
        let user = mirror.user
        let head = Position(
            epoch: stored.epoch, revision: stored.head, userEpoch: stored.userEpoch,
            userRevision: stored.userHeads[user] ?? 0)
        var found = mirror.isLive ? [] : ["\(observer) is not live"]
        for screen in [RecordedScreen.home, .favorites] {
            guard let shown = mirror.screens[screen] else {
                found.append("\(observer) never showed \(screen.rawValue)")
                continue
            }
            if let difference = model.difference(screen, user, head, shown.content) {
                found.append(
                    "\(screen.rawValue) of \(observer) is at \(shown.position.text), where the database is at "
                        + "\(head.text): \(difference)")
            }
        }
        if mirror.count != counter(of: user) {
            found.append("the counter of \(user) at \(observer) is \(mirror.count), not \(counter(of: user))")
        }
        return found
    }

    /// A user's counter, as the rows have it; 0 without any.
    func counter(of user: String) -> Int {
        stored.members.first { $0.key.user == user && $0.key.collection == Stored.counter }
            .flatMap { Stored.number($0.value) } ?? 0
    }
}
