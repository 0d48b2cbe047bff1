@testable import MarqueeDiff
@testable import MarqueeModel
@testable import MarqueeWire

/// A message of every kind with all fields, and one with as few as possible.
enum SampleMessages {
    static let cut = Cut(catalogueEpoch: 0x1122_3344_5566_7788, catalogueRevision: 42, userEpoch: 9, userRevision: 7)
    static let status = Status(
        .unavailable, reason: "BUSY", remedy: .retryOther, message: "try another node – 다시", retryAfterMilliseconds: 250
    )

    static var hello: Hello {
        var hello = Hello()
        hello.protocolMaximum = 3
        hello.limits = WireLimits(
            frameBytes: 5_000, partBytes: 5_001, elementsPerFrame: 5_002, unknownFields: 5, subscriptions: 6, calls: 7,
            answerBytes: 8, listItems: 9, sections: 10, creditBytes: 1 << 40, mutations: 12, cutBytes: 1 << 41)
        hello.user = "ada"
        hello.token = "secret"
        hello.clientID = Array(1...16)
        hello.agent = "test/1"
        hello.cluster = "c1"
        hello.seen = cut
        hello.answeredThrough = 77
        hello.pingIntervalMilliseconds = 1_000
        hello.isRelay = true
        return hello
    }

    static var smallHello: Hello {
        var hello = Hello()
        hello.clientID = Array(repeating: 0, count: 16)
        return hello
    }

    static var welcome: Welcome {
        var welcome = Welcome()
        welcome.cluster = "c1"
        welcome.user = "ada"
        welcome.node = "n1"
        welcome.cut = cut
        welcome.pingIntervalMilliseconds = 1
        welcome.pingMinimumMilliseconds = 2
        welcome.progressIntervalMilliseconds = 3
        welcome.imageBaseURL = "https://images.example/"
        welcome.locales = ["en", "ko"]
        welcome.lastMutation = 0
        welcome.agent = "server/1"
        welcome.identityMilliseconds = 60_000
        return welcome
    }

    static var smallWelcome: Welcome {
        var welcome = Welcome()
        welcome.cluster = "c"
        return welcome
    }

    static let part = Part(
        handle: 5, base: 0, target: .max, script: [1, 2, 3],
        adds: [
            Item(id: "27205", kind: .movie, subject: "movie/27205", body: [8, 1]),
            Item(id: "x", kind: ItemKind(rawValue: 9_999), body: []),
        ],
        updates: [
            FieldChange(records: [8, 2], cleared: [3, 70_000]), FieldChange(),
            FieldChange(records: [8, 3], replace: true),
        ],
        head: FieldChange(records: [8, 1], cleared: [2]), count: 12, more: true, cut: CutChange(catalogueRevision: 43))

    static let all = ofClients + ofRelays

    static let ofClients: [Message] = [
        .hello(hello), .hello(smallHello), .welcome(welcome), .welcome(smallWelcome),
        .ping(nonce: 0), .ping(nonce: .max), .pong(nonce: 3),
        .progress(CutChange(cut)), .progress(CutChange(userRevision: 4)), .progress(CutChange()),
        .ack(bytes: 1 << 50, cut: cut), .ack(bytes: 0, cut: nil),
        .goAway(status, reconnectMilliseconds: 100...5_000), .close(status),
        .subscribe(
            Subscribe(
                subscription: 1, generation: 2, screen: "detail/27205", locale: "ko",
                sections: [
                    SectionParameters(section: "rank", sort: "release", window: 30), SectionParameters(section: "x"),
                    SectionParameters(section: "start", place: WindowPlace()),
                    SectionParameters(
                        section: "item", sort: "title",
                        place: WindowPlace(item: "movie/1", cursor: [0, 255], before: 20, after: 30)),
                    SectionParameters(section: "value", place: WindowPlace(value: "M", after: .max)),
                    SectionParameters(section: "end", place: WindowPlace(isEnd: true, before: 1)),
                ],
                resume: Resume(cut: cut, viewSum: 5, sections: [HeldSection(section: "rank", sum: 0)]))),
        .subscribe(Subscribe(subscription: 0, screen: "home")),
        .unsubscribe(0), .unsubscribe(.max),
        .subscriptionError(SubscriptionError(subscription: 1, generation: 2, status: status, section: "rank")),
        .subscriptionError(
            SubscriptionError(
                subscription: 1, generation: 0, status: Status(.notFound, reason: "", remedy: .fatal, message: ""))),
        .join(
            Join(
                subscription: 3, generation: 1, viewHandle: 8, viewSum: 9,
                sections: [
                    Binding(section: "rank", handle: 10, sum: 11), Binding(section: "basic", handle: 11, sum: nil),
                ], cut: CutChange(cut), screen: "home",
                locale: "en")),
        .data(part), .data(Part(handle: 0, base: nil, target: 0)), .stage(part),
        .nack(
            Nack(
                number: 1, good: cut,
                held: [HeldVersion(handle: 1, sum: nil), HeldVersion(handle: 2, sum: 0, refused: true)],
                staged: [HeldVersion(handle: 3, sum: .max)], status: status)),
        .nack(Nack(number: 0, good: Cut(), held: [], status: status)),
        .repair(number: 4),
        .rebase(
            Rebase(
                subscription: 3,
                sections: [RebaseSection(section: "", handle: 8), RebaseSection(section: "rank", handle: .max)])),
        .rebase(Rebase(subscription: 0, sections: [])),
        .manifest(Manifest(handle: 1, sum: 2, headHash: 3, pairs: Array(0..<32), more: true)),
        .manifest(Manifest(handle: 1, sum: 2, headHash: 3, pairs: [], more: false)),
        .request(
            Request(
                call: 1, method: .search, deadlineMilliseconds: 0, body: [1, 2])),
        .request(Request(call: 0, method: Method(rawValue: 77))),
        .answer(Answer(call: 1, status: status, body: [1], more: true)), .answer(Answer(call: 2)),
        .cancel(call: 9),
    ]

    /// The messages that only relays send and are sent.
    static let ofRelays: [Message] = [
        .subscribe(
            Subscribe(
                subscription: 2, screen: "", resume: Resume(cut: cut, viewSum: 5, sections: []), handle: 1 << 48)),
        .request(Request(call: 3, method: .plan, body: [1], guest: 0)),
        .dismiss(guest: 7), .guestEnded(guest: 8, status),
        .userProgress(UserProgress(user: "ada", epoch: .max, revision: 0)),
        .replan(Replan(isAll: true)), .replan(Replan(families: ["home", "episode"], gone: [1 << 48, 2])),
    ]
}
