import MarqueeClient
import MarqueeDiff
import MarqueeMirror
import MarqueeModel

/// Nothing becomes visible before every touched sum matches: what an app sees is, byte for byte, something the server
/// once had.
struct G4Verified: Validator {
    /// A section shown, keyed by everything it may depend on.
    private struct Shown: Hashable {
        var screen: ViewID
        var section: String
        var sort: String
        var window: UInt32
        var readers: [Reader]
        var sum: UInt64
    }

    /// The version found for it.
    private var known: [Shown: Version] = [:]

    mutating func judge(_ event: Event, _ scene: Scene, _ truth: Truth) throws(Violation) {
        guard case .shown(let device, let state) = event else { return }
        let readers = scene.devices[device].readers
        // A section that could not be delivered, and was reported as such, shows nothing.
        let mayBeEmpty = scene.devices[device].gaps.contains(state.id)
        for section in state.sections
        where !(mayBeEmpty && section.sum == Version.empty.sum)
            && section.head.collection.map({ state.collections[$0].pending.isEmpty }) ?? true
        {
            let shown = Shown(
                screen: state.id, section: section.id, sort: section.head.sort, window: section.head.window,
                readers: readers, sum: section.sum)
            guard
                let expected = known[shown]
                    ?? readers.reversed().lazy.compactMap({ Self.find(section, of: state, for: $0, truth) }).first
            else {
                throw violation(
                    "device \(device) shows \(section.id) of \(state.id), which never existed: \(section.sum), "
                        + "\(section.shown.items.map(\.id)) by '\(section.head.sort)' \(section.head.window); "
                        + "now it is \(Self.difference(of: section, in: state, for: readers.last ?? Reader(), truth))")
            }
            known[shown] = expected
            guard section.shown.items == expected.items, section.shown.head == expected.head else {
                throw violation("device \(device) shows other bytes of \(section.id) of \(state.id) than those sent")
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
                "device \(move.device) at \(move.cut) shows \(state.id) as it never existed: \(differences.joined(separator: ", "))"
            )
        }
    }

    /// A version with that sum, of any position and epoch; preferably the one at the position that is named.
    private static func find(
        _ section: ScreenState.Section, of state: ScreenState, for reader: Reader, _ truth: Truth
    ) -> Version? {
        let user = reader.user
        func version(_ lineage: Lineage, _ revision: UInt64, _ userRevision: UInt64) -> Version? {
            let version = truth.section(
                section.id, of: state.id, sort: section.head.sort, window: section.head.window, reader: reader, lineage,
                at: revision, userRevision, sum: section.sum)
            return version?.sum == section.sum ? version : nil
        }
        if let lineage = truth.lineage(ofCatalogue: state.cut.catalogueEpoch) {
            let revision = min(state.cut.catalogueRevision, lineage.newest)
            let userRevision = min(state.cut.userRevision, lineage.newest(of: user))
            if let version = version(lineage, revision, userRevision) { return version }
        }
        for lineage in truth.lineages.reversed() {
            let isPrivate = Truth.privateScreens.contains(state.id.screen)
            let users = isPrivate ? Array(0...lineage.newest(of: user)) : [0]
            for revision in (0...lineage.newest).reversed() {
                for userRevision in users.reversed() {
                    if let version = version(lineage, revision, userRevision) { return version }
                }
            }
        }
        return nil
    }

    /// How a section differs from its current state, for people.
    private static func difference(
        of section: ScreenState.Section, in state: ScreenState, for reader: Reader, _ truth: Truth
    ) -> String {
        let user = reader.user
        let lineage = truth.current
        guard
            let now = truth.section(
                section.id, of: state.id, sort: section.head.sort, window: section.head.window, reader: reader, lineage,
                at: lineage.newest, lineage.newest(of: user), sum: section.sum)
        else { return "not there" }
        let bodies = Dictionary(now.items.map { ($0.id, $0.body) }, uniquingKeysWith: { first, _ in first })
        let others = section.shown.items.filter { bodies[$0.id] != $0.body }
        return "\(now.items.map(\.id)), with other bodies of \(others.map(\.id)), "
            + (now.head == section.shown.head ? "the same head" : "another head")
    }

    private func violation(_ message: String) -> Violation { Violation(guarantee: .verified, message: message) }
}
