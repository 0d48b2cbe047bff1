import MarqueeModel
import MarqueeWire

/// Describes frames in a few words, for reports.
enum FrameText {
    static func describe(_ arrival: Arrival) -> String {
        switch arrival {
        case .end: "(ends the connection)"
        case .broken(let error): "bytes that break the protocol: \(error)"
        case .frame(let frame, nil): "a frame of the unknown kind \(frame.kind.rawValue)"
        case .frame(let frame, let message?): describe(message, flags: frame.flags)
        }
    }

    static func describe(_ message: Message, flags: FrameFlags = []) -> String {
        var text = words(message)
        if flags.contains(.first) { text += ", first" }
        if flags.contains(.last) { text += ", last" }
        return text
    }

    private static func words(_ message: Message) -> String {
        switch message {
        case .hello(let hello):
            "hello {protocol \(hello.protocolMinimum) to \(hello.protocolMaximum)\(named("user", hello.user))"
                + "\(named("cluster", hello.cluster))\(named("seen", hello.seen.map(cut)))}"
        case .welcome(let welcome):
            "welcome {cluster \(welcome.cluster)\(named("user", welcome.user)), cut \(cut(welcome.cut))}"
        case .ping(let nonce): "ping {\(nonce)}"
        case .pong(let nonce): "pong {\(nonce)}"
        case .progress(let change): "progress {\(cut(change))}"
        case .ack(let bytes, let position): "ack {bytes \(bytes)\(named("cut", position.map(cut)))}"
        case .goAway(let status, let range):
            "goAway {\(self.status(status)), \(range.lowerBound) to \(range.upperBound) ms}"
        case .close(let status): "close {\(self.status(status))}"
        case .subscribe(let subscribe):
            "subscribe {\(subscribe.subscription), generation \(subscribe.generation), '\(subscribe.screen)'"
                + "\(subscribe.resume.map { ", offers \($0.sections.count) sections" } ?? "")}"
        case .unsubscribe(let subscription): "unsubscribe {\(subscription)}"
        case .subscriptionError(let error):
            "subscriptionError {\(error.subscription), generation \(error.generation)\(named("section", error.section)), "
                + "\(status(error.status))}"
        case .join(let join):
            "join {\(join.subscription), generation \(join.generation), \(join.sections.count) sections, "
                + "cut \(cut(join.cut))}"
        case .data(let part): "data {\(self.part(part))}"
        case .stage(let part): "stage {\(self.part(part))}"
        case .nack(let nack):
            "nack {\(nack.number), held \(nack.held.count), refused "
                + "\(nack.held.filter(\.refused).map { String($0.handle) }.joined(separator: " ")), "
                + "staged \(nack.staged.count)}"
        case .repair(let number): "repair {\(number)}"
        case .rebase(let rebase):
            "rebase {\(rebase.subscription), \(rebase.sections.map { "'\($0.section)'" }.joined(separator: " "))}"
        case .manifest(let manifest):
            "manifest {handle \(manifest.handle), sum \(hex(manifest.sum)), \(manifest.pairs.count / 16) items"
                + "\(manifest.more ? ", more" : "")}"
        case .request(let request): "request {call \(request.call), method \(request.method.rawValue)}"
        case .answer(let answer):
            "answer {call \(answer.call), \(answer.status.map(status) ?? "OK"), \(answer.body.count) bytes"
                + "\(answer.more ? ", more" : "")}"
        case .cancel(let call): "cancel {call \(call)}"
        case .dismiss(let guest): "dismiss {guest \(guest)}"
        case .guestEnded(let guest, let ended): "guestEnded {guest \(guest), \(status(ended))}"
        case .userProgress(let progress): "userProgress {'\(progress.user)', \(progress.revision)}"
        case .replan(let replan): "replan {\(replan.isAll ? "all" : replan.families.joined(separator: " "))}"
        }
    }

    static func part(_ part: Part) -> String {
        "handle \(part.handle), \(part.base.map(hex) ?? "nothing") to \(hex(part.target)), \(part.count) items"
            + "\(part.more ? ", more" : "")"
    }

    static func status(_ status: Status) -> String {
        "\(status.reason.isEmpty ? status.code.name : status.reason), code \(status.code.rawValue)"
            + (status.message.isEmpty ? "" : ": \(status.message)")
    }

    static func cut(_ cut: Cut) -> String { "(\(cut.catalogueRevision),\(cut.userRevision))" }

    private static func cut(_ change: CutChange) -> String {
        "(\(change.catalogueRevision.map(String.init) ?? "-"),\(change.userRevision.map(String.init) ?? "-"))"
    }

    private static func named(_ name: String, _ text: String?) -> String { text.map { ", \(name) \($0)" } ?? "" }

    /// A sum as 16 hexadecimal digits, as reports show it.
    static func hex(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
