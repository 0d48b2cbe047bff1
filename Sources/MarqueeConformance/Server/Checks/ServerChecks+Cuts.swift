import MarqueeDiff
import MarqueeModel
import MarqueeWire

extension ServerChecks {
    /// Chapter 10.
    static let staging: [ServerCheck] = [
        ServerCheck("join-names-held", .staging, "A join names only versions that were staged, held or empty.") {
            stage in
            // `VerifiedViews` refuses any other join.
            let talk = try await stage.greeted()
            try await talk.joined()
        },
        ServerCheck(
            "staged-in-order", .staging, "A staged patch begins with first, and no other comes between its parts."
        ) {
            stage in
            // With a credit this small, each part waits for an ack.
            let talk = try await stage.greetedWithCredit(1)
            try await talk.joined()
        },
        ServerCheck("stage-gives-way", .staging, "Calls are answered while a screen is being staged.") { stage in
            let talk = try await stage.greetedWithCredit(1)
            talk.acknowledges = false
            let id = await talk.subscribe()
            _ = try await talk.until("the first staged part") { if case .stage = $0 { true } else { nil } }
            _ = try await talk.call(.health)
            talk.acknowledges = true
            await talk.acknowledge()
            try await talk.untilJoined(id)
        },
    ]

    /// Chapter 11.
    static let cuts: [ServerCheck] = [
        ServerCheck("cut-of-a-join", .cuts, "A view joins in a cut: repair, joins, data; from first to last.") {
            stage in
            let talk = try await stage.greeted()
            try await talk.joined()
        },
        ServerCheck("sections-are-bound", .cuts, "The sections of the view's own list are those that the join binds.") {
            stage in
            let talk = try await stage.greeted()
            let view = try talk.view(try await talk.joined())
            for item in view.own.items {
                guard item.kind == .section, item.subject.isEmpty, BodyCodec.decodeSectionReference(item.body) != nil
                else {
                    throw talk.failure("a section reference of kind 100", "kind \(item.kind.rawValue) for '\(item.id)'")
                }
            }
            guard !view.sections.isEmpty, BodyCodec.decodeViewHead(view.own.head) != nil else {
                throw talk.failure("a list of sections with a head", "\(view.sections.count) sections")
            }
        },
        ServerCheck("all-views-move", .cuts, "Two views of one connection move together.") { stage in
            let (talk, subscription) = try await stage.collections()
            try await talk.joined()
            let answer = try await talk.changeFavorite(try await stage.someSubject(), of: subscription)
            guard let revision = answer.cut.userRevision, talk.position.userRevision >= revision else {
                throw talk.failure(
                    "a position that contains the answer's", "\(FrameText.cut(talk.position)), \(answer.cut)")
            }
        },
        ServerCheck("two-readers", .cuts, "Two connections to the same screen get the same versions.") { stage in
            let (first, one) = try await stage.collections()
            let (second, two) = try await stage.collections()
            let subject = try await stage.someSubject()
            try await first.changeFavorite(subject, of: one)
            try await second.untilFavorite(subject, try first.isFavorite(subject, of: one), of: two)
        },
    ]

    /// Chapter 12.
    static let positions: [ServerCheck] = [
        ServerCheck("join-names-all", .positions, "A join names the whole position, in welcome's epochs.") { stage in
            let talk = try await stage.greeted()
            let join = try await talk.firstJoin(of: await talk.subscribe())
            guard join.cut.catalogueRevision != nil else {
                throw talk.failure("a catalogue revision in join", FrameText.describe(.join(join)))
            }
            guard (join.cut.catalogueRevision ?? 0) >= talk.welcome.cut.catalogueRevision else {
                throw talk.failure("a position not behind welcome's", FrameText.describe(.join(join)))
            }
        },
        ServerCheck(
            "progress-in-time", .positions, "Progress comes within its interval, even without a view.", isSlow: true
        ) {
            stage in
            let talk = try await stage.greeted()
            let interval = Duration.milliseconds(Int64(talk.welcome.progressIntervalMilliseconds))
            _ = try await talk.until("progress", within: interval + stage.deadlines.timer) {
                if case .progress = $0 { true } else { nil }
            }
        },
        ServerCheck(
            "answer-is-reached", .positions, "The position of a mutation's answer is reached by a cut or progress."
        ) {
            stage in
            let (talk, subscription) = try await stage.collections()
            let subject = try await stage.someSubject()
            let answer = try await talk.setFavorite(subject, try !talk.isFavorite(subject, of: subscription))
            while talk.position.userRevision < answer.cut.userRevision ?? 0 {
                _ = try await talk.next("a cut or progress at user revision \(answer.cut.userRevision ?? 0)")
            }
        },
    ]
}

extension ServerStage {
    /// A connection whose hello grants this credit.
    func greetedWithCredit(_ bytes: UInt64) async throws -> ServerTalk {
        let talk = try await connect()
        var hello = talk.hello
        hello.limits.creditBytes = bytes
        try await talk.greet(hello)
        return talk
    }
}
