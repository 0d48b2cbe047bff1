import MarqueeClient
import MarqueeDiff
import MarqueeMirror
import MarqueeModel
import MarqueeStore
import MarqueeWire

/// The events of a schedule, line by line, for a person. The same seed gives the same lines.
package struct Trace {
    /// Lines that are kept; the oldest go first.
    private let limit: Int
    package private(set) var lines: [String] = []
    /// Of all lines, including those that are gone.
    package private(set) var digest: UInt64 = 0
    /// Called with each line.
    private let write: ((String) -> Void)?
    /// Prefixed to each line.
    var step = 0
    var now: UInt64 = 0

    package init(limit: Int = 400, write: ((String) -> Void)? = nil) {
        self.limit = limit
        self.write = write
    }

    mutating func note(_ text: String) {
        let time = "\(now / 1_000).\(String(now % 1_000 + 1_000).dropFirst())"
        let line = "\(step) \(time) \(text)"
        digest = digest &* 31 &+ XXH64.hash(Array(line.utf8))
        write?(line)
        lines.append(line)
        if lines.count > 2 * limit { lines.removeFirst(lines.count - limit) }
    }

    mutating func note(_ event: Event) {
        if let text = Self.describe(event) { note(text) }
    }

    private static func describe(_ event: Event) -> String? {
        switch event {
        case .wrote(let writes, let outcomes):
            zip(writes, outcomes).map { "the store takes \(describe($0)): \($1)" }.joined(separator: "; ")
        case .remembered: nil
        case .restored(let catalogue, let users): "the store is restored: epochs \(catalogue), \(users)"
        case .connected(let connection, let device, let node):
            "device \(device) opens connection \(connection) to node \(node)"
        case .ended(let connection): "connection \(connection) is over"
        case .fromServer, .damaged, .rotted, .linked, .relayEnded: nil
        case .arrived(let connection, let node, let address):
            "connection \(connection) arrives at node \(node) from \(address)"
        case .hit(let limit, let connection, let evicted):
            "connection \(connection) hits \(limit.rawValue)\(evicted.map { ", \($0) has to go" } ?? "")"
        case .admitted(let connection, let token): "connection \(connection) goes on under \(token)"
        case .toServer(let connection, let message): "  \(connection) ← \(describe(message))"
        case .toClient(let connection, let message, let flags, let bytes):
            "  \(connection) → \(describe(message)) \(describe(flags)) \(bytes) bytes"
        case .mutated(let device, _, _, let request, let result):
            "mutation \(request.number) of device \(device), \(request.collection) \(request.subject) \(request.isMember): \(result)"
        case .opened(let device, let seen, let outbox):
            "device \(device) opens its mirror: \(seen.map(describe) ?? "new"), waiting \(outbox.map(\.number))"
        case .crashed(let device): "device \(device) dies"
        case .kept(let device, let transaction): "device \(device) keeps \(describe(transaction.cut)) in memory"
        case .stored(let device, let transaction):
            "device \(device) stores \(describe(transaction.cut)): \(transaction.views.map(\.id.screen)), live "
                + "\(transaction.currentViews.map(\.screen).sorted()), done \(transaction.finishedMutations)"
        case .queued(let device, _, let entry):
            "device \(device) keeps operation \(entry.number): \(entry.subject) \(entry.on)"
        case .froze(let device, let numbers): "device \(device) is about to send \(numbers)"
        case .answered(let device, let number, let cut): "device \(device): \(number) is in \(describe(cut))"
        case .rejected(let device, let number, let reason): "device \(device): \(number) is refused: \(reason)"
        case .mended(let device, let id, let sections): "device \(device) mends \(sections) of \(id)"
        case .renumbered(let device, _, let result):
            "device \(device) renumbers: \(result.entries.map(\.number)), back \(result.rolledBack.map(\.number))"
        case .asked(let device, let id, let option):
            "device \(device) wants \(id)"
                + (option.map { option in
                    ", \(option.section) \(option.sort ?? "") \(option.window ?? 0) "
                        + (option.place.map { "\($0)" } ?? "")
                } ?? "")
        case .left(let device, let id): "device \(device) leaves \(id)"
        case .refused(let device, let id, let error): "device \(device) is refused \(id): \(error)"
        case .shown(let device, let state):
            "device \(device) sees \(state.id) of \(describe(state.cut)), \(state.origin), \(state.sum), pending "
                + "\(state.favorites.pending.map(\.subject))"
        case .notified(let device, let event): describe(event).map { "device \(device): \($0)" }
        case .settled: nil
        }
    }

    private static func describe(_ event: ClientEvent) -> String? {
        switch event {
        case .state(.waiting(let reason, let pause)): "waits \(pause): \(reason)"
        case .state(.connecting): nil
        case .state(let state): "\(state)"
        case .progress: nil
        default: "\(event)"
        }
    }

    private static func describe(_ cut: Cut) -> String { "(\(cut.catalogueRevision),\(cut.userRevision))" }

    private static func describe(_ cut: CutChange) -> String {
        "(\(cut.catalogueRevision.map(String.init) ?? "–"),\(cut.userRevision.map(String.init) ?? "–"))"
    }

    private static func describe(_ flags: FrameFlags) -> String {
        (flags.contains(.first) ? "F" : "") + (flags.contains(.last) ? "L" : "")
    }

    private static func describe(_ write: StoreWrite) -> String {
        switch write {
        case .catalogue(_, let changes, _): "\(changes.map(\.key))"
        case .draft(let edit, _): "the draft \(edit.name)"
        case .observed(let batch, let mutation): "\(mutation.number): \(batch.observations.count) observations"
        case .member(let user, let change, let mutation): "\(mutation.number): \(user) \(change)"
        }
    }

    private static func describe(_ message: Message) -> String {
        switch message {
        case .hello(let hello): "hello, seen \(hello.seen.map(describe) ?? "nothing")"
        case .welcome(let welcome): "welcome at \(describe(welcome.cut)), last \(welcome.lastMutation ?? 0)"
        case .progress(let cut): "progress \(describe(cut))"
        case .ack(let bytes, let cut): "ack \(bytes) \(cut.map(describe) ?? "")"
        case .subscribe(let subscribe):
            "subscribe \(subscribe.subscription).\(subscribe.generation) \(subscribe.screen)"
                + (subscribe.resume.map { ", holds \($0.sections.map(\.section))" } ?? "")
        case .join(let join): "join \(join.subscription).\(join.generation) \(join.screen) at \(describe(join.cut))"
        case .data(let part), .stage(let part):
            "\(message.kind == .data ? "data" : "stage") \(part.handle): \(part.base.map { "\($0)" } ?? "whole") → "
                + "\(part.target)\(part.more ? " …" : "") \(describe(part.cut))"
        case .nack(let nack): "nack \(nack.number): \(nack.status.message)"
        case .request(let request): "request \(request.call), method \(request.method.rawValue)"
        case .answer(let answer): "answer \(answer.call) \(answer.status.map { "\($0)" } ?? "OK")"
        default: "\(message)"
        }
    }
}
