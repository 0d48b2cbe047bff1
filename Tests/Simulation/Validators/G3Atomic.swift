import MarqueeClient
import MarqueeMirror
import MarqueeModel

/// All live views of a client move together from cut to cut, in one transaction, and the app is notified afterwards.
struct G3Atomic: Validator {
    /// By device: the views the app was shown since the last transaction.
    private var shown: [Int: Set<ViewID>] = [:]

    mutating func judge(_ event: Event, _ scene: Scene, _ truth: Truth) throws(Violation) {
        switch event {
        case .stored(let device, let transaction), .kept(let device, let transaction):
            shown[device] = []
            let known = Set(transaction.currentViews)
            for view in transaction.views where !known.contains(view.id) {
                throw violation("device \(device) stores \(view.id) and does not move it")
            }
        case .shown(let device, let state):
            // Shown content was stored, or is marked as not stored: a screen never silently runs ahead of its mirror.
            if state.isStored, let stored = scene.devices[device].stored,
                state.cut.catalogueEpoch == stored.catalogueEpoch,
                state.cut.catalogueRevision > stored.catalogueRevision
            {
                throw violation("device \(device) shows \(state.id) of \(state.cut), stored is \(stored)")
            }
        default: break
        }
    }

    mutating func judge(_ move: Move, _ scene: Scene, _ truth: Truth) throws(Violation) {
        guard move.position(of: move.states, from: move.start, truth) == nil else { return }
        // Each is at some position on its own, but not all at the same one.
        let somewhere = Move.Position(revision: 0, userRevision: 0)
        guard move.states.allSatisfy({ move.position(of: [$0], from: somewhere, truth) != nil }),
            move.position(of: move.states, from: somewhere, truth) == nil
        else { return }
        throw violation(
            "device \(move.device) at \(move.cut) shows views of different positions: "
                + move.states.map { state in
                    let position = move.position(of: [state], from: somewhere, truth)
                    return "\(state.id) of \(position.map { "(\($0.revision),\($0.userRevision))" } ?? "?")"
                }.joined(separator: ", "))
    }

    private func violation(_ message: String) -> Violation { Violation(guarantee: .atomic, message: message) }
}
