/// The laws about what observers showed.
extension Checker {
    /// Observers that went back.
    var gone: [Violation] {
        struct Seen {
            var last: Position
            var epochs: Set<UInt64> = []
            var userEpochs: Set<UInt64> = []
        }
        struct View: Hashable {
            var observer: String
            var screen: RecordedScreen
        }
        var seen: [View: Seen] = [:]
        var counts: [String: Int] = [:]
        var found: [Violation] = []
        for event in history.events {
            switch event.what {
            case .shown(let observer, _, let screen, let next, _):
                let view = View(observer: observer, screen: screen)
                var past = seen[view] ?? Seen(last: next)
                if Self.isBack(next, past.last, past.epochs, past.userEpochs) {
                    found.append(
                        Violation(
                            law: .monotone,
                            text: "\(screen.rawValue) of \(observer) went from \(past.last.text) to \(next.text) at "
                                + "\(Self.text(event.at)) s"))
                }
                if next.epoch != past.last.epoch { past.epochs.insert(past.last.epoch) }
                if next.userEpoch != past.last.userEpoch { past.userEpochs.insert(past.last.userEpoch) }
                past.last = next
                seen[view] = past
            case .counted(let observer, let user, let value):
                let last = counts.updateValue(value, forKey: observer) ?? value
                if value < last, !losses.contains(where: { $0.lowerBound <= event.at }) {
                    found.append(
                        Violation(
                            law: .monotone,
                            text: "the counter of \(user) at \(observer) went from \(last) to \(value) at "
                                + "\(Self.text(event.at)) s"))
                }
            default: break
            }
        }
        return found
    }

    private static func isBack(
        _ next: Position, _ last: Position, _ epochs: Set<UInt64>, _ userEpochs: Set<UInt64>
    ) -> Bool {
        (next.epoch == last.epoch && next.revision < last.revision) || epochs.contains(next.epoch)
            || (next.userEpoch == last.userEpoch && next.userRevision < last.userRevision)
            || userEpochs.contains(next.userEpoch)
    }

    /// States that differ from another one at their position, or from what the log leads to there; and devices that
    /// don't show what they were just told.
    var contents: [Violation] {
        struct Cell: Hashable {
            var epoch: UInt64
            var revision: UInt64
            var subject: String
            /// Empty for what everybody shares.
            var user: String
        }
        var shown: [Cell: (content: String, observer: String)] = [:]
        var confirmed: [String: (isSet: Bool, at: Double)] = [:]
        var found: [Violation] = []
        let following = following
        for (number, event) in history.events.enumerated() {
            switch event.what {
            case .shown(let observer, let user, let screen, let position, let content):
                if screen == .favorites, isAhead(user, position, content, following[number]) { continue }
                // A screen of favorites is one cell, as what isn't listed counts, too.
                let cells: [(Cell, String)] =
                    switch screen {
                    case .home:
                        content.map {
                            (
                                Cell(epoch: position.epoch, revision: position.revision, subject: $0.key, user: ""),
                                $0.value
                            )
                        }
                    case .favorites:
                        [
                            (
                                Cell(
                                    epoch: position.userEpoch, revision: position.userRevision, subject: "", user: user),
                                content.keys.sorted().joined(separator: " ")
                            )
                        ]
                    }
                for (cell, content) in cells {
                    guard let other = shown[cell] else {
                        shown[cell] = (content, observer)
                        continue
                    }
                    guard other.content != content else { continue }
                    found.append(
                        Violation(
                            law: .oneContent,
                            text: "at \(position.text), \(observer) shows '\(content)' and \(other.observer) "
                                + "'\(other.content)' as \(screen.rawValue) \(cell.subject)"))
                }
                if let difference = difference(screen, user, position, content) {
                    found.append(
                        Violation(
                            law: .model,
                            text: "\(screen.rawValue) of \(observer) at \(position.text), shown at "
                                + "\(Self.text(event.at)) s: \(difference)"))
                }
            case .confirmed(_, .favorite(let user, let subject, let isSet), _):
                confirmed["\(user) \(subject)"] = (isSet, event.at)
            case .readBack(let device, let user, let subject, let isSet):
                guard let last = confirmed["\(user) \(subject)"], last.isSet != isSet, !mayBeLost(confirmedAt: last.at)
                else { continue }
                found.append(
                    Violation(
                        law: .ownWrites,
                        text: "\(device) shows \(subject) as \(isSet ? "set" : "unset") at \(Self.text(event.at)) s, "
                            + "after the opposite was confirmed to it"))
            default: break
            }
        }
        return found
    }

    /// The revision of their user's log that observers named after each event; missing after the last one.
    private var following: [Int: UInt64] {
        var following: [Int: UInt64] = [:]
        var next: [String: Position] = [:]
        for (number, event) in history.events.enumerated().reversed() {
            guard case .shown(let observer, _, _, let position, _) = event.what else { continue }
            if let later = next[observer], later.userEpoch == position.userEpoch {
                following[number] = later.userRevision
            }
            next[observer] = position
        }
        return following
    }

    /// Whether favorites are newer than the position beside them, and as old as the one that was named next.
    ///
    /// A position says that everything up to it is there. Frames that sessions share name the revision since which
    /// their content has been the newest, and relays are told of a user's position after the cut that has it (chapters
    /// 12 and 27 of the protocol's page).
    private func isAhead(
        _ user: String, _ position: Position, _ content: [String: String], _ following: UInt64?
    ) -> Bool {
        guard position.userEpoch == stored.userEpoch,
            difference(.favorites, user, position, content) != nil
        else { return false }
        let newest = following ?? stored.userHeads[user] ?? 0
        return model.has(Set(content.keys), of: user, after: position.userRevision, until: newest)
    }

    /// The log is known only of the epochs that the database has now.
    private func difference(
        _ screen: RecordedScreen, _ user: String, _ position: Position, _ content: [String: String]
    ) -> String? {
        switch screen {
        case .home where position.epoch != stored.epoch: nil
        case .favorites where position.userEpoch != stored.userEpoch: nil
        default: model.difference(screen, user, position, content)
        }
    }
}
