import MarqueeModel
import MarqueeWire

/// A client that comes to a relay is welcomed at a position no older than any that others were shown there.
struct G1Relayed: Validator {
    /// The number of the first node that is a relay.
    private let relaysFrom: Int
    /// By relay, the newest position of the catalogue that it has named to anybody.
    private var named: [Int: LogPosition] = [:]
    /// The relay of each connection, and what that had named when the client's hello arrived.
    private var connections: [Int: (node: Int, epoch: UInt64, floor: LogPosition?)] = [:]

    private struct LogPosition {
        var epoch: UInt64
        var revision: UInt64
    }

    init(relaysFrom: Int) { self.relaysFrom = relaysFrom }

    mutating func judge(_ event: Event, _ scene: Scene, _ truth: Truth) throws(Violation) {
        switch event {
        case .arrived(let connection, let node, _) where node >= relaysFrom: connections[connection] = (node, 0, nil)
        case .ended(let connection): connections[connection] = nil
        case .relayEnded(let node): named[node] = nil
        case .toServer(let connection, .hello):
            guard let node = connections[connection]?.node else { return }
            connections[connection]?.floor = named[node]
        case .fromServer(let connection, let message, _, _, _): try said(message, on: connection)
        default: break
        }
    }

    private mutating func said(_ message: Message, on connection: Int) throws(Violation) {
        guard let place = connections[connection] else { return }
        switch message {
        case .welcome(let welcome):
            connections[connection]?.epoch = welcome.cut.catalogueEpoch
            let cut = welcome.cut
            if let floor = place.floor, floor.epoch == cut.catalogueEpoch, cut.catalogueRevision < floor.revision {
                throw Violation(
                    guarantee: .monotone,
                    message: "relay \(place.node) welcomes connection \(connection) at \(cut), having shown \(floor)")
            }
            note(cut.catalogueRevision, at: place.node, epoch: cut.catalogueEpoch)
        case .progress(let change): note(change.catalogueRevision, at: place.node, epoch: place.epoch)
        case .join(let join): note(join.cut.catalogueRevision, at: place.node, epoch: place.epoch)
        case .data(let part): note(part.cut.catalogueRevision, at: place.node, epoch: place.epoch)
        default: break
        }
    }

    private mutating func note(_ revision: UInt64?, at node: Int, epoch: UInt64) {
        guard let revision else { return }
        let known = named[node].flatMap { $0.epoch == epoch ? $0.revision : nil } ?? 0
        named[node] = LogPosition(epoch: epoch, revision: max(known, revision))
    }
}
