import MarqueeModel
import MarqueeWire

/// The guests of relays, as seen on the connections between relays and servers: who they are according to the server,
/// and the variants that plans have named for them.
///
/// A plan names only what is for the guest who asks, and a relay subscribes only to what a plan has named for one of
/// its guests.
struct RelayedGuests {
    /// A call of a relay whose answer hasn't arrived.
    private struct Call {
        enum Subject {
            case introduction(guest: UInt32, token: String)
            /// Without a guest, the relay asks for readers without claims.
            case plan(guest: UInt32?)
        }

        let subject: Subject
        var body: [UInt8] = []
        /// The reader that the answer to an introduction names.
        var reader: Reader?
    }

    private struct Link {
        let relay: Int
        var calls: [UInt32: Call] = [:]
        /// By the guests' numbers.
        var readers: [UInt32: Reader] = [:]
    }

    private struct Relay {
        /// The section of each variant that plans have named; empty for a view's own list.
        var named: [UInt64: String] = [:]
        /// The readers that each token named when guests were introduced, each until the next.
        var told: [String: [(reader: Reader, from: UInt64)]] = [:]
    }

    private let authority: TokenAuthority
    private var links: [Int: Link] = [:]
    private var relays: [Int: Relay] = [:]
    /// How many guests were introduced again by a token that named another reader than before.
    private(set) var revised: UInt64 = 0

    init(_ authority: TokenAuthority) { self.authority = authority }

    /// The readers that a token has named to a relay since a moment, the newest last.
    func readers(of token: String, at relay: Int, since moment: UInt64) -> [Reader] {
        let told = relays[relay]?.told[token] ?? []
        let ended = told.dropFirst().prefix { $0.from < moment }.count
        return told.dropFirst(ended).map(\.reader)
    }

    mutating func judge(_ event: Event) throws(Violation) {
        switch event {
        case .linked(let number, let relay): links[number] = Link(relay: relay)
        case .ended(let number): links[number] = nil
        case .relayEnded(let relay): relays[relay] = nil
        case .toServer(let number, .request(let request)): ask(request, number)
        case .toServer(let number, .subscribe(let subscribe)):
            guard let relay = links[number]?.relay, let handle = subscribe.handle else { return }
            if relays[relay]?.named[handle] == nil {
                throw violation("relay \(relay) subscribes to \(handle), which no plan of its guests names")
            }
        case .fromServer(let number, .answer(let answer), _, _, _): try answered(answer, number)
        case .toClient(let number, .answer(let answer), _, _): tell(answer, number)
        default: break
        }
    }

    private mutating func ask(_ request: Request, _ number: Int) {
        switch request.method {
        case .introduce:
            guard let body = try? CallBodyCodec.decodeIntroduceRequest(request.body), let token = body.token else {
                return
            }
            links[number]?.calls[request.call] = Call(subject: .introduction(guest: body.guest, token: token))
        case .plan: links[number]?.calls[request.call] = Call(subject: .plan(guest: request.guest))
        default: break
        }
    }

    /// The server upstream has answered.
    private mutating func answered(_ answer: Answer, _ number: Int) throws(Violation) {
        guard let link = links[number], var call = link.calls[answer.call] else { return }
        call.body += answer.body
        defer { links[number]?.calls[answer.call] = call }
        guard !answer.more, answer.status == nil else { return }
        switch call.subject {
        case .introduction(let guest, let token):
            guard let body = try? CallBodyCodec.decodeIntroduceAnswer(call.body) else { return }
            call.reader = authority.readers(of: token).last { $0.user == body.user && $0.claims.sum == body.claims }
            guard let reader = call.reader else {
                throw violation("relay \(link.relay) is told that the guest with \(token) is another reader")
            }
            links[number]?.readers[guest] = reader
        case .plan(let guest):
            guard let plan = try? CallBodyCodec.decodePlanAnswer(call.body) else { return }
            guard let reader = guest.map({ link.readers[$0] }) ?? Reader() else {
                throw violation("relay \(link.relay) is told a plan for guest \(guest ?? 0), who wasn't introduced")
            }
            try name(plan, for: reader, to: link.relay)
        }
    }

    private mutating func name(_ plan: PlanAnswer, for reader: Reader, to relay: Int) throws(Violation) {
        relays[relay, default: Relay()].named[plan.viewHandle] = ""
        for section in plan.sections {
            relays[relay]?.named[section.handle] = section.section
            if !Audiences.includes(reader, in: section.section) {
                throw violation("relay \(relay) is told to show '\(section.section)' to \(reader)")
            }
            if plan.isShared, Audiences.restricted.contains(section.section) {
                throw violation("relay \(relay) is told to show '\(section.section)' to everybody")
            }
        }
    }

    /// The relay has heard the answer.
    private mutating func tell(_ answer: Answer, _ number: Int) {
        guard !answer.more, let link = links[number],
            let call = links[number]?.calls.removeValue(forKey: answer.call),
            case .introduction(_, let token) = call.subject, let reader = call.reader
        else { return }
        let before = relays[link.relay]?.told[token]?.last?.reader
        guard before != reader else { return }
        if before != nil { revised += 1 }
        relays[link.relay, default: Relay()].told[token, default: []].append((reader, authority.now))
    }

    private func violation(_ message: String) -> Violation { Violation(guarantee: .bounded, message: message) }
}
