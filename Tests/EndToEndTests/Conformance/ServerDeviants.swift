import MarqueeModel
import MarqueeWire

/// Servers that deviate: ours, behind a relay that changes what it hears or says.
enum ServerDeviants {
    static let all: [Deviant] = hearing + saying + counting

    private static let hearing: [Deviant] = [
        Deviant(
            "skips the check of frames",
            finds: ["each-bit-damaged": "close FRAME_DAMAGED", "damaged-hello": "close FRAME_DAMAGED"]
        ) { Tampering(fromRunner: { .pass($0.madeAnew) }) },
        // The relay itself waits for the rest of a frame.
        Deviant("waits for a frame of any length", finds: ["length-above-limit": "close FRAME_TOO_LONG"]) {
            Tampering()
        },
        Deviant(
            "ignores messages that break the guard's rules",
            finds: [
                "truncated": "close TRUNCATED", "wrong-wire-type": "close WRONG_WIRE_TYPE",
                "invalid-utf8": "close INVALID_UTF8", "missing-field": "close MISSING_FIELD",
                "repeated-submessage": "close REPEATED_SUBMESSAGE", "out-of-range": "close OUT_OF_RANGE",
                "too-many-unknown-fields": "close TOO_MANY_UNKNOWN_FIELDS",
            ]
        ) {
            Tampering(fromRunner: { frame in
                let isBroken = frame.message == nil && frame.kind.rawValue < 900
                return isBroken ? .drop : .pass(frame)
            })
        },
        Deviant(
            "ignores frames with the critical flag",
            finds: ["unknown-critical-kind": "close UNKNOWN_CRITICAL_KIND", "known-critical-kind": "pong {7}"]
        ) {
            Tampering(fromRunner: { $0.flags.contains(.critical) ? .drop : .pass($0) })
        },
        Deviant("closes on any unknown kind", finds: ["unknown-kind": "pong {7}", "unknown-kind-first": "welcome"]) {
            Tampering(fromRunner: { $0.kind.rawValue == 900 ? .pass($0.with(flags: .critical)) : .pass($0) })
        },
        .hearing("ignores messages that only a server sends", finds: ["wrong-direction": "close WRONG_DIRECTION"]) {
            if case .progress = $0 { [] } else { nil }
        },
        .hearing("doesn't compare the client's cluster", finds: ["other-cluster": "close OTHER_CLUSTER"]) {
            guard case .hello(var hello) = $0, hello.cluster != nil else { return nil }
            hello.cluster = nil
            return [.hello(hello)]
        },
        .hearing("shows a client older data than it has seen", finds: ["node-behind": "close NODE_BEHIND"]) {
            guard case .hello(var hello) = $0, hello.seen != nil else { return nil }
            hello.seen = nil
            return [.hello(hello)]
        },
        .hearing("ignores the client's credit", finds: ["credit-gates": "no cut or staged part begun"]) {
            guard case .hello(var hello) = $0 else { return nil }
            hello.limits.creditBytes = 1 << 20
            return [.hello(hello)]
        },
        .hearing(
            "believes any ack", finds: ["ack-too-much": "close ACK_INVALID", "ack-of-future": "close ACK_INVALID"]
        ) {
            guard case .ack(let bytes, let cut) = $0, bytes > 1 << 30 || cut != nil else { return nil }
            return []
        },
        .hearing(
            "never answers a nack",
            finds: ["nack-repaired": "a cut with repair {1}", "nack-numbers": "close NACK_INVALID"]
        ) {
            if case .nack = $0 { [] } else { nil }
        },
        .hearing("ignores what a client offers", finds: ["tier-0": "one join alone"]) {
            guard case .subscribe(var subscribe) = $0 else { return nil }
            subscribe.resume = nil
            return [.subscribe(subscribe)]
        },
        .hearing("ignores changes of parameters", finds: ["generation-joins": "generation 1"]) {
            guard case .subscribe(let subscribe) = $0, subscribe.generation > 0 else { return nil }
            return []
        },
        .hearing("takes manifests that it didn't ask for", finds: ["manifest-unexpected": "close MANIFEST_UNEXPECTED"])
        {
            if case .manifest = $0 { [] } else { nil }
        },
        .hearing(
            "takes any window",
            finds: [
                "unknown-window": "subscriptionError UNKNOWN_WINDOW",
                "unknown-anchor": "subscriptionError UNKNOWN_ANCHOR", "windows-anywhere": "the last two rows of",
            ]
        ) {
            guard case .subscribe(var subscribe) = $0 else { return nil }
            subscribe.sections = []
            return [.subscribe(subscribe)]
        },
        .hearing("refuses clients that take small cuts", finds: ["cuts-in-limit": "welcome, or close LIMITS_TOO_LOW"]) {
            guard case .hello(var hello) = $0, hello.limits.cutBytes < 64 << 20 else { return nil }
            hello.limits.cutBytes = 0
            return [.hello(hello)]
        },
        .hearing("judges acks of other epochs", finds: ["ack-of-other-epoch": "pong {4242}"]) {
            guard case .ack(_, let cut?) = $0, cut.catalogueRevision == 1 << 40 else { return nil }
            return [.ack(bytes: 1 << 40, cut: nil)]
        },
        .hearing("takes from anybody what only relays say", finds: ["relays-only": "close RELAY_EXPECTED"]) {
            if case .dismiss = $0 { [] } else { nil }
        },
        .hearing("takes reports that nothing asks for", finds: ["report-unasked": "NOT_ASKED"]) {
            guard case .request(var request) = $0, request.method == .report else { return nil }
            (request.method, request.body) = (.health, [])
            return [.request(request)]
        },
        .hearing("takes any number of a mutation", finds: ["number-too-large": "NUMBER_INVALID"]) {
            guard case .request(var request) = $0, request.method == .collection,
                var body = try? CallBodyCodec.decodeCollectionRequest(request.body), body.number >= 1 << 63
            else { return nil }
            body.number = 1
            request.body = CallBodyCodec.encode(body)
            return [.request(request)]
        },
        .hearing("works on calls without time", finds: ["no-time-left": "DEADLINE_EXCEEDED"]) {
            guard case .request(var request) = $0 else { return nil }
            request.deadlineMilliseconds = nil
            return [.request(request)]
        },
    ]

