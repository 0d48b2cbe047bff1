import MarqueeDiff
import MarqueeModel
import MarqueeWire

/// Verifies each frame that a server sends, whatever the check: directions, order, credit, limits, statuses.
struct ServerWitness {
    /// Kinds that only a client sends.
    private static let clientKinds: Set<FrameKind> = [
        .hello, .ack, .subscribe, .unsubscribe, .nack, .manifest, .request, .cancel, .dismiss,
    ]
    /// The most bytes of a part with a single element, which may exceed `part_bytes`.
    private static let singleElementBytes = 256 << 10
    /// Handles and revisions stay below this, so that a client may keep them in a double.
    private static let exactNumbers: UInt64 = 1 << 53

    var welcome: Welcome?
    var position = Cut()
    /// Bytes of data and stage frames that have arrived.
    var dataBytes: UInt64 = 0
    var acknowledged: UInt64 = 0
    var credit: UInt64
    /// The messages of an unfinished cut; `nil` if there is none.
    private(set) var cut: [Message]?
    /// The bytes of the unfinished cut's frames.
    private var cutBytes = 0
    private let limits: WireLimits
    private var openCalls: Set<UInt32> = []

    init(limits: WireLimits) {
        self.limits = limits
        credit = limits.creditBytes
    }

    /// Called when a request is sent: its call is open until the whole answer has arrived.
    mutating func asked(_ call: UInt32) { openCalls.insert(call) }

    /// - Returns: the messages of the cut that this frame completes; `nil` if it completes none.
    mutating func received(_ frame: Frame, _ message: Message?) throws(Deviation) -> [Message]? {
        guard let message else {
            guard !frame.flags.contains(.critical) else {
                throw Deviation(
                    expected: "only kinds of version 1 with the critical flag (2)",
                    actual: "kind \(frame.kind.rawValue)")
            }
            return nil
        }
        if ServerWitness.clientKinds.contains(frame.kind) {
            throw Deviation(expected: "kinds that a server sends (2)", actual: FrameText.describe(message))
        }
        if frame.flags.contains(.critical) {
            throw Deviation(expected: "no critical flag on a known kind (2)", actual: FrameText.describe(message))
        }
        try judgeStatus(of: message)
        switch message {
        case .welcome(let welcome): try received(welcome)
        case .close, .goAway: break
        default:
            guard welcome != nil else {
                throw Deviation(
                    expected: "welcome or close as the first message (5)", actual: FrameText.describe(message))
            }
        }
        switch message {
        case .progress(let change):
            guard cut == nil else {
                throw Deviation(
                    expected: "no progress between the first and last frame of a cut (11)",
                    actual: FrameText.describe(message))
            }
            try advance(by: change)
        case .stage(let part), .data(let part):
            if frame.kind == .stage || frame.flags.contains(.first) { try judgeCredit(frame, message) }
            try judgeSize(frame, part)
            try judgeNumbers(of: message, part.cut)
            dataBytes += UInt64(frame.wireBytes)
        case .join, .repair:
            if frame.flags.contains(.first) { try judgeCredit(frame, message) }
        case .answer(let answer): try received(answer)
        default: break
        }
        return try receivedCutFrame(frame, message)
    }

    private mutating func received(_ message: Welcome) throws(Deviation) {
        guard welcome == nil else { throw Deviation(expected: "welcome once (5)", actual: "a second welcome") }
        welcome = message
        position = message.cut
        credit = min(limits.creditBytes, message.limits.creditBytes)
    }

    private mutating func received(_ answer: Answer) throws(Deviation) {
        guard openCalls.contains(answer.call) else {
            throw Deviation(
                expected: "exactly one answer to each call (17)",
                actual: "an answer to call \(answer.call), which isn't open")
        }
        if !answer.more { openCalls.remove(answer.call) }
    }

