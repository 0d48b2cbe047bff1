import MarqueeClient
import MarqueeDiff
import MarqueeMirror
import MarqueeModel

/// Nothing becomes visible before every touched sum matches: what an app sees is, byte for byte, something that the
/// server once had.
struct G4Verified: Validator {
    /// A section that was shown, by all that it may depend on.
    private struct Shown: Hashable {
        var screen: ViewID
        var section: String
        var sort: String
        var window: UInt32
        var user: String?
        var sum: UInt64
    }

    /// What was found for it.
    private var known: [Shown: Version] = [:]

    mutating func judge(_ event: Event, _ scene: Scene, _ truth: Truth) throws(Violation) {
        guard case .shown(let device, let state) = event else { return }
        let user = scene.devices[device].user
        // Of a section that could not be brought over, and of which that was said, nothing is shown.
        let mayBeEmpty = scene.devices[device].gaps.contains(state.id)
        for section in state.sections
        where !(mayBeEmpty && section.sum == Version.empty.sum)
            && (section.head.kind != .favorites || state.favorites.pending.isEmpty)
        {
            let shown = Shown(
                screen: state.id, section: section.id, sort: section.head.sort, window: section.head.window, user: user,
                sum: section.sum)
            guard let expected = known[shown] ?? Self.find(section, of: state, user: user, truth) else {
                throw violation(
                    "device \(device) shows \(section.id) of \(state.id), which never was: \(section.sum), "
                        + "\(section.shown.items.map(\.id)) by '\(section.head.sort)' \(section.head.window); "
                        + "now it is \(Self.difference(of: section, in: state, user: user, truth))")
            }
            known[shown] = expected
            guard section.shown.items == expected.items, section.shown.head == expected.head else {
                throw violation("device \(device) shows other bytes of \(section.id) of \(state.id) than were sent")
            }
        }
    }

    mutating func judge(_ move: Move, _ scene: Scene, _ truth: Truth) throws(Violation) {
        guard move.lineage != nil else { throw violation("device \(move.device) is at \(move.cut), an unknown epoch") }
        let somewhere = Move.Position(revision: 0, userRevision: 0)
        guard move.position(of: move.states, from: move.start, truth) == nil else { return }
        for state in move.states where move.position(of: [state], from: somewhere, truth) == nil {
            let differences = move.lineage.map { truth.differences(of: state, move, $0) } ?? []
            throw violation(
                "device \(move.device) at \(move.cut) shows \(state.id) as it never was: \(differences.joined(separator: ", "))"
            )
        }
    }

    /// The newest version with that sum, of any epoch.
    private static func find(
        _ section: ScreenState.Section, of state: ScreenState, user: String?, _ truth: Truth
    ) -> Version? {
        for lineage in truth.lineages.reversed() {
            let isPrivate = state.id.screen == ScreenID.favorites.name
            let users = isPrivate ? Array(0...lineage.newest(of: user)) : [0]
            for revision in (0...lineage.newest).reversed() {
                for userRevision in users.reversed() {
                    if let version = truth.section(
                        section.id, of: state.id, sort: section.head.sort, window: section.head.window, user: user,
                        lineage, at: revision, userRevision), version.sum == section.sum
                    {
                        return version
                    }
                }
            }
        }
        return nil
    }

    /// In what a section differs from what it is now, to read.
    private static func difference(
        of section: ScreenState.Section, in state: ScreenState, user: String?, _ truth: Truth
    ) -> String {
        let lineage = truth.current
        guard
            let now = truth.section(
                section.id, of: state.id, sort: section.head.sort, window: section.head.window, user: user, lineage,
                at: lineage.newest, lineage.newest(of: user))
        else { return "not there" }
        let bodies = Dictionary(now.items.map { ($0.id, $0.body) }, uniquingKeysWith: { first, _ in first })
        let others = section.shown.items.filter { bodies[$0.id] != $0.body }
        return "\(now.items.map(\.id)), with other bodies of \(others.map(\.id)), "
            + (now.head == section.shown.head ? "the same head" : "another head")
    }

    private func violation(_ message: String) -> Violation { Violation(guarantee: .verified, message: message) }
}