    private static let saying: [Deviant] = [
        .saying("answers a ping with another nonce", finds: ["ping-pong": "pong {0}"]) {
            if case .pong(let nonce) = $0 { [.pong(nonce: nonce ^ 1)] } else { nil }
        },
        .saying("answers calls twice", finds: ["answered-once": "exactly one answer"]) {
            if case .answer = $0 { [$0, $0] } else { nil }
        },
        .saying("repairs under another number", finds: ["nack-repaired": "a cut with repair {1}"]) {
            if case .repair(let number) = $0 { [.repair(number: number + 1)] } else { nil }
        },
        .saying("patches from another base", finds: ["live-patch": "a patch for handle"]) {
            guard case .data(var part) = $0, let base = part.base else { return nil }
            part.base = base ^ 1
            return [.data(part)]
        },
        .saying(
            "sends bodies that don't match their sums",
            finds: ["whole-patches": "a patch for handle", "join-names-held": "a patch for handle"]
        ) {
            guard case .stage(var part) = $0, !part.adds.isEmpty else { return nil }
            part.adds[0].body.append(0)
            return [.stage(part)]
        },
        .saying("leaves a section out of its join", finds: ["sections-are-bound": "the bound sections to be those"]) {
            guard case .join(var join) = $0, !join.sections.isEmpty else { return nil }
            join.sections.removeLast()
            return [.join(join)]
        },
        .saying(
            "gives two sections one handle", finds: ["joins": "a handle above 0 for each section, none of them twice"]
        ) {
            guard case .join(var join) = $0, join.sections.count > 1 else { return nil }
            join.sections[1].handle = join.sections[0].handle
            return [.join(join)]
        },
        .saying("joins with versions that it never sent", finds: ["join-names-held": "versions this side holds"]) {
            guard case .join(var join) = $0, let sum = join.sections.first?.sum else { return nil }
            join.sections[0].sum = sum ^ 1
            return [.join(join)]
        },
        .saying("gives wrong sums to get screen", finds: ["sums-of-a-screen": "computed for"]) {
            guard case .answer(var answer) = $0, !answer.more,
                var screen = try? CallBodyCodec.decodeGetScreenAnswer(answer.body), !screen.sections.isEmpty
            else { return nil }
            screen.sections[0].sum ^= 1
            answer.body = CallBodyCodec.encode(screen)
            return [.answer(answer)]
        },
        .saying("says of every refused screen that it is a preview", finds: ["get-as-another": "no preview"]) {
            guard case .answer(var answer) = $0, answer.status?.reason == "READER_INVALID" else { return nil }
            var screen = GetScreenAnswer(
                screen: "home", locale: "en", cut: Cut(catalogueEpoch: 1, catalogueRevision: 1),
                view: ScreenContent(id: "", head: [], items: [], sum: 0), sections: [])
            screen.isPreview = true
            (answer.status, answer.body) = (nil, CallBodyCodec.encode(screen))
            return [.answer(answer)]
        },
        .saying("gives refusals other codes", finds: ["unknown-screen": "UNKNOWN_SCREEN with code 5"]) {
            guard case .subscriptionError(var error) = $0 else { return nil }
            error.status.code = .internalError
            return [.subscriptionError(error)]
        },
        .saying("ends a subscription because a section is wrong", finds: ["ladder": "SECTION_REFUSED"]) {
            guard case .subscriptionError(var error) = $0 else { return nil }
            error.section = nil
            return [.subscriptionError(error)]
        },
        .saying(
            "chooses a version that wasn't offered",
            finds: ["welcome": "protocol 1", "version-in-common": "protocol 1"]
        ) {
            guard case .welcome(var welcome) = $0 else { return nil }
            welcome.protocolVersion = 2
            return [.welcome(welcome)]
        },
        .saying("wants pings that it calls too many", finds: ["welcome": "a ping interval of at least"]) {
            guard case .welcome(var welcome) = $0 else { return nil }
            welcome.pingMinimumMilliseconds = welcome.pingIntervalMilliseconds + 1
            return [.welcome(welcome)]
        },
        .saying(
            "reports progress too seldom for a client that only receives",
            finds: ["welcome": "a progress interval of at most"]
        ) {
            guard case .welcome(var welcome) = $0 else { return nil }
            welcome.progressIntervalMilliseconds = welcome.pingIntervalMilliseconds + 1
            return [.welcome(welcome)]
        },
        .saying("numbers its handles beyond a double", finds: ["joins": "handles and revisions below 2^53"]) {
            guard case .join(var join) = $0 else { return nil }
            join.viewHandle |= 1 << 60
            return [.join(join)]
        },
        .saying("makes up a cluster for each connection", finds: ["same-cluster": "cluster "]) {
            guard case .welcome(var welcome) = $0 else { return nil }
            welcome.cluster = "\(UInt64.random(in: 0 ... .max))"
            return [.welcome(welcome)]
        },
        .saying("sends progress later than it promises", finds: ["progress-in-time": "progress"]) {
            guard case .welcome(var welcome) = $0 else { return nil }
            welcome.progressIntervalMilliseconds = 1
            return [.welcome(welcome)]
        },
        .saying("names another epoch in its cuts", finds: ["cut-of-a-join": "positions in the epochs of welcome"]) {
            guard case .join(var join) = $0 else { return nil }
            join.cut.catalogueEpoch = 7
            return [.join(join)]
        },
        .saying("forgets the query id of a search", finds: ["search": "query id 77"]) {
            guard case .answer(var answer) = $0, var search = try? CallBodyCodec.decodeSearchAnswer(answer.body),
                search.queryID == 77
            else { return nil }
            search.queryID = 0
            answer.body = CallBodyCodec.encode(search)
            return [.answer(answer)]
        },
        Deviant("begins cuts without the flag first", finds: ["cut-of-a-join": "the flag first on the first frame"]) {
            Tampering(fromPeer: { $0.kind == .join ? .pass($0.with(flags: $0.flags.subtracting(.first))) : .pass($0) })
        },
        Deviant("begins staged patches without the flag first", finds: ["staged-in-order": "the flag first"]) {
            Tampering(fromPeer: { $0.kind == .stage ? .pass($0.with(flags: [])) : .pass($0) })
        },
    ]

