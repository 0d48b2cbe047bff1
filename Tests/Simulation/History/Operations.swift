import MarqueeClient
import MarqueeMirror
import MarqueeModel
import MarqueeStore
import MarqueeWire

/// A change of a collection on a device, from the moment the client accepted it.
struct Operation {
    enum State: Hashable {
        /// Stored and not confirmed.
        case waiting
        case answered
        /// Confirmed, and contained in what is shown.
        case left
        /// Rolled back; the app has to be notified.
        case rolledBack
        /// Replaced by a later operation before it was sent.
        case folded
    }

    let collection: CollectionName
    let subject: String
    let on: Bool
    let value: CollectionValue?
    /// When it was made; unique within a schedule, except for copies of one mirror.
    let stamp: Double
    var client: [UInt8]
    var number: UInt64
    /// The numbers it had before.
    var formerNumbers: [(client: [UInt8], number: UInt64)] = []
    var isSent = false
    var state = State.waiting
    /// The revisions at which it took effect, by the log's epoch.
    var effects: [UInt64: UInt64] = [:]

    func isKnown(as number: UInt64, of client: [UInt8]) -> Bool {
        (self.number == number && self.client == client)
            || formerNumbers.contains { $0.number == number && $0.client == client }
    }

    var name: MemberName { MemberName(collection: collection, subject: subject) }

    /// Whether a request asks for it.
    func isAsked(by request: CollectionRequest) -> Bool {
        collection == request.collection && subject == request.subject && on == request.isMember
            && value == request.value
    }

    /// Whether it is overlaid on what is shown.
    var isPending: Bool { state == .waiting || state == .answered }
}

/// Every operation of every device.
struct Operations {
    /// By device, oldest first.
    private(set) var byDevice: [[Operation]]
    /// By device: members whose rollback was reported to the app.
    private(set) var reportedRollbacks: [[MemberName]]

    init(devices: Int) {
        byDevice = Array(repeating: [], count: devices)
        reportedRollbacks = Array(repeating: [], count: devices)
    }

    /// Adds a device that starts with a copy of another one's disk.
    mutating func copyDevice(_ device: Int) {
        byDevice.append(byDevice[device])
        reportedRollbacks.append(reportedRollbacks[device])
    }

    func find(_ number: UInt64, of client: [UInt8], on device: Int) -> Operation? {
        byDevice[device].last { $0.isKnown(as: number, of: client) }
    }

    /// - Parameter userEpoch: the current log's.
    mutating func apply(_ event: Event, userEpoch: UInt64) {
        switch event {
        case .queued(let device, let client, let entry):
            change(device) { operation in
                if operation.name == entry.name, operation.state == .waiting, !operation.isSent {
                    operation.state = .folded
                }
            }
            byDevice[device].append(
                Operation(
                    collection: entry.collection, subject: entry.subject, on: entry.on, value: entry.value,
                    stamp: entry.createdAt, client: client, number: entry.number))
        case .froze(let device, let numbers):
            change(device) { if $0.state == .waiting, numbers.contains($0.number) { $0.isSent = true } }
        case .mutated(let device, _, let client, let request, .success(let outcome)):
            let revision: UInt64
            switch outcome {
            case .done(let found, _), .repeated(let found, _): revision = found
            default: return
            }
            change(device) { operation in
                if operation.isKnown(as: request.number, of: client) { operation.effects[userEpoch] = revision }
            }
        case .answered(let device, let number, _):
            change(device) { if $0.state == .waiting, $0.number == number { $0.state = .answered } }
        case .stored(let device, let transaction):
            guard !transaction.finishedMutations.isEmpty else { return }
            change(device) { operation in
                if operation.isPending, transaction.finishedMutations.contains(operation.number) {
                    operation.state = .left
                }
            }
        case .rejected(let device, let number, _):
            change(device) { if $0.isPending, $0.number == number { $0.state = .rolledBack } }
        case .renumbered(let device, let client, let result): renumber(device, client, result)
        case .notified(let device, .changeRejected(let collection, let subject, _)):
            reportedRollbacks[device].append(MemberName(collection: collection, subject: subject.name))
        default: break
        }
    }

    private mutating func renumber(_ device: Int, _ client: [UInt8], _ result: Renumbering) {
        change(device) { operation in
            guard operation.state == .waiting else { return }
            if let entry = result.entries.first(where: { $0.createdAt == operation.stamp }) {
                operation.formerNumbers.append((operation.client, operation.number))
                operation.number = entry.number
                operation.client = client
                operation.isSent = entry.state != .pending
            } else if result.rolledBack.contains(where: { $0.createdAt == operation.stamp }) {
                operation.state = .rolledBack
            } else {
                operation.state = .folded
            }
        }
    }

    private mutating func change(_ device: Int, _ body: (inout Operation) -> Void) {
        for index in byDevice[device].indices { body(&byDevice[device][index]) }
    }
}

extension OutboxEntry {
    var name: MemberName { MemberName(collection: collection, subject: subject) }
}

extension RejectedMutation {
    var name: MemberName { MemberName(collection: collection, subject: subject) }
}
