import MarqueeClient
import MarqueeMirror
import MarqueeModel
import MarqueeStore

/// A favorite that somebody set or unset on a device, from the moment when the client took it.
struct Wish {
    enum State: Hashable {
        /// Stored and not confirmed.
        case waiting
        case answered
        /// Confirmed, and contained in what is shown.
        case left
        /// Taken back; the app has to be told.
        case rolledBack
        /// A later wish took its place before anybody heard of it.
        case folded
    }

    let subject: String
    let on: Bool
    /// When it was made; no two wishes of a schedule share that, but for copies of one mirror.
    let stamp: Double
    var client: [UInt8]
    var number: UInt64
    /// Under which it was known before.
    var formerNumbers: [(client: [UInt8], number: UInt64)] = []
    var isSent = false
    var state = State.waiting
    /// Where it took effect, by the log's epoch.
    var effects: [UInt64: UInt64] = [:]

    func isKnown(as number: UInt64, of client: [UInt8]) -> Bool {
        (self.number == number && self.client == client)
            || formerNumbers.contains { $0.number == number && $0.client == client }
    }

    /// It lies over what is shown.
    var isPending: Bool { state == .waiting || state == .answered }
}

/// Every wish of every device.
struct Wishes {
    /// By device, the oldest first.
    private(set) var byDevice: [[Wish]]
    /// By device: favorites of which the app was told that they were taken back.
    private(set) var told: [[String]]

    init(devices: Int) {
        byDevice = Array(repeating: [], count: devices)
        told = Array(repeating: [], count: devices)
    }

    /// A device more, which begins with a copy of another one's disk.
    mutating func copyDevice(_ device: Int) {
        byDevice.append(byDevice[device])
        told.append(told[device])
    }

    func find(_ number: UInt64, of client: [UInt8], on device: Int) -> Wish? {
        byDevice[device].last { $0.isKnown(as: number, of: client) }
    }

    /// - Parameter userEpoch: of the log that is written now.
    mutating func take(_ event: Event, userEpoch: UInt64) {
        switch event {
        case .queued(let device, let client, let entry):
            change(device) { wish in
                if wish.subject == entry.subject, wish.state == .waiting, !wish.isSent { wish.state = .folded }
            }
            byDevice[device].append(
                Wish(
                    subject: entry.subject, on: entry.on, stamp: entry.createdAt, client: client, number: entry.number))
        case .froze(let device, let numbers):
            change(device) { if $0.state == .waiting, numbers.contains($0.number) { $0.isSent = true } }
        case .mutated(let device, let client, let request, .success(let outcome)):
            let revision: UInt64
            switch outcome {
            case .done(let found, _), .repeated(let found, _): revision = found
            default: return
            }
            change(device) { wish in
                if wish.isKnown(as: request.number, of: client) { wish.effects[userEpoch] = revision }
            }
        case .answered(let device, let number, _):
            change(device) { if $0.state == .waiting, $0.number == number { $0.state = .answered } }
        case .stored(let device, let transaction):
            guard !transaction.finishedMutations.isEmpty else { return }
            change(device) { wish in
                if wish.isPending, transaction.finishedMutations.contains(wish.number) { wish.state = .left }
            }
        case .rejected(let device, let number, _):
            change(device) { if $0.isPending, $0.number == number { $0.state = .rolledBack } }
        case .renumbered(let device, let client, let result): renumber(device, client, result)
        case .told(let device, .favoriteRejected(let subject, _)): told[device].append(subject.name)
        default: break
        }
    }

    private mutating func renumber(_ device: Int, _ client: [UInt8], _ result: Renumbering) {
        change(device) { wish in
            guard wish.state == .waiting else { return }
            if let entry = result.entries.first(where: { $0.createdAt == wish.stamp }) {
                wish.formerNumbers.append((wish.client, wish.number))
                wish.number = entry.number
                wish.client = client
                wish.isSent = entry.state != .pending
            } else if result.rolledBack.contains(where: { $0.createdAt == wish.stamp }) {
                wish.state = .rolledBack
            } else {
                wish.state = .folded
            }
        }
    }

    private mutating func change(_ device: Int, _ body: (inout Wish) -> Void) {
        for index in byDevice[device].indices { body(&byDevice[device][index]) }
    }
}
