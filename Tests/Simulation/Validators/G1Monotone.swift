import MarqueeMirror
import MarqueeModel

/// Within an epoch a mirror never goes back, whichever node it talks to.
struct G1Monotone: Validator {
    /// By device, what was last stored and shown.
    private var stored: [Int: Cut] = [:]
    private var shown: [Int: [ViewID: Cut]] = [:]

    mutating func judge(_ event: Event, _ scene: Scene, _ truth: Truth) throws(Violation) {
        switch event {
        case .stored(let device, let transaction):
            try check("what device \(device) stores", stored[device], transaction.cut)
            stored[device] = transaction.cut
        case .opened(let device, let seen, _):
            // Stored content is still there when another process opens the mirror.
            if let before = scene.devices[device].stored, seen != before {
                throw violation("device \(device) had stored \(before) and finds \(seen.map { "\($0)" } ?? "nothing")")
            }
            shown[device] = [:]
        case .shown(let device, let state):
            try check("\(state.id) on device \(device)", shown[device]?[state.id], state.cut)
            shown[device, default: [:]][state.id] = state.cut
        default: break
        }
    }

    mutating func judge(_ move: Move, _ scene: Scene, _ truth: Truth) throws(Violation) {
        guard move.position(of: move.states, from: move.start, truth) == nil else { return }
        let said = Move.Position(revision: move.cut.catalogueRevision, userRevision: move.cut.userRevision)
        guard let position = move.position(of: move.states, from: said, truth) else { return }
        throw violation(
            "device \(move.device) was at \(move.floor) or later and shows \(move.states.map(\.id)) of \(position)")
    }

    private func check(_ what: String, _ before: Cut?, _ after: Cut) throws(Violation) {
        guard let before else { return }
        if before.catalogueEpoch == after.catalogueEpoch, after.catalogueRevision < before.catalogueRevision {
            throw violation("\(what) went back from \(before) to \(after)")
        }
        if before.userEpoch == after.userEpoch, after.userRevision < before.userRevision {
            throw violation("\(what) went back from \(before) to \(after)")
        }
    }

    private func violation(_ message: String) -> Violation { Violation(guarantee: .monotone, message: message) }
}
