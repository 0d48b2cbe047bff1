import MarqueeModel
import Synchronization

@testable import MarqueeClient

/// The content that all clients have shown, compared as it arrives: no mirror goes back (G1), and at one position all
/// show the same (G3, G4).
final class ChaosJournal: Sendable {
    private struct Content: Hashable {
        var screen: ScreenID
        var section: String
        /// Of private screens.
        var user: String?
        var catalogueRevision: UInt64
        var userRevision: UInt64
    }

    private struct State {
        var positions: [String: Cut] = [:]
        var contents: [Content: UInt64] = [:]
        var updates = 0
        var violations: [String] = []
    }

    private let state = Mutex(State())

    var violations: [String] { state.withLock { $0.violations } }
    /// How many values were shown, and at how many positions of how many sections.
    var counts: (updates: Int, contents: Int) { state.withLock { ($0.updates, $0.contents.count) } }

    func failed(_ what: String) { state.withLock { $0.violations.append(what) } }

    /// - Parameters:
    ///   - mirror: names the mirror, across all clients that open it one after another.
    ///   - user: its owner.
    func saw(_ update: ScreenUpdate, mirror: String, user: String) {
        let screen = update.screen
        state.withLock { state in
            state.updates += 1
            let place = "\(mirror) \(screen.id)"
            if let last = state.positions[place],
                screen.revision.catalogueRevision < last.catalogueRevision
                    || screen.revision.userRevision < last.userRevision
            {
                state.violations.append("\(place) went back from \(last) to \(screen.revision)")
            }
            state.positions[place] = screen.revision
            guard update.origin == .live else { return }
            let isPrivate = screen.id == .favorites
            for section in screen.sections {
                let content = Content(
                    screen: screen.id, section: section.id, user: isPrivate ? user : nil,
                    catalogueRevision: screen.revision.catalogueRevision,
                    userRevision: isPrivate ? screen.revision.userRevision : 0)
                if let known = state.contents.updateValue(section.sum, forKey: content), known != section.sum {
                    state.violations.append(
                        "\(place) shows another '\(section.id)' at \(screen.revision) than others do")
                }
            }
        }
    }
}