    private mutating func receivedCutFrame(_ frame: Frame, _ message: Message) throws(Deviation) -> [Message]? {
        let change: CutChange
        switch message {
        case .repair: change = CutChange()
        case .join(let join): change = join.cut
        case .data(let part): change = part.cut
        default: return nil
        }
        if frame.flags.contains(.first) {
            guard cut == nil else {
                throw Deviation(
                    expected: "the last frame of a cut before the next one begins (11)",
                    actual: FrameText.describe(message, flags: frame.flags))
            }
            (cut, cutBytes) = ([], 0)
        }
        guard let begun = cut else {
            throw Deviation(
                expected: "the flag first on the first frame of a cut (11)",
                actual: FrameText.describe(message, flags: frame.flags))
        }
        let isSecondRepair = !begun.isEmpty && order(of: message) == 0
        if let last = begun.last, isSecondRepair || order(of: last) > order(of: message) {
            throw Deviation(
                expected: "repair, then joins, then data within a cut (11)",
                actual: "\(FrameText.describe(message)) after \(FrameText.describe(last))")
        }
        try judgeEpochs(change)
        try judgeNumbers(of: message, change)
        cutBytes += frame.wireBytes
        guard cutBytes <= limits.cutBytes else {
            throw Deviation(
                expected: "cuts of at most \(limits.cutBytes) bytes (4)", actual: "\(cutBytes) bytes within one")
        }
        let messages = begun + [message]
        guard frame.flags.contains(.last) else {
            cut = messages
            return nil
        }
        cut = nil
        return messages
    }

    private func order(of message: Message) -> Int {
        switch message {
        case .repair: 0
        case .join: 1
        default: 2
        }
    }

    /// Moves the position to the one that a cut or progress names.
    mutating func advance(by change: CutChange) throws(Deviation) {
        try judgeEpochs(change)
        position = position.advanced(by: change)
    }

    private func judgeNumbers(of message: Message, _ change: CutChange) throws(Deviation) {
        let handles: [UInt64] =
            switch message {
            case .join(let join): [join.viewHandle] + join.sections.map(\.handle)
            case .data(let part), .stage(let part): [part.handle]
            default: []
            }
        let numbers = handles + [change.catalogueRevision, change.userRevision].compactMap(\.self)
        guard let number = numbers.first(where: { $0 >= Self.exactNumbers }) else { return }
        throw Deviation(expected: "handles and revisions below 2^53 (3)", actual: "\(number)")
    }

    private func judgeEpochs(_ change: CutChange) throws(Deviation) {
        guard let welcome else { return }
        let isOther =
            (change.catalogueEpoch.map { $0 != welcome.cut.catalogueEpoch } ?? false)
            || (change.userEpoch.map { $0 != welcome.cut.userEpoch } ?? false)
        if isOther { throw Deviation(expected: "positions in the epochs of welcome (11)", actual: "another epoch") }
    }

    /// Lenient: counts all bytes acknowledged by now, while the server may not have received the last ack when it
    /// began.
    private func judgeCredit(_ frame: Frame, _ message: Message) throws(Deviation) {
        guard dataBytes - acknowledged < credit else {
            throw Deviation(
                expected:
                    "no cut or staged part begun while \(dataBytes - acknowledged) bytes are unacknowledged and the "
                    + "credit is \(credit) (16)",
                actual: FrameText.describe(message, flags: frame.flags))
        }
    }

    private func judgeSize(_ frame: Frame, _ part: Part) throws(Deviation) {
        let length = frame.wireBytes - Frame.lengthBytes
        let isSingle = part.adds.count + part.updates.count + (part.head == nil ? 0 : 1) <= 1
        guard length > (isSingle ? ServerWitness.singleElementBytes : Int(limits.partBytes)) else { return }
        throw Deviation(expected: "parts of at most \(limits.partBytes) bytes (4)", actual: "one of \(length) bytes")
    }

    private func judgeStatus(of message: Message) throws(Deviation) {
        switch message {
        case .close(let status), .goAway(let status, _): try StatusTable.judge(status)
        case .subscriptionError(let error): try StatusTable.judge(error.status)
        case .answer(let answer):
            if let status = answer.status, status.code != .ok { try StatusTable.judge(status) }
        default: break
        }
    }
}