    /// Those that need to know what came before on a connection.
    private static let counting: [Deviant] = [
        Deviant("sends progress within a cut", finds: ["nack-repaired": "no progress between the first and last frame"])
        {
            Tampering(fromPeer: { frame in
                let isOpen = frame.flags.contains(.first) && !frame.flags.contains(.last) && frame.kind != .stage
                return Passage(on: [frame] + (isOpen ? [PassingFrame(.progress(CutChange(Cut())))] : []))
            })
        },
        Deviant(
            "takes ids that were used before",
            finds: ["id-not-reused": "close SUBSCRIPTION_REUSED", "call-ids-rise": "close CALL_REUSED"]
        ) {
            var last: (subscription: UInt32, call: UInt32) = (0, 0)
            return Tampering(fromRunner: { frame in
                switch frame.message {
                case .subscribe(let subscribe)?:
                    guard subscribe.subscription > last.subscription else { return .drop }
                    last.subscription = subscribe.subscription
                case .request(let request)?:
                    guard request.call > last.call else { return .drop }
                    last.call = request.call
                default: break
                }
                return .pass(frame)
            })
        },
        Deviant("applies a mutation each time it is sent", finds: ["sent-again": "the same answer"]) {
            var number: UInt64 = 1_000
            return Tampering(fromRunner: { frame in
                guard case .request(var request)? = frame.message, request.method == .collection,
                    var mutation = try? CallBodyCodec.decodeCollectionRequest(request.body)
                else { return .pass(frame) }
                number += 1
                mutation.number = number
                request.body = CallBodyCodec.encode(mutation)
                return .pass(PassingFrame(.request(request)))
            })
        },
        Deviant(
            "takes a clone's mutations", finds: ["other-content": "CLIENT_CLONED", "forgotten": "MUTATION_FORGOTTEN"]
        ) {
            var last: UInt64 = 0
            return Tampering(fromRunner: { frame in
                guard case .request(var request)? = frame.message, request.method == .collection,
                    var mutation = try? CallBodyCodec.decodeCollectionRequest(request.body)
                else { return .pass(frame) }
                last = max(last + 1, mutation.number)
                mutation.number = last
                request.body = CallBodyCodec.encode(mutation)
                return .pass(PassingFrame(.request(request)))
            })
        },
        Deviant("moves a source from anywhere", finds: ["source-expected": "SOURCE_ELSEWHERE"]) {
            Tampering(fromRunner: { frame in
                guard case .request(var request)? = frame.message, request.method == .publish,
                    var publication = try? CallBodyCodec.decodePublishRequest(request.body),
                    publication.source?.position == "2"
                else { return .pass(frame) }
                publication.source?.expected = "1"
                request.body = CallBodyCodec.encode(publication)
                return .pass(PassingFrame(.request(request)))
            })
        },
        Deviant("forgets what sources report", finds: ["source-trouble": "the error as the source's trouble"]) {
            Tampering(fromRunner: { frame in
                guard case .request(var request)? = frame.message, request.method == .source,
                    var question = try? CallBodyCodec.decodeSourceRequest(request.body), question.report != nil
                else { return .pass(frame) }
                question.report = nil
                request.body = CallBodyCodec.encode(question)
                return .pass(PassingFrame(.request(request)))
            })
        },
        Deviant("takes a second hello", finds: ["hello-once": "close HELLO_REPEATED"]) {
            var hasGreeted = false
            return Tampering(fromRunner: { frame in
                guard frame.kind == .hello else { return .pass(frame) }
                defer { hasGreeted = true }
                return hasGreeted ? .drop : .pass(frame)
            })
        },
    ]
}
