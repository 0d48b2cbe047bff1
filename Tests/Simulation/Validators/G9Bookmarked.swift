import MarqueeModel

/// Progress at cut c means that everything up to c was delivered, to idle subscriptions as well.
struct G9Bookmarked: Validator {
    mutating func judge(_ move: Move, _ scene: Scene, _ truth: Truth) throws(Violation) {
        guard move.position(of: move.states, from: move.start, truth) == nil else { return }
        let somewhere = Move.Position(revision: 0, userRevision: 0)
        guard let position = move.position(of: move.states, from: somewhere, truth),
            position.revision < move.cut.catalogueRevision || position.userRevision < move.cut.userRevision
        else { return }
        throw violation(
            "device \(move.device) is told it is at \(move.cut) but shows \(move.states.map(\.id)) of \(position)")
    }

    mutating func judge(_ event: Event, _ scene: Scene, _ truth: Truth) throws(Violation) {
        guard case .notified(let device, .progress(let cut)) = event else { return }
        // A position that the logs have not reached can't have been delivered.
        guard let logs = truth.lineage(ofCatalogue: cut.catalogueEpoch) else {
            throw violation("device \(device) is told of an unknown epoch: \(cut)")
        }
        let user = scene.devices[device].user
        guard cut.catalogueRevision <= logs.newest, cut.userRevision <= logs.newest(of: user) else {
            throw violation(
                "device \(device) is told of \(cut), but the logs are at (\(logs.newest),\(logs.newest(of: user)))")
        }
    }

    private func violation(_ message: String) -> Violation { Violation(guarantee: .bookmarked, message: message) }
}
